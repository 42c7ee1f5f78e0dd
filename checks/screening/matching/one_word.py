"""What one word that two companies share may carry alone.

A company whose name is one telling word, beside its legal form and words that many have (group,
trading), shares that word with companies all over the world. So the word alone carries a hit
only where it is the same word, and none that the list itself calls weak. Spelt otherwise it needs
the legal form, another word, or so many letters that two companies hardly come to it by themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from checks.screening.corroboration import Fact
from checks.screening.matching import names
from checks.screening.matching.alignment import Pair, weight
from checks.screening.matching.names import Name

# Words that say who a company is weigh more than this: not forms, particles, trading.
TELLING = 0.5
# What is lacking counts where it weighs more than a legal form.
FORM = 0.15
# Fewer letters than FEWEST, with nothing beside them, are anybody's; a word of LONG letters with a slip
# in it is still that word.
FEWEST, LONG = 3, 8
SAME = {"equal", "written together"}


def is_all(query: Name, listed: Name) -> bool:
    """Whether one of two companies is called by one telling word."""
    return not query.person and min(len(_telling(query)), len(_telling(listed))) < 2


def carries(query: Name, listed: Name, pairs: Sequence[Pair]) -> bool:
    """Whether a name that is one word is enough for a hit with nothing beside it."""
    letters = min(len(query.joined), len(listed.joined), *map(_longest, (query, listed)))
    lacking = [p for p in pairs if p.weight > FORM and not (p.query and p.listed)]
    if letters < FEWEST:
        return len(query.tokens) > 1 and not lacking
    if letters >= LONG:
        return True
    if any(pair.how == "initial" for pair in pairs):
        return False
    if _is_same(pairs):
        return True
    mine, theirs = _forms(query), _forms(listed)
    if mine or theirs:
        return bool(mine & theirs) or any(pair.how == "legal form" for pair in pairs)
    return len(pairs) > 1 and not lacking


def held_against(facts: Sequence[Fact], pairs: Sequence[Pair]) -> list[Fact]:
    """Another country speaks against a word that is spelt otherwise. Not against the same word:
    what is listed has branches abroad under its name (VTB), and lists are incomplete."""
    if _is_same(pairs):
        return list(facts)
    return [
        replace(fact, stand="contradicts", how="another country, and another spelling")
        if fact.field == "country" and fact.stand == "unknown" and fact.listed
        else fact
        for fact in facts
    ]


def _is_same(pairs: Sequence[Pair]) -> bool:
    """Whether a word that tells who the company is stands in both names."""
    return any(p.how in SAME and p.weight > TELLING for p in pairs if p.query and p.listed)


def _telling(name: Name) -> list[str]:
    return [word for word in name.tokens if weight(word, name.person) > TELLING]


def _longest(name: Name) -> int:
    """Letters of its longest telling word; of a name without one, of all its words."""
    return max(map(len, _telling(name)), default=len(name.joined))


def _forms(name: Name) -> set[str]:
    return {*name.tokens} & names.form_classes()
