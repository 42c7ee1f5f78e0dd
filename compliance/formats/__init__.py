"""How each language writes days and moments: the names that templates give to `date`."""

from __future__ import annotations
