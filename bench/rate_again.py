"""All cases rated by a version of the risk policy that was put in force: `python -m bench.rate_again`.

Cases with encrypted inputs, each with a key of its own, on PostgreSQL. One worker, in this process,
does what the queue does after two versions: one that changes few bands, and one that changes most
scores. Then some of the same cases are rated one by one, as all were before: their facts are read
again. The seals of new lines of the audit trail, which another worker makes, count with the batches.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from collections.abc import Callable
from typing import Any

from bench import load, policy_trial
from bench.installation import postgres_database
from bench.report import Report

MILLION = 1_000_000
CORES = 2
# Seconds for a million cases, on two whole cores.
MOST = 900


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=5_000)
    parser.add_argument(
        "--single", type=int, default=150, help="how many are rated one by one"
    )
    parser.add_argument("--profile", default="", help="a file for cProfile")
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        postgres_database("rate_again") as url,
    ):
        os.environ |= {
            "VAR": folder, "DJANGO_SETTINGS_MODULE": "compliance.settings", "LOG_LEVEL": "WARNING",
            "DATABASE_URL": url, "SECRET_KEY": "of-the-bench-" * 5,
            "ENCRYPTION_KEY": "of-the-bench-alone" * 3,
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
    from django.contrib.auth.models import Group, User
    from django.db import connection

    from reviews import tasks
    from reviews.audit import trail
    from reviews.models import CaseRating, Connection, Kind, RatingState
    from reviews.risk import schedule
    from reviews.risk.engine.default import DEFAULT

    count: int = options.cases
    report = Report(f"A risk policy in force: {count:,} cases, PostgreSQL, one worker")
    service = Connection.objects.create(
        name="b", slug="b", base_url="https://b.example"
    )
    owner = User.objects.create_user("owner")
    owner.groups.add(Group.objects.get(name="rule owner"))
    random.seed(20261127)
    for start in range(0, count, policy_trial.CHUNK):
        numbers = range(start, min(count, start + policy_trial.CHUNK))
        policy_trial._make(service, Kind.KYB, numbers)
    trail.seal_all()
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    report.row("", "by the clock", "CPU worker", "CPU database")
    weights: dict[str, Any] = {**DEFAULT["factors"]}
    weights["geography"] = {**weights["geography"], "weight": 45}
    weights["checks"] = {**weights["checks"], "weight": 90}
    versions = {
        "limits of the bands": {**DEFAULT, "bands": {"medium": 31, "high": 58}},
        "weights": {**DEFAULT, "factors": weights},
    }
    slowest = 0.0
    clocks = []
    for name, content in versions.items():
        _put_in_force(content, owner)
        before = CaseRating.objects.count()
        spent, clock = _measure(
            report,
            f"{name}, a case",
            lambda: tasks.RATING_BATCHES.drain(seconds=MOST),
            count,
            options.profile and f"{options.profile}.{name[0]}",
        )
        clocks.append(clock)
        changed = CaseRating.objects.count() - before
        report.row("  cases with another score or band", f"{changed:,}")
        if changed:
            seal, _ = _measure(report, "  the seal of a line", trail.seal_all, changed)
            spent += seal * changed / count
        slowest = max(slowest, spent)
    followed = RatingState.objects.filter(policy__status="live").count()
    if followed != count:
        raise SystemExit(f"Only {followed} follow the version.")
    _recompute(report)
    some = RatingState.objects.order_by("-case")[: options.single]
    schedule.rate_cases([state.case_id for state in some])
    single, single_clock = _measure(
        report,
        "one by one, a case",
        lambda: tasks.RATINGS.drain(seconds=MOST),
        options.single,
    )
    report.least("K1", "CPU of one by one / in batches", single / slowest, 10)
    report.row("the same by the clock", f"{single_clock / max(clocks):.1f}")
    report.most(
        "K1",
        "a million cases on two whole cores, computed",
        slowest / CORES * MILLION,
        MOST,
        " s",
    )
    return report.close()


def _put_in_force(content: dict[str, Any], owner: Any) -> None:
    from reviews.risk import policies, trials

    draft = policies.draft(actor=owner, content=content, note="Another.")
    trials.advance(trials.begin(draft, actor=owner))
    policies.make_live(draft, actor=owner)


def _measure(
    report: Report, name: str, work: Callable[[], object], count: int, profile: str = ""
) -> tuple[float, float]:
    """Do the work.

    Returns the seconds a case: CPU of this process and of its database, and by the clock.
    """
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()
    database = load.cpu_seconds([pid])
    began, worker = time.monotonic(), time.process_time()
    if profile:
        import cProfile

        profiler = cProfile.Profile()
        profiler.runcall(work)
        profiler.dump_stats(profile)
    else:
        work()
    worker = time.process_time() - worker
    clock = time.monotonic() - began
    database = load.cpu_seconds([pid]) - database
    cells = []
    for seconds in (clock, worker, database):
        cells.append(f"{seconds / count * 1000:.2f} ms")
    report.row(name, *cells)
    return (worker + database) / count, clock / count


def _recompute(report: Report) -> None:
    """Each rating is computed again by its own version, and by the one that it follows."""
    from reviews.models import RatingState
    from reviews.risk import ratings

    same = 0
    states = RatingState.objects.select_related("rating__policy", "policy")
    for state in states.iterator(policy_trial.CHUNK):
        assert state.rating is not None
        assert state.policy is not None
        result = ratings.by_version(state.rating, state.policy)
        is_same = (result["score"], result["band"]) == (state.score, state.band)
        same += is_same and ratings.recompute(state.rating) == state.rating.result
    report.row("computed again from stored inputs", f"{same:,}")


if __name__ == "__main__":
    raise SystemExit(main())
