"""What the project is measured against: the same work in the usual ways."""

from __future__ import annotations
