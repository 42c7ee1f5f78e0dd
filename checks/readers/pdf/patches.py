"""Words on a patch: a small filling in the colour of paper that was drawn only for them.

A program that removes text from a file leaves nothing below. It leaves the filling in the place of
the old words and the new words upon it, both drawn after everything else on the page. Programs that
draw a ground below every piece of text do so all over the page and in reading order.
"""

# The binding is generated when it is installed, and has no annotations.
# mypy: disable-error-code="no-untyped-call,attr-defined"

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import chain

import pypdfium2 as pdfium
import pypdfium2.raw as c

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
)
from checks.readers.pdf.pages import fill_of
from papers.geometry import Box, Rectangle


@dataclass(frozen=True, slots=True)
class Patch:
    """The words on a patch, and their place."""

    text: str
    box: Box


def patches_of(content: bytes, *, pages: Sequence[int]) -> list[Patch]:
    """Return the patches of the given pages (from 1). Pages that cannot be drawn give nothing."""
    return read_pages(content, pages, _of_page)


def _of_page(page: pdfium.PdfPage, number: int) -> list[Patch]:
    drawings = drawings_of(page)
    texts = [each for each in drawings if each.is_text and is_legible(each.thing)]
    # On a page with few texts, the order of drawing says nothing.
    if len(texts) < tunables.PATCH_TEXTS:
        return []
    width, height = page.get_size()
    shapes = [each for each in drawings if _is_patch(each, width * height)]
    # Many such shapes are the style of a program and no trace of editing.
    if not 1 <= len(shapes) <= tunables.MOST_SHAPES:
        return []
    with closing(page.get_textpage()) as textpage:
        groups: list[list[Drawing]] = []
        for shape in shapes:
            words = _words_on(shape, texts)
            if (
                words
                and not _has_ground(shape, drawings)
                and not _hides_letters(textpage, shape, texts)
            ):
                groups.append(words)
        if not 1 <= len(groups) <= tunables.MOST_PATCHES:
            return []
        if not _is_drawn_last(groups, texts):
            return []
        canvas = Canvas(page, width, height)
        patches = []
        for words in groups:
            text = "".join(text_of(textpage, word) for word in words)
            box = canvas.box(number, words[0].rectangle)
            wording = " ".join(text.split())
            patches.append(Patch(wording[: tunables.LONGEST_TEXT], box))
    return patches


def _is_patch(drawing: Drawing, page_area: float) -> bool:
    """Whether this is a filled shape in the colour of paper, about as large as a few words."""
    if drawing.thing.type != c.FPDF_PAGEOBJ_PATH or not is_filled(drawing.thing):
        return False
    fill = fill_of(drawing.thing)
    if (
        fill is None
        or fill.darkest < tunables.PALE
        or fill.alpha <= tunables.TRANSPARENT
    ):
        return False
    _, bottom, _, top = drawing.rectangle
    if not tunables.LOWEST_PATCH <= top - bottom <= tunables.HIGHEST_PATCH:
        return False
    return _area(drawing.rectangle) <= tunables.LARGEST_PATCH * page_area


def _has_ground(patch: Drawing, drawings: Sequence[Drawing]) -> bool:
    """Whether the patch lies on a coloured ground or over a drawing, so that it is visible or hides
    something.
    """
    for other in drawings:
        if other.order >= patch.order or other.is_ground or other.is_text:
            continue
        is_under = shared(patch.rectangle, other.rectangle) >= tunables.COVERED
        is_around = shared(other.rectangle, patch.rectangle) >= tunables.COVERED
        if other.thing.type != c.FPDF_PAGEOBJ_PATH:
            if is_under:
                return True
        elif (is_under or is_around) and is_filled(other.thing):
            fill = fill_of(other.thing)
            if fill is None or fill.darkest < tunables.PALE:
                return True
    return False


def _hides_letters(
    textpage: pdfium.PdfTextPage, patch: Drawing, texts: Sequence[Drawing]
) -> bool:
    """Whether letters of an earlier text lie below the patch. `hidden_text` reports those."""
    for text in texts:
        if text.order > patch.order or not shared(text.rectangle, patch.rectangle):
            continue
        if part_of(textpage, replace(text, rectangle=patch.rectangle)).strip():
            return True
    return False


def _words_on(patch: Drawing, texts: Sequence[Drawing]) -> list[Drawing]:
    """Return the texts on the patch if they fill it."""
    words = []
    for text in texts:
        is_later = text.order > patch.order
        if not is_later:
            continue
        is_within = shared(patch.rectangle, text.rectangle) >= tunables.COVERED
        if is_within or _runs_over(patch.rectangle, text.rectangle):
            words.append(text)
    area = sum(_area(word.rectangle) for word in words)
    if area < tunables.PATCH_FILLED * _area(patch.rectangle):
        return []
    return words


def _runs_over(patch: Rectangle, text: Rectangle) -> bool:
    """Whether the words begin on the patch and go on behind its end: they are longer than those before."""
    left, bottom, right, top = patch
    begin, low, end, high = text
    starts_on = left - tunables.EDGE <= begin <= left + tunables.EDGE
    is_on_its_height = bottom - tunables.EDGE <= low and high <= top + tunables.EDGE
    return starts_on and end > right and is_on_its_height


def _is_drawn_last(
    groups: Sequence[Sequence[Drawing]], texts: Sequence[Drawing]
) -> bool:
    """Whether the words were drawn after all others, although some of those stand lower on the
    page.
    """
    on_patches = list(chain.from_iterable(groups))
    orders = {word.order for word in on_patches}
    others = [text for text in texts if text.order not in orders]
    # All other text must be drawn before the words on patches.
    if not others or max(text.order for text in others) > min(orders):
        return False
    lowest = min(text.rectangle[1] for text in others)
    for word in on_patches:
        if word.rectangle[1] > lowest:
            return True
    return False


def _area(rectangle: Rectangle) -> float:
    left, bottom, right, top = rectangle
    return (right - left) * (top - bottom)
