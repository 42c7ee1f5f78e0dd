"""Views for files of cases: a safe copy by default, the original after a warning, a signed link
for services.
"""

from __future__ import annotations

from http import HTTPStatus
from uuid import UUID

from django.contrib import messages
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
)
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
)

from compliance.http import unavailable
from compliance.storage import file_types, stored_files
from reviews.access import roles
from reviews.access.decorators import person_of, readers_only
from reviews.documents import downloads, quarantine, scans, store
from reviews.documents.downloads import as_attachment
from reviews.models import Attachment, Document, FileScan
from reviews.pages.documents import file_facts


@require_GET
def lend(request: HttpRequest, pk: UUID, token: str) -> HttpResponseBase:
    """The file behind a signed link, for the service. A wrong or expired link gives 404."""
    document = store.document_of(pk, token)
    if document is None:
        raise Http404
    try:
        # as_attachment() refuses files that wait for the scanner or are in quarantine.
        response = as_attachment(document)
    except stored_files.StoredError as exc:
        return _refused(request, exc)
    # The service chooses its parser by the content type. Browsers still treat it as a download.
    with stored_files.opened(document.file, "") as file:
        start = file.read(file_types.START)
    response["Content-Type"] = file_types.content_type_of(start)
    store.note_link_use(document)
    return response


@require_POST
@readers_only
def end_links(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """Revoke all links to the document, including those that a service has not used yet."""
    document = _visible_document(request, pk)
    store.end_links(document, actor=person_of(request))
    messages.success(request, _("All links to this document have ended."))
    return redirect(document.case)


@require_GET
@readers_only
def copy(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """The safe copy: a PDF of the desk's page images."""
    document = _visible_document(request, pk)
    try:
        return downloads.safe_copy(document)
    except stored_files.StoredError as exc:
        if _is_away(exc):
            return _refused(request, exc)
        return file_page(request, document, fault=str(exc), status=exc.status)


@require_http_methods(["GET", "POST"])
@readers_only
def original(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """A page about the uploaded file; by POST the file itself."""
    document = _visible_document(request, pk)
    return offer(request, document)


@require_POST
@readers_only
def quarantine_act(request: HttpRequest, pk: int) -> HttpResponse:
    """Release a file from quarantine, or remove it."""
    scan = get_object_or_404(FileScan, pk=pk)
    # A case of another team gives 404, as on every page.
    get_object_or_404(roles.visible(request.user), pk=scan.case.pk)
    acts = {"release": quarantine.release, "remove": quarantine.remove}
    name = request.POST.get("act", "")
    act = acts.get(name)
    if act is None:
        raise Http404
    reason = request.POST.get("reason", "")
    actor = person_of(request)
    try:
        # False: the file left quarantine between the page and this request.
        if not act(scan, actor=actor, reason=reason):
            messages.error(request, _("Somebody else was faster: look again."))
    except ValueError as exc:
        messages.error(request, str(exc))
    address = file_facts.address(scan.row)
    return HttpResponseRedirect(address, status=HTTPStatus.SEE_OTHER)


def offer(request: HttpRequest, row: Document | Attachment) -> HttpResponseBase:
    """A page about a file; by POST the file itself. Also used for files of notes."""
    if request.method == "POST":
        try:
            return downloads.take_original(row, actor=person_of(request))
        except stored_files.StoredError as exc:
            return _refused(request, exc)
    error = stored_files.fault(row.file, row.sha256)
    if error and _is_away(error):
        return _refused(request, error)
    if error:
        return file_page(request, row, fault=str(error), status=error.status)
    return file_page(request, row, fault="", status=HTTPStatus.OK)


@cache_control(private=True, no_store=True)
def file_page(
    request: HttpRequest, row: Document | Attachment, *, fault: str, status: int
) -> HttpResponse:
    facts = file_facts.FileFacts.of(row, request.user)
    context = {"file": facts, "fault": fault}
    response = render(request, "reviews/file.html", context, status=status)
    return unavailable.add_retry_after(response)


def _is_away(exc: stored_files.StoredError) -> bool:
    """Whether the store is away. The page of a file asks it again: that would be a second wait."""
    is_scan = isinstance(exc, scans.WaitsForScanError)
    return exc.is_temporary and not is_scan


def _visible_document(request: HttpRequest, pk: UUID) -> Document:
    rows = Document.objects.select_related("case", "scan")
    visible = roles.only_visible(request.user, rows, "case__connection")
    return get_object_or_404(visible, pk=pk)


def _refused(request: HttpRequest, exc: stored_files.StoredError) -> HttpResponse:
    """The page that says why a file is not available. Its status: 410 gone, 409 changed, 503 try
    later.
    """
    is_lost = isinstance(exc, stored_files.MissingError | stored_files.ChangedError)
    context = {"reason": str(exc), "may_be_in_backup": is_lost}
    response = render(request, "reviews/no_file.html", context, status=exc.status)
    return unavailable.add_retry_after(response)
