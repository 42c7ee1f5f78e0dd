"""Words that a company adds to its name: what it trades as, and where.

Mahan Air Iran is Mahan Air, and Irisl Group is IRISL: of the words that the listed name lacks, each
is one that many companies have (group, trading, a legal form), a country or a region, or stands in
an address of the entry. Every other word may tell that it is another company.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from checks.data import table
from checks.screening.matching import names
from checks.screening.matching.alignment import Pair
from checks.screening.matching.names import Name
from checks.screening.records import Entity
from papers import countries

# A pair from this score on is one word, written in another way.
SAME_WORD = 0.93
# Words of the listed name that weigh more must stand in the query: all but legal forms, particles.
FORM = 0.15
# Words that say who a company is weigh more.
TELLING = 0.5
# Words of addresses with fewer letters are abbreviations, and numbers tell no place.
SHORTEST_PLACE = 4


def holds_all(pairs: Sequence[Pair]) -> bool:
    """Whether all words of the listed name stand in the query, and one of them is telling."""
    listed = [pair for pair in pairs if pair.listed and pair.weight > FORM]
    is_whole = all(pair.query and pair.score >= SAME_WORD for pair in listed)
    return is_whole and any(pair.weight > TELLING for pair in listed)


def are_common(pairs: Sequence[Pair], entity: Entity | None = None) -> bool:
    """Whether there are words beside the listed name, and many companies of it add such words."""
    added = [pair.query for pair in pairs if not pair.listed]
    if not added or not holds_all(pairs):
        return False
    rest = _places().sub(" ", " ".join(added)).split()
    known = _of_addresses(entity) if entity else frozenset()
    return all(_is_of_trade(word) or word in known for word in rest)


def _is_of_trade(word: str) -> bool:
    return word in (
        names.generic_words()
        | names.form_classes()
        | names.form_parts()
        | names.company_particles()
    )


def _of_addresses(entity: Entity) -> frozenset[str]:
    words = (word for text in entity.addresses for word in _folded(text).tokens)
    return frozenset(word for word in words if word.isalpha() and len(word) >= SHORTEST_PLACE)


@cache
def _places() -> re.Pattern[str]:
    """Countries and regions, as they stand within the folded name of a company."""
    written = [row["word"] for row in table("company_words") if row["kind"] == "region"]
    written += countries.spellings()
    folded = {" ".join(_folded(text).tokens) for text in written} - {""}
    longest_first = sorted(folded, key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first))})\b")


def _folded(text: str) -> Name:
    return names.parse(text, person=False)
