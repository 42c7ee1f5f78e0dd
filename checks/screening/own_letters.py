"""Whether two names have the same letters in their own script.

Names are compared by their sounds in Latin letters. 李明 and 李鸣 are both li ming, and two people.
"""

from __future__ import annotations

import unicodedata
from functools import cache

from checks.data import table

# Scripts in which different letters have one sound in Latin letters, by the beginning of the
# names of their characters.
_SCRIPTS = ("CJK", "ARABIC", "HEBREW")
# Forms of one Arabic letter. Writers and keyboards differ in them.
_ARABIC = str.maketrans("أإآٱىیئکةھہؤ", "اااايييكهههو")


def are_others(first: str, second: str) -> bool:
    """Whether both names are in one of these scripts, and have other letters.

    Blanks, the order of words, vowel signs and traditional forms of characters do not count.
    """
    script = _script(first)
    return bool(script) and script == _script(second) and _of(first) != _of(second)


def _script(text: str) -> str:
    """The one script of all letters, or ""."""
    scripts = set()
    for letter in filter(str.isalpha, text):
        scripts.add(unicodedata.name(letter, "").partition(" ")[0])
    if len(scripts) != 1:
        return ""
    [script] = scripts
    return script if script in _SCRIPTS else ""


def _of(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKC", text).translate(_ARABIC)
    letters = filter(str.isalpha, plain.translate(_simplified()))
    return sorted(letters)


@cache
def _simplified() -> dict[int, str]:
    forms = {}
    for row in table("character_forms"):
        forms[ord(row["character"])] = row["stands_for"]
    return forms
