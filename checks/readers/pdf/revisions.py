"""Earlier saved versions inside a PDF: an incremental save appends and keeps all it had."""

from __future__ import annotations

import re
from dataclasses import dataclass

from checks.readers.pdf import tunables
from checks.readers.pdf.pages import read_pages
from checks.text.words import Page
from papers.errors import UnreadableError

# Only what leads to the table counts as an end: `%%EOF` behind it is a custom that can be undone.
END = re.compile(rb"startxref\s+(\d{1,12})\s*(?:%%EOF[\r\n ]{0,3})?")


@dataclass(frozen=True, slots=True)
class Revision:
    """The file as it was when it ended at `length` bytes; its pages as they lie in the file."""

    length: int
    pages: tuple[Page, ...]


def revision_lengths(content: bytes) -> list[int]:
    """Where the versions end, oldest first; the last one is the file itself.

    The first end mark of a linearized file closes its first-page part and is no version; an end
    mark whose cross-reference table would lie behind it closes nothing.
    """
    linearized = b"/Linearized" in content[:1200]
    lengths = []
    for index, match in enumerate(END.finditer(content)):
        target = int(match[1])
        end = match.end()
        closes_first_page = linearized and index == 0 and target < 2000
        if 0 < target < end and not closes_first_page:
            lengths.append(end)
    return lengths


def read_revisions(content: bytes) -> list[Revision]:
    """Readable earlier versions, oldest first, without the file as it is now."""
    lengths = revision_lengths(content)[:-1]
    if len(lengths) > tunables.OLDEST + tunables.NEWEST:
        lengths = lengths[: tunables.OLDEST] + lengths[-tunables.NEWEST :]
    revisions = []
    for length in lengths:
        version = content[:length]
        try:
            pages, _ = read_pages(
                version, max_pages=tunables.VERSION_PAGES, upright=True
            )
        except UnreadableError:
            continue
        if pages:
            revisions.append(Revision(length, tuple(pages)))
    return revisions
