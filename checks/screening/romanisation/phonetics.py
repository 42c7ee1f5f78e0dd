"""A coarse form of the sound of a word. Words that transliterate one another get the same form.

Each function applies a declared list of replacements in order to a word in lower-case ASCII.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from checks.screening import tunables


class _Rule(NamedTuple):
    """A replacement. Its matches begin with `first_letters`: a word without them is not searched."""

    pattern: re.Pattern[str]
    replacement: str | Callable[[re.Match[str]], str]
    first_letters: frozenset[str]


_Rules = Sequence[_Rule]
_PLAIN = re.compile("[a-z|]+")
# What must stand before or after a match.
_CONTEXT = re.compile(r"\(\?<?[=!][^)]*\)")
_ALL = frozenset("abcdefghijklmnopqrstuvwxyz")


def _rules(*pairs: tuple[str, str]) -> _Rules:
    """Compile the replacements."""
    rules: list[_Rule] = []
    for pattern, replacement in pairs:
        first_letters = _ALL
        texts = _CONTEXT.sub("", pattern)
        if _PLAIN.fullmatch(texts):
            first_letters = frozenset([text[0] for text in texts.split("|")])
        if replacement == r"\1":
            rules.append(_Rule(re.compile(pattern), first_group, first_letters))
        else:
            rules.append(_Rule(re.compile(pattern), replacement, first_letters))
    return rules


def first_group(match: re.Match[str]) -> str:
    """Stand for the replacement \\1, which costs more than a function where nothing matches."""
    return str(match.group(1))


_SPELLING = _rules(
    # The name of the Kazakhs in their Latin alphabet and in English: QazaqGaz, KazakhGaz.
    ("qazaq|kazakh", "kazak"),
    ("(?<=..)allah(?=$)", "ollah"),
    # Haniyeh in Persian and in the Levant is Haniyya.
    ("iyyeh(?=$)|iyeh(?=$)", "ia"),
    # Service and Servis, Maurice and Moris.
    ("ce(?=$)", "s"),
    ("ph", "f"), ("ck", "k"), ("q", "k"), ("gh", "g"), ("kh", "h"), ("dzh|dj|zh", "j"),
    ("tch|tsch|tsh", "ch"), ("sch", "sh"), ("ou|oo|u", "o"), ("w", "v"),
    ("ej(?![aeiou])", "i"), ("aj(?![aeiou])", "a"),
    ("ee|ei|ey|ie|yi|iy|ij|y|e", "i"), ("ai|ay", "a"), ("ts|tz|z", "s"), ("x", "ks"),
    ("c(?!h)", "k"), (r"(.)\1+", r"\1"), (r"(?<=.)h(?=$|[^aeiou])", ""),
)  # fmt: skip
# A c is s before e and i, as in French: Moncef. An h at the end is silent, but for that of
# Allah, and kh is another sound. An n
# before b is said as m: Jumblatt.
_ABJAD = _rules(
    ("(?<=..)(?<!k)(?<!ll)(?<!lla)h$", ""), ("c(?=[eiy])", "s"),
    ("x", "ks"), ("dzh|dj", "j"), ("[aeiouwyv]", ""), ("th|t", "t"), ("dh|d", "d"), ("sh|ch", "s"), ("ts|tz|z|s", "s"),
    ("kh", "h"), ("ph|p|f", "f"), ("gh|q|k|c|g|j", "k"), (r"(.)\1+", r"\1"),
    ("nb", "mb"), ("(?<=.)ldn$", "dn"),
)  # fmt: skip
_KOREAN = _rules(
    ("eo", "o"), ("ui|hy$", "i"), ("eu|u", "o"), ("ae|e", "i"),
    ("yo|ye|ya|yu|io|ia|iu|y", "o"), ("kk|gg|g|k", "k"),
    ("tt|dd|d|t", "t"), ("pp|bb|b|p", "p"), ("ch|jj|j|z", "c"), ("ss|sh|s", "s"), ("r|l", "l"),
    ("h", ""), ("o+", "o"), ("i+", "i"),
)  # fmt: skip
_KOREAN_SURNAMES = {
    **dict.fromkeys(("lee", "yi", "rhee", "li", "ri"), "i"),
    **dict.fromkeys(("park", "bak", "pak"), "pak"),
    **dict.fromkeys(("choi", "choe", "choy"), "coi"),
}


@lru_cache(tunables.CACHED_SOUNDS)
def spelling(word: str) -> str:
    """Return one form for the usual spellings of a sound: Mohammed and Muhamed, Sergey and
    Sergei.
    """
    return _apply(_SPELLING, word)


@lru_cache(tunables.CACHED_WORDS)
def abjad(word: str) -> str:
    """Return the consonants that Arabic and Hebrew write, as far as transliterations distinguish
    them.
    """
    return _apply(_ABJAD, word)


# Arabic has neither p nor v: Putin is written with b, Vladimir with f.
_NOT_IN_ARABIC = str.maketrans("pv", "bf")


def as_in_arabic(word: str) -> str:
    """Return a foreign word as Arabic writes it.

    A word whose sounds Arabic can all write stays the same.
    """
    return word.replace("ph", "f").translate(_NOT_IN_ARABIC)


_CONSONANT = re.compile(r"kh|gh|sh|ch|th|dh|zh|ph|dj|[bcdfghjklmnpqrstxz]")
_SINGLE_CONSONANT = re.compile("[bcdfghjklmnpqrstxz]")
_WITH_H = ("sh", "ch", "th", "kh", "gh", "dh", "zh", "ph")
_WEAK = "aeiouywv"


def vowels_contradict(a: str, b: str) -> bool:
    """Whether the long vowels, which Arabic and Hebrew write, differ from those of the other word.

    Only for words with the same consonants: True for Zuhayr and Azhar, False for Zuhayr and Zahir.
    """
    abjad_word, latin_word = sorted((a, b), key=_vowels_and_glides)
    abjad_gaps = _gaps(abjad_word)
    latin_gaps = _gaps(latin_word)
    if len(abjad_gaps) != len(latin_gaps):
        # Of azhar the z and the h are two letters, and of Zhukov they are one.
        abjad_gaps = _SINGLE_CONSONANT.split(abjad_word)
    if len(abjad_gaps) != len(latin_gaps):
        # Kyan and Kanaan: an abjad writes both of two equal consonants with a vowel between them.
        is_repeated = bool(_REPEATED.search(latin_word))
        is_twice = bool(_TWICE.search(abjad_word))
        return is_repeated != is_twice
    last = len(abjad_gaps) - 1
    for at, abjad_gap in enumerate(abjad_gaps):
        is_first = at == 0
        is_last = at == last
        latin_gap = latin_gaps[at]
        if _gap_contradicts(abjad_gap, latin_gap, is_first=is_first, is_last=is_last):
            return True
        # Mahmoud, and محمد, which is Muhammad: ou in the last syllable is a long vowel.
        is_of_last = 1 < at == last - 1 and not latin_gaps[last]
        if is_of_last and latin_gap in {"oo", "ou"} and "w" not in abjad_gap:
            return True
    return False


_REPEATED = re.compile(r"([^aeiouyw])[aeiouyw]+\1")
_TWICE = re.compile(r"([^aeiouyw])[aeiouyw]*\1")


def _vowels_and_glides(word: str) -> tuple[int, int]:
    """Return a sort key that puts the word from an abjad first: it has fewer vowels, and more of y
    and w.
    """
    vowels = sum(letter in "aeiou" for letter in word)
    glides = sum(letter in "yw" for letter in word)
    return vowels, -glides


def _gaps(word: str) -> list[str]:
    """Return the vowels before, between and after the consonants.

    Doubled consonants have no gap.
    """
    plain = re.sub(r"([^aeiouyw])\1+", r"\1", word)
    # An h at the end is silent, unless it is part of a sound: sh, kh, th.
    if len(plain) > 2 and plain.endswith("h") and not plain.endswith(_WITH_H):
        plain = plain.removesuffix("h")
    plain = plain.replace("v", "w")
    return _CONSONANT.split(plain)


def _gap_contradicts(abjad: str, latin: str, *, is_first: bool, is_last: bool) -> bool:
    """Whether the vowels at one place differ, where the abjad writes only long vowels."""
    # At the end of a word the letter for y is also read as a long a: Musa, Mustafa.
    sounds_of_y = "aiey" if is_last else "iey"
    if "y" in abjad and not set(latin) & set(sounds_of_y):
        return True
    if "w" in abjad and not set(latin) & set("ouw"):
        return True
    if "y" not in abjad and latin:
        if not is_first and re.search("[ae][iy]", latin):
            return True
        if is_last and latin[-1] in "iy":
            return True
        if is_first and latin[0] == "y":
            return True
    return is_first and latin[:1] == "w" and "w" not in abjad


def syllables_fit(word: str, count: int) -> bool:
    """Whether a Korean word in Latin letters can have this many syllables.

    Each syllable has a vowel.
    """
    return sum(c in _WEAK for c in word) >= count


def without_article(word: str) -> str:
    """Remove the article: AlShaer, Elbashir.

    Where Arabic and Hebrew letters are transliterated, the article has already been removed.
    """
    if len(word) > 5 and word.startswith(("al", "el")):
        return word[2:]
    return word


@lru_cache(tunables.CACHED_WORDS)
def korean(word: str) -> str:
    """Return one form for one or two Korean syllables in any romanisation."""
    surname = _KOREAN_SURNAMES.get(word, word)
    folded = _apply(_KOREAN, surname)
    if folded.startswith(("li", "lo")):
        return folded[1:]
    return folded


@lru_cache(tunables.CACHED_WORDS)
def consonant_key(word: str) -> str:
    """Return the first sound of a word and the consonants after it."""
    folded = spelling(word)
    return folded[:1] + re.sub("[aeiou]", "", folded[1:])


def sibilants_differ(a: str, b: str) -> bool:
    """Whether the words differ in sibilants. Arabic writes sh with another letter than z and s.

    Shakir and Zakariya have the same consonants otherwise.
    """
    return _sibilants(a) != _sibilants(b)


def _sibilants(word: str) -> list[bool]:
    """Return for each sibilant whether it is one of sh, ch and similar sounds."""
    return ["h" in sound for sound in _SIBILANT.findall(word)]


_SIBILANT = re.compile("t?s?ch|sh|t[sz]|[szx]+|c(?=[eiy])")


def j_stands_for_k(a: str, b: str) -> bool:
    """Whether one word has j where the other one has k or q: Jamal and Kamal.

    Arabic writes two letters. A g in Latin letters may be either: Gamal is Jamal, Gaddafi Qaddafi.
    """
    sounds_a, sounds_b = _sounds_of_j_and_k(a), _sounds_of_j_and_k(b)
    if len(sounds_a) != len(sounds_b):
        return False
    return any(
        {sound, other} == {"j", "k"}
        for sound, other in zip(sounds_a, sounds_b, strict=True)
    )


def _sounds_of_j_and_k(word: str) -> list[str]:
    """Return j, k or g for each sound of these."""
    sounds = []
    for sound in _J_OR_K.findall(word):
        if "j" in sound or sound == "dzh":
            sounds.append("j")
        elif "g" in sound:
            sounds.append("g")
        elif "h" not in sound:
            sounds.append("k")
    return sounds


# Kh and ch are other sounds, and are read here so that their first letter is not.
_J_OR_K = re.compile("dzh|dj|j+|gh|g+|kh|ch|[kqc]+")


@lru_cache(tunables.CACHED_WORDS)
def as_read(word: str) -> str:
    """Replace letters that OCR confuses, such as rn and m, by one of them."""
    return word.replace("rn", "m").replace("cl", "d").replace("vv", "w")


def are_other_vowels(a: str, b: str) -> bool:
    """Whether vowels were replaced and not only left out: Zirn and Zoran.

    Pass words as `spelling` returns them.
    """
    fewer, more = sorted((_NO_VOWEL.sub("", a), _NO_VOWEL.sub("", b)), key=len)
    rest = iter(more)
    return not all(vowel in rest for vowel in fewer)


_NO_VOWEL = re.compile("[^aio]+")


def _apply(rules: _Rules, word: str) -> str:
    for pattern, replacement, first_letters in rules:
        if not first_letters.isdisjoint(word):
            word = pattern.sub(replacement, word)
    return word
