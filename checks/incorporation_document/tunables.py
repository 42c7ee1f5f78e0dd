"""Thresholds for weighing the readings of a field, each with its reason."""

from __future__ import annotations

from checks.tunables import Table

TABLE = Table()
_declare = TABLE.declare

BEFORE = _declare(
    "before", 170, "What says what a date is of stands before it, within two lines."
)
AFTER = _declare("after", 40, "Words behind a date that still belong to its sentence.")
NEAR = _declare(
    "near", 60, "A word against a date is a label of it, with what its brackets say."
)
MIN_WEIGHT = _declare(
    "min_weight", 4, "With less, the words about a date do not say that it is this one."
)
OF_A_STATE = _declare(
    "of_a_state",
    6,
    "What is said of a filing counts; the day of such a certificate does not.",
)
LEAD = _declare(
    "lead", 0.1, "So much more trust in one reading settles a difference to another."
)
SURE = _declare(
    "sure", 0.9, "Sentences of registers with this trust were never seen to be wrong."
)
RIVAL = _declare(
    "rival", 0.015, "Two sentences with about the same trust that differ are doubtful."
)
LATE = _declare(
    "late",
    0.6,
    "Of the lines of a page: of 84 right names behind short labels one stood lower.",
)
LATE_LINES = _declare(
    "late_lines", 9, "A paper with fewer lines above has no lower part."
)
CANDIDATES = _declare(
    "candidates", 4, "A person chooses among a few; more are no help."
)
DIGITS_OF_NUMBER = _declare(
    "digits_of_number",
    6,
    "Numbers of registers have as many; companies that are named by a shorter number, such as “1822 GmbH”, are known.",
)
LABEL_WORDS = _declare(
    "label_words", 9, "No label of a day in the table has more words."
)
SHORT_WORD = _declare(
    "short_word", 4, "Letters: “iva” and “vat” stand within many other words."
)
HEAD = _declare(
    "head", 900, "Characters: the title and the lines about it, where the name stands."
)
OF_TITLE = _declare(
    "of_title", 0.75, "A line of the head names the company, or who issued the paper."
)
ENTRIES = _declare(
    "entries",
    3,
    "Lines that begin with a small number: those of an extract with entries.",
)
LABEL_BEFORE = _declare(
    "label_before", 30, "Letters before a number: the longest label of a filing."
)
LONG_NUMBER = _declare(
    "long_number",
    8,
    "Digits: two shorter numbers of one form are of one form by chance.",
)
REPEATED = _declare(
    "repeated", 2, "What the text names again is what it is about, not its letterhead."
)
OF_ENTRY = _declare(
    "of_entry",
    0.75,
    "A sentence about an entry in a register may be about another party.",
)
BARE_NUMBER = _declare(
    "bare_number", 0.7, "A number without a label that stands alone below the title."
)
TITLE_LINES = _declare(
    "title_lines",
    8,
    "A number alone below the title of a certificate stands in its first lines.",
)
LETTERHEAD = _declare(
    "letterhead",
    320,
    "Characters: the name and address of the office that gives the paper.",
)
NAME_ABOVE = _declare(
    "name_above", 130, "Characters from the name of the company to its address."
)
SAME_STREET = _declare(
    "same_street",
    75,
    "Of 100: a street that OCR misread, or wrote with its number apart.",
)
WHOLE_ADDRESS = _declare(
    "whole_address",
    12,
    "Letters and digits: “4 Target” is the first line of an address. The shortest whole one had 14.",
)
SHORT_NAME = _declare(
    "short_name", 8, "Letters: a shorter end of a name may be the name of a street."
)
ON_ROW = _declare(
    "on_row", 0.5, "Of the height: with less two cells are not on one row."
)
WORDS_BEFORE = _declare(
    "words_before", 40, "Letters of the words before a number that a person needs."
)
