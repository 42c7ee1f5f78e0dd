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
GAP_OF_CELLS = _declare(
    "gap_of_cells",
    2.6,
    "Heights, of a page higher than wide: lines that are spread to the margin have narrower gaps.",
)

# Columns of a table that were read one by one. Heights are those of letters.
GAP_OF_COLUMNS = _declare(
    "gap_of_columns", 1.3, "Heights: words are nearer, also in lines that are spread."
)
TOUCHED_ROW = _declare(
    "touched_row",
    0.15,
    "Of the smaller height: a label beside the middle of two lines shares so much with each.",
)
HIGH_PIECE = _declare(
    "high_piece",
    2.5,
    "Times: print on one row differs by less, stamps and rules by more.",
)
NEAR_ROWS = _declare(
    "near_rows", 4, "Rows: of a table with cells of several lines these overlap."
)
MOST_PIECES = _declare(
    "most_pieces", 1500, "A limit of the work: dense pages have a third as many."
)
LINE_OF_SLOPE = _declare(
    "line_of_slope", 0.2, "Of the height of the page: a shorter line shows no slope."
)
LINES_OF_PROSE = _declare(
    "lines_of_prose", 3, "Lines: an address or a cell of two lines is no running text."
)
WORDS_OF_PROSE = _declare(
    "words_of_prose", 5, "Words of a line: labels and lines of addresses have fewer."
)
STEP_OF_PROSE = _declare(
    "step_of_prose", 2.2, "Heights from one line of a paragraph to the next, at most."
)
RAGGED_PROSE = _declare(
    "ragged_prose", 0.25, "Of the width: a full line of a paragraph ends within it."
)
STEP_OF_CELL = _declare(
    "step_of_cell", 1.9, "Heights of letters from one line of a cell to the next."
)
SAME_CELL = _declare(
    "same_cell", 0.8, "Heights: lines of one cell begin there, as far as OCR is off."
)
GAP_OF_CAPTION = _declare(
    "gap_of_caption",
    0.4,
    "Heights: lines of one cell are nearer, rows are farther apart.",
)
NEARER = _declare(
    "nearer",
    0.6,
    "Of the next gap: a caption stands nearer to its value than to other rows.",
)
ROWS_OF_CAPTIONS = _declare(
    "rows_of_captions", 2, "Rows: one alone may be the first of two between headings."
)
