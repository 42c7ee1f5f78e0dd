"""Thresholds of the normal forms of what a case states, each with its reason."""

from __future__ import annotations

from checks.tunables import Table

TABLE = Table()
_declare = TABLE.declare

FEWEST = _declare(
    "fewest", 4, "Letters and digits: a shorter number tells nobody apart."
)
ZIP = _declare(
    "zip",
    5,
    "The digits of a ZIP code that all write; four more name a part of a street.",
)
MAX_NAME = _declare("max_name", 200, "Characters: a longer name was made to be slow.")
WORDS_OF_DENIAL = _declare(
    "words_of_denial",
    8,
    "Words between a denial and what it denies: “we do not offer any kind of online gambling” has four. Farther away it speaks of something else.",
)
LETTERS_OF_SENTENCE = _declare(
    "letters_of_sentence",
    400,
    "Characters before and behind a word: no sentence of a description is longer, and a longer text would take time.",
)
MOST_DENIALS = _declare(
    "most_denials",
    20,
    "Denials of one category in a text: a description has a few, and more of them would take time.",
)
