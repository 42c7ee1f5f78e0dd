"""The names of a zone, and how else they may be read where OCR took fillers for letters.

No check digit covers names. So another spelling is a candidate, and is given only where the attested
name or the print of the document has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from checks.identity_document import tunables

# Given names and surname.
Names = tuple[str, str]

# What cannot be a name: digits, a letter three times (except John III), or X in the place of
# fillers between and behind words.
IMPOSSIBLE = re.compile(r".*(?:\d|(?!\bIII\b)(.)\1\1|\wX\w+X\b).*")
# Fillers that OCR read as letters form words of only these letters behind the names: one letter
# several times, several without a vowel, or any after several fillers. After a single filler, "EL" and
# "LE" are names.
NOISE = re.compile(r"(?:(?:<+([KCSELX])\1+)|(?:<+[KCSX]{2,})|(?:<<+[KCSELX]{1,2}))+<*$")
# A filler between the surname and the given names that was read as a letter.
# One gap may be seen in two ways: “NOVAK<KMAREK”.
HALF_OF_GAP = re.compile(r"(?=(?P<gap><[KC](?=[A-Z])|(?<=[A-Z])[KC]<))")
# Fillers behind the last name that were read as letters. Hardly a name ends in two of them.
TAIL = re.compile(r"(?<=[A-Z])([KC])\1+$")
# A letter that OCR read as a digit, within a word.
TO_LETTERS = str.maketrans("0124568", "OIZASGB")
MIXED = re.compile(r"(?=[^<]*[A-Z][^<]*[A-Z])[^<]*\d[^<]*")


def spellings(line: str) -> list[Names]:
    """Return what the cells of names may mean, as they were read first.

    line: with “<” or blanks as fillers. Empty if nothing in it may be a name.
    """
    plain = line.replace(" ", "<").strip("<")
    several: list[Names] = []
    for text in (plain, *_others(plain)):
        names = _names_of(text)
        if names not in several and may_be_name(*names):
            several.append(names)
    return several[: tunables.MOST_SPELLINGS]


def may_be_name(given_names: str, surname: str) -> bool:
    return bool(surname) and not any(map(IMPOSSIBLE.fullmatch, (given_names, surname)))


def _others(line: str) -> Iterator[str]:
    """Yield the line with other characters where OCR mistakes them."""
    letters = MIXED.sub(lambda match: match[0].translate(TO_LETTERS), line)
    if letters != line:
        yield letters
    names = NOISE.sub("", line)
    if "<<" not in names:
        for gap in HALF_OF_GAP.finditer(names):
            yield f"{names[: gap.start()]}<<{names[gap.start() + 2 :]}"
    if tail := TAIL.search(names):
        yield names[: tail.start() + 1]
        yield names[: tail.start()]


def _names_of(line: str) -> Names:
    surname, _, given_names = line.partition("<<")
    return _plain(given_names), _plain(surname)


def _plain(text: str) -> str:
    """Return names with blanks between them, without noise behind them."""
    return " ".join(NOISE.sub("", text).replace("<", " ").split())
