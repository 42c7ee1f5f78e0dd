"""The hub's part of the admin site: settings that can be changed, and records that are read-only.

The admin site imports it. It contains no rules: it calls the packages that do.
"""

from __future__ import annotations

from agenthub.admin import accounts, records

__all__ = ["accounts", "records"]
