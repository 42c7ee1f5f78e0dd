"""Numbers that no label names, known by the form that the register of a state gives them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from checks.data import table
from checks.text.words import Span, Text

ALONE = re.compile(r"^[A-Z0-9]{8,14}$", re.MULTILINE)
# What OCR takes for a digit, where only a digit can stand.
MEANT = str.maketrans("OQDILSBZG", "000115826")
# One zero that it saw twice: once as the letter.
TWICE = re.compile(r"O(?=0)|(?<=0)O")


@dataclass(frozen=True, slots=True)
class StateNumber:
    """`read` is what OCR made of it where that was another; it is kept, for a person to judge."""

    number: str
    span: Span
    state: str
    form: str
    read: str = ""


def find_state_numbers(text: Text) -> Iterator[StateNumber]:
    """Numbers on lines of their own, in documents that name the state."""
    for row in table("state_numbers"):
        if row["state"].lower() not in text.folded:
            continue
        form = re.compile(row["pattern"])
        for match in ALONE.finditer(text.value):
            span = Span(*match.span())
            if form.fullmatch(match[0]):
                number = match[0]
            else:
                number = _corrected(text, span, match[0], form)
            if number:
                if number == match[0]:
                    read = ""
                else:
                    read = match[0]
                yield StateNumber(number, span, row["state"], row["written"], read)


def _corrected(text: Text, span: Span, read: str, form: re.Pattern[str]) -> str:
    """The one number of this form that OCR can have misread so; empty where there are others."""
    if any(word.source != "OCR" for word in text.words(span)):
        return ""
    once = set()
    for m in TWICE.finditer(read):
        once.add(read[: m.start()] + read[m.end() :])
    for readings in ({read}, once):
        heads = set()
        for reading in readings:
            for head in (1, 2):
                heads.add((reading[:head], reading[head:]))
        fitting = {head + tail.translate(MEANT) for head, tail in heads}
        fitting = {number for number in fitting if form.fullmatch(number)}
        if fitting:
            if len(fitting) == 1:
                return fitting.pop()
            return ""
    return ""
