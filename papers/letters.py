"""Letters without accents, in every script: the accents of a name are often left out."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

# Scripts in which marks are the vowels of a syllable, or its voicing: those of South and South-East Asia, and kana. か is another
# name than が.
_OF_SYLLABLES = (
    (0x0900, 0x109F),
    (0x1700, 0x1AAF),
    (0x1B00, 0x1CFF),
    (0x3099, 0x309A),
    (0xA800, 0xABFF),
)
# No letter before it is a mark, so that most letters need no look at the tables of Unicode.
_FIRST_MARK = "\u0300"


def _signs() -> Iterator[str]:
    for first, last in _OF_SYLLABLES:
        for char in map(chr, range(first, last + 1)):
            if unicodedata.category(char).startswith("M"):
                yield char


SIGNS = frozenset(_signs())
# `\w` alone has no marks and would cut a word at each vowel.
WORD = re.compile(rf"[\w{''.join(sorted(SIGNS))}]+")


def without_accents(text: str) -> str:
    """Return the text without marks that leave a letter the same to most readers: é, й, points of Hebrew."""
    decomposed = unicodedata.normalize("NFKD", text)
    letters = [
        char for char in decomposed if char < _FIRST_MARK or not _is_accent(char)
    ]
    # Syllables of Hangul and kana are one letter again, as people count them.
    return unicodedata.normalize("NFC", "".join(letters))


def _is_accent(char: str) -> bool:
    return char not in SIGNS and unicodedata.category(char) in {"Mn", "Me"}
