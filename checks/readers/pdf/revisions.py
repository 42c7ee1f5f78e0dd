"""Earlier saved versions inside a PDF: an incremental save appends to the file and keeps its old
bytes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from checks.readers.pdf import tunables
from checks.readers.pdf.pages import read_pages
from checks.text.words import Page
from papers.errors import UnreadableError

# `startxref` marks the end of a version. The `%%EOF` after it is optional, and an editor can remove
# it.
END = re.compile(rb"startxref\s+(\d{1,12})\s*(?:%%EOF[\r\n ]{0,3})?")


@dataclass(frozen=True, slots=True)
class Revision:
    """The file as it was at a length of `length` bytes, with its pages unrotated."""

    length: int
    pages: tuple[Page, ...]


def revision_lengths(content: bytes) -> list[int]:
    """Return where the versions end, oldest first. The last one is the file itself.

    The first end mark of a linearized file ends its first-page section and is no version. An end
    mark whose cross-reference table would lie behind it is not valid.
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
    """Return the readable earlier versions, oldest first, without the present one."""
    lengths = revision_lengths(content)[:-1]
    # A file with very many versions is read at its beginning and end: the first show the original,
    # the last show the recent edits.
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
