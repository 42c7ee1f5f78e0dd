"""Thresholds for joining words into lines, blocks and pages, each with its reason."""

from __future__ import annotations

from checks.tunables import Table

TABLE = Table()
_declare = TABLE.declare

MIN_TEXT_LAYER = _declare(
    "min_text_layer", 40, "Fewer letters are a page number or a stamp on a picture."
)
SCAN_SHARE = _declare(
    "scan_share", 0.7, "A picture of this share of the page is what one sees of it."
)
SCAN_LETTERS = _declare(
    "scan_letters", 200, "Such a picture may bear the stamp of a signing service."
)
WIDE_GAP = _declare(
    "wide_gap",
    2.6,
    "Heights: a typewriter's space is one; two still join a state and its postal code.",
)
LINE_STEP = _declare(
    "line_step",
    2.6,
    "Heights of letters from one line of a block to the next, at most.",
)
SAME_RIGHT_EDGE = _declare(
    "same_right_edge", 0.003, "Lines set to the right end there to a letter's breadth."
)
SAME_EDGE = _declare(
    "same_edge",
    0.012,
    "Of the page: a tenth of an inch, by which boxes of OCR are off.",
)

# Lines that continue on the next one. Lengths are fractions of the width of the page.
INDENT = _declare("indent", 0.06, "The first line of a paragraph is indented so far.")
RAGGED = _declare(
    "ragged", 0.12, "Lines of running text end within a long word of the margin."
)
FULL_LINES = _declare(
    "full_lines", 2, "With fewer, the longest line is a title and shows no margin."
)
LEAST_MARGIN = _declare(
    "least_margin", 0.6, "Running text reaches over the middle of the page."
)
WIDE_MARGIN = _declare(
    "wide_margin", 0.78, "A line so long is one of running text by itself."
)
