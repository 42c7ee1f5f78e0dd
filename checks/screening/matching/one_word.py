"""How much a single word that two companies share may count.

If the name of a company is one specific word, beside a legal form and common words (group,
trading), companies all over the world share that word. So it makes a hit alone only if it is spelt
the same and the list does not mark the name as weak. If it is spelt differently, it needs the same
legal form, another word, or so many letters that two companies hardly choose it independently.
"""

from __future__ import annotations

import re
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
    """Whether the name of one of two companies has only one specific word."""
    if query.person:
        return False
    return len(full_words(query)) < 2 or len(full_words(entry)) < 2


def carries(query: Name, entry: Name, pairs: Sequence[Pair]) -> bool:
    """Whether a name of one word is enough for a hit, without any other fact."""
    letters_of_names = min(len(query.joined), len(entry.joined))
    letters = min(letters_of_names, _longest(query), _longest(entry))
    is_whole = not any(_lacks_partner(pair) for pair in pairs)
    # Short words are often acronyms, which many companies share: every word of both names must
    # match.
    if letters < tunables.SHORTEST_ONE_WORD:
        return len(query.tokens) > 1 and is_whole
    # Two companies hardly choose so long a word independently.
    if letters >= tunables.LONG_ONE_WORD:
        return True
    # An initial fits any word with this letter.
    if any(pair.how == "initial" for pair in pairs):
        return False
    if _is_same(pairs):
        return True
    # The word is spelt differently. The same legal form supports the match.
    forms_of_query, forms_of_entry = _forms(query), _forms(entry)
    if forms_of_query or forms_of_entry:
        if forms_of_query & forms_of_entry:
            return True
        return any(pair.how == "legal form" for pair in pairs)
    return len(pairs) > 1 and is_whole


def _lacks_partner(pair: Pair) -> bool:
    """Whether only one name has this word, and it counts more than a legal form."""
    is_lone = not pair.query or not pair.entry
    return is_lone and pair.weight > tunables.WEIGHT_OF_LEGAL_FORM


def with_country_against(facts: Sequence[Fact], pairs: Sequence[Pair]) -> list[Fact]:
    """Return the facts, in which another country contradicts if the word is spelt differently.

    For the same spelling it does not: listed companies have branches abroad under their name (VTB),
    and the countries of lists are incomplete.
    """
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
    """Whether a specific word has the same spelling in both names."""
    for pair in pairs:
        is_on_both = bool(pair.query and pair.entry)
        is_telling = pair.weight > tunables.FULL_WORD
        if is_on_both and is_telling and is_same_word(pair):
            return True
    return False


def may_be_two(pair: Pair) -> bool:
    """Whether two words that are alike may be those of two companies: Norvik and Norvek.

    Who names a company invents the word, so that each letter may make another one. A letter left
    out of a long word is a slip, and so is another spelling of the same sounds.
    """
    letters = max(len(pair.query), len(pair.entry))
    if pair.how == "spelling" and letters <= tunables.SHORT_WITH_SLIP:
        return True
    if pair.how in _UNLIKE:
        return pair.score < tunables.SAME_WORD
    if pair.how == "spelling" and _has_other_letter(pair.query, pair.entry):
        return True
    return pair.how in _BY_LETTERS and has_other_vowel(pair.query, pair.entry)


def has_other_vowel(a: str, b: str) -> bool:
    """Whether a vowel stands for another one: Bergmann and Burgmann."""
    return any(letters <= _VOWELS for letters in _other_letters(a, b))


def _has_other_letter(a: str, b: str) -> bool:
    """Whether a letter stands for another one. Two that were swapped are a slip."""
    return sorted(a) != sorted(b) and bool(_other_letters(a, b))


def _other_letters(a: str, b: str) -> list[set[str]]:
    """Return the letters that stand for one another, if none was left out but of doubled ones."""
    a, b = _TWICE.sub(r"\1", a), _TWICE.sub(r"\1", b)
    if len(a) != len(b):
        return []
    return [{x, y} for x, y in zip(a, b, strict=True) if x != y]


_BY_LETTERS = frozenset({"spelling", "spelling variant"})
# Of these words a part of the letters is lacking.
_UNLIKE = frozenset({"same consonants", "cut short"})
_TWICE = re.compile(r"(.)\1+")
_VOWELS = frozenset("aeiou")


def is_same_word(pair: Pair) -> bool:
    """Whether both words have the same letters; ph and f are one: Alfa and Alpha."""
    if pair.how in SAME:
        return True
    return pair.query.replace("ph", "f") == pair.entry.replace("ph", "f")


def _longest(name: Name) -> int:
    """Return the number of letters of the longest specific word; of a name without one, of all its
    words.
    """
    return max(map(len, full_words(name)), default=len(name.joined))


def _forms(name: Name) -> set[str]:
    return set(name.tokens) & names.form_classes()
