"""The labels on the front of a card, in `checks/data/card_labels.csv`.

“Nombre” is the given names of one card and the whole name of another: what else stands on the card tells
which. Such labels are `any_name` in the table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from rapidfuzz import fuzz, process

from checks.fields.layout import label_cells
from checks.fields.layout.cells import Cell
from checks.identity_document import tunables
from checks.text.characters import count_digits
from checks.text.folding import folded

# What parts a label from its translation: a slash, a bar, the number of the field, a short form.
PARTS = re.compile(r"\s*[/|·•]\s*|\((?:\d{1,2}[a-z]?|[A-Z]{2,6})\)|\[[a-z]\]")
# The number of the field before its label: “4b.”, “1,2”.
NUMBERING = re.compile(
    r"^\s*(?:\d{1,2}[a-z]?(?:\s?[,e]\s?\d)?[.)]?\s+|\[[a-z]\]\s*)", re.IGNORECASE
)
ANY_NAME = "any_name"


def _labels() -> dict[str, str]:
    return label_cells.labels("card_labels")


@cache
def _long_labels() -> tuple[str, ...]:
    return tuple(label for label in _labels() if len(label) >= tunables.LONG_LABEL)


@cache
def _titles() -> re.Pattern[str]:
    titles = [label for label, field in _labels().items() if field == "title"]
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, titles))})\b")


def is_title(text: str) -> bool:
    """Whether the text names a kind of card."""
    return bool(_titles().search(folded(text)))


def field_of(text: str) -> str:
    """Return the field that the label names; empty if the text is no label.

    Of a label with its translation, a part with one meaning counts before one of several.
    """
    plain = NUMBERING.sub("", text)
    if count_digits(plain) >= tunables.FEWEST_DIGITS:
        return ""  # its value stands in the same cell
    parts = [folded(part) for part in PARTS.split(plain)]
    fields = [_labels()[part] for part in parts if part in _labels()]
    for field in fields:
        if field != ANY_NAME:
            return field
    # The small print of labels is misread more often than values are.
    for label in parts:
        if len(label) < tunables.LONG_LABEL:
            continue
        like = process.extractOne(
            label,
            _long_labels(),
            scorer=fuzz.ratio,
            score_cutoff=tunables.LIKE_LABEL,
        )
        if like:
            return _labels()[like[0]]
    return "".join(fields[:1])


def label_ends(cell: Cell) -> Iterator[tuple[int, bool]]:
    """Where a label in the cell may end: the number of its words, and whether a colon is there."""
    for count, word in enumerate(cell.words[:-1], start=1):
        if word.text.endswith(":"):
            yield count, True
            return
    for count in range(min(len(cell.words) - 1, tunables.LABEL_WORDS), 0, -1):
        yield count, False


def meaning_of_name(cells: Sequence[Cell], labels: Sequence[str]) -> str:
    """Return the field that “name” is on a card with these cells, whose labels are given."""
    fields = set(labels)
    for cell in cells:
        fields.update(_labels_within(cell))
    if fields >= {"surname", "given_names"}:
        return "other"
    if "surname" in fields:
        return "given_names"
    if "given_names" in fields:
        return "surname"
    return "whole_name"


def begins_with_label(cell: Cell) -> bool:
    return bool(_labels_within(cell))


def _labels_within(cell: Cell) -> list[str]:
    """Return the label at the beginning of a cell, or nothing."""
    for count, _has_colon in label_ends(cell):
        label = folded(" ".join(word.text for word in cell.words[:count]))
        if label in _labels():
            return [_labels()[label]]
    return []
