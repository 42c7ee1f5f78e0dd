"""Tables of reports to an authority.

Rooms call them; they hold no rules.
"""

from __future__ import annotations

from reviews.models.filings.institution import ReportingInstitution
from reviews.models.filings.suspicion import SuspicionReport

__all__ = ["ReportingInstitution", "SuspicionReport"]
