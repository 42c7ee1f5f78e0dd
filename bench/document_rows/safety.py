"""Measures how hostile files end, and times: each document in its own child process, as in the
hub.
"""

from __future__ import annotations

import io
import time
from collections.abc import Iterator
from typing import Any

import pikepdf

from bench.document_rows.corpus import Corpus, Known
from bench.report import Report
from checks import samples
from compliance.work import isolation

CHECK = "kyb.incorporation_document_verification"
SECONDS = 25.0


def measure(report: Report, corpus: Corpus) -> None:
    # Warms up the process that all children are forked from.
    list(_examine(samples.good_certificate().content))
    _hostile(report, [*corpus.documents("bombs"), *_own_bombs()], corpus)
    _times(report)


def _hostile(report: Report, files: list[Known], corpus: Corpus) -> None:
    slow = spoken = 0
    for names in files:
        began = time.monotonic()
        try:
            # Three results, or an inconclusive one, count as an orderly end.
            rows = [results["verdict"] for _, results in _examine(names.content)]
            spoken += "inconclusive" in rows or len(rows) == 3
            end = ", ".join(rows)
        except isolation.IsolationError as exc:
            spoken += 1
            end = str(exc)
        took = time.monotonic() - began
        slow += took > SECONDS
        corpus.note(f"{names.name}: {took:.1f} s: {end}")
    report.most("S1", f"hostile files that end without a word, of {len(files)}",
                len(files) - spoken, 0)  # fmt: skip
    report.most("S2", f"hostile files that take over {SECONDS:g} s", slow, 0)
    limit = isolation.MEMORY_BYTES / (1 << 30)
    report.most("S3", "memory that a child can have", limit, 1.5, " GiB")


def _own_bombs() -> Iterator[Known]:
    """Hostile files made here, for runs without a corpus."""
    with pikepdf.new() as pdf:
        pdf.add_blank_page(page_size=(14_400, 14_400))
        # 80 MiB of spaces compress to almost nothing.
        pdf.pages[0].Contents = pdf.make_stream(b" " * (80 * 1024 * 1024))
        out = io.BytesIO()
        pdf.save(out, compress_streams=True)
    yield Known("a stream that inflates", out.getvalue(), {}, held_back=False)
    good = samples.good_certificate().content
    yield Known("cut in half", good[: len(good) // 2], {}, held_back=False)
    yield Known("no document", b"%PDF-1.7 " + b"A" * 10_000, {}, held_back=False)


def _times(report: Report) -> None:
    electronic = samples.good_certificate().content
    part_scan = _part_scan()
    walls = []
    for _ in range(3):
        began = time.monotonic()
        next(iter(_examine(electronic)))
        walls.append(time.monotonic() - began)
    report.most("S4", "first event of an e-PDF", min(walls), 1, " s")
    report.most("S5", "CPU of a one-page e-PDF, all tools", _cpu(electronic), 0.8, " s")
    report.most(
        "S6", "CPU of a three-page part scan, all tools", _cpu(part_scan), 4, " s"
    )


def _part_scan() -> bytes:
    """A document with one page of text and two scanned pages."""
    with (
        pikepdf.open(io.BytesIO(samples.good_certificate(3).content)) as pdf,
        pikepdf.open(io.BytesIO(samples.scanned_certificate(3).content)) as scan,
    ):
        pdf.pages.extend([scan.pages[0], scan.pages[0]])
        out = io.BytesIO()
        pdf.save(out)
        return out.getvalue()


def _cpu(content: bytes) -> float:
    """CPU seconds in this process, the least of three runs: what a warm child needs."""
    from checks import engine

    spent = []
    for _ in range(3):
        began = time.process_time()
        list(
            engine.examine(CHECK, file=content, file_name="", attested={}, document={})
        )
        spent.append(time.process_time() - began)
    return min(spent)


def _examine(content: bytes) -> Iterator[tuple[str, dict[str, Any]]]:
    arguments = {"check_id": CHECK, "file": content, "file_name": "document.pdf",
                 "attested": {}, "document": {}}  # fmt: skip
    return isolation.stream("checks.engine:examine", arguments, seconds=SECONDS)
