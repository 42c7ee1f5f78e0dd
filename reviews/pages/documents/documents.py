"""The original files: lent to the service by a signed link, given to people as an attachment."""

from __future__ import annotations

from http import HTTPStatus
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from compliance.storage import file_types, stored_files
from reviews.access import roles
from reviews.access.decorators import readers_only
from reviews.documents import store
from reviews.documents.downloads import as_attachment
from reviews.models import Attachment, Document


@require_GET
def lend(request: HttpRequest, pk: UUID, token: str) -> HttpResponseBase:
    """What the service fetches. A wrong or expired token is 404, as an unknown document is."""
    if not store.is_valid_token(pk, token):
        raise Http404
    document = get_object_or_404(Document, pk=pk)
    response = offered(request, document)
    if response.status_code == HTTPStatus.OK:
        # A service decides by the type how to read it. To browsers it stays a file to be kept.
        with stored_files.opened(document.file, "") as file:
            start = file.read(file_types.START)
        response["Content-Type"] = file_types.content_type_of(start)
    return response


@require_GET
@readers_only
def original(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """The file as it was handed in; pages show images that we drew instead."""
    rows = Document.objects.all()
    visible = roles.only_visible(request.user, rows, "case__connection")
    document = get_object_or_404(visible, pk=pk)
    return offered(request, document)


def offered(request: HttpRequest, row: Document | Attachment) -> HttpResponseBase:
    """The file of a row, or why it is not to be had: 410 where it is gone, 409 where it changed."""
    try:
        return as_attachment(row)
    except stored_files.StoredError as exc:
        context = {"reason": str(exc)}
        return render(request, "reviews/no_file.html", context, status=exc.status)
