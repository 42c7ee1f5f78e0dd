"""Names of people from Singapore, Malaysia, Indonesia and Taiwan, as they write Hokkien, Teochew,
Hakka and Foochow, and the Mandarin syllables that they may be.

Each family chose its own spelling, so that there is no system: the table has the usual ones. One
spelling may be several syllables in Mandarin, so such names are never certainly the same.
"""

from __future__ import annotations

from functools import cache

from checks.data import table


@cache
def syllables() -> dict[str, frozenset[str]]:
    """Return the Mandarin syllables by their spelling, of family names and given names."""
    syllables_of: dict[str, frozenset[str]] = {}
    for row in table("hokkien_readings"):
        both = f"{row['family']} {row['given']}"
        syllables_of[row["spelling"]] = frozenset(both.split())
    return syllables_of


@cache
def families() -> dict[str, frozenset[str]]:
    """Return the Mandarin syllables of family names by their spelling."""
    syllables_of: dict[str, frozenset[str]] = {}
    for row in table("hokkien_readings"):
        if row["family"]:
            syllables_of[row["spelling"]] = frozenset(row["family"].split())
    return syllables_of
