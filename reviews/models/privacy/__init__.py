"""Privacy: how long cases are kept, which of them must be kept, and which were erased."""

from __future__ import annotations

from reviews.models.privacy.erasures import Erasure
from reviews.models.privacy.retention import LegalHold, RetentionRule

__all__ = ["Erasure", "LegalHold", "RetentionRule"]
