"""Thresholds for reading the total and the issuer of a bill, each with its reason."""

from __future__ import annotations

from checks.tunables import Table

TABLE = Table()
_declare = TABLE.declare

VALIDITY_DAYS = _declare(
    "validity_days", 90, "Offices and banks ask for papers of the last three months."
)
SHORT_WORD = _declare(
    "short_word", 5, "Letters: “del”, “vom” before a date are no label of it."
)
SURE = _declare("sure", 0.93, "Two readings of the field agree.")
ONE_SIGN = _declare("one_sign", 0.7, "One reading alone: a candidate and no value.")
SUM_TERMS = _declare(
    "sum_terms", 14, "Rows that add up to a total: longer lists add up by chance."
)
MAX_AMOUNTS = _declare(
    "max_amounts", 150, "A limit of the work: the sums of two dense pages."
)
HEAD = _declare(
    "head",
    0.22,
    "Of the height of the first page: who sends a bill stands in its head.",
)
HEAD_LINES = _declare(
    "head_lines", 6, "Cells of the head that may name who sends the bill."
)
LETTERHEAD_LINES = _declare(
    "letterhead_lines", 2, "Below the name in a letterhead: its address and tax number."
)
ISSUER_LETTERS = _declare(
    "issuer_letters", 3, "A line with fewer letters names nobody."
)
ISSUER_LENGTH = _declare(
    "issuer_length", 70, "Characters: a longer line is a sentence, and no name."
)
SAME_BEGINNING = _declare(
    "same_beginning", 5, "Letters: a shorter name begins many others by chance."
)
BELOW = _declare(
    "below", 3.0, "Heights of letters from a label to the sum below it, at most."
)
SHARED = _declare(
    "shared", 0.5, "Of the lower cell's height: cells with less are not on one row."
)
CANDIDATES = _declare(
    "candidates", 4, "A person chooses among a few; more are no help."
)
ISSUED = _declare("issued", 5, "Weight of a label of the issue: more than a period.")
FORM_STEP = _declare(
    "form_step",
    9.0,
    "Heights of letters from the label of a name to that of its address, in one form.",
)
LATER_DAY = _declare(
    "later_day", 0.4, "A later day in the text may be that of a transaction."
)
OF_LABEL = _declare(
    "of_label", 0.9, "A value in the cell beside or below its own label."
)
SAME_ROW = _declare(
    "same_row", 0.3, "Heights of letters: cells that differ by less are on one row."
)
SAME_STEP = _declare(
    "same_step",
    1.1,
    "The lines of one column stand as far apart as this times the two lines above them.",
)
LONG_WORD = _declare(
    "long_word", 4, "Letters: shorter words are parts of many names and streets."
)
FOOT = _declare(
    "foot",
    0.86,
    "Of the height of a page: below it stand the particulars of whoever sends a letter.",
)
NEAR = _declare(
    "near", 90, "Characters before an address, in which its party is named: a line."
)
LONG_AGO = _declare(
    "long_ago", 3650, "Days: a letter of ten years ago is rare, and a birth is common."
)
MENTIONED = _declare(
    "mentioned",
    1,
    "A point for a day that a sentence calls that of a paper: less than for one alone on its line.",
)
SMALL_WORDS = _declare(
    "small_words",
    2,
    "Words in small letters before a label on its line: “under a lease dated”. A label stands alone.",
)
LABEL_GAP = _declare(
    "label_gap",
    1.8,
    "Times the next widest gap of a line: the columns of a narrow table stand so far apart, and the words of a justified line do not.",
)
PARTICULARS = _declare(
    "particulars",
    600,
    "Characters of the particulars of one party of a lease, at most: more is a section of it.",
)
LONGEST_PARTY = _declare(
    "longest_party", 60, "Letters: a longer text behind “between” is a sentence."
)
