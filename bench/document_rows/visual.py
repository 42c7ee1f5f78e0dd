"""Measures how well seals and signatures are detected on each page, and the CPU cost per page.

The truth is in a CSV file (`--marks`, by default `marks.csv` beside the manifest) with the columns
file, page, seal and signature. Values: yes, no, or doubt if people would not agree. Pages with
doubt, and pages that are not listed, do not count. A file is given by name or by its path in the
manifest. Without a corpus, samples are drawn in several ways.
"""

from __future__ import annotations

import csv
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from bench.document_rows.corpus import Corpus, Known
from bench.report import Report
from checks.evidence import Evidence
from checks.identity_document.mrz import zone_of
from checks.readers.extras import has_second_engine
from checks.samples.certificate import invent
from checks.samples.marking import (
    GREY,
    RED,
    Marks,
    Scan,
    draw_articles,
    draw_marked_certificate,
    scan_page,
)
from checks.samples.passports import draw_passport
from checks.visual_verification.page_scan import VisualScan, look

SEEDS = range(70, 76)
SCANS = (Scan(), Scan(askew=2.5), Scan(contrast=0.45), Scan(turned=1))
# Page number → "yes", "no" or "doubt".
Truth = dict[int, str]


@dataclass(slots=True)
class Count:
    """Pages with the mark: detected, left to a person, missed. Of the pages without it (bare):
    wrongly detected.
    """

    found: int = 0
    doubted: int = 0
    missed: int = 0
    wrong: int = 0
    bare: int = 0
    cases: list[str] = field(default_factory=list)

    @property
    def recall(self) -> float:
        return self.found / max(self.found + self.doubted + self.missed, 1)

    def add(self, truth: str, name: str, *, seen: bool, doubtful: bool) -> None:
        if truth == "yes":
            self.found += seen
            self.doubted += not seen and doubtful
            self.missed += not seen and not doubtful
        elif truth == "no":
            self.bare += 1
            self.wrong += seen
        if truth in {"yes", "no"} and (truth == "yes") != seen:
            self.cases.append(name)


def measure(report: Report, corpus: Corpus) -> None:
    # First, because they are quick; the pages use all the remaining time.
    _zones(report, corpus)
    if corpus.folder and not (corpus.marks and corpus.marks.exists()):
        report.not_run("V1", "seals and signatures", "no marks are given (--marks)")
    else:
        _marks(report, corpus)


def _marks(report: Report, corpus: Corpus) -> None:
    seals, signatures = Count(), Count()
    seconds: list[float] = []
    codes = 0
    for name, content, sealed, signed in _marked(corpus) if corpus.folder else _drawn():
        looked, spent = _look(content)
        # Pages that needed OCR are left out of the CPU time.
        seconds += [spent / max(len(looked.pages), 1)] if spent else []
        codes += len(looked.codes)
        for page in looked.pages:
            for count, truth, sure, unsure in (
                (seals, sealed, looked.seals, looked.doubtful_seals),
                (signatures, signed, looked.signatures, looked.doubtful_signatures),
            ):
                count.add(
                    truth.get(page, ""),
                    f"{name} p{page}",
                    seen=any(box.page == page for box in sure),
                    doubtful=any(box.page == page for box in unsure),
                )
    if not (seals.bare or seals.found or seals.doubted or seals.missed):
        report.not_run("V1", "seals and signatures", "no page was reached in time")
        return
    report.row("", "found", "in doubt", "missed", "wrong", "bare pages")
    for label, count in (("seals", seals), ("signatures", signatures)):
        cells = (count.found, count.doubted, count.missed, count.wrong, count.bare)
        report.row(label, *map(str, cells))
        for case in count.cases:
            corpus.note(f"{label}: {case}")
    report.row("codes decoded", str(codes))
    report.least("V1", "recall of seals", seals.recall, 0.90)
    report.least("V2", "recall of signatures", signatures.recall, 0.85)
    report.most(
        "V3", "false seals a hundred pages", 100 * seals.wrong / max(seals.bare, 1), 1
    )
    wrong = 100 * signatures.wrong / max(signatures.bare, 1)
    report.most("V4", "false signatures a hundred pages", wrong, 1)
    report.row(
        "CPU s a page with words, median", f"{statistics.median(seconds or [0]):.2f}"
    )


def _zones(report: Report, corpus: Corpus) -> None:
    pictures = (
        [(names.name, names.content) for names in corpus.documents("mrz")]
        if corpus.folder
        else [
            (f"passport {s}", draw_passport(s, expires=date(2030, 5, 4))[0])
            for s in SEEDS
        ]
    )
    whole = 0
    began = time.process_time()
    for name, content in pictures:
        read = zone_of(Evidence(content, arguments={"ocr": "off"}))
        whole += bool(read and not read.broken)
        if not read or read.broken:
            corpus.note(
                f"zone: {name}: {[d.field for d in read.broken] if read else 'not found'}"
            )
    if not pictures:
        report.not_run("V5", "machine-readable zones", "no picture was reached in time")
        return
    count = len(pictures)
    report.row("CPU s a zone", f"{(time.process_time() - began) / count:.2f}")
    engine, bound = (
        ("with the extra ocr-hq", 90) if has_second_engine() else ("by default", 50)
    )
    what = f"zones with every check digit right, of {len(pictures)}, {engine}"
    report.least("V5", what, 100 * whole / count, bound, " %")


def _look(content: bytes) -> tuple[VisualScan, float]:
    """The result, and the CPU seconds without OCR; 0 if OCR was needed."""
    evidence = Evidence(content)
    stated = bool(evidence.pages) and all(
        page.has_text_layer for page in evidence.pages
    )
    began = time.process_time()
    looked = look(evidence)
    return looked, time.process_time() - began if stated else 0.0


def _marked(corpus: Corpus) -> Iterator[tuple[str, bytes, Truth, Truth]]:
    if corpus.marks is None:
        return
    with corpus.marks.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    # A typo in the file of marks would silently leave out a page.
    marked = {Path(row["file"]).name for row in rows}
    if unknown := [
        name for name in marked if not any((corpus.folder or Path()).rglob(name))
    ]:
        raise ValueError(
            f"{corpus.marks} names files that the corpus has not: {sorted(unknown)}"
        )
    for group in ("kyb", "invoices"):
        for names in corpus.documents(group):
            yield _with_truth(
                names, [row for row in rows if Path(row["file"]).name == names.name]
            )


def _with_truth(
    names: Known, rows: list[dict[str, str]]
) -> tuple[str, bytes, Truth, Truth]:
    sealed = {int(row["page"]): row["seal"] for row in rows}
    signed = {int(row["page"]): row["signature"] for row in rows}
    return names.name, names.content, sealed, signed


def _drawn() -> Iterator[tuple[str, bytes, Truth, Truth]]:
    for seed in SEEDS:
        company = invent(seed)
        for marks in (
            Marks(),
            Marks(production="picture", ink=RED),
            Marks(ink=GREY),
            Marks(seal=False, signature=False),
        ):
            content = draw_marked_certificate(company, marks)
            truth = {1: "yes" if marks.seal else "no"}
            for how in (None, SCANS[seed % len(SCANS)]):
                result = scan_page(content, seed, how) if how else content
                yield f"certificate {seed} {marks} {how}", result, truth, truth
        for signed in (True, False):
            content = draw_articles(company, Marks(signature=signed))
            yield f"articles {seed}", content, {1: "no"}, {1: "yes" if signed else "no"}
