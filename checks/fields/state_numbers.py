"""Numbers that no label names, known by the form that the register of a state gives them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
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
            read = match[0]
            if form.fullmatch(read):
                yield StateNumber(read, span, row["state"], row["written"])
                continue
            number = _corrected(text, span, read, form)
            if number:
                yield StateNumber(number, span, row["state"], row["written"], read)


def _corrected(text: Text, span: Span, read: str, form: re.Pattern[str]) -> str:
    """The one number of this form that OCR can have misread so; empty where there are others."""
    for word in text.words(span):
        # What the file itself states is not misread.
        if word.source != "OCR":
            return ""
    without_twice = set()
    for match in TWICE.finditer(read):
        without_twice.add(read[: match.start()] + read[match.end() :])
    for readings in ({read}, without_twice):
        numbers = _numbers_of_form(readings, form)
        if len(numbers) == 1:
            return numbers.pop()
        if numbers:
            return ""
    return ""


def _numbers_of_form(readings: Iterable[str], form: re.Pattern[str]) -> set[str]:
    """What the readings can mean, where one or two letters lead and digits follow."""
    numbers: set[str] = set()
    for reading in readings:
        for letters in (1, 2):
            number = reading[:letters] + reading[letters:].translate(MEANT)
            if form.fullmatch(number):
                numbers.add(number)
    return numbers
