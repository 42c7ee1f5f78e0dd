"""Models of privacy: retention rules, legal holds and erasures."""

from __future__ import annotations

from reviews.models.privacy.erasures import Erasure
from reviews.models.privacy.retention import LegalHold, RetentionRule

__all__ = ["Erasure", "LegalHold", "RetentionRule"]
