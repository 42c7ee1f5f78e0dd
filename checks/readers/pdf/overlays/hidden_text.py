"""Text that is on a page but not visible, because something that was drawn later lies over it."""

# The binding is generated when it is installed, and has no annotations.
# mypy: disable-error-code="no-untyped-call,attr-defined"

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import pypdfium2 as pdfium

from checks.readers.pdf import tunables
from checks.readers.pdf.overlays.drawings import (
    Canvas,
    Drawing,
    drawings_of,
    is_filled,
    is_legible,
    part_of,
    read_pages,
    shared,
    text_of,
    unseen,
)
from checks.text.characters import (
    count_letters_and_digits,
    only_digits,
    only_letters_and_digits,
)
from papers.geometry import Box, enclosing


@dataclass(frozen=True, slots=True)
class Hidden:
    """A piece of hidden text.

    `dark`: it is under black, as after a redaction. `invisible`: nothing but other text lies over
    it, and it is drawn invisibly. `shown` is that other text, if it is known.
    """

    text: str
    box: Box
    dark: bool
    invisible: bool = False
    shown: str = ""


def hidden_text(content: bytes, *, pages: Sequence[int]) -> list[Hidden]:
    """Return the hidden text of the given pages (from 1).

    Pages that cannot be drawn give nothing.
    """
    return read_pages(content, pages, _of_page)


def _of_page(page: pdfium.PdfPage, number: int) -> list[Hidden]:
    width, height = page.get_size()
    drawings = drawings_of(page)
    suspects = _suspects(drawings)
    pairs = _pairs(drawings)
    if len(suspects) > tunables.MAX_SUSPECTS:
        suspects = []
    if not suspects and not pairs:
        return []
    canvas = Canvas(page, width, height)
    with closing(page.get_textpage()) as textpage:
        replaced = _switched_off(textpage, canvas, pairs)
        pieces = []
        for part in replaced:
            piece = _report(textpage, canvas, part, number)
            pieces.append(replace(piece, dark=False, invisible=True))
    suspects = [suspect for suspect in suspects if suspect not in replaced]
    if not suspects:
        return _joined(pieces)
    # Drawing is slow, so all suspects are first hidden at once. Only those that overlap are then
    # tested one by one.
    hidden = list(unseen(canvas, suspects))
    visible = [suspect for suspect in suspects if suspect not in hidden]
    for suspect in visible[: tunables.MAX_SINGLE]:
        # If texts overlap, hiding them all together says nothing about each of them.
        is_tangled = not suspect.is_part and _overlaps_others(suspect, suspects)
        if is_tangled and unseen(canvas, [suspect]):
            hidden.append(suspect)
    with closing(page.get_textpage()) as textpage:
        for suspect in hidden:
            pieces.append(_report(textpage, canvas, suspect, number))
    return _joined(pieces)


def _overlaps_others(drawing: Drawing, drawings: Sequence[Drawing]) -> bool:
    for other in drawings:
        if other is not drawing and shared(other.rectangle, drawing.rectangle):
            return True
    return False


def _suspects(drawings: Sequence[Drawing]) -> list[Drawing]:
    """Return legible text with an object over it, and invisible text with other text over it."""
    return [*_covered(drawings), *_retyped(drawings)]


def _retyped(drawings: Sequence[Drawing]) -> list[Drawing]:
    """Return text that was made invisible and has other text at its place.

    A page that is a picture is left out: the OCR text behind a scan is invisible and lies on its
    words.
    """
    legible: list[Drawing] = []
    illegible: list[Drawing] = []
    for drawing in drawings:
        if drawing.is_ground:
            return []
        if not drawing.is_text:
            continue
        if is_legible(drawing.thing):
            legible.append(drawing)
        else:
            illegible.append(drawing)
    return [drawing for drawing in illegible if _is_retyped(drawing, legible)]


def _pairs(drawings: Sequence[Drawing]) -> list[tuple[Drawing, Drawing]]:
    """Return legible texts that have another legible text at their place: the first drawn, and the
    last one there.
    """
    pairs: list[tuple[Drawing, Drawing]] = []
    by_place = _legible_by_place(drawings)
    for (row, column), texts in by_place.items():
        near: list[Drawing] = []
        for down, right in product((-1, 0, 1), (-1, 0, 1)):
            near += by_place.get((row + down, column + right), ())
        # Text that is drawn many times at one place is an ornament.
        if len(near) > tunables.MAX_NEAR:
            continue
        for text in texts:
            last = _last_over(text, near)
            if last is not None:
                pairs.append((text, last))
    return pairs


def _legible_by_place(
    drawings: Sequence[Drawing],
) -> dict[tuple[int, int], list[Drawing]]:
    """Return the legible texts by their cell; none if a picture is the ground of the page."""
    by_place: dict[tuple[int, int], list[Drawing]] = {}
    for drawing in drawings:
        if drawing.is_ground:
            return {}
        if drawing.is_text and is_legible(drawing.thing):
            by_place.setdefault(_cell(drawing), []).append(drawing)
    return by_place


def _last_over(text: Drawing, near: Sequence[Drawing]) -> Drawing | None:
    """Return the last of the drawings near a text that was drawn later at its place."""
    last = None
    for other in near:
        if other.order > text.order and _are_at_one_place(other, text):
            last = other
    return last


def _cell(drawing: Drawing) -> tuple[int, int]:
    left, bottom, _, _ = drawing.rectangle
    return round(bottom / tunables.CELL), round(left / tunables.CELL)


def _are_at_one_place(first: Drawing, second: Drawing) -> bool:
    return (
        shared(first.rectangle, second.rectangle) >= tunables.COVERED
        and shared(second.rectangle, first.rectangle) >= tunables.COVERED
    )


def _switched_off(
    textpage: pdfium.PdfTextPage,
    canvas: Canvas,
    pairs: Sequence[tuple[Drawing, Drawing]],
) -> list[Drawing]:
    """Return text that no page shows, as in a layer that is off, where other text is written.

    Layers for languages have other words, too. So words count only if the layer repeats most of
    the page; without that, only numbers do.
    """
    for hidden_first in (True, False):
        shown_by = {}
        for first, last in pairs:
            hidden, shown = (first, last) if hidden_first else (last, first)
            shown_by[hidden.order] = (hidden, shown)
        suspects = [hidden for hidden, _ in shown_by.values()]
        texts = unseen(canvas, suspects)
        differing: list[tuple[Drawing, str, str]] = []
        for hidden in texts:
            old = _bare(text_of(textpage, hidden))
            new = _bare(text_of(textpage, shown_by[hidden.order][1]))
            if old != new:
                differing.append((hidden, old, new))
        if not differing:
            continue
        is_copy = len(differing) <= len(texts) / 2
        replaced = []
        for hidden, old, new in differing:
            if is_copy or _have_different_numbers(old, new):
                replaced.append(hidden)
        return replaced
    return []


def _have_different_numbers(first: str, other: str) -> bool:
    """Whether both texts have digits, and not the same."""
    digits, other_digits = _digits(first), _digits(other)
    return bool(digits and other_digits) and digits != other_digits


def _bare(text: str) -> str:
    return only_letters_and_digits(text).casefold()


def _digits(text: str) -> str:
    return only_digits(text)


def _is_retyped(text: Drawing, legible: Sequence[Drawing]) -> bool:
    for other in legible:
        if shared(other.rectangle, text.rectangle) >= tunables.COVERED:
            return True
    return False


def _covered(drawings: Sequence[Drawing]) -> list[Drawing]:
    covers = _covers(drawings)
    if not covers:
        return []
    last = covers[-1].order
    whole: list[Drawing] = []
    parts: list[Drawing] = []
    for drawing in drawings:
        # Nothing can lie over a text that is drawn after the last cover.
        if not drawing.is_text or drawing.order >= last:
            continue
        if not is_legible(drawing.thing):
            continue
        if _is_under(drawing, covers):
            whole.append(drawing)
        else:
            parts += _parts(drawing, covers)
    # Texts that are covered as a whole come first, if there are too many suspects.
    room = max(tunables.MAX_SUSPECTS - len(whole), 0)
    return whole + parts[:room]


def _covers(drawings: Sequence[Drawing]) -> list[Drawing]:
    """Return objects that may hide text: everything filled, except the picture of a whole page."""
    covers: list[Drawing] = []
    for drawing in drawings:
        if drawing.is_text or drawing.is_ground:
            continue
        if is_filled(drawing.thing):
            covers.append(drawing)
    return covers


def _is_under(text: Drawing, covers: Sequence[Drawing]) -> bool:
    for cover in covers:
        if cover.covers(text):
            return True
    return False


def _parts(text: Drawing, covers: Sequence[Drawing]) -> Iterator[Drawing]:
    """Yield the parts of a line of text that have something over them, at least one letter wide."""
    left, bottom, right, top = text.rectangle
    for cover in covers:
        x0 = max(left, cover.rectangle[0])
        x1 = min(right, cover.rectangle[2])
        y0 = max(bottom, cover.rectangle[1])
        y1 = min(top, cover.rectangle[3])
        height = top - bottom
        is_over = cover.order > text.order and y1 - y0 >= tunables.COVERED * height
        if is_over and x1 - x0 >= height / 2:
            yield replace(text, rectangle=(x0, y0, x1, y1), is_part=True)


def _report(
    textpage: pdfium.PdfTextPage, canvas: Canvas, drawing: Drawing, number: int
) -> Hidden:
    if drawing.is_part:
        text = part_of(textpage, drawing)
    else:
        text = text_of(textpage, drawing)
    text = " ".join(text.split())[: tunables.LONGEST_TEXT]
    place = canvas.place(drawing.rectangle)
    box = canvas.box(number, drawing.rectangle)
    dark = float(np.median(canvas.whole[place])) < tunables.DARK
    invisible = not is_legible(drawing.thing)
    return Hidden(text, box, dark and not invisible, invisible)


def _joined(pieces: Sequence[Hidden]) -> list[Hidden]:
    """Join neighbours on a row, because some programs write and some forgers cover letter by
    letter.
    """
    joined: list[Hidden] = []
    for piece in sorted(pieces, key=_left_edge):
        row = _row_of(joined, piece)
        if row is not None:
            joined.remove(row)
            piece = _join(row, piece)
        joined.append(piece)
    return [piece for piece in joined if _is_text(piece)]


def _left_edge(piece: Hidden) -> float:
    return piece.box.x0


def _row_of(rows: Sequence[Hidden], piece: Hidden) -> Hidden | None:
    for row in rows:
        if _continues(row, piece):
            return row
    return None


def _join(row: Hidden, piece: Hidden) -> Hidden:
    left, right = sorted((row, piece), key=_left_edge)
    gap = ""
    if right.box.x0 - left.box.x1 > tunables.SPACE:
        gap = " "
    text = left.text + gap + right.text
    box = enclosing((left.box, right.box))
    return replace(row, text=text[: tunables.LONGEST_TEXT], box=box)


def _is_text(piece: Hidden) -> bool:
    """Whether the piece has at least two letters. A single one is a bullet or a mark."""
    return count_letters_and_digits(piece.text) >= 2


def _continues(row: Hidden, piece: Hidden) -> bool:
    if row.dark != piece.dark or row.invisible != piece.invisible:
        return False
    if row.box.shared_rows(piece.box) < tunables.COVERED:
        return False
    end = min(row.box.x1, piece.box.x1)
    start = max(row.box.x0, piece.box.x0)
    return start - end <= tunables.NEAR
