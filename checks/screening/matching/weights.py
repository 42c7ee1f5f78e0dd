"""How much a word contributes to identifying a person or a company."""

from __future__ import annotations

from functools import lru_cache

from checks.screening import tunables
from checks.screening.matching import names
from checks.screening.matching.parts import titles

# Scripts whose names are compared syllable by syllable.
SYLLABLES = {"hangul", "han", "syllables"}


@lru_cache(tunables.CACHED_SOUNDS)
def weight(word: str, person: bool, script: str = "") -> float:  # noqa: FBT001
    """Return the weight of a word. A full name of a person or a company has the weight 1."""
    if person:
        return _weight_in_person(word, script)
    return _weight_in_company(word)


def _weight_in_person(word: str, script: str) -> float:
    if script in SYLLABLES:
        return 1.0  # U and Do are names there
    if is_abd_compound(word):
        return tunables.WEIGHT_OF_ABD_COMPOUND
    if word in titles.particles():
        return tunables.WEIGHT_OF_PARTICLE
    if len(word) == 1:
        return tunables.WEIGHT_OF_INITIAL
    return 1.0


def _weight_in_company(word: str) -> float:
    if word in names.form_classes() or word in names.form_parts():
        return tunables.WEIGHT_OF_LEGAL_FORM
    if word in names.company_particles():
        return tunables.WEIGHT_OF_COMPANY_PARTICLE
    if word.isdigit():
        return tunables.WEIGHT_OF_NUMBER
    if len(word) == 1:
        return tunables.WEIGHT_OF_COMPANY_LETTER
    if word in names.generic_words():
        return tunables.WEIGHT_OF_GENERIC_WORD
    return 1.0


def is_abd_compound(word: str) -> bool:
    """Whether a word begins with Abdul.

    Such a word stands for several, so it counts more than one.
    """
    return len(word) > tunables.ABD_COMPOUND and word.startswith("abdul")


def full_words(name: names.Name, *, script: str = "") -> list[str]:
    """Return the words that name someone, without particles, initials and legal forms."""
    words = []
    for word in name.tokens:
        if weight(word, name.person, script) > tunables.FULL_WORD:
            words.append(word)
    return words
