"""The pages that an applicant opens by the link of a request: no account, nothing of the case.

What is chosen or typed is kept as it comes: whoever closes the page goes on by the same link.
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
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from compliance.http.callers import address_of
from compliance.http.counters import count
from compliance.storage.file_types import ACCEPTED, EXTENSIONS
from reviews.intake import draft_files, information_requests
from reviews.intake.form_fields import DocumentsField, Uploads
from reviews.models import DOCUMENT_KINDS, InformationRequest
from reviews.organisation import organisation
from reviews.pages.intake import kept_files

# Of one link, and of one address without one, in ten minutes: enough for a person with a bad line, too
# few to try links.
RATE, SECONDS = 30, 600
# Of one link: each file and each pause in typing is kept.
RATE_OF_DRAFTS = 400

Upload = tuple[str, UploadedFile[bytes]]  # its kind, and the file
Status = InformationRequest.Status


class AnswerForm(forms.Form):
    """What the applicant sends: files by kind, and words. One of both must be there."""

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
            # The request names no kind that its case can have: the applicant chooses.
            self.kinds = list(all_kinds)
        for kind in self.kinds:
            self.fields[kind.value] = DocumentsField.of(kind)
        self.fields["text"] = forms.CharField(
            label=_("Anything to say"),
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
def answer(request: HttpRequest, token: str) -> HttpResponse:
    """404 for a link that was never given, 410 for one that has ended, 429 for too many tries."""
    row = information_requests.find(token)
    if refusal := _refusal(request, row, rate=RATE):
        return refusal
    assert row is not None  # noqa: S101 - refused otherwise, for the type checker
    information_requests.note_use(row)
    if request.method == "POST":
        return _accept(request, row)
    form = AnswerForm(row, initial={"text": row.draft})
    return _form_page(request, row, form, HTTPStatus.OK)


@never_cache
@require_POST
def draft(request: HttpRequest, token: str) -> HttpResponse:
    """Keep what came, and show the part of the page that it belongs to; without a script, the page."""
    row = information_requests.find(token)
    if refusal := _refusal(request, row, rate=RATE_OF_DRAFTS, name="draft"):
        return refusal
    assert row is not None  # noqa: S101 - refused otherwise, for the type checker
    form = AnswerForm(row)
    if "text" in request.POST:
        information_requests.save_draft(row, text=request.POST["text"])
    faults = kept_files.keep(request, row, form, form.kinds)
    kind = request.GET.get("part", "")
    if kind not in form.fields:
        address = reverse("request", args=[token])
        return HttpResponseRedirect(address, status=HTTPStatus.SEE_OTHER)
    if kind == "text":
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    row.refresh_from_db()
    parts = kept_files.parts(row, form, form.kinds, faults)
    part_by_kind = {}
    for part in parts:
        part_by_kind[part.kind.value] = part
    context = {"part": part_by_kind[kind]}
    return render(request, "reviews/_request_part.html", context)


def _refusal(
    request: HttpRequest, row: InformationRequest | None, *, rate: int, name: str = ""
) -> HttpResponse | None:
    """The page that takes no answer, and why; None where this link takes one."""
    # Applicants may share an address: who has a link is counted by it, others by the address.
    if row is None:
        caller = f"address:{address_of(request)}"
    else:
        caller = f"link{name}:{row.pk}"
    tries = count(f"reviews.request:{caller}", seconds=SECONDS)
    if tries > rate:
        response = _page(request, _("Please wait a few minutes, and try again."), 429)
        response["Retry-After"] = str(SECONDS)
        return response
    if row is None:
        return _page(request, _("This link is not complete. Copy the whole link."), 404)
    if row.status == Status.ANSWERED:
        return _answered_page(request, row)
    if row.status != Status.OPEN or row.expires_at <= now():
        words = _("This link has ended. Ask whoever sent it for a new one.")
        return _page(request, words, 410)
    return None


def _accept(request: HttpRequest, row: InformationRequest) -> HttpResponse:
    """Take the answer; where it does not fit, show the form again and keep its files."""
    form = AnswerForm(row)
    kinds = [kind.value for kind in form.kinds]
    earlier = kept_files.kept(request, row, form.kinds)
    files = draft_files.merge(request.FILES, earlier)
    with contextlib.closing(files):
        form = AnswerForm(row, request.POST, files)
        for name, words in files.faults:
            form.add_error(name, words)
        if form.is_valid():
            _store_answer(row, form)
            return HttpResponseRedirect(request.path, status=HTTPStatus.SEE_OTHER)
        draft_files.store(row, files, kinds=kinds)
    ids = request.POST.getlist("drop_file")
    dropped = draft_files.find(row, ids)
    draft_files.remove(dropped)
    text = request.POST.get("text", "")
    information_requests.save_draft(row, text=text)
    return _form_page(request, row, form, HTTPStatus.UNPROCESSABLE_ENTITY)


def _store_answer(row: InformationRequest, form: AnswerForm) -> None:
    text = form.cleaned_data["text"].strip()
    files = form.uploads()
    # Where the answer came too late, the page says so, and what was typed stays.
    if information_requests.answer(row, files=files, text=text):
        drafts = draft_files.of_link(row)
        draft_files.remove(drafts)


def _form_page(
    request: HttpRequest, row: InformationRequest, form: AnswerForm, status: HTTPStatus
) -> HttpResponse:
    context = {
        **_sender(),
        "form": form,
        "information_request": row,
        "parts": kept_files.parts(row, form, form.kinds),
        "draft_at": reverse("request-draft", args=[request.path.split("/")[2]]),
        "refusals": row.refusals.select_related("document"),
        "received": information_requests.accepted_documents(row.case),
        "types": ACCEPTED,
        "extensions": EXTENSIONS,
        "max_bytes": settings.MAX_DOCUMENT_BYTES,
        "max_megabytes": settings.MAX_DOCUMENT_BYTES >> 20,
    }
    return render(request, "reviews/request.html", context, status=status)


def _answered_page(request: HttpRequest, row: InformationRequest) -> HttpResponse:
    """What has arrived, what was wanted besides, and the way to the next round."""
    documents = list(row.documents.all())
    kinds = {document.kind for document in documents}
    missing = []
    for kind in DOCUMENT_KINDS[row.case.kind]:
        if kind in row.kinds and kind.value not in kinds:
            missing.append(kind.label)
    next_address = ""
    later = information_requests.next_of(row)
    if later:
        next_address = information_requests.address(later)
    context = {
        **_sender(),
        "words": _("Thank you. What you sent has arrived."),
        "arrived": documents,
        "missing": missing,
        "next_address": next_address,
    }
    return render(request, "reviews/request.html", context)


def _page(request: HttpRequest, words: str, status: int) -> HttpResponse:
    context = {**_sender(), "words": words}
    return render(request, "reviews/request.html", context, status=status)


def _sender() -> dict[str, object]:
    sender = organisation.current()
    return {"sender": sender, "sender_name": organisation.name_of(sender)}
