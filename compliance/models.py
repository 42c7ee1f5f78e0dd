"""The kernel's own tables. Django looks for them in this module."""

from __future__ import annotations

from compliance.security.data_keys import DataKey

__all__ = ["DataKey"]
