"""Words that many names of companies have. Two of them that are spelt alike are two words, and no slip.

Export and Expert are usual words, so that one is seldom a slip for the other. The same holds for
countries and large cities: Iran and Iraq.
"""

from __future__ import annotations

from functools import cache

from checks.data import table
from checks.screening.matching import tunables
from checks.screening.matching.parts import frequent_names
from papers import countries


def are_two(a: str, b: str) -> bool:
    """Whether two words of companies that are spelt alike are two usual words, or two places."""
    place, other_place = _places().get(a), _places().get(b)
    if place and other_place:
        return place != other_place
    if not is_usual(a) or not is_usual(b):
        return False
    # A letter that was left out or swapped is a slip as often as not: Trust and Trusts.
    if frequent_names.is_usual_slip(a, b):
        return False
    return not _are_forms_of_one(a, b)


def is_usual(word: str) -> bool:
    """Whether the word is a usual one of English, or a place."""
    return word in _words() or word in _places()


def _are_forms_of_one(a: str, b: str) -> bool:
    """Whether only the endings differ: Industry and Industries, Trading and Trader."""
    shared = _count_of_beginning(a, b)
    ending = min(len(a), len(b)) - shared
    return shared >= tunables.SHORTEST_STEM and ending <= tunables.LONGEST_ENDING


def _count_of_beginning(a: str, b: str) -> int:
    """Return how many letters at the beginning are the same."""
    for at, (letter, other) in enumerate(zip(a, b, strict=False)):
        if letter != other:
            return at
    return min(len(a), len(b))


@cache
def _words() -> frozenset[str]:
    words: set[str] = set()
    for row in table("frequent_words"):
        words.update(row["words"].split())
    return frozenset(words)


@cache
def _places() -> dict[str, str]:
    """Return for each country and large city of one word what it is: a code, or the city."""
    places: dict[str, str] = {}
    for row in table("company_words"):
        if row["kind"] == "city" and " " not in row["word"]:
            places[row["word"]] = row["stands_for"]
    for spelling in countries.spellings():
        if " " not in spelling:
            places[spelling] = countries.code(spelling)
    return places
