"""What one word that two companies share may carry alone.

A company whose name is one telling word, beside its legal form and words that many have (group,
trading), shares that word with companies all over the world. So the word alone carries a hit
only where it is the same word, and none that the list itself calls weak. Spelt otherwise it needs
the legal form, another word, or so many letters that two companies hardly come to it by themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from checks.screening import tunables
from checks.screening.corroboration import Fact
from checks.screening.matching import names
from checks.screening.matching.names import Name
from checks.screening.matching.scoring import Pair
from checks.screening.matching.weights import full_words

SAME = {"equal", "written together"}


def is_all(query: Name, entry: Name) -> bool:
    """Whether one of two companies is called by one telling word."""
    if query.person:
        return False
    return len(full_words(query)) < 2 or len(full_words(entry)) < 2


def carries(query: Name, entry: Name, pairs: Sequence[Pair]) -> bool:
    """Whether a name that is one word is enough for a hit with nothing beside it."""
    letters_of_names = min(len(query.joined), len(entry.joined))
    letters = min(letters_of_names, _longest(query), _longest(entry))
    is_whole = not any(_lacks_partner(pair) for pair in pairs)
    if letters < tunables.SHORTEST_ONE_WORD:
        return len(query.tokens) > 1 and is_whole
    # Two companies hardly come to so long a word by themselves.
    if letters >= tunables.LONG_ONE_WORD:
        return True
    if any(pair.how == "initial" for pair in pairs):
        return False
    if _is_same(pairs):
        return True
    forms_of_query, forms_of_entry = _forms(query), _forms(entry)
    if forms_of_query or forms_of_entry:
        if forms_of_query & forms_of_entry:
            return True
        return any(pair.how == "legal form" for pair in pairs)
    return len(pairs) > 1 and is_whole


def _lacks_partner(pair: Pair) -> bool:
    """Is it a word that only one name has, and more than a legal form?"""
    is_lone = not pair.query or not pair.entry
    return is_lone and pair.weight > tunables.WEIGHT_OF_LEGAL_FORM


def with_country_against(facts: Sequence[Fact], pairs: Sequence[Pair]) -> list[Fact]:
    """Another country speaks against a word that is spelt otherwise. Not against the same word:
    what is listed has branches abroad under its name (VTB), and lists are incomplete."""
    if _is_same(pairs):
        return list(facts)
    against: list[Fact] = []
    for fact in facts:
        if fact.field == "country" and fact.stand == "unknown" and fact.entry:
            how = "another country, and another spelling"
            against.append(replace(fact, stand="contradicts", how=how))
        else:
            against.append(fact)
    return against


def _is_same(pairs: Sequence[Pair]) -> bool:
    """Whether a word that tells who the company is stands in both names."""
    for pair in pairs:
        is_on_both = bool(pair.query and pair.entry)
        is_telling = pair.weight > tunables.FULL_WORD
        if is_on_both and is_telling and pair.how in SAME:
            return True
    return False


def _longest(name: Name) -> int:
    """Letters of its longest telling word; of a name without one, of all its words."""
    return max(map(len, full_words(name)), default=len(name.joined))


def _forms(name: Name) -> set[str]:
    return set(name.tokens) & names.form_classes()
