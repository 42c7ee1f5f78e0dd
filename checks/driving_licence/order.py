"""The fields of a licence by their order, where OCR does not see their numbers.

A number such as “1.” is short, and stands alone. Directive 2006/126/EC fixes the order of the fields, too:
surname, other names, birth, issue, expiry, number of the licence. The authority is before or behind the expiry.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from checks.driving_licence import tunables
from checks.driving_licence.forms import DAY, LICENCE_NUMBER
from checks.text.characters import count_digits
from checks.text.folding import folded
from checks.text.words import Span

# What the directive and other states print above the fields, without accents.
HEADINGS = re.compile(
    r"\b(?:driving licen[cs]e|permis de conduire|fuhrerschein|permiso de conduc\w+|licencia de conducir|patente di guida|carta de conducao"
    r"|rijbewijs|korkort|k[o ]?rekort|f[o ]?rerkort|ajokortti|prawo jazdy|ridicsky prukaz|vodicsky preukaz|vozacka dozvola|voznisko dovoljenje"
    r"|vezetoi engedely|permis de conducere|juhiluba|vaditaja apliec\w+|vairuotojo pazymejimas|licenzja tas sewqan|ceadunas tiomana)\b"
)
# A line of names, in capitals or not: France and Germany print “Bérénice, Anne”.
NAMES = re.compile(r"[^\W\d_][^\W\d_'\u2019., -]*(?:[ '\u2019.,-]+[^\W\d_]+)*")
# The number of a field that OCR did see. A day begins with one, too: “08.08.88”.
NUMBER = re.compile(
    r"\s*(?:4\s?[abcd]\s?[.,:)]*|\d{1,2}\s?[.,:)]+)(?:\s+(?=\S)|(?=[^\W\d]))",
    re.IGNORECASE,
)


def spans_by_order(text: str) -> dict[str, Span]:
    """Return the places of fields 1, 2, 3, 4a, 4b and 5; nothing if their order is not that of a licence."""
    heading = _end_of_heading(text)
    if heading is None:
        return {}
    lines = _lines(text, heading)
    days = [
        place
        for place, span in enumerate(lines)
        if DAY.match(text[span.start : span.end])
    ]
    if len(days) != tunables.DAYS_OF_LICENCE:
        return {}
    born, issued, expires = days
    names = _names(text, lines[:born])
    if len(names) != tunables.NAME_FIELDS:
        return {}
    for span in lines[expires + 1 :]:
        value = text[span.start : span.end]
        digits = count_digits(value)
        if LICENCE_NUMBER.fullmatch(value) and digits >= tunables.NUMBER_DIGITS:
            surname, given_names = names
            return {
                "1": surname,
                "2": given_names,
                "3": lines[born],
                "4a": lines[issued],
                "4b": lines[expires],
                "5": span,
            }
    return {}


def _names(text: str, lines: Sequence[Span]) -> list[Span]:
    """Return the lines of names. Very short ones are left out where there are too many: they may be numbers that
    OCR misread.
    """
    names = []
    for span in lines:
        if NAMES.fullmatch(text[span.start : span.end]):
            names.append(span)
    if len(names) <= tunables.NAME_FIELDS:
        return names
    return [span for span in names if span.end - span.start >= tunables.NAME_LETTERS]


def _end_of_heading(text: str) -> int | None:
    start = 0
    for line in text.splitlines(keepends=True):
        start += len(line)
        if HEADINGS.search(folded(line)):
            return start
    return None


def _lines(text: str, start: int) -> list[Span]:
    """Return the lines from a place on, without the numbers of fields before them, and without blanks."""
    spans = []
    for line in text[start:].splitlines(keepends=True):
        number = NUMBER.match(line)
        first = start + (number.end() if number else 0)
        last = start + len(line.rstrip())
        start += len(line)
        if first < last:
            spans.append(Span(first, last))
    return spans
