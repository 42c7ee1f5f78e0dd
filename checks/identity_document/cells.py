"""A zone from the cells of the zone reader: the likeliest allowed character at each position."""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from checks.subject_data import mrz
from papers.geometry import Rectangle

if TYPE_CHECKING:
    from checks.readers.ocr.zone_lines import ZoneLine

Values = Any  # numbers
CHARACTERS = string.digits + string.ascii_uppercase + "<"
LINES = {44: 2, 36: 2, 30: 3}
# The allowed characters of the first five cells: the kind of document and the issuer.
START = ("PIACV", *[mrz.LETTERS] * 4)


@dataclass(frozen=True, slots=True)
class Decoded:
    """The lines of a zone, their place, and the probability of the least certain letter of the
    names.
    """

    lines: list[str]
    place: Rectangle
    name_confidence: float


def decoded(lines: Sequence[ZoneLine]) -> Iterator[Decoded]:
    """Yield the zones that the lines of cells may be."""
    for start, first in enumerate(lines):
        count = LINES[first.width]
        # A zone consists of adjacent lines of equal width.
        stretch = lines[start : start + count]
        widths = {line.width for line in stretch}
        if len(stretch) == count and len(widths) == 1:
            yield _decoded(stretch)


def _decoded(lines: Sequence[ZoneLine]) -> Decoded:
    width = lines[0].width
    # The format decides which characters are allowed where. Its first cells are read first to find
    # it.
    start, _ = _likeliest(lines[0].cells[: len(START)], START)
    name = mrz.format_of(width, start)
    allowed = mrz.allowed_characters(name)
    texts: list[str] = []
    certainties: list[Values] = []
    for line, characters in zip(lines, allowed, strict=True):
        text, certainty = _likeliest(line.cells, characters)
        texts.append(text)
        certainties.append(certainty)
    least = []
    for row, begin, end in mrz.places_of_names(name):
        # A name is only as certain as its least certain letter.
        least.append(float(certainties[row][begin:end].min()))
    return Decoded(texts, _around([line.place for line in lines]), min(least))


def _likeliest(cells: Values, allowed: Sequence[str]) -> tuple[str, Values]:
    """Return the text of a line, and the probability of each character among those allowed."""
    # Imported here, so that a worker that reads no pictures does not load numpy.
    import numpy as np

    text = ""
    certainties = []
    for cell, characters in zip(cells, allowed, strict=True):
        places = list(map(_index, characters))
        probabilities = np.exp(cell[places] - cell[places].max())
        certainties.append(1 / probabilities.sum())
        text += characters[int(probabilities.argmax())]
    return text, np.array(certainties)


def _index(character: str) -> int:
    return CHARACTERS.index(character)


def _around(places: Sequence[Rectangle]) -> Rectangle:
    lefts, tops, rights, bottoms = zip(*places, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)
