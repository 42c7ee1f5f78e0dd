"""Registration numbers without a label, recognised by the format that a state uses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from checks.data import table
from checks.text.words import Span, Text

ALONE = re.compile(r"^[A-Z0-9]{8,14}$", re.MULTILINE)
# Letters that OCR reads instead of a digit, and the digits that they stand for.
MEANT = str.maketrans("OQDILSBZG", "000115826")
# OCR may read one zero as two characters: the letter O and the digit 0.
TWICE = re.compile(r"O(?=0)|(?<=0)O")


@dataclass(frozen=True, slots=True)
class StateNumber:
    """A number in the format of a state.

    `read` is the text from OCR if it was corrected, so that a person can compare the two. It is
    empty if nothing was corrected.
    """

    number: str
    span: Span
    state: str
    form: str
    read: str = ""


def find_state_numbers(text: Text) -> Iterator[StateNumber]:
    """Yield the numbers that stand alone on a line and have the format of a state that the text
    names.
    """
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
    """Return the only number of this format that OCR can have misread as `read`.

    The result is empty if no number fits or several do: a guess between two numbers would be worse
    than no number.
    """
    for word in text.words(span):
        # The text of a digital file was not read by OCR, so there is nothing to correct.
        if word.source != "OCR":
            return ""
    without_twice = set()
    for match in TWICE.finditer(read):
        without_twice.add(read[: match.start()] + read[match.end() :])
    # First assume that only letters were confused. Only if that gives no number, assume that a zero
    # was doubled, too.
    for readings in ({read}, without_twice):
        numbers = _numbers_of_form(readings, form)
        if len(numbers) == 1:
            return numbers.pop()
        if numbers:
            return ""
    return ""


def _numbers_of_form(readings: Iterable[str], form: re.Pattern[str]) -> set[str]:
    """Return the numbers of this format that the readings can stand for: one or two letters, then
    digits.
    """
    numbers: set[str] = set()
    for reading in readings:
        for letters in (1, 2):
            number = reading[:letters] + reading[letters:].translate(MEANT)
            if form.fullmatch(number):
                numbers.add(number)
    return numbers
