"""Enrichment from a register of many companies: `python -m bench.registry --companies 400000`.

The names are made up: words by how common they are (Zipf), a legal form, a country. Asked are names
with one slip in them. Times are of the processor, since the machine may be busy.
"""

from __future__ import annotations

import argparse
import csv
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

from bench.report import Report

FORMS = ("Limited", "GmbH", "LLC", "S.A.", "B.V.", "Inc.", "AB", "Holdings Ltd", "SARL")
PARTS = (
    "ka",
    "ro",
    "mi",
    "ten",
    "sol",
    "bar",
    "vi",
    "lund",
    "ex",
    "pro",
    "dan",
    "gri",
    "tor",
    "ne",
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--companies", type=int, default=400_000)
    parser.add_argument("--asked", type=int, default=500)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "VAR": folder, "DJANGO_SETTINGS_MODULE": "compliance.settings", "LOG_LEVEL": "WARNING",
        }  # fmt: skip
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        return _run(Path(folder), options.companies, options.asked)


def _run(folder: Path, companies: int, asked: int) -> int:
    from agenthub.companies import loading, registry

    # A fixed seed, so that each run measures the same names.
    rng = random.Random(20261121)  # noqa: S311
    rows = list(_companies(rng, companies))
    with (folder / "companies.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("name", "number"), *rows])
    began = time.process_time()
    loading.load("bench", folder / "companies.csv")
    report = Report(f"Enrichment: {companies:,} companies, SQLite, one process")
    report.row(
        "loading, seconds of processor time", f"{time.process_time() - began:.0f} s"
    )
    times, right = [], 0
    for name, number in rng.sample(rows, asked):
        slipped = _slip(rng, name)
        began = time.process_time()
        result = registry.company({"name": slipped})
        times.append(time.process_time() - began)
        # The answer is right only if it is this very company.
        right += bool(result and number == result.company.number)
    times.sort()
    report.row("right after one slip", f"{right / asked:.3f}")
    report.row("p50", f"{times[asked // 2] * 1000:.1f} ms")
    report.most(
        "S10", "p99 of enrichCompany", times[int(asked * 0.99)] * 1000, 50, " ms"
    )
    return report.close()


def _companies(rng: random.Random, count: int) -> Iterator[tuple[str, str]]:
    words = [
        "".join(rng.choices(PARTS, k=rng.randint(2, 4))).capitalize()
        for _ in range(60_000)
    ]
    # Zipf's law: the word of rank n is n times as rare as the first.
    weights = list(accumulate(1 / (rank + 1) for rank in range(len(words))))
    for number in range(count):
        text = " ".join(rng.choices(words, cum_weights=weights, k=rng.randint(1, 3)))
        yield f"{text} {number % 997} {rng.choice(FORMS)}", str(number)


def _slip(rng: random.Random, name: str) -> str:
    # A letter missing or added within the first word.
    at = rng.randrange(1, max(2, len(name.split()[0])))
    return (
        name[:at] + name[at + 1 :]
        if rng.random() < 0.5
        else name[:at] + "e" + name[at:]
    )


if __name__ == "__main__":
    sys.exit(main())
