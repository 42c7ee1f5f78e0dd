"""The safe copy of a document: a PDF made from the desk's page images, created on request."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

from django.conf import settings
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from compliance.languages import english
from compliance.storage import file_types, stored_files
from reviews.documents import page_images, scans
from reviews.models import Document

PDF = b"%PDF-1.4"  # the first bytes of a copy


class NoCopyError(stored_files.StoredError):
    """There are no page images to make a copy of."""

    status = 409
    reason = _("There is no safe copy: its pages are not drawn.")


class NotDrawnYetError(NoCopyError):
    reason = _("There is no safe copy yet: its pages are being drawn.")


@english()
def of(document: Document) -> bytes:
    """The bytes of the PDF. Raises NoCopyError, or StoredError if an image is lost or the file
    is closed.
    """
    scans.require_open(document)
    # Tell "not yet" from "never".
    if document.status == Document.Status.PENDING:
        raise NotDrawnYetError
    pages = list(document.pages.all())
    if document.status != Document.Status.DRAWN or not pages:
        raise NoCopyError
    # Imported here: the PDF library takes 10 MiB of memory in every process that loads it.
    from papers.writing import copies, report

    report.register_fonts(settings.VENDORED_DIR)
    with ExitStack() as files:
        # A generator with an ExitStack: images open one by one, and all of them close at the end.
        def drawn() -> Iterator[copies.DrawnPage]:
            for page in pages:
                image = files.enter_context(page_images.image(page))
                yield copies.DrawnPage(image, page.words)

        return copies.compose(
            drawn(), title=file_name(document), note=_note(document, len(pages))
        )


@english()
def file_name(document: Document) -> str:
    """`<kind>-<reference>.pdf`, with a number if the case has several documents of the kind."""
    reference = document.case.reference
    # Neither character is allowed in a file name.
    for separator in ("/", "\\"):
        reference = reference.replace(separator, "_")
    kind = slugify(document.get_kind_display())
    stem = f"{kind}-{reference}"
    same_kind = Document.objects.filter(
        case=document.case_id,
        kind=document.kind,
    )
    # The number is the position among the documents of the same kind.
    keys = list(same_kind.values_list("pk", flat=True))
    if len(keys) > 1:
        number = keys.index(document.pk) + 1
        stem = f"{stem}-{number}"
    return file_types.ascii_name(f"{stem}.pdf", PDF)


def _note(document: Document, count: int) -> str:
    """A note for the reader of the copy. Usually empty."""
    if not document.reason:
        return ""
    return f"This copy has {count} pages.\n{document.reason}"
