"""Measures how much of tax registrations is extracted, with forms of twenty-two countries.

The forms are drawn by this project (`tax_texts.py`). Half of them, chosen by the digest of their
name, are kept for validation: details are shown only for the other half.
"""

# ReportLab has no type annotations.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import hashlib
import io
import re
from collections import Counter
from typing import Any

from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from bench.document_rows.corpus import Corpus
from bench.document_rows.tax_texts import REGISTRATIONS, Registration
from bench.report import Report
from checks import registry
from checks.evaluation.report import wilson
from checks.evidence import Evidence
from checks.text.folding import folded
from papers import countries

CHECK = "kyb.ein_document_verification"
# PDF points: width of a column, left margin, first baseline, line height.
COLUMN, LEFT, TOP, STEP = 190, 60, 780, 18
FIELDS = ("kind", "holder", "number", "date", "country", "issuer")
PARTS = ("built", "kept")


def measure(report: Report, corpus: Corpus) -> None:
    counts: Counter[tuple[str, str, str]] = Counter()
    for registration in REGISTRATIONS:
        part = PARTS[hashlib.sha256(registration.name.encode()).digest()[0] % 2]
        data = _read(registration)
        for name, verdict in judge(registration, data).items():
            counts[part, name, verdict] += 1
            if part == "built" and verdict != "right":
                corpus.note(f"{registration.name}: {name} {verdict}: {_words(data)}")
    for part in PARTS:
        for name in (*FIELDS, "numbers of others given"):
            right = counts[part, name, "right"]
            wrong = counts[part, name, "wrong"]
            tried = right + wrong + counts[part, name, "missing"]
            low, high = wilson(right, tried)
            interval = f"{100 * low:.0f} to {100 * high:.0f} %"
            report.row(
                f"{part}: {name}", f"{right} of {tried}", f"wrong {wrong}", interval
            )


def form(text: str) -> bytes:
    """A PDF page with the lines of a text. The character | separates the cells of a line."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=1)
    for row, line in enumerate(text.strip("\n").split("\n")):
        for column, cell in enumerate(line.strip().split("|")):
            canvas.setFont("Helvetica", 10)
            canvas.drawString(LEFT + COLUMN * column, TOP - STEP * row, cell.strip())
    canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def _read(registration: Registration) -> dict[str, Any]:
    evidence = Evidence(form(registration.text), "registration.pdf")
    outcome = registry.get(CHECK).tools[0].run(evidence)
    data: dict[str, Any] = outcome.payload["extraction_data"]
    return data


def judge(truth: Registration, data: dict[str, Any]) -> dict[str, str]:
    """For each field: "right", "wrong" or "missing"."""
    numbers = [
        _plain(number) for number in data.get("business_registration_number") or []
    ]
    # A number of a third party, reported as the holder's, is the worst error.
    others = [number for number in truth.others if _plain(number) in numbers]
    country = countries.code(str(data.get("jurisdiction") or ""))
    issuer = str(data.get("issuer") or "")
    verdicts = {
        "kind": _verdict(
            str(data.get("document_type") or ""),
            data.get("document_type") == "tax_registration",
        ),
        "holder": _verdict(
            str(data.get("business_name") or ""),
            folded(str(data.get("business_name") or "")) == folded(truth.holder),
        ),
        "number": _verdict(
            str(data.get("tax_number") or ""),
            _plain(str(data.get("tax_number") or "")) == _plain(truth.number),
        ),
        "date": _verdict(str(data.get("date") or ""), data.get("date") == truth.date),
        "country": _verdict(country, country == truth.country),
        "issuer": _verdict(issuer, truth.issuer.casefold() in issuer.casefold()),
    }
    if truth.others:
        verdicts["numbers of others given"] = "wrong" if others else "right"
    return verdicts


def _verdict(value: str, is_right: bool) -> str:  # noqa: FBT001 - one truth of one value
    if not value:
        return "missing"
    return "right" if is_right else "wrong"


def _plain(number: str) -> str:
    """The number without separators, and without the prefix or suffix of its country or
    register.
    """
    bare = re.sub(r"[^0-9A-Z]", "", number.upper())
    return re.sub(r"^(?:GB|ATU|IE|BE|NO|FR|SE|NL|DE)(?=\d)|(?:MWST|MVA)$", "", bare)


def _words(data: dict[str, Any]) -> str:
    keys = (
        "document_type",
        "business_name",
        "tax_number",
        "date",
        "jurisdiction",
        "issuer",
    )
    return ", ".join(f"{key} {data.get(key)}" for key in keys)
