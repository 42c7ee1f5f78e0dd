"""Parts of lines that a page does not show, where other text is written.

A clip, a soft mask, a layer that is off, or text without opacity can take one word out of a line, and
another word is then written at its place. `hidden_text` compares whole texts; here the place that
two texts share is compared. Whether a text is seen there is again found by drawing the page
without it.
"""

# The binding is generated when it is installed, and has no annotations.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice

import pypdfium2 as pdfium

from checks.readers.pdf import tunables
from checks.readers.pdf.overlays.drawings import (
    Canvas,
    Drawing,
    drawings_of,
    is_legible,
    part_of,
    read_pages,
    unseen,
)
from checks.readers.pdf.overlays.hidden_text import Hidden
from checks.text.characters import only_digits
from papers.geometry import Box, Rectangle, enclosing


@dataclass(frozen=True, slots=True)
class _Pair:
    """A part of a text that may be hidden, and the part of another text at its place."""

    hidden: Drawing
    visible: Drawing


def replaced_text(content: bytes, *, pages: Sequence[int]) -> list[Hidden]:
    """Return the parts of texts that cannot be seen and have other text at their place."""
    return read_pages(content, pages, _of_page)


def _of_page(page: pdfium.PdfPage, number: int) -> list[Hidden]:
    # One more than the limit shows that there are too many.
    pairs = list(islice(_pairs(_texts(page)), tunables.MAX_SUSPECTS + 1))
    if not 1 <= len(pairs) <= tunables.MAX_SUSPECTS:
        return []
    width, height = page.get_size()
    canvas = Canvas(page, width, height)
    # Programs that write letter by letter draw several texts at the place of one word.
    by_shown: dict[int, list[_Pair]] = {}
    for pair in _not_seen(canvas, pairs):
        by_shown.setdefault(pair.visible.order, []).append(pair)
    pieces: list[Hidden] = []
    with closing(page.get_textpage()) as textpage:
        for group in by_shown.values():
            group.sort(key=lambda pair: pair.hidden.rectangle[0])
            text = "".join(part_of(textpage, pair.hidden) for pair in group)
            visible = "".join(part_of(textpage, pair.visible) for pair in group)
            if not _is_other_number(text, visible):
                continue
            box = enclosing(canvas.box(number, pair.hidden.rectangle) for pair in group)
            pieces.append(_hidden(text, visible, box))
    return pieces


def _texts(page: pdfium.PdfPage) -> list[Drawing]:
    """Return the texts that lie on the page and not behind a picture of it."""
    drawings = drawings_of(page)
    grounds = [drawing.order for drawing in drawings if drawing.is_ground]
    ground = max(grounds, default=-1)
    texts: list[Drawing] = []
    for drawing in drawings:
        if not drawing.is_text or drawing.order < ground:
            continue
        # The text behind a scan is invisible, and may be drawn after the picture.
        if not grounds or is_legible(drawing.thing):
            texts.append(drawing)
    return texts


def _hidden(text: str, visible: str, box: Box) -> Hidden:
    return Hidden(
        " ".join(text.split())[: tunables.LONGEST_TEXT],
        box,
        dark=False,
        invisible=True,
        shown=" ".join(visible.split())[: tunables.LONGEST_TEXT],
    )


def _pairs(texts: Sequence[Drawing]) -> Iterator[_Pair]:
    """Yield the parts that two texts share, each text once as the hidden one."""
    from_below = sorted(texts, key=lambda text: text.rectangle[1])
    compared = 0
    for index, first in enumerate(from_below):
        for second in from_below[index + 1 :]:
            if second.rectangle[1] >= first.rectangle[3]:
                break
            compared += 1
            if compared > tunables.MAX_COMPARED:
                return
            place = _common(first.rectangle, second.rectangle)
            if place is None:
                continue
            for hidden, visible in ((first, second), (second, first)):
                if is_legible(visible.thing):
                    yield _Pair(_part(hidden, place), _part(visible, place))


def _part(text: Drawing, place: Rectangle) -> Drawing:
    return replace(text, rectangle=place, is_part=True)


def _common(first: Rectangle, second: Rectangle) -> Rectangle | None:
    """Return the place that two texts on one row share, if it is as wide as a letter or two."""
    left = max(first[0], second[0])
    bottom = max(first[1], second[1])
    right = min(first[2], second[2])
    top = min(first[3], second[3])
    place = (left, bottom, right, top)
    if right <= left or top <= bottom:
        return None
    lower = min(first[3] - first[1], second[3] - second[1])
    # Lines that are set tight touch one another, and so do letters in italics.
    if top - bottom < tunables.COVERED * lower:
        return None
    narrower = min(first[2] - first[0], second[2] - second[0])
    if right - left < min(lower, tunables.MOST_OF_LETTER * narrower):
        return None
    return place


def _not_seen(canvas: Canvas, pairs: Sequence[_Pair]) -> Iterator[_Pair]:
    """Yield the pairs whose one part is not seen at the place that both share."""
    legible: list[_Pair] = []
    for pair in pairs:
        if is_legible(pair.hidden.thing):
            legible.append(pair)
        else:
            yield pair
    # Hiding both texts of a place shows nothing about one of them: the earlier ones are hidden
    # first, and then the later ones.
    for earlier in (True, False):
        half = [pair for pair in legible if _is_first(pair) is earlier]
        gone = unseen(canvas, [pair.hidden for pair in half])
        for pair in half:
            if pair.hidden in gone:
                yield pair


def _is_first(pair: _Pair) -> bool:
    return pair.hidden.order < pair.visible.order


def _is_other_number(hidden: str, visible: str) -> bool:
    """Whether both parts have digits, and other ones.

    Words are not compared: a document in two languages has a layer for each.
    """
    before = _digits(hidden)
    after = _digits(visible)
    if min(len(before), len(after)) < tunables.REPLACED_DIGITS:
        return False
    # The edge of the place may cut a digit off on either side.
    return before not in after and after not in before


def _digits(text: str) -> str:
    return only_digits(text)
