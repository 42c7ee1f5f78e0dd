"""Indicators from the words of the document and from what it is made of."""

from __future__ import annotations

import re

from checks.document_fraud_check.rules import Finding, indicator
from checks.evidence import Evidence
from checks.fields.of_document import numbers_of
from checks.text import Span, phrase

PLACEHOLDERS = (
    phrase(r"\bplaceholder\b|\blorem ipsum\b|\bspecimen\b|\bfor illustration(?: purposes)? only\b"),
    phrase(
        r"\bsample (?:certificate|document|copy|only|statement|bill|form)\b|\bnot a (?:legal|real|valid) document\b"
    ),
    phrase(
        r"\[(?:insert|your|company|name|date|address)[^\]\n]{0,40}\]|\b(?:your|sample) company name\b"
    ),
    re.compile(
        r"^[ \t]*SAMPLE[ \t]*$|^[ \t]*(?:CUSTOMER NAME|COMPANY NAME HERE)[ \t]*$", re.MULTILINE
    ),
    phrase(r"\b123 main (?:street|st)\b"),
)
SAMPLE_TITLE = re.compile(r"^\s*(?:sample|specimen|template)\b", re.IGNORECASE)


@indicator("RISK", "content", strong=True)
def placeholder_or_sample(evidence: Evidence) -> Finding | None:
    """The document is a sample or holds placeholders.

    It says so itself (sample, specimen, placeholder), or shows the names and addresses that
    templates are filled with.
    """
    title = evidence.metadata.title
    if SAMPLE_TITLE.match(title):
        return Finding("The title of the file says that it is a sample.", raw=title)
    for pattern in PLACEHOLDERS:
        match = pattern.search(evidence.text.value)
        if match:
            span = Span(*match.span())
            said = " ".join(match[0].split())
            return Finding(f"It holds the words “{said}”.", evidence.text.boxes(span), said)
    return None


@indicator("INFO", "origin")
def image_only_document(evidence: Evidence) -> Finding | None:
    """The document is a scan or a photograph.

    No page has text of its own. Editing shows in a scan less than in a file that was written by
    a program.
    """
    if not evidence.pages or any(page.has_text_layer for page in evidence.pages):
        return None
    return Finding("Every page is a picture without a text layer.")


@indicator("TRUST", "cross-check")
def number_checksum_ok(evidence: Evidence) -> Finding | None:
    """The check digits of a registration number are right.

    The number keeps the rule by which its issuer gives numbers, so that a slip of the pen or an
    invented number would most likely show.
    """
    valid = [found for found in evidence.once(numbers_of) if found.value.valid]
    if not valid:
        return None
    first = valid[0]
    said = f"{first.value.kind} {first.value.number} keeps the rule of its issuer."
    return Finding(said, evidence.text.boxes(first.span), first.value.number)


@indicator("RISK", "cross-check")
def number_checksum_bad(evidence: Evidence) -> Finding | None:
    """The check digits of a registration number are wrong.

    A number with a clear label breaks the rule by which its issuer gives numbers.
    """
    broken = [found for found in evidence.once(numbers_of) if found.value.valid is False]
    if not broken:
        return None
    first = broken[0]
    said = f"{first.value.kind} {first.value.number} breaks the rule of its issuer."
    return Finding(said, evidence.text.boxes(first.span), first.value.number)
