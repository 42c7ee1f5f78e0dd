"""Pages behind the link of a request: without an account, and without data of the case.

Chosen files and typed text are saved immediately, so the applicant can continue later by the same
link.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from http import HTTPStatus

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from compliance.storage.file_types import ACCEPTED, EXTENSIONS
from reviews.applicants import link_cookies
from reviews.intake import draft_files, information_requests, links
from reviews.intake.form_fields import DocumentsField, Uploads
from reviews.models import DOCUMENT_KINDS, InformationRequest
from reviews.pages.intake import draft_merging, kept_files, open_links

# Requests per link in open_links.SECONDS. Each file and each pause in typing saves a draft.
RATE_OF_DRAFTS = 400
# The statuses of a page that stays, because not all of it was saved as it was typed.
NOT_SAVED = (HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.CONFLICT)

Upload = tuple[str, UploadedFile[bytes]]  # kind of document, file
Status = InformationRequest.Status


class AnswerForm(forms.Form):
    """The applicant's answer: files by kind, and a text. At least one of them is required."""

    def __init__(
        self,
        request: InformationRequest,
        data: Mapping[str, object] | None = None,
        files: Uploads | None = None,
        *,
        initial: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(data, files, initial=dict(initial or {}))
        all_kinds = DOCUMENT_KINDS[request.case.kind]
        self.kinds = [kind for kind in all_kinds if kind in request.kinds]
        if not self.kinds:
            # The request names no kind that this case can have, so the applicant may choose any.
            self.kinds = list(all_kinds)
        for kind in self.kinds:
            self.fields[kind.value] = DocumentsField.of(kind)
        self.fields["text"] = forms.CharField(
            label=_("Message (optional)"),
            required=False,
            max_length=information_requests.LONGEST_TEXT,
            widget=forms.Textarea(attrs={"rows": 4}),
        )

    def uploads(self) -> list[Upload]:
        """The files with their kinds."""
        uploads = []
        for kind in self.kinds:
            for file in self.cleaned_data.get(kind) or []:
                uploads.append((kind.value, file))
        return uploads

    def clean(self) -> dict[str, object]:
        cleaned = super().clean() or self.cleaned_data
        # The fault of a file is shown. That nothing was chosen would be untrue.
        if self.errors:
            return cleaned
        count = len(self.uploads())
        text = cleaned.get("text", "")
        if not count and not text.strip():
            raise forms.ValidationError(
                _("Choose at least one file, or write something.")
            )
        if count > information_requests.MOST_FILES:
            words = _("Send at most %(most)d files.") % {
                "most": information_requests.MOST_FILES
            }
            raise forms.ValidationError(words)
        return cleaned


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def answer(request: HttpRequest, pk: int) -> HttpResponse:
    """The request. Status 403 without the link's cookie, 410 for an ended link, 429 for too many
    requests.
    """
    row = _opened(request, pk)
    if row is None:
        return open_links.closed_page(request, links.REQUEST)
    if refusal := _refusal(request, row, rate=open_links.RATE):
        return refusal
    information_requests.note_use(row)
    if request.method == "POST":
        response = _accept(request, row)
    else:
        form = AnswerForm(row, initial={"text": row.draft})
        response = _form_page(request, row, form, HTTPStatus.OK)
    link_cookies.give(response, links.REQUEST, pk)
    return response


@never_cache
@require_POST
def draft(request: HttpRequest, pk: int) -> HttpResponse:
    """Save the draft, and return the changed part of the page; without a script, redirect to the
    page.
    """
    row = _opened(request, pk)
    if row is None:
        return open_links.closed_page(request, links.REQUEST)
    if refusal := _refusal(request, row, rate=RATE_OF_DRAFTS, act="draft"):
        return refusal
    response = _keep_draft(request, row)
    link_cookies.give(response, links.REQUEST, pk)
    return response


@never_cache
@require_POST
def end(request: HttpRequest, pk: int) -> HttpResponse:
    """Save the draft, and delete the cookie, so that this browser can no longer open the
    request. The page stays if a chosen file was refused, or if another device has saved a text
    that this one would replace: nobody would be told.
    """
    row = _opened(request, pk)
    if row is not None and not _refusal(request, row, rate=RATE_OF_DRAFTS, act="draft"):
        response = _keep_draft(request, row)
        if response.status_code in NOT_SAVED:
            return response
    return open_links.ended_page(request, links.REQUEST, pk)


def _opened(request: HttpRequest, pk: int) -> InformationRequest | None:
    """The request, if this browser has opened its link. Otherwise None."""
    if not open_links.is_opened(request, links.REQUEST, pk):
        return None
    return information_requests.find(pk)


def _keep_draft(request: HttpRequest, row: InformationRequest) -> HttpResponse:
    form = AnswerForm(row)
    kind = request.GET.get("part", "")
    overwritten = draft_merging.overwritten(request.POST, {"text": row.draft})
    if overwritten and kind == "text":
        return draft_merging.refusal_of_save(form, overwritten)
    _keep_text(request, row)
    faults = kept_files.keep(request, row, form, form.kinds)
    if kind not in form.fields:
        if overwritten:
            form = AnswerForm(row, initial={"text": row.draft})
            status = HTTPStatus.CONFLICT
            return _form_page(
                request, row, form, status, faults=faults, overwritten=overwritten
            )
        if faults:
            # Without a script nothing else says which files were refused.
            form = AnswerForm(row, initial={"text": row.draft})
            status = HTTPStatus.UNPROCESSABLE_ENTITY
            return _form_page(request, row, form, status, faults=faults)
        address = reverse("request", args=[row.pk])
        return HttpResponseRedirect(address, status=HTTPStatus.SEE_OTHER)
    if kind == "text":
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    # Another request may have changed the row in the meantime.
    row.refresh_from_db()
    parts = kept_files.parts(row, form, form.kinds, faults)
    part_by_kind = {}
    for part in parts:
        part_by_kind[part.kind.value] = part
    context = {"part": part_by_kind[kind], "is_optional": not row.kinds}
    return render(request, "reviews/_request_part.html", context)


def _refusal(
    request: HttpRequest, row: InformationRequest, *, rate: int, act: str = ""
) -> HttpResponse | None:
    """A page that says why the link cannot be used; None if it can."""
    if refusal := open_links.too_many_page(
        request, links.REQUEST, pk=row.pk, act=act, rate=rate
    ):
        return refusal
    if row.status == Status.ANSWERED:
        return _answered_page(request, row)
    if not information_requests.is_open(row):
        words = _("This link has ended. Ask whoever sent it for a new one.")
        return open_links.page(request, words, HTTPStatus.GONE)
    return None


def _accept(request: HttpRequest, row: InformationRequest) -> HttpResponse:
    """Accept the answer. If the form is not valid, show it again and save its files."""
    form = AnswerForm(row)
    kinds = [kind.value for kind in form.kinds]
    # Files that were saved earlier count as if they were part of this upload.
    earlier = kept_files.kept(request, row, form.kinds)
    files = draft_files.merge(request.FILES, earlier)
    typed = {"text": row.draft}
    overwritten = draft_merging.overwritten(request.POST, typed)
    is_older = overwritten or draft_merging.changed_elsewhere(request.POST, typed)
    with contextlib.closing(files):
        form = AnswerForm(row, request.POST, files)
        for name, words in files.faults:
            form.add_error(name, words)
        if not is_older and form.is_valid():
            _store_answer(row, form)
            return HttpResponseRedirect(request.path, status=HTTPStatus.SEE_OTHER)
        draft_files.store(row, files, kinds=kinds)
    # Not valid: save the text and the files for the next attempt.
    ids = request.POST.getlist("drop_file")
    dropped = draft_files.find(row, ids)
    draft_files.remove(dropped)
    _keep_text(request, row)
    if is_older:
        form = AnswerForm(row, initial={"text": row.draft})
        status = HTTPStatus.CONFLICT
        return _form_page(request, row, form, status, overwritten=overwritten)
    return _form_page(request, row, form, HTTPStatus.UNPROCESSABLE_ENTITY)


def _keep_text(request: HttpRequest, row: InformationRequest) -> None:
    """Save the text if it was changed on this page: another device may have saved a newer one."""
    if "text" in draft_merging.changed_names(request.POST):
        information_requests.save_draft(row, text=request.POST["text"])
        row.refresh_from_db(fields=["draft"])


def _store_answer(row: InformationRequest, form: AnswerForm) -> None:
    text = form.cleaned_data["text"].strip()
    files = form.uploads()
    # If the answer came too late, the page says so, and the draft stays.
    if information_requests.answer(row, files=files, text=text):
        drafts = draft_files.of_link(row)
        draft_files.remove(drafts)


def _form_page(
    request: HttpRequest,
    row: InformationRequest,
    form: AnswerForm,
    status: HTTPStatus,
    *,
    faults: Mapping[str, list[str]] | None = None,
    overwritten: Mapping[str, str] | None = None,
) -> HttpResponse:
    """The form. `faults`: those of the last upload by kind; None means those of the form.
    `overwritten`: what another device had in fields that were changed on this page, too.
    """
    parts = kept_files.parts(row, form, form.kinds, faults)
    context = {
        **open_links.sender(),
        "form": form,
        "information_request": row,
        "shown": draft_merging.hidden_value({"text": row.draft}),
        "changed_elsewhere": status == HTTPStatus.CONFLICT
        and draft_merging.CHANGED_ELSEWHERE,
        "overwritten": draft_merging.words_of_overwritten(form, overwritten or {}),
        # A request without kinds asks for a text, and documents of any kind may be added.
        "is_optional": not row.kinds,
        "parts": parts,
        "refused_parts": [
            part for part in parts if faults and part.kind.value in faults
        ],
        "has_kept_files": any(part.files for part in parts),
        "end_at": reverse("request-end", args=[row.pk]),
        "draft_at": reverse("request-draft", args=[row.pk]),
        "refusals": row.refusals.select_related("document"),
        "received": information_requests.accepted_documents(row.case),
        "types": ACCEPTED,
        "extensions": EXTENSIONS,
        "max_bytes": settings.MAX_DOCUMENT_BYTES,
        "max_megabytes": settings.MAX_DOCUMENT_BYTES >> 20,
    }
    return render(request, "reviews/request.html", context, status=status)


def _answered_page(request: HttpRequest, row: InformationRequest) -> HttpResponse:
    """A page with the received documents, the missing ones, and a link to the next request."""
    documents = list(row.documents.all())
    # Kinds that were requested, but of which nothing was sent.
    kinds = {document.kind for document in documents}
    missing = []
    for kind in DOCUMENT_KINDS[row.case.kind]:
        if kind in row.kinds and kind.value not in kinds:
            missing.append(kind.label)
    next_address = ""
    later = information_requests.next_of(row)
    if later:
        next_address = reverse("request", args=[later.pk])
    context = {
        **open_links.sender(),
        "words": _("Thank you. What you sent has arrived."),
        "sent_at": row.answered_at,
        "arrived": documents,
        "missing": missing,
        "next_address": next_address,
        "end_at": reverse("request-end", args=[row.pk]),
    }
    response = render(request, "reviews/request.html", context)
    if later:
        # The holder of the earlier link may answer this request, too.
        link_cookies.give(response, links.REQUEST, later.pk)
    return response
