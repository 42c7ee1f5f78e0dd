"""Countries by the name that `checks.screening` imports: they are `papers.countries`."""

from __future__ import annotations

from papers.countries import code, name

__all__ = ["code", "name"]
