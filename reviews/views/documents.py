"""The original files: lent to the service by a signed link, given to people as an attachment."""

from __future__ import annotations

from uuid import UUID

from django.db.models.fields.files import FieldFile
from django.http import FileResponse, Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET

from reviews import documents, roles
from reviews.models import Document
from reviews.views.access import readers_only


@require_GET
def lend(request: HttpRequest, pk: UUID, token: str) -> HttpResponseBase:
    """What the service fetches. A wrong or expired token is 404, as an unknown document is."""
    if not documents.is_valid_token(pk, token):
        raise Http404
    return _file(get_object_or_404(Document, pk=pk))


@require_GET
@readers_only
def original(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """The file as it was handed in; pages show images that we drew instead."""
    seen = roles.only_seen(request.user, Document.objects.all(), "case__connection")
    return _file(get_object_or_404(seen, pk=pk))


def _file(document: Document) -> FileResponse:
    return as_attachment(document.file, document.file_name)


def as_attachment(file: FieldFile, name: str) -> FileResponse:
    """A file that somebody handed in. Raises Http404 where there is none."""
    if not file:
        raise Http404
    response = FileResponse(
        file.open("rb"), as_attachment=True, filename=name, content_type="application/octet-stream"
    )
    # Whatever the file is, the browser must neither guess nor run it.
    response["X-Content-Type-Options"] = "nosniff"
    response["Content-Security-Policy"] = "sandbox; default-src 'none'"
    response["Cache-Control"] = "private, no-store"
    return response
