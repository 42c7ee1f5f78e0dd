"""Writes the vowels of Ethiopic letters that have none of their own.

Each letter is a consonant with a vowel. The sixth form of a letter has a short vowel or none, which
`anyascii` leaves out: መኮንን is mekonn there, and Mekonnen in passports. The vowel is heard where
the consonants could not be said together otherwise: at the beginning of a word (Kifle), behind
another consonant without a vowel (Kindeya), and between two equal consonants at the end.
"""

from __future__ import annotations

import re

# Each consonant has eight characters of Unicode, from U+1200 on.
_SIXTH = frozenset(map(chr, range(0x1205, 0x1357, 8)))
# Passports spell ny as gn: Desalegn.
_GN = {0x1298 + form: "ግ" + chr(0x1290 + form) for form in range(8)}
_WORD = re.compile("[\u1200-\u1357]{2,}")


def with_vowels(text: str) -> str:
    """Return the text with a Latin vowel behind each letter that needs one."""
    return _WORD.sub(_with_vowels, text).translate(_GN)


def _with_vowels(match: re.Match[str]) -> str:
    word = match.group()
    spoken: list[str] = []
    # A word begins as if behind a consonant without a vowel.
    needs_vowel = True
    for at, letter in enumerate(word[:-1]):
        spoken.append(letter)
        if letter not in _SIXTH:
            needs_vowel = False
        elif needs_vowel:
            spoken.append("i")
            needs_vowel = False
        elif word[at:] == 2 * letter:
            spoken.append("e")
        else:
            needs_vowel = True
    return "".join([*spoken, word[-1]])
