"""Transliterates names in the scripts of India, as passports spell them.

The Unicode name of a character states its sound (DEVANAGARI LETTER KA), so one table is enough for
all nine scripts. A consonant includes an a, unless a vowel sign or a virama follows. Hindi and
related languages do not pronounce this a at the end of a word or between two syllables with vowels.
Tamil uses k, t and p also for g, d and b, which occur between vowels and after nasals.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import NamedTuple

_OF_INDIA = re.compile("[\u0900-\u0d7f]+")
_VOWELS = {
    "A": "a", "AA": "a", "I": "i", "II": "i", "U": "u", "UU": "u", "E": "e", "EE": "e", "AI": "ai", "O": "o",
    "OO": "o", "AU": "au", "VOCALIC R": "ri", "SHORT E": "e", "SHORT O": "o", "CANDRA E": "e", "CANDRA O": "o",
}  # fmt: skip
# Consonants whose Unicode name differs from the spelling in passports. The others are their names
# without the a.
_CONSONANTS = {
    "CA": "ch", "NGA": "n", "NYA": "n", "TTA": "t", "TTHA": "th", "DDA": "d", "DDHA": "dh", "NNA": "n", "NNNA": "n",
    "SSA": "sh", "LLA": "l", "LLLA": "zh", "RRA": "r", "YYA": "y", "DDDHA": "r", "RHA": "rh", "VA": "v",
    "CHILLU N": "n", "CHILLU NN": "n", "CHILLU RR": "r", "CHILLU L": "l", "CHILLU LL": "l",
    "KHANDA TA": "t",
}  # fmt: skip
# Letters of two characters: a letter and the dot below it.
_NUKTA = {"ja": "z", "pha": "f", "dda": "r", "ddha": "rh", "ya": "y"}
# Scripts of languages that do not pronounce the a at the end of a word.
_WITHOUT_FINAL_A = frozenset({"DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI"})
_NASALS = frozenset({"ANUSVARA", "BINDI", "TIPPI", "CANDRABINDU"})


class _Letter(NamedTuple):
    """A consonant with the vowel after it, or a vowel alone.

    `inherent`: the vowel is not written.
    """

    consonant: str
    vowel: str
    inherent: bool = False


def in_latin(text: str, *, as_foreign: bool = False) -> str:
    """Return the text with every word in a script of India in Latin letters.

    `as_foreign`: the letters of sounds that the script lacks are read as these sounds.
    """
    if not _OF_INDIA.search(text):
        return text
    text = unicodedata.normalize("NFC", text)
    return _OF_INDIA.sub(
        lambda match: _word_in_latin(match.group(), as_foreign=as_foreign), text
    )


def _word_in_latin(word: str, *, as_foreign: bool) -> str:
    script = unicodedata.name(word[0], "").partition(" ")[0]
    letters = _letters(word)
    if script in _WITHOUT_FINAL_A:
        letters = _without_final_a(letters, as_foreign=as_foreign)
        letters = _without_a_between(letters)
    if as_foreign and script == "BENGALI":
        letters = list(map(_with_ow, letters))
    romanised = "".join([letter.consonant + letter.vowel for letter in letters])
    for pattern, sound in _SOUNDS.get(script, ()):
        romanised = pattern.sub(sound, romanised)
    for pattern, sound in _NASAL_SOUNDS:
        romanised = pattern.sub(sound, romanised)
    if as_foreign:
        for pattern, sound in _FOREIGN_SOUNDS.get(script, ()):
            romanised = pattern.sub(sound, romanised)
    return romanised


def _letters(word: str) -> list[_Letter]:
    letters: list[_Letter] = []
    for character in word:
        kind, sound = _kind_and_sound(character)
        if character.isdecimal():
            letters.append(_Letter(str(int(character)), ""))
        elif kind == "vowel":
            letters.append(_Letter("", _VOWELS[sound]))
        elif kind == "consonant":
            letters.append(_Letter(_consonant(sound), "a", inherent=True))
        elif kind == "chillu":
            letters.append(_Letter(_consonant(sound), ""))
        elif letters and kind in _CHANGES:
            letters[-1] = _CHANGES[kind](letters[-1], sound)
    return letters


def _kind_and_sound(character: str) -> tuple[str, str]:
    """Return the kind of a character, and its sound from the rest of its name."""
    _, _, name = unicodedata.name(character, "").partition(" ")
    if name.startswith("VOWEL SIGN "):
        return "sign", name.removeprefix("VOWEL SIGN ")
    if name.startswith("SIGN ") or name in _NASALS:
        return "mark", name.removeprefix("SIGN ")
    letter, _, sound = name.partition(" ")
    if letter != "LETTER":
        return "", ""
    if sound in _VOWELS:
        return "vowel", sound
    if sound.startswith("CHILLU") or sound == "KHANDA TA":
        return "chillu", sound
    if re.fullmatch("[A-Z]+A", sound):
        return "consonant", sound
    return "", ""


def _consonant(sound: str) -> str:
    return _CONSONANTS.get(sound, sound.removesuffix("A").lower())


def _with_sign(letter: _Letter, sound: str) -> _Letter:
    return letter._replace(vowel=_VOWELS.get(sound, letter.vowel), inherent=False)


def _with_mark(letter: _Letter, mark: str) -> _Letter:
    if mark == "VIRAMA":
        return letter._replace(vowel="", inherent=False)
    if mark in _NASALS:
        return letter._replace(vowel=f"{letter.vowel}N", inherent=False)
    if mark == "NUKTA":
        dotted = _NUKTA.get(f"{letter.consonant}a", letter.consonant)
        return letter._replace(consonant=dotted)
    return letter


_CHANGES: dict[str, Callable[[_Letter, str], _Letter]] = {
    "sign": _with_sign,
    "mark": _with_mark,
}


def _with_ow(letter: _Letter) -> _Letter:
    """Read the letter au as ow: Chowdhury. Of Ziaul the a and the u are two letters."""
    return letter._replace(vowel=letter.vowel.replace("au", "ow"))


def _without_final_a(
    letters: list[_Letter], *, as_foreign: bool = False
) -> list[_Letter]:
    """Remove the a at the end: Amit, not Amita.

    Narendra keeps it, because its last consonants cannot be pronounced together without it. Foreign
    names end in such consonants: Kurd.
    """
    *rest, last = letters
    if last.inherent and rest and (rest[-1].vowel or as_foreign):
        return [*rest, last._replace(vowel="")]
    return letters


def _without_a_between(letters: list[_Letter]) -> list[_Letter]:
    """Remove the a of a syllable between two others with vowels: Manmohan, not Manamohan."""
    spoken = list(letters)
    for at in range(1, len(letters) - 1):
        before, letter, after = spoken[at - 1], letters[at], letters[at + 1]
        if letter.inherent and before.vowel and after.vowel and after.consonant:
            spoken[at] = letter._replace(vowel="")
    return spoken


# The sound of the nasal mark depends on the next letter: Sampat, Singh, Anand.
_NASAL_SOUNDS = tuple(
    (re.compile(pattern), sound)
    for pattern, sound in (("N(?=[pbm])", "m"), ("N(?=h)", "ng"), ("N", "n"))
)
_Sounds = tuple[tuple[re.Pattern[str], str], ...]
_SOUNDS: dict[str, _Sounds] = {
    "TAMIL": tuple(
        (re.compile(pattern), sound)
        for pattern, sound in (
            ("chch", "CC"), ("kk", "K"), ("tt|thth", "T"), ("pp", "P"),
            ("nk", "ng"), ("nch", "nj"), ("n(?:th|t)", "nd"), ("mp", "mb"), (r"\bch|(?<=[aeiou])ch", "s"),
            ("(?<=[aeiourl])k(?=[aeiou])", "g"), ("(?<=[aeiourl])t(?!h)(?=[aeiou])", "d"),
            ("(?<=[aeiourl])p(?=[aeiou])", "b"), ("CC", "ch"), ("K", "k"), ("T", "t"), ("P", "p"),
        )
    ),
    # In Bengali a y at the beginning of a word is a j, and the nasal mark at its end is ng.
    "BENGALI": ((re.compile(r"\by"), "j"), (re.compile(r"N\b"), "ng")),
}  # fmt: skip
# Sounds of foreign names for which a script has no letter of its own: Hafiz and Lavrov. Their letters
# may have a dot for it, which most people leave out. Tamil writes Muhammad with k, and Bashar with p.
_FOREIGN_SOUNDS: dict[str, _Sounds] = {
    "DEVANAGARI": ((re.compile("j(?!h)"), "z"), (re.compile("ph"), "f")),
    "BENGALI": (
        (re.compile("bh"), "v"), (re.compile("j(?!h)"), "z"), (re.compile("ph"), "f"),
        # Bengali has no w and writes oy for it: Anwar.
        (re.compile("oy(?=a)"), "w"),
    ),
    "TAMIL": (
        (re.compile(r"\bp"), "b"), (re.compile(r"\bt(?!h)"), "d"), (re.compile("(?<=[aeiou])g(?=[aeiou])"), "h"),
        (re.compile(r"(?<=[aeiou])(d|b)u\b"), r"\1"), (re.compile(r"(?<=[aeiou])t\b|t(?=v)"), "d"),
    ),
}  # fmt: skip
