"""What a word sounds like, coarsely: words that transliterate one another fold to one form.

Each function is a declared list of rewritings, applied in order to a word in lower-case ASCII.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

_Rules = Sequence[tuple[re.Pattern[str], str, frozenset[str]]]
_PLAIN = re.compile("[a-z|]+")
_ALL = frozenset("abcdefghijklmnopqrstuvwxyz")


def _rules(*pairs: tuple[str, str]) -> _Rules:
    """With each, letters that begin what it rewrites: a word without any is not searched."""
    return [
        (
            re.compile(pattern),
            put,
            frozenset(one[0] for one in pattern.split("|")) if _PLAIN.fullmatch(pattern) else _ALL,
        )
        for pattern, put in pairs
    ]


_SPELLING = _rules(
    ("ph", "f"), ("ck", "k"), ("q", "k"), ("gh", "g"), ("kh", "h"), ("dzh|dj|zh", "j"),
    ("tch|tsch|tsh", "ch"), ("sch", "sh"), ("ou|oo|u", "o"), ("w", "v"),
    ("ee|ei|ey|ie|yi|iy|ij|y|e", "i"), ("ai|ay", "a"), ("ts|tz|z", "s"), ("x", "ks"),
    ("c(?!h)", "k"), (r"(.)\1+", r"\1"), (r"(?<=.)h(?=$|[^aeiou])", ""),
)  # fmt: skip
_ABJAD = _rules(
    ("dzh|dj", "j"), ("[aeiouwyv]", ""), ("th|t", "t"), ("dh|d", "d"), ("sh|ch", "s"), ("ts|tz|z|s", "s"),
    ("kh", "h"), ("ph|p|f", "f"), ("gh|q|k|c|g|j", "k"), (r"(.)\1+", r"\1"),
    ("(?<=..)h$", ""), ("(?<=.)ldn$", "dn"),
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


@lru_cache(300_000)
def spelling(word: str) -> str:
    """One form for the usual spellings of a sound: Mohammed, Muhamed; Sergey, Sergei."""
    return _apply(_SPELLING, word)


@lru_cache(300_000)
def abjad(word: str) -> str:
    """The consonants that Arabic and Hebrew write, as far as transliterations keep them apart."""
    return _apply(_ABJAD, word)


def without_article(word: str) -> str:
    """AlShaer, Elbashir: the article is not written where the scripts of its language are read."""
    return word[2:] if len(word) > 5 and word[:2] in {"al", "el"} else word


@lru_cache(100_000)
def korean(word: str) -> str:
    """A Korean syllable or two, whichever romanisation wrote it."""
    folded = _apply(_KOREAN, _KOREAN_SURNAMES.get(word, word))
    return folded[1:] if folded.startswith(("li", "lo")) else folded


@lru_cache(300_000)
def skeleton(word: str) -> str:
    """The first sound and the consonants after it."""
    folded = spelling(word)
    return folded[:1] + re.sub("[aeiou]", "", folded[1:])


def _apply(rules: _Rules, word: str) -> str:
    for pattern, put, begins in rules:
        if not begins.isdisjoint(word):
            word = pattern.sub(put, word)
    return word


BY_SCRIPT: dict[str, Callable[[str], str]] = {
    "abjad": abjad,
    "hangul": korean,
    "han": spelling,
    "": spelling,
}
