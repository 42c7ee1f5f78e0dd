"""Thresholds for recognising other cases of the same person or business, each with its reason.

Similarities of names are from 0 to 1, as `checks.screening` computes them.
"""

from __future__ import annotations

from checks.tunables import Table

TABLE = Table()
_declare = TABLE.declare

SAME_PERSON = _declare(
    "same_person",
    0.80,
    "With the same date of birth, two names so alike are those of one person.",
)
ANOTHER_PERSON = _declare(
    "another_person",
    0.70,
    "Two names with one number of an ID that are less alike are no two spellings.",
)
SAME_BUSINESS = _declare(
    "same_business",
    0.85,
    "Names of companies share more words than those of people: more must agree.",
)
MOST_LINKS = _declare(
    "most_links", 25, "A person reads the first links; the rest are counted."
)
