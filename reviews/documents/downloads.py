"""Downloads of files. Headers keep the browser from running them."""

from __future__ import annotations

import io
from typing import IO

from django.contrib.auth.models import User
from django.http import FileResponse, Http404

from compliance.storage import file_types, stored_files
from reviews.audit import trail
from reviews.documents import copies, scans
from reviews.models import Attachment, Document


def as_attachment(row: Document | Attachment) -> FileResponse:
    """The uploaded file as a download. Raises Http404 if there is none, or StoredError."""
    if not row.file and not scans.is_closed(row):
        raise Http404
    scans.require_open(row)
    content = stored_files.opened(row.file, row.sha256)
    # The extension follows the content, so a renamed executable does not keep ".pdf".
    name = file_types.offered_name(row.file_name, content.read(file_types.START))
    content.seek(0)
    return _download(content, name, file_types.OTHER_TYPE)


def take_original(row: Document | Attachment, *, actor: User) -> FileResponse:
    """The uploaded file; the audit trail gets a line. Raises like as_attachment()."""
    response = as_attachment(row)
    data = {"file": row.file_name, "sha256": row.sha256}
    if isinstance(row, Document):
        case = row.case
    else:
        case = row.note.case
    try:
        trail.record(case, "original_taken", data, user=actor)
    # Without a line in the trail the file is not delivered.
    except BaseException:
        response.close()
        raise
    return response


def safe_copy(document: Document) -> FileResponse:
    """The PDF of the pages that the desk has drawn. Raises NoCopyError or StoredError."""
    content = io.BytesIO(copies.of(document))
    return _download(content, copies.file_name(document), "application/pdf")


def _download(content: IO[bytes], name: str, content_type: str) -> FileResponse:
    response = FileResponse(
        content,
        as_attachment=True,
        filename=name,
        content_type=content_type,
    )
    # The browser must neither guess the type of the file nor run it.
    response["X-Content-Type-Options"] = "nosniff"
    response["Content-Security-Policy"] = "sandbox; default-src 'none'"
    response["Cache-Control"] = "private, no-store"
    return response
