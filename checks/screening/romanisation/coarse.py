"""A coarse form of names in scripts that are spelt in Latin letters in many ways.

Kana, Thai, Khmer, Tamil and their like lack sounds, write some twice, or leave vowels to the
reader: ウラジーミル is Vladimir. What remains on both sides are the consonants, in classes. That is
enough to doubt that a listed person is another one, and not enough to say that it is the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from checks.screening import tunables

# The `script` of a name that is compared in this form.
SCRIPT = "coarse"
# How two words of it agree.
HOW = "consonants of another script"

# Kana; India and Sri Lanka; Thai, Lao, Tibetan; Burmese; Khmer; Mongolian; Thaana.
_LETTERS = re.compile(
    "[\u3040-\u30ff\uff66-\uff9f\u0900-\u0dff\u0e00-\u0fff\u1000-\u109f\u1780-\u18af\u0780-\u07bf]"
)
# Replaced in this order. A word that begins with u and a vowel in kana begins with w. An h is kept
# only at the beginning. Of the vowels one sign is kept, where the word begins with one.
_CLASSES: Sequence[tuple[re.Pattern[str], str]] = [
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        ("^u(?=[aeir])", "w"),
        ("sch|tsch|tch|ch|sh|zh|dzh|dj|j|ts|tz|z|x|c(?=[eiy])", "s"),
        ("kh|gh", "h"), ("ng", "n"), ("ph|[pfbvw]", "b"), ("[qcg]", "k"),
        ("th|dh|d", "t"), ("l", "r"), ("(?<=.)h", ""), ("n(?=m)", ""),
        ("^[aeiouy]+", "a"), ("(?<=.)[aeiouy]", ""), (r"(.)\1+", r"\1"),
    )
]  # fmt: skip
# Letters that are spelt in two ways: kh is k or h, the th of English is s in kana, and the ti of
# others is chi.
_OTHER_LETTERS: Sequence[Sequence[tuple[str, str]]] = (
    (("kh", "k"), ("gh", "g")),
    (("th", "s"),),
    (("chi", "ti"), ("ji", "di")),
    # Telugu and Kannada say the end of Rao and Naidu with a vowel of their own: ravu, nayudu.
    (("avu", "ao"),),
)


def has_letters(text: str) -> bool:
    """Whether a name has letters of these scripts."""
    return bool(_LETTERS.search(text))


@lru_cache(tunables.CACHED_NAMES)
def forms(word: str) -> frozenset[str]:
    """Return the coarse forms of a word in Latin letters: one, or one for each spelling."""
    spellings = {word}
    for letters in _OTHER_LETTERS:
        other = word
        for before, after in letters:
            other = other.replace(before, after)
        spellings.add(other)
    return frozenset(filter(None, map(_form, spellings)))


def _form(word: str) -> str:
    for pattern, replacement in _CLASSES:
        word = pattern.sub(replacement, word)
    return word
