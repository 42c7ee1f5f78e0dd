"""The numbers by which the website of a business is judged, each with its reason."""

from __future__ import annotations

from checks.tunables import Table

TABLE = Table()
_declare = TABLE.declare

LIKE = _declare(
    "like", 80, "Of 100: a domain may hold a part of the name, or leave a letter out."
)
FEWEST_WORDS = _declare(
    "fewest_words", 20, "A page with fewer words is empty, or drawn by scripts alone."
)
FEWEST_LETTERS = _declare(
    "fewest_letters",
    2,
    "Letters of a name without blanks (Chinese, Thai): a single one is in many words.",
)
FEWEST_JOINED = _declare(
    "fewest_joined",
    6,
    "Letters of a name that a page writes as one word: shorter ones are words by themselves.",
)
LETTERS_OF_SCRIPT = _declare(
    "letters_of_script",
    120,
    "A page with fewer letters in the script of the name is written in another one.",
)
WORDS_OF_PARKED = _declare(
    "words_of_parked", 300, "A page of a domain for sale has lists of links beside it."
)
WORDS_OF_UNFINISHED = _declare(
    "words_of_unfinished",
    80,
    "On a longer page “coming soon” is about products, and “under construction” about houses.",
)
SNAPSHOT = _declare(
    "snapshot",
    1500,
    "Characters of a page that the result keeps: a person reads no more.",
)
LONGEST_WORD = _declare(
    "longest_word",
    40,
    "Letters of a word that is read by its sound: no name is longer.",
)
MAX_CHARACTERS = _declare(
    "max_characters",
    60_000,
    "A limit of the work: characters of one page, where a word may be a whole paragraph.",
)
MAX_WORDS = _declare("max_words", 4000, "A limit of the work: words of one page.")
LONGEST_TITLE = _declare("longest_title", 300, "Characters: titles are one line.")
