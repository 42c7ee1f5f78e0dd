"""Recognises shortened names: cut off by a narrow field, without vowels, or reduced to initials.

The first two keep the order of the letters, so nothing is guessed: the query is the beginning of the
listed name, or the listed name without vowels.
"""

from __future__ import annotations

import re
from functools import lru_cache

from checks.screening import tunables
from checks.screening.matching import tunables as word_tunables
from checks.screening.matching.names import Name
from checks.screening.matching.pairing.candidates import Candidate
from checks.screening.matching.parts import frequent_names

# A score from 0 to 1, and how the names are alike.
Likeness = tuple[float, str]
NOT_ALIKE: Likeness = (0.0, "")
_VOWELS = re.compile("[aeiou]")
_VOWELS_AND_Y = frozenset("aeiouy")
# Short words without a vowel that are names and not initials.
_NO_INITIALS = frozenset({"ng"})


def compare(query: Name, entry: Name) -> Likeness:
    """Return whether the query is a shortened form of the listed name.

    Both must be in one script.
    """
    if is_cut_short(query, entry):
        return word_tunables.CUT_BY_FIELD, "cut short by a field"
    key = without_vowels(query)
    if key and key == consonants(entry.tokens):
        return word_tunables.VOWELS_LEFT_OUT, "vowels left out"
    return NOT_ALIKE


def is_cut_short(query: Name, entry: Name) -> bool:
    """Whether the query ends within a word of the listed name: PAVEL NIKOLAEVICH ZA."""
    at = len(query.tokens) - 1
    # The words before the cut are the same. Nearly all names end here.
    if at < 1 or query.tokens[:at] != entry.tokens[:at]:
        return False
    letters = "".join(query.tokens)
    if len(letters) < word_tunables.LETTERS_BEFORE_CUT:
        return False
    whole = "".join(entry.tokens)
    if len(whole) == len(letters) or not whole.startswith(letters):
        return False
    # A name that ends with a whole word was not cut.
    return query.tokens != entry.tokens[: at + 1]


def without_vowels(query: Name) -> str:
    """Return the consonants of a name that was written without vowels; "" for any other name."""
    if query.script:
        return ""
    return _without_vowels(query.tokens)


@lru_cache(tunables.CACHED_NAMES)
def _without_vowels(words: tuple[str, ...]) -> str:
    letters = 0
    for word in words:
        inner = word[1:-1]
        if len(word) < word_tunables.SHORTEST_WITHOUT_VOWELS:
            # Very short words are kept whole, with their vowels.
            continue
        if _VOWELS.search(inner):
            return ""
        if "y" not in inner:
            # In Lynn and Syd the y is a vowel, so that such a word does not count as written
            # without vowels.
            letters += len(_VOWELS.sub("", word))
    if letters < word_tunables.LETTERS_WITHOUT_VOWELS or len(words) < 2:
        return ""
    return consonants(words)


@lru_cache(tunables.CACHED_NAMES)
def consonants(words: tuple[str, ...]) -> str:
    """Return the consonants of each word, with the words in alphabetical order."""
    plain = [_VOWELS.sub("", word) for word in words]
    return " ".join(sorted(filter(None, plain)))


def initials_together(
    query: Name, entry: Name, free_a: set[int], free_b: set[int]
) -> list[Candidate]:
    """Return pairs of a free word and the adjacent free words whose first letters it has.

    Examples are JC for Jean-Claude, and PLA for People's Liberation Army.
    """
    candidates: list[Candidate] = []
    for i in _initials(query.tokens, query.person):
        if i in free_a:
            for run in _words_of_initials(query.tokens[i], entry, free_b):
                candidates.append((*_score_of_initials(query), (i,), run))
    for j in _initials(entry.tokens, entry.person):
        if j in free_b:
            for run in _words_of_initials(entry.tokens[j], query, free_a):
                candidates.append((*_score_of_initials(query), run, (j,)))
    return candidates


def _score_of_initials(name: Name) -> tuple[float, str]:
    if name.person:
        return word_tunables.INITIAL, "initial"
    return word_tunables.ACRONYM_OF_WORDS, "acronym"


def _words_of_initials(word: str, full: Name, free: set[int]) -> list[tuple[int, ...]]:
    """Return the positions of adjacent free words that begin with its letters."""
    letters = len(word)
    runs: list[tuple[int, ...]] = []
    if len(free) < letters:
        return runs
    for first in free:
        run = tuple(range(first, first + letters))
        if free.issuperset(run) and _first_letters(full, run) == word:
            runs.append(run)
    return runs


def _first_letters(name: Name, run: tuple[int, ...]) -> str:
    """Return the first letters of the words; "" if one of the words is an initial itself."""
    words = [name.tokens[k] for k in run]
    if min(map(len, words)) == 1:
        return ""
    return "".join([word[0] for word in words])


@lru_cache(tunables.CACHED_NAMES)
def _initials(words: tuple[str, ...], person: bool) -> tuple[int, ...]:  # noqa: FBT001
    """Return the positions of the words that may be the first letters of others."""
    places = []
    for at, word in enumerate(words):
        if may_be_initials(word, person=person):
            places.append(at)
    return tuple(places)


def may_be_initials(word: str, *, person: bool) -> bool:
    """For a person: two consonants that are no name. For a company: a word as short as an acronym."""
    if not person:
        shortest = tunables.SHORTEST_ONE_WORD
        return shortest <= len(word) <= word_tunables.LONGEST_ACRONYM
    if len(word) != 2 or not _VOWELS_AND_Y.isdisjoint(word):
        return False
    return word not in _NO_INITIALS and word not in frequent_names.common()
