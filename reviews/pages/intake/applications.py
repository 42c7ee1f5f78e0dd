"""The form by which an applicant begins a case: no account, kept as it is filled in."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from http import HTTPStatus

from django import forms
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from compliance.http.callers import address_of
from compliance.http.counters import count
from compliance.http.limits.quotas import QuotaError
from compliance.storage.file_types import ACCEPTED, EXTENSIONS
from reviews.applicants import forms as applicant_forms
from reviews.applicants import invitations
from reviews.intake import draft_files
from reviews.intake.form_fields import Section
from reviews.intake.forms import CaseForm
from reviews.models import Invitation
from reviews.organisation import organisation
from reviews.pages.intake import kept_files

# As at the link of a request: of one link, and of one address without one, in ten minutes.
RATE, RATE_OF_DRAFTS, SECONDS = 30, 400, 600
TOO_MANY_TODAY = gettext_lazy(
    "The form cannot be taken today. All of it is saved: open this page again tomorrow,"
    " and send it then."
)
ENDED = gettext_lazy("This link has ended. Ask whoever sent it for a new one.")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def apply(request: HttpRequest, token: str) -> HttpResponse:
    """404 for a link that was never given, 410 for one that has ended, 429 for too many tries."""
    row = invitations.find(token)
    if refusal := _refusal(request, row, rate=RATE):
        return refusal
    assert row is not None  # noqa: S101 - refused otherwise, for the type checker
    if request.method == "POST":
        return _accept(request, row)
    form = applicant_forms.of(row, initial=row.typed)
    return _form_page(request, row, form, HTTPStatus.OK)


@never_cache
@require_POST
def draft(request: HttpRequest, token: str) -> HttpResponse:
    """Keep what came, and show the part of the page that it belongs to; without a script, the page."""
    row = invitations.find(token)
    if refusal := _refusal(request, row, rate=RATE_OF_DRAFTS, name="draft"):
        return refusal
    assert row is not None  # noqa: S101 - refused otherwise, for the type checker
    form = applicant_forms.of(row)
    part = request.GET.get("part", "")
    if part in ("", "text"):
        invitations.save_draft(row, form.typed(request.POST))
    kinds = form.document_kinds
    faults = kept_files.keep(request, row, form, kinds)
    if part == "text":
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    for shown in kept_files.parts(row, form, kinds, faults):
        if shown.kind.value == part:
            context = {"part": shown}
            return render(request, "reviews/_request_part.html", context)
    address = reverse("apply", args=[token])
    return HttpResponseRedirect(address, status=HTTPStatus.SEE_OTHER)


def _refusal(
    request: HttpRequest, row: Invitation | None, *, rate: int, name: str = ""
) -> HttpResponse | None:
    """The page that takes no form, and why; None where this link takes one."""
    # Applicants may share an address: who has a link is counted by it, others by the address.
    if row is None:
        caller = f"address:{address_of(request)}"
    else:
        caller = f"link{name}:{row.pk}"
    tries = count(f"reviews.apply:{caller}", seconds=SECONDS)
    if tries > rate:
        response = _page(request, _("Please wait a few minutes, and try again."), 429)
        response["Retry-After"] = str(SECONDS)
        return response
    if row is None:
        return _page(request, _("This link is not complete. Copy the whole link."), 404)
    if row.status == Invitation.Status.SUBMITTED:
        return _page(request, _("Thank you. What you sent has arrived."), 200)
    if not invitations.is_open(row):
        return _page(request, str(ENDED), 410)
    return None


def _accept(request: HttpRequest, row: Invitation) -> HttpResponse:
    """Open the case; where the form does not fit, show it again with all that it has."""
    kinds = applicant_forms.of(row).document_kinds
    earlier = kept_files.kept(request, row, kinds)
    files = draft_files.merge(request.FILES, earlier)
    status = HTTPStatus.UNPROCESSABLE_ENTITY
    with contextlib.closing(files):
        form = applicant_forms.of(row, request.POST, files)
        for name, words in files.faults:
            form.add_error(name, words)
        if form.is_valid():
            try:
                case = invitations.submit(
                    row,
                    subject=form.subject(),
                    country=form.country(),
                    data=form.self_attested_data(),
                    documents=form.documents(),
                )
            except QuotaError:
                form.add_error(None, TOO_MANY_TODAY)
                status = HTTPStatus.TOO_MANY_REQUESTS
            except PermissionDenied:
                # Whoever invited has left, or may not submit any more.
                return _page(request, str(ENDED), HTTPStatus.GONE)
            else:
                if case is not None:
                    draft_files.remove(draft_files.of_link(row))
                # Where the link has ended meanwhile the page says so.
                return HttpResponseRedirect(request.path, status=HTTPStatus.SEE_OTHER)
        values = [kind.value for kind in kinds]
        draft_files.store(row, files, kinds=values)
    ids = request.POST.getlist("drop_file")
    dropped = draft_files.find(row, ids)
    draft_files.remove(dropped)
    invitations.save_draft(row, form.typed(request.POST))
    return _form_page(request, row, form, status)


def _form_page(
    request: HttpRequest, row: Invitation, form: CaseForm, status: HTTPStatus
) -> HttpResponse:
    context = {
        **_sender(),
        "form": form,
        "sections": list(_sections(form)),
        "invitation": row,
        "parts": kept_files.parts(row, form, form.document_kinds),
        "draft_at": reverse("apply-draft", args=[request.path.split("/")[2]]),
        "types": ACCEPTED,
        "extensions": EXTENSIONS,
        "max_bytes": settings.MAX_DOCUMENT_BYTES,
        "max_megabytes": settings.MAX_DOCUMENT_BYTES >> 20,
    }
    return render(request, "reviews/apply.html", context, status=status)


def _sections(form: CaseForm) -> Iterator[tuple[Section, list[forms.BoundField]]]:
    for section, fields in form.layout:
        yield section, [field for field, _ in fields]


def _page(request: HttpRequest, words: str, status: int) -> HttpResponse:
    context = {**_sender(), "words": words}
    return render(request, "reviews/request.html", context, status=status)


def _sender() -> dict[str, object]:
    sender = organisation.current()
    return {"sender": sender, "sender_name": organisation.name_of(sender)}
