"""Acronyms that stand beside the name that they abbreviate: NIOC National Iranian Oil Company, Ocean
Maritime Management (OMM), KOMID Korea Mining Development Trading Corporation.
"""

from __future__ import annotations

import re

from checks.screening.matching import tunables

# An acronym alone at the beginning or at the end, or in brackets behind the name.
_AT_END = re.compile(r"(.*\S)\s+(?:[-\u2013\u2014]\s*)?([A-Z]{3,7})\s*")
_IN_BRACKETS = re.compile(r"(.*\S)\s*\(([A-Z]{2,7})\)\s*(.*)")
_AT_START = re.compile(r"\(?([A-Z]{3,7})\)?\s*[-\u2013\u2014:,]?\s+(\w.*\S)\s*")
# The letters at which a word of the name begins, also within it: UralVagonZavod.
_WORD = re.compile(r"[^\W\d_]+?(?=[^\w]|$|(?<=[a-z])(?=[A-Z]))")
# A legal form may stand whole in it: PDVSA.
_FORMS = frozenset({"sa", "ag", "nv", "spa", "plc", "co"})


def without(text: str) -> str:
    """Return the name of a company without its own acronym."""
    behind = _IN_BRACKETS.fullmatch(text)
    if behind:
        name, acronym, rest = behind.groups()
        if _stands_for(acronym, name):
            return f"{name} {rest}".strip()
    behind = _AT_END.fullmatch(text)
    if behind:
        name, acronym = behind.groups()
        if _stands_for(acronym, name):
            return name
    before = _AT_START.fullmatch(text)
    if before:
        acronym, name = before.groups()
        if _stands_for(acronym, name):
            return name
    return text


def _stands_for(acronym: str, name: str) -> bool:
    """Whether the letters are the beginnings of the words, in order. Words may be left out."""
    # In GeneralDepartment of Energy a blank is missing.
    words = [word.casefold() for word in _WORD.findall(name)]
    if len(words) < tunables.WORDS_OF_ACRONYM:
        return False
    letters = acronym.casefold()
    # How many letters the words up to here can give.
    counts = {0}
    for word in words:
        sizes = [*range(1, tunables.LETTERS_OF_WORD + 1)]
        if word in _FORMS:
            sizes.append(len(word))
        more = set()
        for start in counts:
            for size in sizes:
                if letters[start : start + size] == word[:size]:
                    more.add(start + size)
        counts |= more
    return len(letters) in counts
