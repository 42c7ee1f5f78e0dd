"""The form by which an applicant opens a case: without an account, saved while it is filled in."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from compliance.http.limits.quotas import QuotaError
from compliance.storage.file_types import ACCEPTED, EXTENSIONS
from reviews.applicants import forms as applicant_forms
from reviews.applicants import invitations, link_cookies
from reviews.intake import draft_files, links
from reviews.intake.form_fields import Section
from reviews.intake.forms import CaseForm
from reviews.intake.parties import rows as party_rows
from reviews.models import Document, Invitation
from reviews.pages.intake import draft_merging, kept_files, open_links

# Requests per link in open_links.SECONDS. Each file and each pause in typing saves a draft.
RATE_OF_DRAFTS = 400
# The statuses of a page that stays, because not all of it was saved as it was typed.
NOT_SAVED = (HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.CONFLICT)
TOO_MANY_TODAY = gettext_lazy(
    "The form cannot be taken today. All of it is saved: open this page again tomorrow,"
    " and send it then."
)
ENDED = gettext_lazy("This link has ended. Ask whoever sent it for a new one.")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def apply(request: HttpRequest, pk: int) -> HttpResponse:
    """The form. Status 403 without the link's cookie, 410 for an ended link, 429 for too many
    requests.
    """
    row = _opened(request, pk)
    if row is None:
        return open_links.closed_page(request, links.INVITATION)
    if refusal := _refusal(request, row, rate=open_links.RATE):
        return refusal
    if request.method == "POST":
        response = _accept(request, row)
    else:
        form = applicant_forms.of(row, initial=row.typed)
        response = _form_page(request, row, form, HTTPStatus.OK)
    link_cookies.give(response, links.INVITATION, pk)
    return response


@never_cache
@require_POST
def draft(request: HttpRequest, pk: int) -> HttpResponse:
    """Save the draft, and return the changed part of the page; without a script, redirect to the
    page.
    """
    row = _opened(request, pk)
    if row is None:
        return open_links.closed_page(request, links.INVITATION)
    if refusal := _refusal(request, row, rate=RATE_OF_DRAFTS, act="draft"):
        return refusal
    response = _keep_draft(request, row)
    link_cookies.give(response, links.INVITATION, pk)
    return response


@never_cache
@require_POST
def end(request: HttpRequest, pk: int) -> HttpResponse:
    """Save the draft, and delete the cookie, so that this browser can no longer open the form.
    The page stays if a chosen file was refused, or if another device has saved a text that this
    one would replace: nobody would be told.
    """
    row = _opened(request, pk)
    if row is not None and not _refusal(request, row, rate=RATE_OF_DRAFTS, act="draft"):
        response = _keep_draft(request, row)
        if response.status_code in NOT_SAVED:
            return response
    return open_links.ended_page(request, links.INVITATION, pk)


def _opened(request: HttpRequest, pk: int) -> Invitation | None:
    """The invitation, if this browser has opened its link. Otherwise None."""
    if not open_links.is_opened(request, links.INVITATION, pk):
        return None
    return invitations.find(pk)


def _keep_draft(request: HttpRequest, row: Invitation) -> HttpResponse:
    form = applicant_forms.of(row, request.POST)
    part = request.GET.get("part", "")
    if part == "text":
        return _keep_text_of_script(request, row, form)
    # A request for one kind of files does not contain the text fields.
    overwritten: dict[str, str] = {}
    if not part:
        overwritten = draft_merging.overwritten(request.POST, row.typed)
        _keep_text(request, row, form)
    kinds = form.document_kinds
    faults = kept_files.keep(request, row, form, kinds)
    for section in kept_files.parts(row, form, kinds, faults):
        if section.kind.value == part:
            context = {"part": section}
            return render(request, "reviews/_request_part.html", context)
    if faults or overwritten:
        # Without a script nothing else says which files were refused, or what was replaced.
        form = applicant_forms.of(row, initial=row.typed)
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        if overwritten:
            status = HTTPStatus.CONFLICT
        return _form_page(
            request, row, form, status, faults=faults, overwritten=overwritten
        )
    address = reverse("apply", args=[row.pk])
    if party_rows.ADD in request.POST:
        # The first of the rows that were added.
        address += f"#{form.parties[-party_rows.MORE].section.key}"
    return HttpResponseRedirect(address, status=HTTPStatus.SEE_OTHER)


def _keep_text_of_script(
    request: HttpRequest, row: Invitation, form: applicant_forms.ApplicantForm
) -> HttpResponse:
    """Save the text, but none that another device has changed: a script shows that first, and
    sends its own again.
    """
    overwritten = draft_merging.overwritten(request.POST, row.typed)
    _keep_text(request, row, form, without=overwritten)
    if overwritten:
        return draft_merging.refusal_of_save(form, overwritten)
    return HttpResponse(status=HTTPStatus.NO_CONTENT)


def _keep_text(
    request: HttpRequest,
    row: Invitation,
    form: applicant_forms.ApplicantForm,
    *,
    without: Collection[str] = (),
) -> None:
    """Save the fields that were changed on this page, but those in `without`."""
    changed = draft_merging.changed_names(request.POST).difference(without)
    invitations.merge_draft(row, form.typed(request.POST), changed=changed)
    row.refresh_from_db(fields=["typed"])


def _refusal(
    request: HttpRequest, row: Invitation, *, rate: int, act: str = ""
) -> HttpResponse | None:
    """A page that says why the link cannot be used; None if it can."""
    if refusal := open_links.too_many_page(
        request, links.INVITATION, pk=row.pk, act=act, rate=rate
    ):
        return refusal
    if row.status == Invitation.Status.SUBMITTED:
        return _submitted_page(request, row)
    if not invitations.is_open(row):
        return open_links.page(request, str(ENDED), HTTPStatus.GONE)
    return None


def _submitted_page(request: HttpRequest, row: Invitation) -> HttpResponse:
    """The page of a form that was sent, with the documents that came with it."""
    documents: list[Document] = []
    # An erased case has no documents any more.
    if row.case is not None:
        documents = list(row.case.documents.filter(request=None))
    return open_links.page(
        request,
        _("Thank you. What you sent has arrived."),
        HTTPStatus.OK,
        end_at=reverse("apply-end", args=[row.pk]),
        sent_at=row.submitted_at,
        arrived=documents,
    )


def _accept(request: HttpRequest, row: Invitation) -> HttpResponse:
    """Open the case. If the form is not valid, show it again with its values and files."""
    kinds = applicant_forms.of(row).document_kinds
    # Files that were saved earlier count as if they were part of this upload.
    earlier = kept_files.kept(request, row, kinds)
    files = draft_files.merge(request.FILES, earlier)
    status = HTTPStatus.UNPROCESSABLE_ENTITY
    with contextlib.closing(files):
        form = applicant_forms.of(row, request.POST, files)
        for name, words in files.faults:
            form.add_error(name, words)
        overwritten = draft_merging.overwritten(request.POST, row.typed)
        is_older = draft_merging.changed_elsewhere(request.POST, row.typed)
        if is_older or overwritten:
            status = HTTPStatus.CONFLICT
        elif form.is_valid():
            if response := _open_case(request, row, form):
                return response
            form.add_error(None, TOO_MANY_TODAY)
            status = HTTPStatus.TOO_MANY_REQUESTS
        values = [kind.value for kind in kinds]
        draft_files.store(row, files, kinds=values)
    # Not valid: save the typed values and the files for the next attempt.
    ids = request.POST.getlist("drop_file")
    dropped = draft_files.find(row, ids)
    draft_files.remove(dropped)
    _keep_text(request, row, form)
    if status == HTTPStatus.CONFLICT:
        form = applicant_forms.of(row, initial=row.typed)
    return _form_page(request, row, form, status, overwritten=overwritten)


def _open_case(
    request: HttpRequest, row: Invitation, form: applicant_forms.ApplicantForm
) -> HttpResponse | None:
    """Open the case of a valid form. None if no more cases can be opened today."""
    try:
        case = invitations.submit(
            row,
            subject=form.subject(),
            country=form.country(),
            data=form.self_attested_data(),
            documents=form.documents(),
        )
    except QuotaError:
        return None
    if case is not None:
        draft_files.remove(draft_files.of_link(row))
    # If the link has ended in the meantime, the page says so.
    return HttpResponseRedirect(request.path, status=HTTPStatus.SEE_OTHER)


def _form_page(
    request: HttpRequest,
    row: Invitation,
    form: CaseForm,
    status: HTTPStatus,
    *,
    faults: Mapping[str, list[str]] | None = None,
    overwritten: Mapping[str, str] | None = None,
) -> HttpResponse:
    """The form. `faults`: those of the last upload by kind; None means those of the form.
    `overwritten`: what another device had in fields that were changed on this page, too.
    """
    parts = kept_files.parts(row, form, form.document_kinds, faults)
    context = {
        **open_links.sender(),
        "form": form,
        "sections": list(_parts(form)),
        "invitation": row,
        "shown": draft_merging.hidden_value(row.typed),
        "changed_elsewhere": status == HTTPStatus.CONFLICT
        and draft_merging.CHANGED_ELSEWHERE,
        "overwritten": draft_merging.words_of_overwritten(form, overwritten or {}),
        "parts": parts,
        "refused_parts": [
            part for part in parts if faults and part.kind.value in faults
        ],
        "end_at": reverse("apply-end", args=[row.pk]),
        "draft_at": reverse("apply-draft", args=[row.pk]),
        "types": ACCEPTED,
        "extensions": EXTENSIONS,
        "max_bytes": settings.MAX_DOCUMENT_BYTES,
        "max_megabytes": settings.MAX_DOCUMENT_BYTES >> 20,
    }
    return render(request, "reviews/apply.html", context, status=status)


@dataclass(frozen=True)
class _Part:
    """A section of the form, which is folded unless `is_open`."""

    section: Section
    fields: list[forms.BoundField]
    filled: int  # fields with a value
    is_open: bool


def _parts(form: CaseForm) -> Iterator[_Part]:
    """The sections. Open are the first one, those with faults, and rows that were just added."""
    rows_of_parties = [row.section.key for row in form.parties]
    added = rows_of_parties[party_rows.FIRST :]
    for index, (section, cells) in enumerate(form.layout):
        fields = [field for field, _ in cells]
        filled = sum(1 for field in fields if field.value())
        is_first = index == 0
        is_new_row = section.key in added and not filled
        has_faults = form.is_bound and any(field.errors for field in fields)
        is_open = is_first or is_new_row or has_faults
        yield _Part(section, fields, filled, is_open)
