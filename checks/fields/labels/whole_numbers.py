"""Whether a number that was read is all of the number that is printed.

Most wrong numbers of papers that no rule had seen were a part: “1188” of “1188 OF 2019”, “25188” of “25188 BC 2019”,
“18842” of “18842/B”.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from checks.fields import tunables
from checks.fields.dates import find_dates
from checks.fields.labels.numbers import fits_register
from checks.text.folding import folded

# Capitals or digits of a number, and no word: “B”, “BC”, “2019”, “B12”, “02A”.
GROUP = r"(?:[A-Z]{1,3}|[A-Z]{0,6}\d[\dA-Z]*)(?!\w)"
# Joined to the number without a space: “/B”, “-2019”, “.01”.
JOINED = rf"(?:[/\\\u2013-]{GROUP}|\.[\dA-Z]{{0,4}}\d[\dA-Z]*(?!\w))"
OF_YEAR = r" (?i:of|de|du|del|da|von|din|van|av|af|di) (?:1[789]|20)\d\d(?!\d)"
# “188 B”, “25188 BC 2019”, “19 188”: to the end of the cell, for a sentence goes on with other words.
APART = rf"(?P<apart>(?: ?/ ?{GROUP}| {GROUP})+)(?=\W*$)"
BEHIND = re.compile(rf"{JOINED}+(?:{OF_YEAR})?|{OF_YEAR}{JOINED}*|{APART}")
# “TC.018842”, “11/B1/018842”: joined before the number.
BEFORE = re.compile(r"(?<![^\W_])(?:[A-Z\d]{1,8}[/.\u2013-])+$")
# The cell ends within the number.
BROKEN = re.compile(r"[/\u2013-]\s*$")
# Short words in capitals that introduce a number, or go on behind it.
INTRODUCE = frozenset({"no", "nos", "nr", "num", "nro", "reg", "ref", "id", "n"})
GO_ON = frozenset(
    {"is", "in", "on", "to", "be", "as", "of", "and", "has", "was", "by", "at", "the"}
)


class Whole(NamedTuple):
    """The place of the longer number in its cell."""

    start: int
    end: int


def whole_number(cell: str, start: int, end: int) -> Whole | None:
    """Return the longer number around the one that was read; None if nothing stands beside it."""
    behind = _behind(cell[end:])
    before = _before(cell[:start])
    if not behind and not before:
        return None
    return Whole(start - len(before), end + len(behind))


def is_whole(part: str, whole: str, code: str) -> bool | None:
    """Whether the longer number is the one, by the forms of the register; None if nothing tells.

    What is printed as one word is one number, unless the form says otherwise.
    """
    if fits_register(whole, code):
        return True
    if fits_register(part, code):
        return False
    is_one_word = " " not in whole and not BROKEN.search(whole)
    return True if is_one_word else None


def _behind(rest: str) -> str:
    broken = BROKEN.fullmatch(rest)
    if broken:
        return rest.rstrip()
    match = BEHIND.match(rest)
    if not match or find_dates(rest[: tunables.DATE_BESIDE].lstrip(" /,-")):
        return ""
    apart = match["apart"] or ""
    if GO_ON & set(folded(apart).split()):
        return ""
    return match[0].rstrip()


def _before(rest: str) -> str:
    match = BEFORE.search(rest)
    if not match or folded(match[0]) in INTRODUCE or find_dates(match[0]):
        return ""
    return match[0]
