"""Files that people and systems download: attachments that no browser runs."""

from __future__ import annotations

from django.http import FileResponse, Http404

from compliance.storage import file_types, stored_files
from reviews.models import Attachment, Document


def as_attachment(row: Document | Attachment) -> FileResponse:
    """A file that somebody handed in. Raises Http404 where none was, or StoredError."""
    if not row.file:
        raise Http404
    content = stored_files.opened(row.file, row.sha256)
    name = file_types.offered_name(row.file_name, content.read(file_types.START))
    content.seek(0)
    response = FileResponse(
        content,
        as_attachment=True,
        filename=name,
        content_type="application/octet-stream",
    )
    # Whatever the file is, the browser must neither guess nor run it.
    response["X-Content-Type-Options"] = "nosniff"
    response["Content-Security-Policy"] = "sandbox; default-src 'none'"
    response["Cache-Control"] = "private, no-store"
    return response
