"""Earlier saved versions inside a PDF: an incremental save appends and keeps all it had."""

from __future__ import annotations

import re
from dataclasses import dataclass

from checks.readers.pdf import read_pages
from checks.readers.pdf_structure import MalformedError
from checks.text import Page

END = re.compile(rb"%%EOF[\r\n ]{0,3}")
START_OF_TABLE = re.compile(rb"startxref\s+(\d{1,12})\s")
MAX_REVISIONS = 6
MAX_MARKS = 200
MAX_PAGES = 12


@dataclass(frozen=True, slots=True)
class Revision:
    """The file as it was when it ended at `length` bytes."""

    length: int
    pages: tuple[Page, ...]


def revision_lengths(content: bytes) -> list[int]:
    """Where earlier versions end, oldest first; the last one is the file itself.

    The first end mark of a linearized file closes its first-page part and is no version; an end
    mark whose cross-reference table would lie behind it closes nothing.
    """
    tables = [(match.start(), int(match[1])) for match in START_OF_TABLE.finditer(content)]
    linearized = b"/Linearized" in content[:1200]
    lengths = []
    for index, match in enumerate(END.finditer(content)):
        if index >= MAX_MARKS:
            break
        end = match.end()
        target = next((target for at, target in reversed(tables) if at < end), None)
        first_part = (
            linearized and index == 0 and target is not None and (target == 0 or target < 2000)
        )
        if target is not None and 0 < target < end and not first_part:
            lengths.append(end)
    return lengths


def read_revisions(content: bytes) -> list[Revision]:
    """The readable earlier versions, oldest first, without the file as it is now."""
    revisions = []
    for length in revision_lengths(content)[-1 - MAX_REVISIONS : -1]:
        try:
            pages, _ = read_pages(content[:length], max_pages=MAX_PAGES)
        except MalformedError:
            continue
        if pages:
            revisions.append(Revision(length, tuple(pages)))
    return revisions
