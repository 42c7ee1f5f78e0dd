"""Thresholds for values that OCR read, each with its reason."""

from __future__ import annotations

from checks.tunables import Table

TABLE = Table()
_declare = TABLE.declare

CLEAR = _declare(
    "clear",
    0.7,
    "Of the lines with a word below it a third were misread, on scans and photographs of letters.",
)
SURE = _declare(
    "sure",
    0.9,
    "Of the lines above it two in a hundred were misread; half of these are read otherwise in another size.",
)
SHARED = _declare(
    "shared", 0.5, "Of the height of words: with less they are not on one row."
)
OVERLAP = _declare(
    "overlap", 0.3, "Of the smaller box: a change that covers less is beside the value."
)
GAP = _declare(
    "gap", 2.0, "Heights of letters: words farther apart are of two columns."
)
