"""Models of reports to an authority.

The code in reviews.filings uses them; they contain no rules.
"""

from __future__ import annotations

from reviews.models.filings.institution import ReportingInstitution
from reviews.models.filings.suspicion import SuspicionReport

__all__ = ["ReportingInstitution", "SuspicionReport"]
