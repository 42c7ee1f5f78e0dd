"""Tolerant readers: what a service said, as dataclasses for the page.

The hub writes strictly, the desk reads tolerantly: unknown tools, unknown members and wrong types
at any level are survived, and what is not understood is kept and shown raw. Nothing here raises
on account of a body.
"""

from __future__ import annotations

from reviews.results.checklist import MAX_RESULTS, check_label, checks, summarise, worst
from reviews.results.kinds import Box, Check, Comparison, Finding, Indicator, Part, Section
from reviews.results.parts import UNKNOWN, parts, template_for
from reviews.results.reading import label, pretty, text
from reviews.results.views import READERS, SECTIONS

__all__ = [
    "MAX_RESULTS",
    "READERS",
    "SECTIONS",
    "UNKNOWN",
    "Box",
    "Check",
    "Comparison",
    "Finding",
    "Indicator",
    "Part",
    "Section",
    "check_label",
    "checks",
    "label",
    "parts",
    "pretty",
    "summarise",
    "template_for",
    "text",
    "worst",
]
