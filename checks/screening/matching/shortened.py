"""Names that were shortened as a whole: by a narrow field, or by leaving out vowels.

Both keep the order of the letters, so nothing is guessed: the query is the beginning of the listed
name, or the listed name without vowels.
"""

from __future__ import annotations

import re
from functools import lru_cache

from checks.screening.matching import tunables as word_tunables
from checks.screening.matching.names import Name

# A score from 0 to 1, and how the names are alike.
Likeness = tuple[float, str]
NOT_ALIKE: Likeness = (0.0, "")
_VOWELS = re.compile("[aeiou]")


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
    letters = "".join(query.tokens)
    if len(letters) < word_tunables.LETTERS_BEFORE_CUT or len(query.tokens) < 2:
        return False
    whole = "".join(entry.tokens)
    if len(whole) == len(letters) or not whole.startswith(letters):
        return False
    at = len(query.tokens) - 1
    if query.tokens == entry.tokens[: at + 1]:
        return False  # A name that ends with a whole word was not cut.
    return query.tokens[:at] == entry.tokens[:at]


def without_vowels(query: Name) -> str:
    """Return the consonants of a name that was written without vowels; "" for any other name."""
    if query.script:
        return ""
    return _without_vowels(query.tokens)


@lru_cache(10_000)
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


@lru_cache(100_000)
def consonants(words: tuple[str, ...]) -> str:
    """Return the consonants of each word, with the words in alphabetical order."""
    plain = [_VOWELS.sub("", word) for word in words]
    return " ".join(sorted(filter(None, plain)))
