"""The document checks beside their goals: `python -m bench.documents [--corpus FOLDER] [PART…]`.

A part is a module of `bench/document_rows/`. Without a corpus the project's own samples are used,
which flatter: they are what the rules were written beside. The whole takes ten minutes at most: each
part has its share of them, takes the documents in the order of their digests, and says how many it
did not reach.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path

from bench.document_rows.corpus import Corpus
from bench.report import Report

# Shares of the time, based on what each part costs if it runs to the end. The shares of the chosen
# parts are scaled to the whole.
SHARES = {
    "copies": 0.25,
    "extraction": 0.22,
    "fraud": 0.38,
    "innocence": 0.3,
    "reading": 0.12,
    "registrations": 0.02,
    "safety": 0.08,
    "visual": 0.2,
}


def main() -> int:
    parts = list(SHARES)
    parser = argparse.ArgumentParser(
        prog="python -m bench.documents", description=__doc__
    )
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help=f"of {', '.join(parts)}"
    )
    parser.add_argument("--corpus", type=Path, help="a folder with manifest.csv")
    parser.add_argument("--part", action="append", default=[], help="the same as PART")
    parser.add_argument(
        "--marks", type=Path, help="seals and signatures by page, as a CSV file"
    )
    parser.add_argument(
        "--genuine",
        type=Path,
        help="a folder of files that nobody edited, for the part innocence",
    )
    parser.add_argument(
        "--processes", type=int, default=1, help="for the part innocence"
    )
    parser.add_argument(
        "--minutes", type=float, default=10, help="for all parts; 0: to the end"
    )
    parser.add_argument("--details", action="store_true", help="name what was missed")
    options = parser.parse_args()
    rows = [*options.parts, *options.part]
    if unknown := set(rows) - set(parts):
        parser.error(f"unknown part: {', '.join(sorted(unknown))}")
    corpus = Corpus(
        options.corpus,
        details=options.details,
        marks=options.marks,
        genuine=options.genuine,
        processes=options.processes,
    )
    report = Report(f"The document checks, on {corpus}")
    if not rows:
        rows = [part for part in parts if part != "innocence" or options.genuine]
    seconds = 60 * options.minutes / sum(SHARES[part] for part in rows)
    for part in rows:
        print(f"{part}\n", flush=True)
        corpus.begin(seconds * SHARES[part])
        import_module(f"bench.document_rows.{part}").measure(report, corpus)
        if corpus.left:
            report.row("documents not reached in time", str(corpus.left))
        print(flush=True)
    return report.close()


if __name__ == "__main__":
    raise SystemExit(main())
