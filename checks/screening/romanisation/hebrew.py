"""Spells Hebrew letters with two sounds in Latin ones. `anyascii` knows one sound of each."""

from __future__ import annotations

import re
from collections.abc import Iterator

from checks.screening.romanisation.languages import Reading

_LETTERS = re.compile("[\u05d0-\u05ea]")
# Bet, kaf and pe are b, k and p at the beginning of a word. Within it they may be v, kh and f.
_FIRST = re.compile(r"(?<!\S)[\u05d1\u05db\u05e4]")
_STOPS = {"\u05d1": "b", "\u05db": "k", "\u05e4": "p"}
# Shin is sh more often than s, and most passports write tsadi as z. Qof is k, but before a he kh
# would be read: Rivka.
_SOUNDS = str.maketrans({"\u05e9": "sh", "\u05e6": "z", "\u05e5": "z", "\u05e7": "q"})
# Within a word, too, bet and pe may be b and p: Goldberg, Rabin. At the end of a word bet is v:
# Yaakov, and in the Slavic -ovich.
_INNER_STOPS = re.compile(r"\u05d1(?=\S)(?!\u05d9(?:[\u05e5\u05e6]|ch))|\u05e4")
# A geresh makes another sound of the letter before it, as foreign names have: Smotrich, George.
_GERESH = re.compile("([\u05d2\u05d6\u05e5\u05e6\u05ea])['\u2019\u05f3]")
_SOUNDS_WITH_GERESH = {
    "\u05d2": "j",
    "\u05d6": "j",
    "\u05e5": "ch",
    "\u05e6": "ch",
    "\u05ea": "th",
}
# After an alef at the beginning it is v in Avigdor, and b in Abraham.
_V_AFTER_ALEF = re.compile(r"(?<!\S)\u05d0\u05d1")
# Many passports write het and kaf as ch: Chaim, Baruch.
_CH = str.maketrans({"\u05d7": "ch", "\u05db": "ch", "\u05da": "ch"})
# Before a he it is a c: Cohen.
_C = re.compile(r"(?<!\S)\u05db(?=\u05d4)")


def readings(text: str) -> Iterator[Reading]:
    """Yield the ways to read a name besides the usual one."""
    if not _LETTERS.search(text):
        return
    usual = in_latin(text, "usual")
    reading: Reading
    for reading in ("hebrew b", "hebrew ch"):
        if in_latin(text, reading) != usual:
            yield reading


def in_latin(text: str, reading: Reading) -> str:
    """Return the text with Latin letters for the Hebrew ones whose sound the reading decides."""
    text = _GERESH.sub(_with_geresh, text)
    if reading == "hebrew b":
        text = _V_AFTER_ALEF.sub("\u05d0v", text)
    if reading == "hebrew ch":
        text = _C.sub("c", text)
    text = _FIRST.sub(_stop, text)
    if reading in {"hebrew b", "hebrew ch"}:
        text = _INNER_STOPS.sub(_stop, text)
    if reading == "hebrew ch":
        text = text.translate(_CH)
    return text.translate(_SOUNDS)


def _with_geresh(match: re.Match[str]) -> str:
    return _SOUNDS_WITH_GERESH[match.group(1)]


def _stop(match: re.Match[str]) -> str:
    return _STOPS[match.group()]
