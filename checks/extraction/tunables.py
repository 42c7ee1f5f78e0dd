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
LINES_BELOW = _declare(
    "lines_below", 2, "A name of more than three lines was not seen."
)
STEP_IN_CELL = _declare(
    "step_in_cell",
    1.25,
    "Sizes of print from a line to the next of one cell: rests of names had 0.9 to 1.2, rows have 1.3 and more.",
)
STEP_IN_QUOTATION = _declare(
    "step_in_quotation",
    2.2,
    "Sizes of print: within quotation marks also a line at the step of rows is the rest of the name.",
)
SAME_PRINT = _declare(
    "same_print",
    0.87,
    "Rests of names had 0.91 to 1.03 of the size of their beginning, most labels below have less.",
)
SAME_EDGE = _declare(
    "same_edge", 0.01, "Of the width of the page: lines of one cell begin together."
)
WORDS_OF_REST = _declare(
    "words_of_rest", 6, "A longer line below a name is a sentence."
)
LABEL_OF_STATE = _declare(
    "label_of_state", 6, "Words: the longest label for the state of a company has five."
)
SENTENCE_OF_STATE = _declare(
    "sentence_of_state",
    120,
    "Letters in which a sentence about the end of a company goes on.",
)
DAY_OF_STATE = _declare(
    "day_of_state", 40, "Letters behind the label of a day: its year stands in them."
)
