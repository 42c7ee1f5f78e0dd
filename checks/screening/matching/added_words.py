"""Words that a company adds to its name: its trade, its legal form, or a place.

“Mahan Air Iran” is Mahan Air, and “Irisl Group” is IRISL. Words that the listed name lacks are
harmless if many companies have them (group, trading, a legal form), if they are a country, a region
or a large city, or if they stand in an address of the entry. Any other word may belong to a
different company.

Rosneft is Rosneft Oil Company, too, whichever of the two the list has. But Delta is not always Delta
Oil Company: words of a trade are harmless only beside a word that few companies have.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from checks.data import table
from checks.screening import tunables
from checks.screening.matching import names
from checks.screening.matching.names import Name
from checks.screening.matching.parts import frequent_names, frequent_words
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
    """Whether one name has words beside the other one, and all of them are such as many companies
    add.
    """
    added = [pair.query for pair in pairs if not pair.entry]
    if added and holds_all(pairs):
        rest = _without_places(added) - _common_words()
        if not rest or (entity is not None and rest <= _words_of_addresses(entity)):
            return True
    # Vessels of one owner are told apart by such words: Argos Energy and Argos Power.
    is_craft = entity is not None and entity.schema in _CRAFT
    return not is_craft and are_of_trade(pairs)


_CRAFT = frozenset({"Vessel", "Aircraft"})


def are_of_trade(pairs: Sequence[Pair]) -> bool:
    """Whether the names share a word that few companies have, and one of them has words of trade
    that the other lacks.
    """
    counted = [pair for pair in pairs if pair.weight > tunables.WEIGHT_OF_LEGAL_FORM]
    shared = [pair for pair in counted if pair.query and pair.entry]
    added = [pair.query for pair in counted if not pair.entry]
    lacking = [pair.entry for pair in counted if not pair.query]
    if not shared or any(pair.score < tunables.SAME_WORD for pair in shared):
        return False
    # With words on both sides that the other lacks, they may be two companies of one group.
    if bool(added) == bool(lacking):
        return False
    if len(lacking) == 1 and lacking[0] in names.generic_words():
        # VTB is VTB Bank PJSC, but King S.A. is not always King Trade B.V.
        return all(pair.entry for pair in pairs)
    if not any(_is_rare(pair.entry) for pair in shared):
        return False
    return _without_places(added or lacking) <= _common_words() | _words_of_trade()


def _is_rare(text: str) -> bool:
    """Whether one of the words is no usual word, no name of many people, and no place."""
    for word in _without_places([text]):
        is_usual = frequent_words.is_usual(word) or frequent_names.is_frequent(word)
        is_of_many = word in _common_words() or word in _words_of_trade()
        if len(word) >= tunables.SHORTEST_RARE and not is_usual and not is_of_many:
            return True
    return False


def _without_places(words: Sequence[str]) -> set[str]:
    # Places may have several words, so they are removed from the text before it is split.
    return set(_places().sub(" ", " ".join(words)).split())


@cache
def _words_of_trade() -> frozenset[str]:
    rows = table("company_words")
    return frozenset(row["word"] for row in rows if row["kind"] == "trade")


@cache
def _common_words() -> frozenset[str]:
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
        if row["kind"] in {"region", "city", "nationality"}:
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
