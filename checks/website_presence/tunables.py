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
SNAPSHOT = _declare(
    "snapshot",
    1500,
    "Characters of a page that the result keeps: a person reads no more.",
)
MAX_WORDS = _declare("max_words", 4000, "A limit of the work: words of one page.")
LONGEST_TITLE = _declare("longest_title", 300, "Characters: titles are one line.")
