"""Copies of documents that an issuer publishes as a file: as pictures drawn by a program, and as
scans.

Each document of a known issuer that has text is drawn as pictures, once with the metadata of the
original and once without, with seeded resolutions and qualities. A copy counts as doubted if the
result is WARNING or worse. Scans of prints of the same documents must raise no suspicion.
"""

# pypdfium2 has no type annotations.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pikepdf
import pypdfium2 as pdfium
from PIL import Image, ImageFilter

from bench.document_rows.corpus import Corpus
from bench.report import Report
from checks.document_fraud_check.file.profiles import (
    Issued,
    is_without_text,
    issued_by,
)
from checks.document_fraud_check.tool import DocumentFraud
from checks.evaluation.report import wilson
from checks.evidence import Evidence
from checks.samples.tampering import as_pictures

DOUBTED = frozenset({"WARNING", "HIGH_RISK"})
# Names of scanners as PDF producers; "" for none. Resolutions in dpi. JPEG quality 0: lossless.
SCANNERS = ("", "Canon iR-ADV C3525", "KONICA MINOLTA bizhub C364e", "Adobe Scan")
RESOLUTIONS = (100, 120, 150, 200, 250, 300)
QUALITIES = (0, 60, 75, 85, 90, 95)
ROUNDS = 1


@dataclass
class Count:
    hits: int = 0
    tried: int = 0
    others: list[str] = field(default_factory=list)

    def add(self, name: str, *, hit: bool) -> None:
        self.tried += 1
        self.hits += hit
        if not hit:
            self.others.append(name)

    @property
    def share(self) -> float:
        return 100 * self.hits / self.tried if self.tried else 0.0

    def __str__(self) -> str:
        low, high = wilson(self.hits, self.tried)
        return f"{self.hits} of {self.tried}: {100 * low:.0f} to {100 * high:.0f} %"


def measure(report: Report, corpus: Corpus) -> None:
    names = ("with the record", "without a record", "trusted", "scans unsuspected")
    counts = {name: Count() for name in names}
    for name, content, issued in _issued(corpus):
        for copy in range(ROUNDS):
            seed = b"copies 2" + content[:64] + bytes([copy])
            pick = random.Random(seed)  # noqa: S311 - the same copies in each run
            _try(counts, corpus, f"{name} ({issued.profile.issuer})", content, pick)
    for name, count in counts.items():
        report.row(name, str(count))
    report.least(
        "F10",
        f"pictures with the original's record doubted, of {counts['with the record'].tried}",
        counts["with the record"].share,
        95,
        " %",
    )
    report.least(
        "F11",
        f"pictures without a record doubted, of {counts['without a record'].tried}",
        counts["without a record"].share,
        50,
        " %",
    )
    report.most("F12", "of both trusted", counts["trusted"].hits, 0, "")
    scans = counts["scans unsuspected"]
    report.most(
        "F13",
        f"scans of prints with any RISK, of {scans.tried}",
        100 - scans.share if scans.tried else 0,
        2,
        " %",
    )


def _issued(corpus: Corpus) -> Iterator[tuple[str, bytes, Issued]]:
    """Documents of known issuers that have text, unchanged."""
    for names in corpus.documents("kyb"):
        if not names.content.startswith(b"%PDF") or names.is_specimen:
            continue
        evidence = Evidence(names.content, names.name)
        issued = evidence.once(issued_by)
        # Only documents that their issuer publishes with text.
        if issued and issued.profile.form and not is_without_text(issued.page):
            yield names.name, names.content, issued


def _try(
    counts: dict[str, Count],
    corpus: Corpus,
    name: str,
    content: bytes,
    pick: random.Random,
) -> None:
    resolution = pick.choice(RESOLUTIONS)
    quality = pick.choice(QUALITIES)
    what = f"{name} at {resolution} dpi, quality {quality}"
    # The same picture with and without the record of the original.
    for key, keep in (("with the record", True), ("without a record", False)):
        try:
            copy = as_pictures(
                content, resolution=resolution, quality=quality, keep_record=keep
            )
        except pikepdf.PdfError:
            continue
        payload = _payload(copy, name)
        doubted = payload["verification_result"] in DOUBTED
        counts[key].add(what, hit=doubted)
        counts["trusted"].add(what, hit=_is_trusted(payload))
        if not doubted:
            corpus.note(f"{key}, not doubted: {what}")
    scan = scan_of(content, pick)
    risks = _risks(_payload(scan, name))
    counts["scans unsuspected"].add(what, hit=not risks)
    if risks:
        corpus.note(f"scan of a print suspected: {name}: {', '.join(risks)}")


def scan_of(content: bytes, pick: random.Random) -> bytes:
    """The first page as if printed and scanned: rotated, blurred, noisy, and sometimes
    brightened.
    """
    resolution = pick.choice((150, 200, 300))
    with closing(pdfium.PdfDocument(content)) as document, closing(document[0]) as page:
        result = page.render(scale=resolution / 72).to_pil().convert("L")
    angle = pick.choice((-1, 1)) * pick.uniform(0.1, 1.2)
    result = result.rotate(angle, Image.Resampling.BICUBIC, fillcolor=255)
    result = result.filter(ImageFilter.GaussianBlur(pick.uniform(0.4, 0.9)))
    grain = np.random.default_rng(pick.randrange(2**32))
    # Lower contrast, then grain.
    dots = np.asarray(result, dtype=np.float32) * 0.95
    dots += grain.normal(0, pick.uniform(2, 7), dots.shape)
    if pick.random() < 0.5:
        dots = (dots - 20) * 255 / 205
    picture = Image.fromarray(np.clip(dots, 0, 255).astype(np.uint8))
    out = io.BytesIO()
    picture.convert("RGB").save(
        out,
        "PDF",
        resolution=resolution,
        quality=pick.choice((70, 80, 90, 95)),
        producer=pick.choice(SCANNERS),
    )
    return out.getvalue()


def _payload(content: bytes, name: str) -> dict[str, Any]:
    outcome = DocumentFraud().run(Evidence(content, name))
    payload: dict[str, Any] = outcome.payload["fraud_verification_data"]
    return payload


def _risks(payload: dict[str, Any]) -> list[str]:
    risks = []
    for item in payload["verification_data"]:
        if item["type"] == "RISK":
            risks.append(str(item["indicator_id"]))
    return risks


def _is_trusted(payload: dict[str, Any]) -> bool:
    for item in payload["verification_data"]:
        if item["indicator_id"] == "issuer_producer_known":
            return True
    return bool(payload["verification_result"] == "TRUSTED")
