"""Reads a whole name as syllables of Mandarin, Korean, Cantonese or Hokkien, and compares two such
readings.

A name is read only if each word is one or two syllables of the language, and the whole is a family
name with a given name of one or two syllables. Most names in Latin letters are not, and are
compared only by their letters.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, product
from typing import Literal, NamedTuple

from checks.screening import tunables
from checks.screening.matching.names import Name
from checks.screening.romanisation import korean, mandarin
from checks.screening.romanisation.dialects import cantonese, hokkien

System = Literal["pinyin", "older", "cantonese", "hokkien", "korean", "hangul"]
Syllables = frozenset[str]

HOW = "another romanisation"
HOW_UNLIKELY = "less likely romanisation"


class Reading(NamedTuple):
    """A name as syllables, the family name first, each with its spelling and its possible
    syllables.

    `beside`: a first word that is no syllable, such as an English name (Stephen Lo Wai-chung).
    """

    system: System
    spellings: tuple[str, ...]
    syllables: tuple[Syllables, ...]
    beside: str = ""


class Syllable(NamedTuple):
    """Two matching syllables with their spellings, the reason, and the score."""

    query: str
    entry: str
    how: str
    score: float


class Comparison(NamedTuple):
    """The similarity of two names by their readings, from 0 to 1."""

    score: float
    pairs: tuple[Syllable, ...]


NOT_ALIKE = Comparison(0.0, ())


def compare(query: Name, entry: Name) -> Comparison:
    """Return the best comparison of any reading of one name with any reading of the other."""
    readings_of_query = of_name(query)
    if not readings_of_query:
        return NOT_ALIKE
    readings_of_entry = of_name(entry)
    are_pinyin = _is_pinyin(readings_of_query) and _is_pinyin(readings_of_entry)
    best = NOT_ALIKE
    for mine, theirs in product(readings_of_query, readings_of_entry):
        if len(mine.syllables) != len(theirs.syllables):
            continue
        comparison = _compare(mine, theirs)
        is_same_system = mine.system == theirs.system
        is_less_likely = (
            (are_pinyin and not is_same_system)
            or _is_less_likely(mine, readings_of_query)
            or _is_less_likely(theirs, readings_of_entry)
        )
        if is_less_likely:
            most = tunables.UNLIKELY_ROMANISATION
            if len(mine.syllables) >= tunables.ENOUGH_SYLLABLES:
                most = tunables.LESS_LIKELY_ROMANISATION
            comparison = _at_most(most, comparison)
        best = max(best, comparison, key=_score)
    return best


@lru_cache(tunables.CACHED_NAMES)
def of_name(name: Name) -> tuple[Reading, ...]:
    """Return all readings of a name. Most names have none."""
    if not name.person or name.script not in _SYSTEMS:
        return ()
    readings: list[Reading] = []
    for words in _orders(name):
        if 1 < len(words) <= tunables.WORDS_OF_HAN_NAME:
            readings += _of_words(words, name.script)
    # The first word may be an English name, as is usual in Hong Kong.
    if not readings and 2 < len(name.tokens) <= tunables.WORDS_OF_HAN_NAME:
        first, *rest = name.tokens
        for reading in _of_words(tuple(rest), name.script):
            if len(reading.syllables) >= tunables.ENOUGH_SYLLABLES:
                readings.append(reading._replace(beside=first))
    return tuple(dict.fromkeys(readings))


def keys(name: Name) -> set[str]:
    """Return the keys that two names share if they may be the same in some reading, in any
    order.
    """
    keys_of_all: set[str] = set()
    for reading in of_name(name):
        keys_of_all.update(_keys(reading))
    return keys_of_all


def contradict(query: Name, entry: Name) -> bool:
    """Whether both are Korean names, one in Hangul, and no readings of them are the same.

    It is for names that only match by sound: 승현 is not Song Hun.
    """
    if (query.script == "hangul") == (entry.script == "hangul"):
        return False
    sizes_of_query = _korean_sizes(query)
    if not sizes_of_query or sizes_of_query.isdisjoint(_korean_sizes(entry)):
        return False
    return compare(query, entry) == NOT_ALIKE


def are_two_in_pinyin(query: Name, entry: Name) -> bool:
    """Whether both names are read as pinyin, and one syllable is another: Xiaoping and Xiaoming.

    A letter that was left out is a slip as often as not: Junli and Junling.
    """
    for mine, theirs in product(of_name(query), of_name(entry)):
        if mine.system == theirs.system == "pinyin" and _differ(mine, theirs):
            return True
    return False


def _differ(query: Reading, entry: Reading) -> bool:
    """Whether the family names are the same, and one other syllable has another letter."""
    if query.syllables[0] != entry.syllables[0]:
        return False
    if len(query.spellings) != len(entry.spellings):
        return False
    pairs = zip(query.spellings, entry.spellings, strict=True)
    others = [(a, b) for a, b in pairs if a != b]
    return len(others) == 1 and len(others[0][0]) == len(others[0][1])


def _korean_sizes(name: Name) -> set[int]:
    """Return the possible numbers of syllables of a name, read as Korean."""
    readings = filter(_is_korean, of_name(name))
    return {len(one.syllables) for one in readings if not one.beside}


def _orders(name: Name) -> Iterator[tuple[str, ...]]:
    """Yield the words of a name, also with a word that may be a title or a syllable (Pan, Gen)."""
    yield name.tokens
    if len(name.titles) == 1:
        for at in range(len(name.tokens) + 1):
            before, behind = name.tokens[:at], name.tokens[at:]
            yield (*before, *name.titles, *behind)


# In these systems a syllable has one spelling: two different spellings are different names.
_EXACT = {"pinyin", "hangul"}
# One syllable of these is several of Mandarin.
_DIALECTS = {"cantonese", "hokkien"}


def _is_korean(reading: Reading) -> bool:
    return reading.system in {"korean", "hangul"}


def _score(comparison: Comparison) -> float:
    return comparison.score


def _is_less_likely(reading: Reading, readings: Sequence[Reading]) -> bool:
    """Whether a reading is in Wade-Giles although the name is also pinyin: Wang Tao may be Wang
    Dao.
    """
    return reading.system == "older" and _is_pinyin(readings)


def _is_pinyin(readings: Sequence[Reading]) -> bool:
    return any(reading.system == "pinyin" for reading in readings)


def _are_comparable(query: Reading, entry: Reading) -> bool:
    """Whether two different spellings may be one name in these two systems."""
    if _is_korean(query) != _is_korean(entry):
        return False
    # A spelling of Hokkien is one of the family itself: two different ones are two names.
    if query.system == entry.system == "hokkien":
        return False
    # A character may have another reading as a family name: 曾 is ceng, and zeng there.
    has_two = _has_two_readings(query) or _has_two_readings(entry)
    return has_two or query.system != entry.system or query.system not in _EXACT


def _compare(query: Reading, entry: Reading) -> Comparison:
    if not _are_comparable(query, entry):
        return NOT_ALIKE
    dialects = {query.system, entry.system} & _DIALECTS
    is_across = bool(dialects) and query.system != entry.system
    if is_across:
        query = _in_mandarin(query)
        entry = _in_mandarin(entry)
    pairs = _pairs(query, entry)
    if not pairs:
        return NOT_ALIKE
    total = sum(pair.score for pair in pairs)
    score = total / len(pairs)
    has_other_name = query.beside != entry.beside
    if has_other_name and query.beside:
        pairs.append(Syllable(query.beside, "", "not listed", 0.0))
    if has_other_name and entry.beside:
        pairs.append(Syllable("", entry.beside, "not in the query", 0.0))
    comparison = Comparison(score, tuple(pairs))
    if has_other_name or is_across:
        return _at_most(tunables.UNLIKELY_ROMANISATION, comparison)
    return comparison


def _has_two_readings(reading: Reading) -> bool:
    return any(len(choices) > 1 for choices in reading.syllables)


def _pairs(query: Reading, entry: Reading) -> list[Syllable]:
    """Return the pairs of syllables; none if any two of them cannot be the same."""
    pairs: list[Syllable] = []
    spellings = zip(query.spellings, entry.spellings, strict=True)
    syllables = zip(query.syllables, entry.syllables, strict=True)
    for (a, b), (mine, theirs) in zip(spellings, syllables, strict=True):
        if mine.isdisjoint(theirs):
            return []
        if a == b:
            pairs.append(Syllable(a, b, "equal", 1.0))
        elif len(mine) == len(theirs) == 1:
            pairs.append(Syllable(a, b, HOW, tunables.ROMANISATION))
        else:
            pairs.append(Syllable(a, b, HOW, tunables.AMBIGUOUS_ROMANISATION))
    return pairs


def _at_most(score: float, comparison: Comparison) -> Comparison:
    """Limit the score of all pairs except equal ones."""
    pairs = []
    for pair in comparison.pairs:
        if pair.score > score and pair.how != "equal":
            pairs.append(pair._replace(how=HOW_UNLIKELY, score=score))
        else:
            pairs.append(pair)
    return Comparison(min(score, comparison.score), tuple(pairs))


def _in_mandarin(reading: Reading) -> Reading:
    if reading.system != "cantonese":
        return reading
    mandarin_of = cantonese.in_mandarin()
    syllables: list[Syllables] = []
    for choices in reading.syllables:
        in_mandarin: set[str] = set()
        for choice in choices:
            in_mandarin |= mandarin_of[choice]
        syllables.append(frozenset(in_mandarin))
    return reading._replace(syllables=tuple(syllables))


def _keys(reading: Reading) -> Iterator[str]:
    language, key_of = "m", mandarin.key_of()
    if _is_korean(reading):
        language, key_of = "k", korean.key_of()
    choices: list[set[str]] = []
    for syllables in _in_mandarin(reading).syllables:
        choices.append({key_of[syllable] for syllable in syllables})
    # A name with very many readings would fill the index.
    if math.prod(map(len, choices)) > tunables.MOST_READINGS:
        return
    for key in product(*choices):
        # Sorted, because the family name may be first or last.
        yield language + "+".join(sorted(key))


def _of_words(words: tuple[str, ...], script: str) -> list[Reading]:
    readings: list[Reading] = []
    for system in _SYSTEMS[script]:
        if system not in _DIALECTS or not _is_pinyin(readings):
            readings += _in_system(system, words, script)
    return readings


def _in_system(
    system: System, words: tuple[str, ...], script: str
) -> Iterator[Reading]:
    """Yield the readings of a name in one system, with the family name first or last."""
    syllables_of = _SPELLINGS[system]()
    splits: list[tuple[tuple[str, ...], ...]] = []
    for word in words:
        splits_of_word = _splits(system, word)
        if not splits_of_word:
            return
        splits.append(splits_of_word)
    for family_first in product(*splits):
        family_last = (family_first[-1], *family_first[:-1])
        for order in (family_first, family_last):
            spellings = tuple(chain.from_iterable(order))
            family, *given_names = map(syllables_of.__getitem__, spellings)
            if system == "hokkien":
                # Most of its syllables are no family names.
                family = hokkien.families().get(spellings[0], frozenset())
                if not family:
                    continue
            syllables = (_family(family, script), *given_names)
            if _is_built_as_a_name(system, syllables, len(order[0])):
                yield Reading(system, spellings, syllables)


def _is_built_as_a_name(
    system: System, syllables: tuple[Syllables, ...], size: int
) -> bool:
    """Whether it is a family name of one syllable, or a known one of two, followed by a given name.

    `size` is the number of syllables in the word of the family name.
    """
    is_double = _begins_with_double_family(system, syllables)
    if is_double and len(syllables) == 2 + tunables.SYLLABLES_OF_GIVEN_NAME:
        return True
    if size > 1 and not is_double:
        return False
    if len(syllables) > 1 + tunables.SYLLABLES_OF_GIVEN_NAME:
        return False
    if system not in {"korean", "hangul"} or is_double:
        return True
    return not syllables[0].isdisjoint(korean.ONE_SYLLABLE_FAMILIES)


def _begins_with_double_family(
    system: System, syllables: tuple[Syllables, ...]
) -> bool:
    first, second = syllables[:2]
    for family_first, family_second in _TWO_SYLLABLE_FAMILIES[system]:
        if family_first in first and family_second in second:
            return True
    return False


def _family(syllables: Syllables, script: str) -> Syllables:
    """Return the possible readings of a family name.

    Some characters have a different one in family names.
    """
    if script != "han":
        return syllables
    readings: set[str] = set(syllables)
    for syllable in syllables:
        if syllable in mandarin.FAMILY_READINGS:
            readings.add(mandarin.FAMILY_READINGS[syllable])
    return frozenset(readings)


@lru_cache(tunables.CACHED_WORDS)
def _splits(system: System, word: str) -> tuple[tuple[str, ...], ...]:
    """Return the word as one syllable, or all ways to split it into two."""
    syllables_of = _SPELLINGS[system]()
    if word in syllables_of:
        return ((word,),)
    splits: list[tuple[str, str]] = []
    for at in range(1, len(word)):
        first, second = word[:at], word[at:]
        if first in syllables_of and second in syllables_of:
            splits.append((first, second))
    return tuple(splits)


_SPELLINGS: Mapping[System, Callable[[], Mapping[str, Syllables]]] = {
    "pinyin": mandarin.pinyin,
    "older": mandarin.older_spellings,
    "cantonese": cantonese.spellings,
    "hokkien": hokkien.syllables,
    "korean": korean.spellings,
    "hangul": korean.transliterations,
}
# The systems in which a name of a script may be read. A name in pinyin is read as no dialect.
_SYSTEMS: Mapping[str, Sequence[System]] = {
    "": ("pinyin", "older", "cantonese", "hokkien", "korean"),
    "han": ("pinyin",),
    "hangul": ("hangul",),
}
_TWO_SYLLABLE_FAMILIES: Mapping[System, Collection[Sequence[str]]] = {
    "pinyin": mandarin.TWO_SYLLABLE_FAMILIES,
    "older": mandarin.TWO_SYLLABLE_FAMILIES,
    "cantonese": cantonese.TWO_SYLLABLE_FAMILIES,
    "hokkien": (),
    "korean": korean.TWO_SYLLABLE_FAMILIES,
    "hangul": korean.TWO_SYLLABLE_FAMILIES,
}
