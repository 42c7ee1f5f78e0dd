"""Everybody known against what a list changed: `python -m bench.rescreening --corpus FOLDER`.

Finished cases of persons with made-up names, each of the words of two clean customers of the corpus
(docs/screening.md tells its shape); a list is loaded, then its next state, and what that brought is
matched against all of them as the worker does it. Times are of the processor, since the machine may
be busy.
"""

from __future__ import annotations

import argparse
import csv
import os
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench.report import Report

BEFORE, AFTER = "un_consolidated_20240515.xml.gz", "un_consolidated_20260227.xml.gz"
CHUNK = 2000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--subjects", type=int, default=50_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "VAR": folder, "DJANGO_SETTINGS_MODULE": "compliance.settings", "LOG_LEVEL": "WARNING",
        }  # fmt: skip
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        return _run(given.corpus, given.subjects)


def _run(corpus: Path, subjects: int) -> int:
    from agenthub.jobs import rescreening
    from agenthub.models import Account, Agent
    from agenthub.models.lists import Rescreening
    from agenthub.screening import catalogue, loading

    source = catalogue.source("un", max_age_days=36500)
    loading.load(source, corpus / "lists" / BEFORE)
    account = Account.objects.create(name="Bench")
    agent = Agent.objects.create(account=account, key="bench-kyc", name="b", kind="kyc")
    people = _people(corpus, subjects)
    for start in range(0, subjects, CHUNK):
        _make(agent, people[start : start + CHUNK])
    version = loading.load(source, corpus / "lists" / AFTER)
    report = Report(f"Rescreening: {subjects:,} subjects, SQLite, one process")
    changes = version.changes
    report.row(
        "entries added and changed", str(changes["added"]), str(changes["changed"])
    )
    row = Rescreening.objects.get(version=version)
    began = time.process_time()
    rescreening.perform(row)
    spent = time.process_time() - began
    row.refresh_from_db()
    report.row("cases raised again", str(row.raised))
    report.most("S11", "everybody against a delta, processor time", spent, 60, " s")
    report.row("a subject", f"{spent / subjects * 1000:.2f} ms")
    return report.close()


def _people(corpus: Path, count: int) -> list[dict[str, str]]:
    rng = random.Random(20261121)  # noqa: S311
    path = corpus / "dev" / "negatives_global.csv"
    with path.open(newline="", encoding="utf-8") as file:
        known = [row for row in csv.DictReader(file) if " " in row["full_name"]]
    made = []
    for number in range(count):
        one, other = rng.choices(known, k=2)
        first, last = one["full_name"].split()[0], other["full_name"].split()[-1]
        born = one["date_of_birth"]
        made.append(
            {
                "case": f"case-{number}",
                "first_name": first,
                "last_name": last,
                "date_of_birth": born,
            }
        )
    return made


def _make(agent: Any, people: list[dict[str, str]]) -> None:
    from agenthub.models import AgentJob

    AgentJob.objects.bulk_create(
        AgentJob(
            account=agent.account,
            agent=agent,
            case_id=one["case"],
            subject=f"{one['first_name']} {one['last_name']}",
            status="COMPLETE",
            recommendation="Approve",
            due_at=None,
            input_payload={
                "kyc_schema": {"id": one["case"], "self_attested_data": one}
            },
        )
        for one in people
    )


if __name__ == "__main__":
    sys.exit(main())
