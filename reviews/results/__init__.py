"""Tolerant readers: what a service said, as dataclasses for the page.

The hub writes strictly, the desk reads tolerantly: unknown tools, unknown members and wrong types
at any level are survived, and what is not understood is kept and shown raw. Nothing here raises
on account of a body.
"""

from __future__ import annotations

from reviews.results.checklist import (
    MAX_RESULTS,
    OPEN,
    SEVERITY,
    check_label,
    checks,
    risk_of,
    summarise,
    verdict_of,
    worst,
)
from reviews.results.kinds import Box, Check, Comparison, Finding, Hit, Indicator, Part, Section
from reviews.results.parts import UNKNOWN, parts, template_for, verdict
from reviews.results.reading import label, pretty, text
from reviews.results.views import READERS, SECTIONS

__all__ = [
    "MAX_RESULTS",
    "OPEN",
    "READERS",
    "SECTIONS",
    "SEVERITY",
    "UNKNOWN",
    "Box",
    "Check",
    "Comparison",
    "Finding",
    "Hit",
    "Indicator",
    "Part",
    "Section",
    "check_label",
    "checks",
    "label",
    "parts",
    "pretty",
    "risk_of",
    "summarise",
    "template_for",
    "text",
    "verdict",
    "verdict_of",
    "worst",
]
