"""Words that a company adds to its name: its trade, its legal form, or a place.

“Mahan Air Iran” is Mahan Air, and “Irisl Group” is IRISL. Words that the listed name lacks are
harmless if many companies have them (group, trading, a legal form), if they are a country, a region
or a large city, or if they stand in an address of the entry. Any other word may belong to a
different company.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from checks.data import table
from checks.screening import tunables
from checks.screening.matching import names
from checks.screening.matching.names import Name
from checks.screening.matching.scoring import Pair
from checks.screening.records import Entity
from papers import countries


def holds_all(pairs: Sequence[Pair]) -> bool:
    """Whether all words of the listed name stand in the query, and one of them identifies the
    company.
    """
    has_telling_word = False
    for pair in pairs:
        if not pair.entry or pair.weight <= tunables.WEIGHT_OF_LEGAL_FORM:
            continue
        if not pair.query or pair.score < tunables.SAME_WORD:
            return False
        if pair.weight > tunables.FULL_WORD:
            has_telling_word = True
    return has_telling_word


def are_common(pairs: Sequence[Pair], entity: Entity | None = None) -> bool:
    """Whether the query has words beside the listed name, and all of them are such as many
    companies add.
    """
    added = [pair.query for pair in pairs if not pair.entry]
    if not added or not holds_all(pairs):
        return False
    # Places may have several words, so they are removed from the text before it is split.
    without_places = _places().sub(" ", " ".join(added))
    rest = set(without_places.split()) - _words_of_trade()
    if not rest:
        return True
    return entity is not None and rest <= _words_of_addresses(entity)


@cache
def _words_of_trade() -> frozenset[str]:
    forms = names.form_classes() | names.form_parts()
    return forms | names.generic_words() | names.company_particles()


def _words_of_addresses(entity: Entity) -> frozenset[str]:
    words: set[str] = set()
    for address in entity.addresses:
        for word in _folded(address).tokens:
            if word.isalpha() and len(word) >= tunables.SHORTEST_PLACE:
                words.add(word)
    return frozenset(words)


@cache
def _places() -> re.Pattern[str]:
    """Return a pattern for countries, regions and large cities, as they stand in the folded name of
    a company.
    """
    places = list(countries.spellings())
    for row in table("company_words"):
        if row["kind"] in {"region", "city"}:
            places.append(row["word"])
    folded_places: set[str] = set()
    for place in places:
        folded_places.add(" ".join(_folded(place).tokens))
    folded_places.discard("")
    longest_first = sorted(folded_places, key=len, reverse=True)
    alternatives = "|".join(map(re.escape, longest_first))
    return re.compile(rf"\b(?:{alternatives})\b")


def _folded(text: str) -> Name:
    return names.parse(text, person=False)
