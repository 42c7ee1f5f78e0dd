"""What the queue costs at its size: `python -m bench.queue [--rows 1000000]`.

One installation with a thousand cases beside one with a million, a greeting, and two lists as they
are usually written over the same table: a ListView with a Paginator, and the admin's changelist.
They take turns over one connection each; needs PostgreSQL. Filling the table takes some minutes.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from typing import Any

from bench import load
from bench.installation import Installation, postgres_database
from bench.report import Report

FEW = 1000
APPLICATION = "bench.anchors.lists:application"
PAGES = {"queue": "/", "hello": "/bench/hello/", "list": "/bench/list/", "admin": "/admin/reviews/case/"}  # fmt: skip
REQUESTS = {"queue": 40, "hello": 200, "list": 5, "admin": 5}
MOST_SQL = 60.0  # milliseconds of one search


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    report = Report(f"The queue with {FEW:,} and with {given.rows:,} cases, 1 connection")
    with contextlib.ExitStack() as stack:
        made, seeded = {}, {}
        for name, rows in (("few", FEW), ("many", given.rows)):
            database = stack.enter_context(postgres_database(f"queue_{name}"))
            made[name] = stack.enter_context(Installation(name, {"DATABASE_URL": database}))
            seeded[name] = json.loads(
                made[name].run(sys.executable, "-m", "bench.queue_seed", str(rows), seconds=1800)
            )
            made[name].serve(APPLICATION)
            made[name].wait(PAGES["hello"])
        p50 = _measure(made, seeded, given.rounds)
        _judge(report, p50)
        _judge_search(report, json.loads(
            made["many"].run(sys.executable, "-m", "bench.queue_sql", seconds=300)
        ))  # fmt: skip
    return report.close()


def _measure(
    made: dict[str, Installation], seeded: dict[str, dict[str, str]], rounds: int
) -> dict[tuple[str, str], list[float]]:
    """Milliseconds by (installation, page), one figure a round; the first round warms up."""
    p50: dict[tuple[str, str], list[float]] = {}
    for _ in range(rounds + 1):
        for page, path in PAGES.items():
            for name, installation in made.items():
                if name == "few" and page in {"list", "admin"}:
                    continue
                url = installation.address + path
                headers = {"Cookie": f"sessionid={seeded[name]['session']}"}
                message = load.request("GET", url, headers=headers)
                done = load.drive(url, [message] * REQUESTS[page], connections=1)
                assert set(done.statuses) == {200}, f"{page}: {done.statuses}"
                p50.setdefault((name, page), []).append(done.ms(50))
    return p50


def _judge(report: Report, p50: dict[tuple[str, str], list[float]]) -> None:
    def ratio(one: tuple[str, str], other: tuple[str, str]) -> float:
        pairs = zip(p50[one][1:], p50[other][1:], strict=True)
        return load.medians(mine / theirs for mine, theirs in pairs)

    report.row("", "p50 ms")
    for (name, page), figures in p50.items():
        report.row(f"{page}, {name}", f"{load.medians(figures[1:]):.1f}")
    print()
    many = ("many", "queue")
    report.most("C1", "queue page, many cases over few", ratio(many, ("few", "queue")), 1.3)
    report.least("C1", "greeting over queue page with login", ratio(("many", "hello"), many), 0.09)
    report.least("C2", "ListView with Paginator over queue", ratio(("many", "list"), many), 50)
    report.least("C2", "admin changelist over queue", ratio(("many", "admin"), many), 100)


def _judge_search(report: Report, found: dict[str, Any]) -> None:
    print()
    report.row("SQL of a search and its page", "median ms", "rows")
    for text, said in found["searches"].items():
        report.row(text, f"{said['ms']:.1f}", f"{said['rows']:.0f}")
    print()
    worst = max(said["ms"] for said in found["searches"].values())
    report.most("C3", "the slowest search", worst, MOST_SQL, " ms")
    report.most("C3", "statements of the queue", found["page"]["statements"], 4)


if __name__ == "__main__":
    sys.exit(main())
