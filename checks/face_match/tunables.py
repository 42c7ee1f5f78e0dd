"""Thresholds for the comparison of faces, each with its reason.

They are near dlib's own limit for the same person, 0.6, and are not tuned (docs/decisions/0016).
"""

from __future__ import annotations

from checks.tunables import Table

TABLE = Table()
_declare = TABLE.declare

SAME = _declare(
    "same", 0.55, "Distance: under dlib's bound, with room for a person to look."
)
ANOTHER = _declare(
    "another", 0.65, "Distance: over dlib's bound, with room for a person to look."
)
DPI = _declare(
    "dpi", 137, "Dots per inch: a sheet of A4 has 1,600 dots, as pictures have."
)
MAX_PAGES = _declare("max_pages", 2, "A passport may come as a PDF of two pages.")
LEAST_WIDTH = _declare(
    "least_width",
    50,
    "Dots: smaller faces are far from themselves, and some would fail.",
)
