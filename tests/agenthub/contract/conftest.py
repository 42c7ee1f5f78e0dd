from __future__ import annotations

from tests.agenthub.conftest import caller, other

__all__ = ["caller", "other"]
