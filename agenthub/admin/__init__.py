"""Administration of the hub: accounts, keys and agents; the records that nobody edits.

The admin site imports it. It calls the rooms and holds no rule of its own.
"""

from __future__ import annotations

from agenthub.admin import accounts, records

__all__ = ["accounts", "records"]
