"""In which script a name is written, by the Unicode names of its letters."""

from __future__ import annotations

import unicodedata

OTHER = "other"
LATIN = "latin"
# How the names of characters begin, and the script. All others are OTHER.
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
    """The script of a name. Of one in two scripts the one that is not Latin: it is the harder one."""
    found = ""
    for letter in text:
        if not letter.isalpha():
            continue
        beginning = unicodedata.name(letter, "").partition(" ")[0]
        script = _BEGINNINGS.get(beginning.partition("-")[0], OTHER)
        if script != LATIN:
            return script
        found = LATIN
    return found or OTHER
