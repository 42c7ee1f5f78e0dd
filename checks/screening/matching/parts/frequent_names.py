"""Names that many people have. Two of them that differ by a letter are two names, and no slip.

Ford and Lord are family names of many thousands, so that one is seldom a slip for the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from rapidfuzz.distance import OSA

from checks.data import table
from checks.screening import tunables
from checks.screening.romanisation import korean, mandarin, phonetics, traditions


def is_frequent(word: str) -> bool:
    """Whether many people have this family name or given name."""
    return word in _names()


@cache
def common() -> frozenset[str]:
    """Return words of names that very many people of the lists have."""
    return frozenset(row["name"] for row in table("common_names"))


def are_common(a: str, b: str) -> bool:
    """Whether very many people of the lists have both names, and the consonants differ."""
    if a not in common() or b not in common():
        return False
    return phonetics.consonant_key(a) != phonetics.consonant_key(b)


@lru_cache(tunables.CACHED_SELDOM)
def are_two(a: str, b: str) -> bool:
    """Whether two words that are spelt alike are two names: Ahmad and Hamad, Ford and Lord.

    Spellings of one name have the same consonants, and so have most slips.
    """
    if a.startswith("abdul") and b.startswith("abdul"):
        a, b = a.removeprefix("abdul"), b.removeprefix("abdul")
    return are_common(a, b) or _are_frequent(a, b)


def _are_frequent(a: str, b: str) -> bool:
    name, other = _names().get(a), _names().get(b)
    if name is None or other is None:
        return False
    is_rare = min(name.people, other.people) < tunables.FREQUENT_DESPITE_SLIP
    if {name.gender, other.gender} == {"m", "f"}:
        # Frances is no Francis. Valery, which is a woman in English, is Valeriy.
        return not is_rare or phonetics.spelling(a) != phonetics.spelling(b)
    if not is_rare and {a[0], b[0]} == _OTHER_FIRST_VOWELS and a[1:] == b[1:]:
        return True
    if traditions.score(a, b) or _are_one_syllable(a, b):
        return False
    if is_rare and is_usual_slip(a, b):
        return False
    if _have_other_vowel(a, b):
        return True
    of_a, of_b = _consonants(a), _consonants(b)
    # Robert and Roberts are confused more often than they are two.
    return of_a.removesuffix("s") != of_b.removesuffix("s")


def _are_one_syllable(a: str, b: str) -> bool:
    """Whether both words spell one syllable of Mandarin or Korean: Chang and Zhang, Jung and Chung."""
    return any(not of_a.isdisjoint(of_b) for of_a, of_b in _both(a, b))


def _both(a: str, b: str) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    nothing: frozenset[str] = frozenset()
    older, pinyin = mandarin.older_spellings(), mandarin.pinyin()
    yield (
        older.get(a, nothing) | pinyin.get(a, nothing),
        older.get(b, nothing) | pinyin.get(b, nothing),
    )
    yield korean.spellings().get(a, nothing), korean.spellings().get(b, nothing)


@lru_cache(tunables.CACHED_SELDOM)
def are_other_names(a: str, b: str) -> bool:
    """Whether two words that sound alike are two names of many people: Sato and Saito, Samir and Zamir.

    They may still be spellings of one name, so that it is no certain difference.
    """
    if not any(map(is_frequent, _forms(a))) or not any(map(is_frequent, _forms(b))):
        return False
    if b in forms_in_languages().get(a, ()):
        return False
    if {a[0], b[0]} == _FIRST_SIBILANTS:
        return True
    of_a, of_b = _short_vowels(a), _short_vowels(b)
    return of_a != of_b and of_a.replace("ai", "a") == of_b.replace("ai", "a")


def _forms(word: str) -> set[str]:
    return {word, _short_vowels(word)}


def _short_vowels(word: str) -> str:
    return _LONG_VOWEL.sub(r"\1\2", word).replace("ay", "ai")


_FIRST_SIBILANTS = {"s", "z"}
# As Japanese names are written: Satou, Yuuki, Ohno.
_LONG_VOWEL = re.compile("(o)[uoh]|(u)u")


@cache
def forms_in_languages() -> dict[str, frozenset[str]]:
    """Return for each form of a given name all its forms in other languages."""
    forms_of: dict[str, frozenset[str]] = {}
    for row in table("given_names"):
        forms = frozenset(row["names"].split())
        for form in forms:
            forms_of[form] = forms_of.get(form, frozenset()) | forms
    return forms_of


def is_usual_slip(a: str, b: str) -> bool:
    """Whether a letter was left out, or two swapped: each is as likely as all other letters together
    in the place of one.
    """
    if OSA.distance(a, b, score_cutoff=1) > 1:
        return False
    return len(a) != len(b) or sorted(a) == sorted(b)


def _have_other_vowel(a: str, b: str) -> bool:
    """Whether only one vowel differs, and no transliteration exchanges the two: Hill and Hall,
    Herrera and Herrero.
    """
    if len(a) != len(b):
        return False
    places = [at for at in range(len(a)) if a[at] != b[at]]
    if len(places) != 1:
        return False
    [at] = places
    vowels = {a[at], b[at]}
    if vowels in _OTHER_VOWELS:
        return True
    # Hailu is no Haile, and Mario no Maria. Kowalski and Kowalska are one family.
    is_last = at == len(a) - 1
    return is_last and vowels in _OTHER_LAST_VOWELS


class _Name(NamedTuple):
    """How many of a million people have a name, and "m" or "f" if only men or women do."""

    people: int
    gender: str


@cache
def _names() -> dict[str, _Name]:
    frequent: dict[str, _Name] = {}
    for row in table("frequent_names"):
        frequent[row["name"]] = _Name(int(row["people"] or 0), row["gender"])
    return frequent


def _consonants(word: str) -> str:
    """Return the consonants, without those in which spellings of one name differ."""
    for pattern, letters in _SPELLINGS:
        word = pattern.sub(letters, word)
    return phonetics.consonant_key(word)


_SPELLINGS = (
    # Thompson and Thomson, Thiago and Tiago, Christian and Kristian.
    (re.compile("(?<=m)p(?=[st])"), ""),
    (re.compile("(?<=t)h"), ""),
    (re.compile("ch(?=r)"), "k"),
    # Jimenez, Gimenez and Ximenez; German and Herman; Valderrama and Balderrama.
    (re.compile("^(?:[gh](?=[ei])|x|y)"), "j"),
    (re.compile("^b"), "v"),
    # Natalja and Natalya.
    (re.compile("(?<=.)[jy](?=[aeou])"), "i"),
    # Stephen and Steven.
    (re.compile("ph|f"), "v"),
    # Mahmud and Mahmut, Schmidt and Schmitt.
    (re.compile("dt$|d$"), "t"),
    (re.compile("b$"), "p"),
    (re.compile("g$"), "k"),
)
_OTHER_VOWELS = [set("ai"), set("io"), set("iu"), set("eo")]
# Evan is no Ivan, if both are frequent. Esmail and Ismail are one name.
_OTHER_FIRST_VOWELS = {"e", "i"}
_OTHER_LAST_VOWELS = [set("ao"), set("au")]
