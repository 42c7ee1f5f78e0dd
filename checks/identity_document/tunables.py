"""Thresholds for reading a machine-readable zone from an identity document, each with its
reason.
"""

from __future__ import annotations

from checks.tunables import Table

TABLE = Table()
_declare = TABLE.declare

DPI = _declare(
    "dpi", 150, "Dots per inch: the reader of zones resizes each page to its own width."
)
MAX_PAGES = _declare("max_pages", 2, "A document has a front and a back.")
SLACK = _declare(
    "slack", 4, "Characters that OCR drops or adds at the end of a line, in the filler."
)
FEWEST = _declare(
    "fewest",
    15,
    "Characters: of the line with names, mostly filler, OCR may drop half.",
)
MAX_MENDED = _declare(
    "max_mended",
    2,
    "Each further change makes it likelier that a digit is right by chance.",
)
MOST_NUMBERS = _declare(
    "most_numbers", 4, "More candidates help nobody: the picture tells the number."
)
MOST_SPELLINGS = _declare(
    "most_spellings", 4, "More candidates help nobody: the picture tells the name."
)
OLDEST_OF_ZONE = _declare(
    "oldest_of_zone",
    106,
    "Years: hardly a holder is older, so the year of two digits of an older child has one meaning.",
)
MISREAD = _declare(
    "misread", 60, "Of 100: a name is like what an engine makes of it; another is less."
)
SURE_LETTER = _declare(
    "sure_letter",
    0.9,
    "Of 1: no letter of the 22 pictures of the corpus that is likelier was wrong.",
)
OLD_FRENCH_MONTHS = _declare(
    "old_french_months",
    180,
    "Ten years, and five more for those that adults had from 2004 to 2013.",
)
LONG_LABEL = _declare(
    "long_label", 6, "Letters: a shorter label is like too many other words."
)
LIKE_LABEL = _declare(
    "like_label", 85, "Of 100: a label in small print with one letter in eight misread."
)
BELOW_LABEL = _declare(
    "below_label", 3.5, "Heights of a label: the line below it begins nearer."
)
CARD_COLUMN = _declare(
    "card_column",
    0.02,
    "Of the width: values begin where their labels do, as far as a photograph is off.",
)
LABEL_WORDS = _declare(
    "label_words", 4, "No label that stands in one cell with its value is longer."
)
SAME_ROW = _declare(
    "same_row", 0.5, "Of the height: with less a value is not beside its label."
)
LINES_OF_NAME = _declare(
    "lines_of_name",
    3,
    "Two surnames and the given names; a field of surnames alone has one line less.",
)
WORDS_OF_NAME = _declare(
    "words_of_name", 2, "A single word without a label is a place or a religion."
)
SAME_PRINT = _declare(
    "same_print", 1.25, "Lines of one name differ less; labels are smaller by a third."
)
FEWEST_SIGNS = _declare(
    "fewest_signs",
    2,
    "Of birth, expiry, number and title beside the names: a bill has no two of them.",
)
FEWEST_DIGITS = _declare(
    "fewest_digits", 3, "The number of a document has more than those of a field."
)
FIRST_EXPIRY = _declare(
    "first_expiry",
    2000,
    "A card that expired before cannot be one that is submitted now.",
)
OLDEST_HOLDER = _declare(
    "oldest_holder",
    120,
    "Years: nobody is older, and a year of the Hijri calendar is further back.",
)
LONGEST_VALIDITY = _declare(
    "longest_validity",
    100,
    "Years: no card is valid for longer, and a year of the Buddhist calendar is further ahead.",
)
PRINTED = _declare(
    "printed", 0.85, "No check digit covers a printed field; its label names it."
)
