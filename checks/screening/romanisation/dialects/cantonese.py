"""Syllables of Cantonese, their spellings in Hong Kong, and the Mandarin syllables that they may
be.

The Government of Hong Kong writes names by their Cantonese sound (Lee Ka-chiu); lists also use the
Mandarin sound (Li Jiachao). One Cantonese syllable may be several in Mandarin, so such names are
never certainly the same. Syllables are in Jyutping without tones.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

from checks.data import table

# The spellings of parts of a syllable on Hong Kong identity cards, by Jyutping.
_INITIALS = {
    "b": "p b", "p": "p", "m": "m", "f": "f", "d": "t d", "t": "t", "n": "n", "l": "l", "g": "k g",
    "k": "k", "ng": "ng", "h": "h", "gw": "kw gw", "kw": "kw", "w": "w", "z": "ch ts j", "c": "ch ts",
    "s": "s sh", "j": "y",
}  # fmt: skip
_FINALS = {
    "a": "a", "aa": "a ah ar", "aai": "ai", "aau": "au", "aam": "am", "aan": "an", "aang": "ang", "aap": "ap",
    "aat": "at", "aak": "ak", "ai": "ai", "au": "au ow", "am": "am um", "an": "an un", "ang": "ang",
    "ap": "ap up", "at": "at ut", "ak": "ak", "e": "e eh", "ei": "ei i ay ee", "eng": "eng", "ek": "ek",
    "i": "i ee", "iu": "iu", "im": "im", "in": "in", "ing": "ing", "ip": "ip", "it": "it", "ik": "ik",
    "o": "o oh or aw", "oi": "oi oy", "ou": "o", "on": "on", "ong": "ong", "ot": "ot", "ok": "ok",
    "oe": "euh", "oek": "euk eok", "oeng": "eung eong", "eoi": "ui", "eon": "un", "eot": "ut",
    "u": "u oo", "ui": "ui", "un": "un oon", "ung": "ung", "ut": "ut", "uk": "uk ook",
    "yu": "u yu ue", "yun": "uen", "yut": "uet",
}  # fmt: skip
# Syllables that are not built from these parts.
_ALSO_WRITTEN = {
    "zi": "tsz tze", "ci": "tsz tse", "si": "sze sz", "ng": "ng", "m": "ng", "jyu": "yu yue",
    "jyun": "yuen", "jyut": "yuet", "ji": "yi yee", "wu": "wu woo", "jau": "yau", "ze": "tse", "gu": "koo",
    "ngo": "ngor", "ngok": "ngok", "jiu": "yiu", "siu": "siu shiu",
}  # fmt: skip

# Family names of two syllables (歐陽, 司徒, 上官, 諸葛, 司馬).
TWO_SYLLABLE_FAMILIES = frozenset(
    [("au", "joeng"), ("si", "tou"), ("soeng", "gun"), ("zyu", "got"), ("si", "maa")]
)


@cache
def spellings() -> dict[str, frozenset[str]]:
    """Return the syllables by their spelling."""
    syllables_of: dict[str, set[str]] = {}
    for syllable in in_mandarin():
        for spelling in _spellings_of(syllable):
            syllables_of.setdefault(spelling, set()).add(syllable)
    return {key: frozenset(syllables) for key, syllables in syllables_of.items()}


@cache
def in_mandarin() -> dict[str, frozenset[str]]:
    """Return for each syllable the Mandarin syllables of the characters with this sound."""
    mandarin_of: dict[str, frozenset[str]] = {}
    for row in table("cantonese_readings"):
        mandarin_of[row["cantonese"]] = frozenset(row["mandarin"].split())
    return mandarin_of


def _spellings_of(syllable: str) -> Iterator[str]:
    yield from _ALSO_WRITTEN.get(syllable, "").split()
    for size in (2, 1, 0):
        initial, final = syllable[:size], syllable[size:]
        if final not in _FINALS or (initial and initial not in _INITIALS):
            continue
        starts = _INITIALS.get(initial, "").split() or [""]
        ends = _FINALS[final].split()
        for start, end in product(starts, ends):
            yield start + end
        return
