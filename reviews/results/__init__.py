"""Readers of check results: they turn what a service sent into dataclasses for the page.

The readers are tolerant and run no query. The hub writes strictly, the desk reads tolerantly:
unknown tools, unknown members and wrong types at any level are accepted. What a reader does not
understand stays in the result and is shown raw. No reader raises an exception because of the
content of a body.
"""

from __future__ import annotations

from reviews.results.checklist import (
    MAX_RESULTS,
    check_label,
    checks,
    headline,
    is_sanctions,
    open_checks,
    risk_of,
    severity_of,
    summarise,
    verdict_of,
)
from reviews.results.details.screening import look_up
from reviews.results.kinds import (
    LEAST_URGENT,
    Box,
    Check,
    Comparison,
    Finding,
    Hit,
    Indicator,
    Part,
    Screening,
    Section,
    urgency,
)
from reviews.results.parts import (
    UNKNOWN,
    effective_pass,
    parts,
    rank,
    speaks_against,
    template_for,
)
from reviews.results.reading import label, pretty, same, shown, text
from reviews.results.reading import strings as texts
from reviews.results.readings import readings
from reviews.results.verdicts import (
    HINTS,
    OPEN,
    SEVERITY,
    check_verdict,
    gravity,
    is_under_way,
    passed,
    verdict,
    worst,
)
from reviews.results.views import READERS, SECTIONS

__all__ = [
    "HINTS",
    "LEAST_URGENT",
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
    "Screening",
    "Section",
    "check_label",
    "check_verdict",
    "checks",
    "effective_pass",
    "gravity",
    "headline",
    "is_sanctions",
    "is_under_way",
    "label",
    "look_up",
    "open_checks",
    "parts",
    "passed",
    "pretty",
    "rank",
    "readings",
    "risk_of",
    "same",
    "severity_of",
    "shown",
    "speaks_against",
    "summarise",
    "template_for",
    "text",
    "texts",
    "urgency",
    "verdict",
    "verdict_of",
    "worst",
]
