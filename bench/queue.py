"""What the queue costs at its size: `python -m bench.queue [--rows 1000000]`.

One installation with a thousand cases beside one with a million, each asked for its page and whether
anything changed. For comparison a greeting, and two lists as they are usually written over the same
table: a ListView with a Paginator, and the admin's changelist. One connection each; needs PostgreSQL. Filling the table takes some minutes.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import time
from collections.abc import Sequence
from typing import Any

import requests

from bench import load
from bench.installation import Installation, postgres_database
from bench.report import Report

FEW = 1000
PAGE = 50  # rows on a page
APPLICATION = "bench.anchors.lists:application"
POLL = "/queue/rows/"
PAGES = {"queue": "/", "hello": "/bench/hello/", "list": "/bench/list/", "admin": "/admin/reviews/case/"}  # fmt: skip
REQUESTS = {"queue": 40, "hello": 200, "list": 5, "admin": 5}
ANCHORS = ("list", "admin")  # measured only with the large table
# Name of the measurement that reads another page of the queue each time.
OTHER = "queue, other rows each time"
MOST_WHOLE, MOST_UNCHANGED = 15.0, 3.0  # milliseconds
MOST_SQL = 60.0  # milliseconds of one search
MOST_TYPED = 100.0  # milliseconds of one request while somebody types


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    report = Report(
        f"The queue with {FEW:,} and with {options.rows:,} cases, 1 connection"
    )
    with contextlib.ExitStack() as stack:
        result, seeded = {}, {}
        for name, rows in (("few", FEW), ("many", options.rows)):
            database = stack.enter_context(postgres_database(f"queue_{name}"))
            result[name] = stack.enter_context(
                Installation(name, {"DATABASE_URL": database})
            )
            began = time.monotonic()
            seeded[name] = json.loads(
                result[name].run(
                    sys.executable, "-m", "bench.queue_seed", str(rows), seconds=1800
                )
            )
            report.row(
                f"{rows:,} cases were made in", f"{time.monotonic() - began:.0f} s"
            )
            result[name].serve(APPLICATION)
            result[name].wait(PAGES["hello"])
        p50 = _measure(result, seeded, options)
        _judge(report, p50)
        _judge_search(report, json.loads(
            result["many"].run(sys.executable, "-m", "bench.queue_sql", seconds=300)
        ))  # fmt: skip
    return report.close()


def _measure(
    made: dict[str, Installation],
    seeded: dict[str, dict[str, str]],
    values: argparse.Namespace,
) -> dict[tuple[str, str], list[float]]:
    """Milliseconds by (installation, page), one value per round. The first round warms up."""
    p50: dict[tuple[str, str], list[float]] = {}
    for at in range(values.rounds + 1):
        # Small and large installation take turns.
        for page, path in PAGES.items():
            for name in made:
                if name == "many" or page not in ANCHORS:
                    figure = _ask(made[name], seeded[name], [path] * REQUESTS[page])
                    p50.setdefault((name, page), []).append(figure)
        for name in made:
            figure = _ask(
                made[name], seeded[name], [POLL] * REQUESTS["queue"], unchanged=True
            )
            p50.setdefault((name, "unchanged poll"), []).append(figure)
        # A page that no earlier round has read, so that its rows are not in the cache.
        first = values.rows - at * REQUESTS["queue"] * PAGE
        keys = (max(PAGE, first - n * PAGE) for n in range(REQUESTS["queue"]))
        paths = [f"/?view=all&after={key}" for key in keys]
        p50.setdefault(("many", OTHER), []).append(
            _ask(made["many"], seeded["many"], paths)
        )
    return p50


def _ask(
    made: Installation,
    seeded: dict[str, str],
    paths: Sequence[str],
    *,
    unchanged: bool = False,
) -> float:
    # Cookies like those of a browser that has been here before.
    headers = {"Cookie": f"sessionid={seeded['session']}; csrftoken={'c' * 32}"}
    urls = [made.address + path for path in paths]
    if unchanged:
        headers["If-None-Match"] = requests.get(
            urls[0], headers=headers, timeout=30
        ).headers["ETag"]
    result = load.drive(
        urls[0],
        [load.request("GET", url, headers=headers) for url in urls],
        connections=1,
    )
    # 200 is possible, because a relative time may change during the run.
    expected = {200, 304} if unchanged else {200}
    assert set(result.statuses) <= expected, f"{paths[0]}: {result.statuses}"
    return result.ms(50)


def _judge(report: Report, p50: dict[tuple[str, str], list[float]]) -> None:
    def ratio(one: tuple[str, str], other: tuple[str, str]) -> float:
        pairs = zip(p50[one][1:], p50[other][1:], strict=True)
        return load.medians(mine / theirs for mine, theirs in pairs)

    report.row("", "p50 ms")
    for (name, page), figures in p50.items():
        report.row(f"{page}, {name}", f"{load.medians(figures[1:]):.1f}")
    print()
    # The page must cost nearly the same with a million cases.
    many = ("many", "queue")
    report.most(
        "C1", "queue page, many cases over few", ratio(many, ("few", "queue")), 1.3
    )
    for name in ("few", "many"):
        whole = load.medians(p50[name, "queue"][1:])
        report.most("C1", f"queue page, {name} cases", whole, MOST_WHOLE, " ms")
        poll = load.medians(p50[name, "unchanged poll"][1:])
        report.most(
            "C1",
            f"a poll that finds nothing changed, {name} cases",
            poll,
            MOST_UNCHANGED,
            " ms",
        )


def _judge_search(report: Report, result: dict[str, Any]) -> None:
    print()
    report.row("SQL of a search and its page", "median ms", "rows")
    for text, message in result["searches"].items():
        report.row(text, f"{message['ms']:.1f}", f"{message['rows']:.0f}")
    print()
    for text, milliseconds in result["typed"].items():
        report.row(f"typed: {text}", f"{milliseconds:.1f}")
    print()
    worst = max(message["ms"] for message in result["searches"].values())
    report.most("C3", "the slowest search", worst, MOST_SQL, " ms")
    slowest = max(result["typed"].values())
    report.most("C3", "the slowest request of typing", slowest, MOST_TYPED, " ms")
    report.most("C3", "statements of the queue", result["page"]["statements"], 8)
    report.most(
        "C3", "statements of the page of a case", result["case"]["statements"], 12
    )


if __name__ == "__main__":
    sys.exit(main())
