"""The original files: lent to the service by a signed link, given to people as an attachment."""

from __future__ import annotations

from http import HTTPStatus
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from compliance.storage import file_types, stored_files
from reviews.access import roles
from reviews.access.decorators import person_of, readers_only
from reviews.documents import store
from reviews.documents.downloads import as_attachment
from reviews.models import Attachment, Document


@require_GET
def lend(request: HttpRequest, pk: UUID, token: str) -> HttpResponseBase:
    """What the service fetches. A wrong or ended link is 404, as an unknown document is."""
    document = store.document_of(pk, token)
    if document is None:
        raise Http404
    response = offered(request, document)
    if response.status_code == HTTPStatus.OK:
        # A service decides by the type how to read it. To browsers it stays a file to be kept.
        with stored_files.opened(document.file, "") as file:
            start = file.read(file_types.START)
        response["Content-Type"] = file_types.content_type_of(start)
        store.note_link_use(document)
    return response


@require_POST
@readers_only
def end_links(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """The links to a document end at once, those that a service has not used yet, too."""
    rows = Document.objects.select_related("case")
    visible = roles.only_visible(request.user, rows, "case__connection")
    document = get_object_or_404(visible, pk=pk)
    store.end_links(document, actor=person_of(request))
    messages.success(request, "All links to this document have ended.")
    return redirect(document.case)


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
