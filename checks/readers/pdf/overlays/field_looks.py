"""What the text fields of a form show, as words.

A field has a value, which programs read, and a look, which people see. A program that fills in a form
writes both. Here the looks are made a part of the pages, and are read as these are.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence

import pikepdf

from checks.readers.pdf.limits import TooFarError, check_limits
from checks.readers.pdf.pages import read_pages
from checks.readers.pdf.structure import ODDITIES, Widget
from checks.text.words import Page
from papers.errors import UnreadableError
from papers.geometry import Box


def field_looks(
    content: bytes, pages: Sequence[Page], widgets: Sequence[Widget]
) -> list[tuple[Widget, Box, str]]:
    """Return the words that each field shows, with its place; empty words for an empty look.

    `pages` are the first pages as they are without the fields.
    """
    try:
        flattened = _flattened(content, max_pages=len(pages))
        with_looks, _ = read_pages(flattened, max_pages=len(pages))
    except (*ODDITIES, TooFarError, UnreadableError):
        return []
    looks = []
    for widget in widgets:
        if widget.page > min(len(pages), len(with_looks)):
            continue
        page = pages[widget.page - 1]
        box = page.transform.box(widget.page, widget.rectangle)
        printed = _words_within(page, box)
        shown = []
        for word in _words_within(with_looks[widget.page - 1], box):
            if word in printed:
                printed.remove(word)
            else:
                shown.append(word)
        looks.append((widget, box, " ".join(shown)))
    return looks


def _flattened(content: bytes, *, max_pages: int) -> bytes:
    out = io.BytesIO()
    with (
        # What is saved is only read here. pikepdf warns of fields that the form does not list.
        warnings.catch_warnings(action="ignore"),
        pikepdf.open(io.BytesIO(content), suppress_warnings=True) as pdf,
    ):
        pdf.flatten_annotations("all")
        check_limits(pdf, max_pages=max_pages)
        pdf.save(out)
    return out.getvalue()


def _words_within(page: Page, box: Box) -> list[str]:
    words = []
    for word in page.words:
        if word.source == "text layer" and box.contains_centre_of(word.box):
            words.append(word.text)
    return words
