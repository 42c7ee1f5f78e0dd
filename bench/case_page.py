"""What the page of a case costs: `python -m bench.case_page`.

A case as most are, one with 60 documents and 200 indicators, and one that has all 200 on one
document; each whole, and asked whether anything changed. One connection, SQLite as embedded, or
PostgreSQL with `--postgres`.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys

import requests

from bench import load
from bench.installation import Installation, postgres_database
from bench.report import Report

WHOLE, LARGE, UNCHANGED = 12.0, 40.0, 3.0  # milliseconds
NAMES = {
    "ordinary": "2 documents, 10 indicators",
    "large": "60 documents, 200 indicators",
    "one_document": "200 indicators on one document",
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    report = Report("The page of a case, 1 connection")
    with contextlib.ExitStack() as stack:
        environment = {}
        if options.postgres:
            environment["DATABASE_URL"] = stack.enter_context(
                postgres_database("case_page")
            )
        result = stack.enter_context(Installation("case-page", environment))
        seeded = json.loads(
            result.run(sys.executable, "-m", "bench.case_page_seed", seconds=300)
        )
        result.serve("compliance.wsgi:application")
        result.wait()
        # Milliseconds by kind of case: (whole page, unchanged poll).
        p50 = {name: _measure(result, seeded, name, options.rounds) for name in NAMES}
    report.row("", "whole, p50 ms", "unchanged, p50 ms")
    for name, (whole, unchanged) in p50.items():
        report.row(NAMES[name], f"{whole:.1f}", f"{unchanged:.1f}")
    print()
    report.most("H1", "page of a case", p50["ordinary"][0], WHOLE, " ms")
    report.most(
        "H1", "a poll that finds nothing changed", p50["ordinary"][1], UNCHANGED, " ms"
    )
    report.most(
        "H2", "page with 60 documents, 200 indicators", p50["large"][0], LARGE, " ms"
    )
    report.most(
        "H2",
        "page with 200 indicators on one document",
        p50["one_document"][0],
        LARGE,
        " ms",
    )
    return report.close()


def _measure(
    made: Installation, seeded: dict[str, str], name: str, rounds: int
) -> tuple[float, float]:
    """Milliseconds of the whole page and of an unchanged poll; the first round warms up."""
    cookies = {"sessionid": seeded["session"], "csrftoken": "c" * 32}
    path = f"/cases/{seeded[name]}/"
    # The ETag of the current state makes a poll "unchanged".
    answer = requests.get(f"{made.address}{path}live/", cookies=cookies, timeout=30)
    headers = {"Cookie": "; ".join(f"{key}={value}" for key, value in cookies.items())}
    condition = {**headers, "If-None-Match": answer.headers["ETag"]}
    whole, unchanged = [], []
    for _ in range(rounds + 1):
        whole.append(_p50(f"{made.address}{path}", headers, 200))
        unchanged.append(_p50(f"{made.address}{path}live/", condition, 304))
    return load.medians(whole[1:]), load.medians(unchanged[1:])


def _p50(url: str, headers: dict[str, str], status: int) -> float:
    result = load.drive(
        url, [load.request("GET", url, headers=headers)] * 30, connections=1
    )
    assert set(result.statuses) == {status}, f"{url}: {result.statuses}"
    return result.ms(50)


if __name__ == "__main__":
    sys.exit(main())
