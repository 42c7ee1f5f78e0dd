"""What the hub's largest read costs: `python -m bench.hub_reads`.

getJobsByCaseId with the results of 10 jobs of 6 checks, beside nested serializers of REST
framework with prefetching over the same rows. They take turns; needs PostgreSQL.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import sys

from bench import load
from bench.installation import Installation, backends, postgres_database
from bench.report import Report

CASES, REQUESTS = 20, {"ours": 200, "anchor": 40}
APPLICATIONS = {
    "ours": "compliance.wsgi:application",
    "anchor": "bench.anchors.hub:application",
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    report = Report("getJobsByCaseId with results: 10 jobs of 6 results, 8 connections")
    rates: dict[str, list[float]] = {name: [] for name in APPLICATIONS}
    cpu: dict[str, list[float]] = {name: [] for name in APPLICATIONS}
    with contextlib.ExitStack() as stack:
        database = stack.enter_context(postgres_database("reads"))
        by_name = {
            name: stack.enter_context(Installation(name, {"DATABASE_URL": database}))
            for name in APPLICATIONS
        }
        seeded = json.loads(
            by_name["ours"].run(sys.executable, "-m", "bench.hub_seed", str(CASES), "0")
        )
        for name, application in APPLICATIONS.items():
            by_name[name].serve(application)
            by_name[name].wait("/api/v1/getJobsByCaseId")
        # The first round warms up.
        for _ in range(options.rounds + 1):
            for name, installation in by_name.items():
                spent = -_cpu(installation, database)
                result = load.drive(
                    installation.address,
                    _requests(installation.address, seeded, REQUESTS[name]),
                    connections=8,
                )
                assert set(result.statuses) == {200}, f"{name}: {result.statuses}"
                rates[name].append(result.rate)
                cpu[name].append(
                    (spent + _cpu(installation, database)) / result.done * 1000
                )
        report.row("", "requests/s", "cpu ms")
        for name in APPLICATIONS:
            report.row(
                name,
                f"{load.medians(rates[name][1:]):.0f}",
                f"{load.medians(cpu[name][1:]):.2f}",
            )
        print()
        report.least(
            "D1",
            "getJobsByCaseId with results, x REST framework",
            _ratio(rates["ours"], rates["anchor"]),
            4,
        )
        report.least(
            "D1",
            "the same in CPU time, server and PostgreSQL",
            _ratio(cpu["anchor"], cpu["ours"]),
            4,
        )
    return report.close()  # fmt: skip


def _ratio(one: list[float], other: list[float]) -> float:
    """The median of the ratios within each round. The first round warms up and is left out."""
    return load.medians(
        mine / theirs for mine, theirs in zip(one[1:], other[1:], strict=True)
    )


def _cpu(installation: Installation, database: str) -> float:
    return load.cpu_seconds([*installation.pids(), *backends(database)])


def _requests(address: str, seeded: dict[str, str], count: int) -> list[bytes]:
    headers = {"Authorization": f"Bearer {seeded['api_key']}"}
    query = f"agent_key={seeded['agent_key']}&include_check_results=true&case_id=case-"
    # Each request asks for the next case.
    numbers = itertools.islice(itertools.cycle(range(CASES)), count)
    return [
        load.request(
            "GET", f"{address}/api/v1/getJobsByCaseId?{query}{number}", headers=headers
        )
        for number in numbers
    ]


if __name__ == "__main__":
    sys.exit(main())
