"""Thresholds of an evaluation, each with its reason."""

from __future__ import annotations

from checks.tunables import Table

TABLE = Table()
_declare = TABLE.declare

Z = _declare("z", 1.96, "Of 100 such intervals 95 hold the true share.")
