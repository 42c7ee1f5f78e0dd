"""Finds the script of a name from the Unicode names of its letters."""

from __future__ import annotations

import unicodedata

OTHER = "other"
LATIN = "latin"
# First word of a character's Unicode name → script. All others are OTHER.
_BEGINNINGS = {
    "LATIN": LATIN,
    "CYRILLIC": "cyrillic",
    "GREEK": "greek",
    "ARABIC": "arabic",
    "HEBREW": "hebrew",
    "ARMENIAN": "armenian",
    "GEORGIAN": "georgian",
    "ETHIOPIC": "ethiopic",
    "CJK": "han",
    "HIRAGANA": "kana",
    "KATAKANA": "kana",
    "HANGUL": "hangul",
    "THAI": "thai",
    "MYANMAR": "burmese",
    "KHMER": "khmer",
    "DEVANAGARI": "devanagari",
    "BENGALI": "bengali",
    "TAMIL": "tamil",
}
SCRIPTS = tuple(sorted({*_BEGINNINGS.values(), OTHER}))


def script_of(text: str) -> str:
    """The script of a name. A name in two scripts counts as the one that is not Latin, which is
    harder to compare.
    """
    script = ""
    for letter in text:
        if not letter.isalpha():
            continue
        beginning = unicodedata.name(letter, "").partition(" ")[0]
        script = _BEGINNINGS.get(beginning.partition("-")[0], OTHER)
        if script != LATIN:
            return script
        script = LATIN
    return script or OTHER
