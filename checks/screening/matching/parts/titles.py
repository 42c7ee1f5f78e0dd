"""Titles in names of persons: which words are titles, and which are names.

Lord, Don and Sheikh are titles and names. Place and rest of the name tell: a title stands before two
names or more, and a family name at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from checks.data import table
from checks.screening.matching import tunables
from checks.screening.matching.parts import frequent_names
from checks.screening.romanisation import mandarin


def split(words: Sequence[str], script: str) -> tuple[list[str], list[str]]:
    """Return the names among the words, and the titles.

    If all words are titles, they are the name.
    """
    is_title = [_is_title(words, at, script) for at in range(len(words))]
    names = [word for word, title in zip(words, is_title, strict=True) if not title]
    titles = [word for word, title in zip(words, is_title, strict=True) if title]
    if not names:
        return list(words), []
    return names, titles


def _is_title(words: Sequence[str], at: int, script: str) -> bool:
    word = words[at]
    titles = of_script(script)
    if word not in titles:
        return False
    if word in words_of("abbreviation") or word in words_of("suffix"):
        return True
    is_last = at == len(words) - 1
    if is_last:
        # Tom Lord, Naeem Sheikh: at the end it is the family name.
        return all(other in titles for other in words)
    if word not in words_of("title_or_name"):
        return True
    # Of Don Carter Don is the given name, of Don Pedro Gomez it is none.
    is_leading = all(other in titles for other in words[:at])
    if not is_leading or _count(words[at + 1 :], titles) < tunables.NAMES_BEHIND_TITLE:
        return False
    return not _is_family_name_of_china(words)


def _count(words: Sequence[str], titles: frozenset[str]) -> int:
    """Return how many of the words are names: no initials, particles or titles, but for the last."""
    count = 0
    last = len(words) - 1
    for at, word in enumerate(words):
        is_minor = len(word) == 1 or word in particles()
        if not is_minor and (at == last or word not in titles):
            count += 1
    return count


def _is_family_name_of_china(words: Sequence[str]) -> bool:
    """Whether all words are syllables of pinyin: Pan Wei Ming."""
    return mandarin.pinyin().keys() >= set(words)


def generation(words: Sequence[str]) -> str:
    """Return the title that tells father from son (jr, iii), or ""."""
    for word in words:
        if word in words_of("suffix"):
            return word
    return ""


def of_script(script: str) -> frozenset[str]:
    return words_of("abjad_title" if script == "abjad" else "title")


def may_be_name(word: str) -> bool:
    """Whether the title is a name of many people, too, also before other names."""
    return word in words_of("title_or_name")


def is_nearly(word: str) -> bool:
    """Whether a word is a title with a typo (seyymd).

    Such a word stays among the words of the name.
    """
    if len(word) < tunables.SHORTEST_NEAR_TITLE or frequent_names.is_frequent(word):
        return False
    nearest = process.extractOne(
        word, _long_titles(), scorer=OSA.distance, score_cutoff=1
    )
    return nearest is not None


@cache
def _long_titles() -> list[str]:
    shortest = tunables.SHORTEST_KNOWN_TITLE
    return [title for title in words_of("title") if len(title) >= shortest]


@cache
def particles() -> frozenset[str]:
    return words_of("particle")


@cache
def words_of(kind: str) -> frozenset[str]:
    """Return the words of one kind. The kinds are those of `person_words.csv`."""
    words: set[str] = set()
    for row in table("person_words"):
        if row["kind"] == kind:
            words.add(row["word"])
    return frozenset(words)
