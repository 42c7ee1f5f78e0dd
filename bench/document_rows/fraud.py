"""Measures how many edits the indicators detect, and how many genuine documents they suspect."""

# pyHanko is only partly annotated.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import io
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pikepdf
from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.misc import PdfError

from bench.document_rows.corpus import Corpus
from bench.report import Report
from checks import samples
from checks.base import Indicator
from checks.document_fraud_check.catalogue import INDICATORS
from checks.document_fraud_check.tool import DocumentFraud
from checks.evidence import Evidence
from checks.samples import tampering
from checks.samples.tampering import Target
from papers.geometry import Rectangle

# Groups of the corpus with genuine documents, of the kinds that cases have.
GENUINE = ("kyb", "invoices")
MAX_PAGES = 6
BEHIND = "page over its text"
# Exceptions of an edit that is not possible in a file, e.g. because it is encrypted.
UNFIT = (pikepdf.PdfError, PdfError, AttributeError, KeyError, ValueError, TypeError)


@dataclass
class Count:
    found: int = 0
    tried: int = 0
    missed: list[str] = field(default_factory=list)

    @property
    def share(self) -> float:
        return 100 * self.found / self.tried if self.tried else 0.0


@dataclass
class Genuine:
    tried: int = 0
    failed: int = 0
    suspected: int = 0


def measure(report: Report, corpus: Corpus) -> None:
    counts = {way: Count() for way in (*WAYS, "signed")}
    genuine = Genuine()
    for name, content in _files(corpus):
        evidence = Evidence(content, name)
        _edit(counts, name, evidence, _genuine(corpus, genuine, name, evidence), WAYS)
    for name, content in _signed():
        evidence = Evidence(content, name)
        _edit(counts, name, evidence, _risks(evidence), {})
    tried = max(genuine.tried, 1)
    what = f"genuine documents failed, of {genuine.tried}"
    report.most("F5", what, 100 * genuine.failed / tried, 2, " %")
    report.most(
        "F6",
        "genuine documents with any RISK",
        100 * genuine.suspected / tried,
        8,
        " %",
    )
    for way, count in counts.items():
        report.row(way, f"{count.found} of {count.tried}")
        for missed in count.missed:
            corpus.note(f"{way} missed: {missed}")
    # Goal F1 covers these three kinds of edits together.
    overlays = [
        counts[way] for way in ("overlay appended", "overlay rewritten", "other shape")
    ]
    edits, result = sum(c.tried for c in overlays), sum(c.found for c in overlays)
    report.least(
        "F1",
        f"overlays and appended edits found, of {edits}",
        100 * result / max(edits, 1),
        98,
        " %",
    )
    for goal, way, bound in (
        ("F2", "picture patch", 95),
        ("F3", BEHIND, 75),
        ("F4", "signed", 100),
    ):
        report.least(
            goal,
            f"{way}: found, of {counts[way].tried}",
            counts[way].share,
            bound,
            " %",
        )


def _edit(
    counts: dict[str, Count],
    name: str,
    evidence: Evidence,
    before: set[str],
    ways: dict[str, Callable[[Target], bytes]],
) -> None:
    target = _target(evidence)
    if target is None:
        return
    for way, edit in ways.items():
        # Of the text behind a picture, the check compares only numbers.
        if way != BEHIND or any(map(str.isdigit, target.old)):
            _try(counts[way], name, before, edit, target)
    if evidence.structure.signatures:
        _try(counts["signed"], name, before, _appended, target)


def _genuine(
    corpus: Corpus, genuine: Genuine, name: str, evidence: Evidence
) -> set[str]:
    """Count a document that nobody edited. Returns the ids of the RISK indicators that it has
    anyway.
    """
    payload = _payload(evidence)
    risks = {
        item["indicator_id"]
        for item in payload["verification_data"]
        if item["type"] == "RISK"
    }
    genuine.tried += 1
    genuine.failed += payload["verification_result"] == "HIGH_RISK"
    genuine.suspected += bool(risks)
    if risks:
        text = f"{name}: {payload['verification_result']}: {', '.join(sorted(risks))}"
        corpus.note(text)
    return risks


def _files(corpus: Corpus) -> Iterator[tuple[str, bytes]]:
    for group in GENUINE:
        for names in corpus.documents(group):
            if names.content.startswith(b"%PDF") and not names.is_specimen:
                yield names.name, names.content


def _signed() -> Iterator[tuple[str, bytes]]:
    for seed in range(5, 8):
        sample = samples.signed_certificate(seed)
        yield sample.file_name, sample.content


def _payload(evidence: Evidence) -> dict[str, Any]:
    payload: dict[str, Any] = (
        DocumentFraud().run(evidence).payload["fraud_verification_data"]
    )
    return payload


def _risks(evidence: Evidence) -> set[str]:
    """The ids of RISK indicators, without cross-checks: an edit need not contradict other facts."""
    rows = (rule(evidence) for rule in INDICATORS if rule.category != "cross-check")
    return {
        one.indicator_id
        for one in rows
        if isinstance(one, Indicator) and one.type == "RISK"
    }


def _try(
    count: Count,
    name: str,
    before: set[str],
    edit: Callable[[Target], bytes],
    target: Target,
) -> None:
    """Apply an edit. It counts as found if it raises a RISK that the original does not have."""
    try:
        edited = edit(target)
    except UNFIT:
        # Not possible in this file, e.g. because it is encrypted or shares its resources.
        return
    count.tried += 1
    if _risks(Evidence(edited, name)) - before:
        count.found += 1
    else:
        count.missed.append(name)


def _target(evidence: Evidence) -> Target | None:
    """A seeded choice of a word on the first page: one with digits, or any word if none has
    digits.
    """
    if (
        evidence.problem
        or evidence.page_count > MAX_PAGES
        or evidence.structure.encrypted
    ):
        return None
    page = evidence.pages[0]
    words = [
        w for w in page.words if w.source == "text layer" and 4 <= len(w.text) <= 18
    ]
    numbers = [w for w in words if sum(map(str.isdigit, w.text)) >= 3]
    # Rotated pages are left out, because the edits do not handle them.
    if not words or page.transform.b or page.transform.c:
        return None
    pick = random.Random(evidence.file[:64])  # noqa: S311 - the same words in each run
    word = pick.choice((numbers or words)[:12])
    # Another number of the same length, as a forger would write it.
    new = "".join(pick.choice("0123456789") if c.isdigit() else c for c in word.text)
    new = new if new != word.text else word.text[::-1] + "x"
    # Back from page fractions to PDF coordinates, by inverting the page's transform.
    a, _, _, d, e, f = page.transform
    xs = sorted(((word.box.x0 - e) / a, (word.box.x1 - e) / a))
    ys = sorted(((word.box.y0 - f) / d, (word.box.y1 - f) / d))
    place: Rectangle = (xs[0], ys[0], xs[1], ys[1])
    plain = "".join(char for char in new if char.isascii() and char not in "()\\")
    return Target(evidence.file, place, word.text, plain)


def _appended(target: Target) -> bytes:
    """A white box with a new word, appended with another library than the one of the samples."""
    x0, y0, x1, y1 = target.place
    writer = IncrementalPdfFileWriter(io.BytesIO(target.content), strict=False)
    name = generic.NameObject
    font = generic.DictionaryObject(
        {name("/Type"): name("/Font"), name("/Subtype"): name("/Type1"), name("/BaseFont"): name("/Helvetica")}
    )  # fmt: skip
    text = (
        f"\nQ q 1 1 1 rg {x0 - 1:.2f} {y0 - 1:.2f} {x1 - x0 + 2:.2f} {y1 - y0 + 2:.2f} re f Q "
        f"BT 0 g /Typed {max(y1 - y0, 6):.1f} Tf {x0:.2f} {y0:.2f} Td ({target.new}) Tj ET"
    )
    fonts = generic.DictionaryObject({name("/Typed"): writer.add_object(font)})
    # "q" before the page and "Q" after it restore the graphics state.
    before = writer.add_object(generic.StreamObject(stream_data=b"q\n"))
    after = writer.add_object(
        generic.StreamObject(stream_data=text.encode("latin-1", "replace"))
    )
    writer.add_stream_to_page(0, before, prepend=True)
    writer.add_stream_to_page(
        0, after, resources=generic.DictionaryObject({name("/Font"): fonts})
    )
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


WAYS: dict[str, Callable[[Target], bytes]] = {
    "overlay appended": _appended,
    "overlay rewritten": tampering.overlay_rewritten,
    "other shape": tampering.shape_rewritten,
    "picture patch": tampering.picture_patch,
    "text box": tampering.text_box,
    BEHIND: tampering.picture_over_text,
    "cut out with a clip": tampering.cut_out,
    "typed over a scan": tampering.typed_over_scan,
}
