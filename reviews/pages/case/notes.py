"""Views for notes, their files, and tags."""

from __future__ import annotations

from http import HTTPStatus

from django.contrib import messages
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
)
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from reviews.access import roles
from reviews.access.decorators import readers_only
from reviews.intake.form_fields import faults_of
from reviews.models import Attachment, Case, Note
from reviews.pages.case.case import case_context
from reviews.pages.case.decide import act, person, seen_case
from reviews.pages.documents.documents import offer
from reviews.people import notes

MOST_FILES = 10


@act
def add(request: HttpRequest, pk: int) -> HttpResponse:
    case = seen_case(request, pk)
    files = request.FILES.getlist("files")
    faults = faults_of(files)
    if not faults and len(files) > MOST_FILES:
        faults = [_("At most ten files.")]
    try:
        if faults:
            raise ValueError(" ".join(faults))
        note = notes.add(
            case,
            actor=person(request),
            text=request.POST.get("text", ""),
            files=files,
        )
    except ValueError as exc:
        messages.error(
            request, _("The note was not kept. %(reason)s") % {"reason": exc}
        )
        return _again(request, pk, note_typed=request.POST.get("text", ""))
    _warn_of_unknown(request, note)
    return _to_activity(case)


def _again(
    request: HttpRequest,
    pk: int,
    status: HTTPStatus = HTTPStatus.UNPROCESSABLE_ENTITY,
    **typed: object,
) -> HttpResponse:
    """The page of the case once more, with what was typed: it must not be lost."""
    context = case_context(request, pk, tab="activity") | typed
    return render(request, "reviews/case_detail.html", context, status=status)


@act
def edit(request: HttpRequest, pk: int) -> HttpResponse:
    # A note of another team's case gives 404.
    rows = Note.objects.filter(case__in=roles.visible(request.user)).select_related(
        "case"
    )
    note = get_object_or_404(rows, pk=pk)
    text = request.POST.get("text", "")
    try:
        read = request.POST.get("read")
        notes.edit(note, actor=person(request), text=text, read=read)
    except ValueError as exc:
        messages.error(
            request, _("The note is as it was. %(reason)s") % {"reason": exc}
        )
        is_stale = isinstance(exc, notes.ChangedError)
        status = HTTPStatus.CONFLICT if is_stale else HTTPStatus.UNPROCESSABLE_ENTITY
        return _again(
            request, note.case_id, status, edited_note=note.pk, edit_typed=text
        )
    note.refresh_from_db()
    _warn_of_unknown(request, note)
    return _to_activity(note.case)


def _warn_of_unknown(request: HttpRequest, note: Note) -> None:
    names = notes.unknown_mentions(note)
    if names:
        words = _("Nobody was told by these names: %(names)s.")
        messages.warning(
            request, words % {"names": ", ".join(f"@{name}" for name in names)}
        )


@act
def tag(request: HttpRequest, pk: int) -> HttpResponse:
    case, sent = seen_case(request, pk), request.POST
    try:
        if sent.get("remove"):
            notes.untag(case, sent["remove"], actor=person(request))
        else:
            notes.tag(case, sent.get("name", ""), actor=person(request))
    except ValueError as exc:
        messages.error(request, str(exc))
        return _again(request, pk, tag_typed=sent.get("name", ""))
    return _to_activity(case)


@require_http_methods(["GET", "POST"])
@readers_only
def attachment(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The page about a file of a note; by POST the file itself."""
    rows = roles.only_visible(
        request.user,
        Attachment.objects.select_related("note__case", "scan"),
        "note__case__connection",
    )
    return offer(request, get_object_or_404(rows, pk=pk))


def _to_activity(case: Case) -> HttpResponse:
    address = f"{case.get_absolute_url()}?tab=activity"
    return HttpResponseRedirect(address, status=HTTPStatus.SEE_OTHER)
