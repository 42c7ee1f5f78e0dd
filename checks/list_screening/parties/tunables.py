"""Thresholds for finding parties in free text, each with its reason."""

from __future__ import annotations

from checks.tunables import Table

TABLE = Table()
_declare = TABLE.declare

MOST_TEXT = _declare(
    "most_text",
    5_000,
    "Characters: lists of owners are not longer. The rest is a remainder, and is told.",
)
MOST_NAMES = _declare(
    "most_names",
    200,
    "Names of one text: each takes about 10 ms. The rest is a remainder, and is told.",
)
DEEPEST = _declare(
    "deepest", 12, "A limit of the work: members of data within members."
)
MOST_WORDS = _declare(
    "most_words", 10, "Arabic and Portuguese names of people have up to ten words."
)
MOST_WORDS_OF_BUSINESS = _declare(
    "most_words_of_business",
    14,
    "Names of companies with their legal forms are longer.",
)
MOST_WORDS_WITHOUT_CAPITALS = _declare(
    "most_words_without_capitals",
    5,
    "In a script without capitals, a sentence is hard to tell from a name.",
)
MOST_LETTERS_WITHOUT_CAPITALS = _declare(
    "most_letters_without_capitals",
    40,
    "Some of these scripts have no blanks either: then letters are counted.",
)
MOST_WORDS_IN_SMALL_LETTERS = _declare(
    "most_words_in_small_letters",
    5,
    "An entry of a list in small letters: more words describe somebody.",
)
