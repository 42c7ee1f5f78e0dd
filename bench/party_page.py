"""What the page of a party costs beside that of its case, among many: `python -m bench.party_page`.

A company with two levels of owners, and one of these, whose name one in 500 of all parties has; the
page of its case as `bench.case_page` makes it. PostgreSQL, one connection, alternately.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys

from bench import load
from bench.installation import Installation, postgres_database
from bench.report import Report

MOST = 1.3
PAGES = {
    "case": "/cases/{case}/",
    "company": "/parties/{company}/",
    "person": "/parties/{person}/",
    "list": "/parties/",
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--parties", type=int, default=50_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    report = Report(
        f"The page of a party among {options.parties:,}, PostgreSQL, 1 connection"
    )
    with contextlib.ExitStack() as stack:
        database = stack.enter_context(postgres_database("party_page"))
        result = stack.enter_context(
            Installation("party-page", {"DATABASE_URL": database})
        )
        seed = (sys.executable, "-m", "bench.party_page_seed", str(options.parties))
        seeded = json.loads(result.run(*seed, seconds=3000))
        result.serve("compliance.wsgi:application")
        result.wait()
        p50 = _measure(result, seeded, options.rounds)
    for name, milliseconds in p50.items():
        report.row(name, f"{milliseconds:.1f} ms")
    for name in ("company", "person", "list"):
        report.most("H3", f"{name} / case", p50[name] / p50["case"], MOST)
    return report.close()


def _measure(
    made: Installation, seeded: dict[str, str], rounds: int
) -> dict[str, float]:
    """The p50 of each page in milliseconds. The first round warms up and is left out."""
    cookie = f"sessionid={seeded['session']}; csrftoken={'c' * 32}"
    times: dict[str, list[float]] = {name: [] for name in PAGES}
    # The pages take turns, so that a change in the machine's load affects all.
    for _ in range(rounds + 1):
        for name, path in PAGES.items():
            url = made.address + path.format(**seeded)
            request = load.request("GET", url, headers={"Cookie": cookie})
            result = load.drive(url, [request] * 20, connections=1)
            assert set(result.statuses) == {200}, f"{url}: {result.statuses}"
            times[name].append(result.ms(50))
    return {name: load.medians(each[1:]) for name, each in times.items()}


if __name__ == "__main__":
    sys.exit(main())
