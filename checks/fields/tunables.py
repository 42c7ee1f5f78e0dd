"""The numbers by which fields are read from the words of a document, each with its reason.

Lengths are characters of the text. Weights are points of the tables of wordings beside which they
are used.
"""

from __future__ import annotations

from checks.tunables import Table

TABLE = Table()
_declare = TABLE.declare

BEFORE = _declare(
    "before", 110, "What says what a date is of stands before it, within about a line."
)

# Kinds of documents.
TITLE = _declare("title", 500, "A wording in the beginning of a document is its title.")
TITLE_BONUS = _declare(
    "title_bonus", 4, "What a document calls itself says more than what it mentions."
)
KIND_HEAD = _declare(
    "kind_head", 4000, "Later pages quote the titles of other documents."
)
KIND_WEIGHT = _declare("kind_weight", 4, "With less, too little speaks for one kind.")

# Jurisdictions.
STRONG = _declare(
    "strong",
    5,
    "A wording that names a register, or the law by which a company was formed.",
)
FAIR = _declare(
    "fair",
    3,
    "A wording that names a state, its companies or its laws: forms quote them, too.",
)
JURISDICTION_WEIGHT = _declare(
    "jurisdiction_weight", 2, "With less, a place is named in passing only."
)
JURISDICTION_HEAD = _declare(
    "jurisdiction_head", 8000, "Later pages name the places of other companies."
)
MAX_COUNTED = _declare(
    "max_counted", 3, "A footer that repeats a place must not outweigh the title."
)

# Names of companies.
MAX_LENGTH = _declare("max_length", 120, "A longer match is a sentence, and no name.")
SHORTEST_IN_SMALL_LETTERS = _declare(
    "shortest_in_small_letters",
    4,
    "Shorter words without a capital letter are pieces of a reading, as “ee”.",
)
MAX_MATCHES = _declare(
    "max_matches", 4, "A limit of the work: matches of one rule in one document."
)

# Addresses.
REACH = _declare(
    "reach", 220, "An address before its postal code is not longer: five short lines."
)
MAX_LINES = _declare(
    "max_lines", 4, "Names and departments above the street of an addressee."
)
