"""Draws the pages of a document once: images into the file store, rows into the database."""

from __future__ import annotations

import hashlib
import logging
import re
import uuid
from collections.abc import Iterable, Iterator
from typing import TypedDict

from django.conf import settings
from django.core.files.base import ContentFile, File
from django.core.files.storage import Storage
from django.db import transaction

from compliance.db import clock
from compliance.storage import stored_files
from compliance.work import notify
from compliance.work.isolation import NOT_PLAIN, IsolationError, stream
from compliance.work.rows import LeaseLostError
from papers.errors import MalformedError, NoPagesError, UnreadableError
from reviews.audit import trail
from reviews.models import Document, Page, SearchText
from reviews.models.search import forms

log = logging.getLogger(__name__)

QUEUE = "reviews.tasks.draw_documents"

# Limit for sides of a page and for page numbers; no real one reaches it.
MOST_PIXELS = 100_000
MISSING_FONT = "The file lacks a font: letters may be missing in its pictures."

# The child process sends only class names of exceptions: a message may quote the document.
REASONS: dict[str, str] = {
    kind.__name__: kind.reason for kind in UnreadableError.__subclasses__()
}


def draw(document: Document) -> None:
    """Draw the pages, then move the document to DRAWN, or to UNREADABLE with a reason.

    The caller holds the lease of the row. A second call for the same document is safe. A malicious
    file never makes it raise. It does raise if the file store is unreachable, and the row is tried
    again. Raises LeaseLostError if another worker has claimed the document.
    """
    try:
        content = stored_files.content(document.file, document.sha256)
    except (stored_files.MissingError, stored_files.ChangedError) as exc:
        _end(document, Document.Status.UNREADABLE, str(exc))
        return
    # An earlier run may have stopped in the middle.
    _purge(document)
    count = 0
    total = 0
    error = ""
    lacks_font = False
    try:
        for item in _draw_pages(document, content):
            _store(document, item)
            count += 1
            total = item["of"]
            lacks_font = lacks_font or item["lacks_font"]
    except IsolationError as exc:
        # Pages before the failure are kept.
        error = _reason(str(exc))
    if count:
        # Some pages are better than none: `reason` says how many are missing.
        notes = [
            _missing_pages(count, total, error),
            MISSING_FONT if lacks_font else "",
        ]
        _end(document, Document.Status.DRAWN, " ".join(filter(None, notes)))
    else:
        _end(document, Document.Status.UNREADABLE, error or NoPagesError.reason)


def image(page: Page) -> File[bytes]:
    """The stored image of a page, opened at its start. Raises StoredError.

    A changed or lost image is never shown: the document is queued to be drawn again from its
    original.
    """
    try:
        return stored_files.opened(page.image, page.sha256)
    except (stored_files.ChangedError, stored_files.MissingError) as exc:
        # Only the first reader queues the drawing; the move fails for others.
        if page.document.move(Document.Status.PENDING, reason="", due_at=clock.now()):
            log.warning("Document %s: %s It is drawn again", page.document_id, exc)
            notify.after_commit(QUEUE)
        raise


class _PageItem(TypedDict):
    """A page as the child process sends it. `of` is the number of pages in the document."""

    number: int
    of: int
    width: int
    height: int
    # Tuples (text, x0, y0, x1, y1); the coordinates are fractions of the page.
    words: list[tuple[str, float, float, float, float]]
    image: bytes  # WEBP
    lacks_font: bool


def _draw_pages(document: Document, content: bytes) -> Iterator[_PageItem]:
    # The file is parsed in an isolated child process. Each page extends the lease.
    items = stream(
        "papers.pages:draw",
        {"content": content},
        seconds=settings.DOCUMENT_SECONDS,
        tick=lambda: document.heartbeat(settings.LEASE),
    )
    yield from _checked_pages(items)


def _checked_pages(items: Iterable[object]) -> Iterator[_PageItem]:
    """The items as pages, each with a higher number than the one before. Raises IsolationError."""
    last = 0
    for item in items:
        page = _checked_page(item)
        # The same page a second time cannot be stored, and would be drawn forever.
        if page["number"] <= last or page["number"] > page["of"]:
            raise IsolationError(NOT_PLAIN)
        last = page["number"]
        yield page


def _checked_page(item: object) -> _PageItem:
    """The item as a _PageItem. Raises IsolationError if it has another shape.

    A malicious document may have taken over the child process, which could then send anything. So
    only WebP images and numbers within limits are accepted.
    """
    match item:
        case {
            "number": int(number),
            "of": int(count),
            "width": int(width),
            "height": int(height),
            "words": list(words),
            "image": bytes(image),
            "lacks_font": bool(lacks_font),
        }:
            numbers = (number, count, width, height)
            is_in_limits = all(0 < value <= MOST_PIXELS for value in numbers)
            is_webp = image[:4] == b"RIFF" and image[8:12] == b"WEBP"
            if is_in_limits and is_webp and all(_is_word(word) for word in words):
                return {
                    "number": number,
                    "of": count,
                    "width": width,
                    "height": height,
                    "words": words,
                    "image": image,
                    "lacks_font": lacks_font,
                }
    raise IsolationError(NOT_PLAIN)


def _is_word(word: object) -> bool:
    match word:
        case [str(), *places]:
            return len(places) == 4 and all(
                isinstance(place, int | float) for place in places
            )
    return False


def _purge(document: Document) -> None:
    """Delete the pages of an earlier run. Files first: after a crash the row still names its
    file.
    """
    pages = list(document.pages.all())
    for page in pages:
        page.image.delete(save=False)
    if pages:
        with transaction.atomic():
            data = {"document": str(document.pk)}
            trail.record(document.case, "pages_removed", data, gone=pages)
            document.pages.all().delete()


def _store(document: Document, item: _PageItem) -> None:
    """Store a page: the row first, then its file. After a crash every file still has a row that
    names it.
    """
    store: Storage = Page._meta.get_field("image").storage
    # A random part, so that a worker that lost its lease never overwrites the file of another one.
    suffix = uuid.uuid4().hex[:12]
    name = f"pages/{document.pk}/{item['number']}-{suffix}.webp"
    with transaction.atomic():
        # Also locks the row until the end of the transaction.
        document.heartbeat(settings.LEASE)
        page = Page.objects.create(
            document=document,
            number=item["number"],
            width=item["width"],
            height=item["height"],
            words=item["words"],
            image=name,
            sha256=hashlib.sha256(item["image"]).hexdigest(),
        )
        # The words of the page for the full-text search.
        words = [str(word[0]) for word in item["words"]]
        text = forms.with_forms(" ".join(words))
        if text:
            SearchText.objects.create(
                case_id=document.case_id,
                page=page,
                text=text,
            )
    store.save(name, ContentFile(item["image"]))
    try:
        document.heartbeat(settings.LEASE)
    except LeaseLostError:
        # The other worker has deleted our row, perhaps before the file existed.
        store.delete(name)
        raise


def _end(document: Document, status: str, reason: str) -> None:
    with transaction.atomic():
        document.heartbeat(settings.LEASE)
        document.move(
            status,
            reason=reason[:200],
            due_at=None,
            leased_until=None,
        )
        pages = list(document.pages.all())
        if pages:
            data = {"document": str(document.pk), "pages": len(pages)}
            trail.record(document.case, "pages_drawn", data, about=pages)


def _reason(error: str) -> str:
    """The reason for UNREADABLE, as a sentence for the case page."""
    class_name = re.search(r"\((\w+)\)", error)
    if class_name:
        return REASONS.get(class_name[1], MalformedError.reason)
    # The error comes from the isolation itself, e.g. "it took too long and was stopped after 30 s".
    return f"Drawing its pages did not end well: {error}."


def _missing_pages(count: int, total: int, error: str) -> str:
    """A note for the analyst if pages are missing. Usually empty."""
    if count >= total:
        return ""
    if error:
        return f"Only {count} of {total} pages could be drawn. {error}"
    return f"The first {count} of {total} pages are drawn."
