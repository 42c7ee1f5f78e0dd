from __future__ import annotations

from tests.agenthub.conftest import caller, hub_urls, other

__all__ = ["caller", "hub_urls", "other"]
