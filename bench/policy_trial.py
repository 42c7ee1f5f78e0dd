"""A version of the risk policy tried on past cases: `python -m bench.policy_trial`.

Ten thousand cases with encrypted inputs, each with a key of its own, as cases have; a policy of which
many bands change; the what-if as the worker does it. The anchor does what nobody can do without: it
reads and decrypts the same inputs, and computes nothing.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import tempfile
import time
from typing import Any

from bench.report import Report

CHUNK = 500
COUNTRIES = ("AE", "AO", "BG", "DE", "FR", "IR", "KE", "NO", "PA", "US", "VN", "ZA")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument(
        "--postgres", action="store_true", help="what DATABASE_URL names"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "VAR": folder, "DJANGO_SETTINGS_MODULE": "compliance.settings", "LOG_LEVEL": "WARNING",
        }  # fmt: skip
        if not options.postgres:
            os.environ.pop("DATABASE_URL", None)
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        return _run(options.cases)


def _run(count: int) -> int:
    from django.contrib.auth.models import Group, User

    from reviews.models import CaseRating, Connection, Kind, TrialChange
    from reviews.risk import policies, trials
    from reviews.risk.engine.default import DEFAULT

    report = Report(f"What-if of a risk policy: {count:,} cases, one process")
    service = Connection.objects.create(
        name="b", slug="b", base_url="https://b.example"
    )
    owner = User.objects.create_user("owner")
    owner.groups.add(Group.objects.get(name="rule owner"))
    random.seed(20261125)
    for start in range(0, count, CHUNK):
        _make(service, Kind.KYB, range(start, min(count, start + CHUNK)))
    # The anchor: read and decrypt the same inputs.
    began = time.monotonic()
    size = sum(len(str(row.inputs)) for row in CaseRating.objects.iterator(CHUNK))
    anchor = time.monotonic() - began
    report.row("inputs read and decrypted", f"{anchor:.1f} s", f"{size / 1e6:.1f} MB")
    # Lower thresholds, so that many cases change their band.
    content = {**DEFAULT, "bands": {"medium": 25, "high": 45}}
    draft = policies.draft(actor=owner, content=content, note="Stricter.")
    trial = trials.begin(draft, actor=owner)
    before = _peak()
    began, cpu = time.monotonic(), time.process_time()
    # In this process, to measure its CPU and memory. Each call does a part, as for a worker.
    while trial.status == "running":
        trials.advance(trial)
        trial.refresh_from_db()
    spent, cpu = time.monotonic() - began, time.process_time() - cpu
    if (trial.status, trial.done) != ("done", count):
        raise SystemExit(f"Only {trial.done} were tried.")
    report.row("cases whose band changes", f"{TrialChange.objects.count():,}")
    report.row(
        "a case", f"{spent / count * 1000:.2f} ms", f"{cpu / count * 1000:.2f} CPU"
    )
    report.row("ratio to the anchor", f"{spent / anchor:.2f}")
    report.most(
        "K1", f"what-if over {count:,} cases", spent, 600 * count / 10_000, " s"
    )
    report.most("K1", "most memory of the process", _peak(), 500, " MB")
    report.row("of it before the what-if", f"{before:.0f} MB")
    return report.close()


def _peak() -> float:
    """The largest memory of the process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def _make(service: Any, kind: str, numbers: range) -> None:
    from django.db import transaction

    from compliance.security import data_keys
    from reviews.models import Case, CaseRating, RatingState
    from reviews.risk import policies
    from reviews.risk.engine.policy import Policy
    from reviews.risk.engine.rating import rate

    live = policies.live()
    policy = Policy.from_json(live.content)
    with transaction.atomic():
        keys = data_keys.create_many(len(numbers))
        cases = []
        for number, key in zip(numbers, keys, strict=True):
            case = Case(
                connection=service, kind=kind, reference=f"B-{number}", subject=f"Firm {number}",
                data_key=key,
            )  # fmt: skip
            cases.append(case)
        Case.objects.bulk_create(cases)
        ratings = []
        for case in cases:
            inputs = _inputs()
            rating = rate(inputs, policy)
            ratings.append(
                CaseRating(
                    case=case, policy=live, inputs=inputs.to_json(), score=rating.score,
                    band=rating.band, result=rating.to_json(),
                )
            )  # fmt: skip
        CaseRating.objects.bulk_create(ratings)
        RatingState.objects.bulk_create(
            [
                RatingState(
                    case=rating.case, rating=rating, policy=live, score=rating.score,
                    band=rating.band, due_at=None,
                )
                for rating in ratings
            ]
        )  # fmt: skip


def _inputs() -> Any:
    from reviews.risk.engine.factors import FACTORS
    from reviews.risk.engine.inputs import Inputs, Value

    values = {}
    for name, factor in FACTORS.items():
        labels = [label for label in factor.labels if label != "other"]
        if name == "geography":
            labels = random.sample(COUNTRIES, random.randint(1, 3))  # noqa: S311
        elif labels:
            # Most customers have a low risk, so the first labels are the most frequent.
            labels = [labels[min(int(random.expovariate(1.2)), len(labels) - 1)]]
        sources = dict.fromkeys(labels, "address of incorporation")
        values[name] = Value(labels, sources)
    return Inputs(values)


if __name__ == "__main__":
    raise SystemExit(main())
