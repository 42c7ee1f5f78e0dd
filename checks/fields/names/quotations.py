"""Quotation marks in names: `SIA "Alfa"` has a pair of its own, while those around a whole name are no part of it."""

from __future__ import annotations

# What closes a quotation, by the mark that opens it. Languages differ: „Alfa“, „Alfa”, «Alfa», »Alfa«, ”Alfa”.
CLOSED_BY = {
    '"': '"',
    "'": "'",
    "\u2018": "\u2019",
    "\u201a": "\u2018\u2019",
    "“": '”"',
    "”": "”",
    "„": '“”"',
    "«": "»",
    "»": "«",
    "\u2039": "\u203a",
    "\u203a": "\u2039",
    "「": "」",
    "『": "』",
    "《": "》",
}
CLOSING = frozenset("".join(CLOSED_BY.values()))
MARKS = "".join(sorted(CLOSING | set(CLOSED_BY)))
# These pairs have two forms, so that each mark tells what it is.
OPENING_ALONE = frozenset("„\u201a「『《")
# Letters stand before and behind an apostrophe, too.
APOSTROPHES = frozenset("'\u2019")


def is_open(name: str) -> bool:
    """Whether the last quotation of the text is not closed: `SIA "Alfa`.

    One mark may close two: `SIA "Nams "Alfa"`.
    """
    return _scan(name)[1] != ""


def begins_within(name: str) -> bool:
    """Whether the first quotation mark of the text closes what it does not open: `Alfa" SIA`."""
    return _scan(name)[0] != ""


def end_of_quotation(name: str, behind: str) -> int | None:
    """Return where in the text behind an open quotation its closing mark ends; None if another one begins before."""
    closing = _scan(name)[1]
    for index, mark in enumerate(behind):
        whole = name + behind
        place = len(name) + index
        if mark in closing and not _is_apostrophe(whole, place):
            return index + 1
        if mark in CLOSED_BY and _opens(whole, place):
            return None
    return None


def strip_around(text: str, marks: str) -> str:
    """Strip marks from both ends, but keep a quotation mark if the other one of its pair is within the name."""
    name = text.strip(marks)
    start = text.find(name)
    before, behind = text[:start], text[start + len(name) :]
    first, last = _scan(name)
    end = behind.lstrip(" ,")
    if last and end[:1] and end[0] in last:
        space = " " if behind[0] == " " else ""
        name = f"{name}{space}{end[0]}"
    opening = before.rstrip()[-1:]
    if first and first in CLOSED_BY.get(opening, ""):
        space = " " if before[-1] == " " else ""
        name = f"{opening}{space}{name}"
    return name


def _scan(text: str) -> tuple[str, str]:
    """Return two texts; each is empty if there is no such quotation.

    The mark that closes a quotation which begins before the text, and the marks of which each closes the
    quotation that is still open at the end.
    """
    first = ""
    closing = ""
    has_mark = False
    for place, mark in enumerate(text):
        if mark not in MARKS or _is_apostrophe(text, place):
            continue
        if _opens(text, place):
            closing = CLOSED_BY[mark]
        elif mark in closing:
            closing = ""
        elif mark in CLOSING and not has_mark:
            first = mark
        else:
            continue
        has_mark = True
    return first, closing


def _opens(text: str, place: int) -> bool:
    """Whether a mark opens a quotation: it stands before a word, and behind none."""
    mark = text[place]
    if mark in OPENING_ALONE:
        return True
    if mark not in CLOSED_BY:
        return False
    before, behind = text[:place], text[place + 1 :]
    is_behind_word = bool(before) and not (
        before[-1].isspace() or before[-1] in "([-/" or before[-1] in CLOSED_BY
    )
    if is_behind_word or not behind.strip():
        return False
    if not behind[0].isspace():
        return behind[0].isalnum() or behind[0] in CLOSED_BY
    # « Alfa » has spaces within its marks.
    return mark == "«"


def _is_apostrophe(text: str, place: int) -> bool:
    """Whether the mark stands within a word: “D'ÉTEL”."""
    if text[place] not in APOSTROPHES:
        return False
    return (
        0 < place < len(text) - 1
        and text[place - 1].isalnum()
        and text[place + 1].isalnum()
    )
