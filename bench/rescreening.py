"""Everybody known against what a list changed: `python -m bench.rescreening --corpus FOLDER`.

Finished cases of persons with made-up names, each of the words of two clean customers of the corpus
(docs/screening.md tells its shape), encrypted with a key of its own; a list is loaded, then its next
state, and what that brought is matched against all of them by workers, on PostgreSQL.

One in fifty of the first `--compared` persons has the name of a listed one, mostly misspelt. Each of
those persons is compared with every new name of the list: a hit there must have raised the case.
That comparison uses the alignment of the product, and none of its keys. It takes 30 ms a person and
more, so it ends after `--minutes`, and the report says how many persons were compared.

CPU times are given, too, because the machine may be busy.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from bench.installation import postgres_database
from bench.report import Report

BEFORE, AFTER = "un_consolidated_20240515.xml.gz", "un_consolidated_20260227.xml.gz"
CHUNK = 2000
MILLION, CORES = 1_000_000, 2
WORKER = "bench.rescreening_worker"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--subjects", type=int, default=50_000)
    parser.add_argument("--compared", type=int, default=20_000)
    parser.add_argument("--minutes", type=float, default=60, help="of comparing")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        os.environ |= {
            "VAR": folder, "DJANGO_SETTINGS_MODULE": "compliance.settings", "LOG_LEVEL": "WARNING",
            "DATABASE_URL": stack.enter_context(postgres_database("rescreening")),
            "SECRET_KEY": "of-the-bench" * 5, "ENCRYPTION_KEY": "of-the-bench-alone" * 3,
        }  # fmt: skip
        import django

        django.setup()
        from django.core.management import call_command
        from django.db import connection

        call_command("migrate", verbosity=0)
        try:
            return _run(options)
        finally:
            connection.close()


def _run(options: argparse.Namespace) -> int:
    from django.db import connection

    from agenthub.models import Account, Agent, AgentJob
    from agenthub.models.lists import ListEntity, Rescreening
    from agenthub.screening import catalogue, loading
    from checks.screening.records import Entity

    corpus, subjects, workers = options.corpus, options.subjects, options.workers
    compared = options.compared
    report = Report(
        f"Rescreening: {subjects:,} subjects, PostgreSQL, {workers} workers"
    )
    source = catalogue.source("un", max_age_days=36500)
    loading.load(source, corpus / "lists" / BEFORE)
    account = Account.objects.create(name="Bench")
    agent = Agent.objects.create(account=account, key="bench-kyc", name="b", kind="kyc")
    people = _people(corpus, subjects)
    before = set(ListEntity.objects.values_list("pk", flat=True))
    # The next version is loaded before the cases are made, because some get a name from it.
    began, cpu = time.monotonic(), time.process_time()
    version = loading.load(source, corpus / "lists" / AFTER, force=True)
    # The load has begun a rescreening. Another one begins below, when the cases exist.
    Rescreening.objects.all().delete()
    brought = ListEntity.objects.filter(last_version=None).exclude(pk__in=before)
    entities = [Entity.from_wire(row.content) for row in brought]
    _plant(people[:compared], entities)
    for start in range(0, subjects, CHUNK):
        _make(agent, people[start : start + CHUNK])
    with connection.cursor() as cursor:
        # Statistics for the query planner, as autovacuum would have made them.
        cursor.execute("VACUUM ANALYZE")
    spent = time.monotonic() - began
    report.row("made in", f"{spent:.0f} s", f"{time.process_time() - cpu:.0f} CPU")
    changes = version.changes
    report.row(
        "entries added and changed", str(changes["added"]), str(changes["changed"])
    )
    Rescreening.begin(version)
    report.row("parts", str(version.rescreenings.count()))
    began = time.monotonic()
    spent_by_each = _work(workers)
    spent = time.monotonic() - began
    if version.rescreenings.exclude(status="done").exists():
        raise SystemExit("Not everything was done.")
    worker, database = map(sum, zip(*spent_by_each, strict=True))
    raised = set(
        AgentJob.objects.filter(is_bulk=True).values_list("case_id", flat=True)
    )
    report.row("cases raised again", f"{len(raised):,}")
    report.row("a subject, workers", f"{worker / subjects * 1000:.2f} ms CPU")
    report.row("a subject, database", f"{database / subjects * 1000:.2f} ms CPU")
    report.most(
        "S11", "50,000 subjects, workers' processor time", worker * 50_000 / subjects, 60, " s"
    )  # fmt: skip
    # Scaled linearly to a million subjects on two cores.
    computed = (worker + database) / CORES * MILLION / subjects
    report.most("S12", "a million, computed of two whole cores", computed, 600, " s")
    if subjects >= MILLION:
        report.most("S12", "a million, as the clock says", spent, 600, " s")
    else:
        report.row("as the clock says", f"{spent:.1f} s")
    hits, reached = _hits_of_all(
        people[:compared], entities, workers, seconds=options.minutes * 60
    )
    report.row("compared with every name", f"{reached:,}", f"{len(hits):,} hits")
    missed = hits - raised
    for case in sorted(missed):
        report.row("missed", case)
    report.most("S12", "hits that were missed", len(missed), 0)
    return report.close()


def _work(workers: int) -> list[tuple[float, float]]:
    """For each worker: CPU seconds of the process, and of PostgreSQL for it."""
    command = [sys.executable, "-m", WORKER]
    running = [
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        for _ in range(workers)
    ]
    spent = []
    for worker in running:
        output, _ = worker.communicate()
        if worker.returncode:
            raise SystemExit("A worker failed.")
        figures = json.loads(output)
        spent.append((figures["worker"], figures["database"]))
    return spent


def _people(corpus: Path, count: int) -> list[dict[str, str]]:
    rng = random.Random(20261121)  # noqa: S311
    path = corpus / "dev" / "negatives_global.csv"
    with path.open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if " " in row["full_name"]]
    items = []
    for number in range(count):
        one, other = rng.choices(rows, k=2)
        first, last = one["full_name"].split()[0], other["full_name"].split()[-1]
        born = one["date_of_birth"]
        items.append(
            {
                "case": f"case-{number}",
                "first_name": first,
                "last_name": last,
                "date_of_birth": born,
            }
        )
    return items


def _plant(people: list[dict[str, str]], entities: Sequence[Any]) -> None:
    """Give every fiftieth person the name of a listed one, usually misspelt; half of them also
    the birth date.
    """
    rng = random.Random(20261126)  # noqa: S311
    listed_people = [entity for entity in entities if entity.is_person]
    for at in range(0, len(people), 50):
        entity = rng.choice(listed_people)
        name = _misspelt(rng.choice(entity.names).text, rng)
        first, _, last = name.partition(" ")
        born = ""
        if entity.birth_dates and rng.random() < 0.5:
            born = entity.birth_dates[0].date
        people[at] |= {"first_name": first, "last_name": last, "date_of_birth": born}


def _misspelt(name: str, rng: random.Random) -> str:
    """The name unchanged, or with a letter missing, doubled or swapped, or with its words
    reordered.
    """
    at = rng.randrange(max(1, len(name) - 1))
    words = name.split()
    rng.shuffle(words)
    return rng.choice(
        [
            name,
            name[:at] + name[at + 1 :],
            name[:at] + name[at : at + 1] + name[at:],
            name[:at] + name[at + 1 : at + 2] + name[at : at + 1] + name[at + 2 :],
            " ".join(words),
        ]
    )


def _make(agent: Any, people: list[dict[str, str]]) -> None:
    from agenthub.models import AgentJob
    from compliance.security import data_keys

    keys = data_keys.create_many(len(people))
    AgentJob.objects.bulk_create(
        AgentJob(
            account=agent.account,
            agent=agent,
            case_id=one["case"],
            subject=f"{one['first_name']} {one['last_name']}",
            status="COMPLETE",
            recommendation="Approve",
            due_at=None,
            data_key=key,
            input_payload={
                "kyc_schema": {"id": one["case"], "self_attested_data": one}
            },
        )
        for one, key in zip(people, keys, strict=True)
    )


def _hits_of_all(
    people: Sequence[dict[str, str]],
    entities: Sequence[Any],
    workers: int,
    *,
    seconds: float,
) -> tuple[set[str], int]:
    """The cases with a hit when each person is compared with every name; the number of persons
    that were compared in time.
    """
    # The engine remembers how alike two words are: those of one first name follow one another.
    ordered = sorted(people, key=_first_name)
    parts = [(ordered[at::workers], entities, seconds) for at in range(workers)]
    hits: set[str] = set()
    reached = 0
    with ProcessPoolExecutor(workers) as pool:
        for cases, count in pool.map(_hits_of, parts):
            hits |= cases
            reached += count
    return hits, reached


def _first_name(person: dict[str, str]) -> int:
    """A key for sorting that is not alphabetical: a part of the persons is then a fair sample."""
    return zlib.crc32(person["first_name"].encode())


def _hits_of(
    part: tuple[Sequence[dict[str, str]], Sequence[Any], float],
) -> tuple[set[str], int]:
    from checks.list_screening import attested
    from checks.screening import engine
    from checks.screening.lists import Candidate, MemoryLists
    from checks.screening.records import ListVersion

    class Everybody(MemoryLists):
        """A list without an index: every name of the same kind is a candidate."""

        def candidates(self, name: Any, **_: object) -> list[Candidate]:
            return [one for one in self._names if one.name.person == name.person]

    people, entities, seconds = part
    version = ListVersion("un", "UN", 1, "", "", "", len(entities))
    # The same engine, but with all names as candidates.
    lists = Everybody.of(entities, version)
    end = time.monotonic() + seconds
    hits = set()
    reached = 0
    for one in people:
        if time.monotonic() > end:
            break
        reached += 1
        if engine.screen(attested.person(one), lists).alerts:
            hits.add(one["case"])
    return hits, reached


if __name__ == "__main__":
    sys.exit(main())
