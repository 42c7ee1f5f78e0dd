"""Documents for tests: a PDF with the given lines, and what the tools say of it."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from copy import deepcopy
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import fontpkg_jetbrains_mono  # type: ignore[import-untyped]
from reportlab.lib.pagesizes import LETTER
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from checks import samples
from checks.engine import examine
from checks.evidence import Evidence

CHECK = "kyb.incorporation_document_verification"
EXTRACTION = "kyb.incorporation_document_extraction_tool"
VISUAL = "kyb.visual_verification_v3"
FRAUD = "document_fraud_check"
TODAY = date(2026, 11, 21)  # where a test is `at_noon`


# Made once in a process: they take seconds.
hostile = cache(samples.hostile_documents)


def make_pdf(*pages: str, size: tuple[float, float] = LETTER) -> bytes:
    """Each page a text, its lines set one below the other from the top."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=size, invariant=1)
    for page in pages:
        for row, line in enumerate(page.strip("\n").split("\n")):
            canvas.setFont("Times-Roman", 11)
            canvas.drawString(72, size[1] - 72 - 16 * row, line.strip())
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def zone_pdf(*lines: str) -> bytes:
    """An A4 page with a machine-readable zone, in a typeface like that of zones."""
    if "Zone" not in pdfmetrics.getRegisteredFontNames():
        folder = Path(fontpkg_jetbrains_mono.__file__).parent / "files"
        pdfmetrics.registerFont(TTFont("Zone", str(folder / "JetBrainsMono[wght].ttf")))
    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=1)
    canvas.setFont("Zone", 12)
    for row, line in enumerate(lines):
        canvas.drawString(90, 500 - 18 * row, line)
    canvas.save()
    return buffer.getvalue()


def evidence_of(content: bytes, **attested: Any) -> Evidence:
    return Evidence(file=content, file_name="document.pdf", attested=attested)


def results_of(
    content: bytes,
    attested: dict[str, Any] | None = None,
    skip: Sequence[str] = (),
    arguments: dict[str, Any] | None = None,
) -> dict[str, dict[str, Any]]:
    """The results of each tool by its id."""
    return dict(
        examine(
            CHECK,
            file=content,
            file_name="document.pdf",
            attested=attested or {},
            document={"type": "Document", "url": "https://files.example/document.pdf"},
            arguments=arguments,
            skip=skip,
        )
    )


def results_once(
    content: bytes, attested: dict[str, Any], arguments: dict[str, str]
) -> dict[str, dict[str, Any]]:
    """The same for all tools, examined once in a process. Not for a test that changes how documents
    are examined: it would be given what was there before.
    """
    return deepcopy(_kept(content, json.dumps(attested), json.dumps(arguments)))


@cache
def _kept(content: bytes, attested: str, arguments: str) -> dict[str, dict[str, Any]]:
    return results_of(content, json.loads(attested), arguments=json.loads(arguments))


def extraction_of(
    content: bytes, attested: dict[str, Any] | None = None
) -> dict[str, Any]:
    results = results_of(content, attested, skip=(VISUAL, FRAUD))
    data: dict[str, Any] = results[EXTRACTION]["payload"]["extraction_data"]
    return data


def indicators_of(content: bytes) -> dict[str, dict[str, Any]]:
    results = results_of(content, skip=(VISUAL, EXTRACTION))
    payload = results[FRAUD]["payload"]["fraud_verification_data"]
    return {result["indicator_id"]: result for result in payload["verification_data"]}
