"""The page that an applicant opens by the link of a request: no account, nothing of the case."""

from __future__ import annotations

import contextlib
from http import HTTPStatus
from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.timezone import now
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from compliance.http.callers import address_of
from compliance.http.counters import count
from compliance.storage.file_types import ACCEPTED
from reviews.intake import draft_files, information_requests
from reviews.intake.form_fields import DocumentsField
from reviews.models import DOCUMENT_KINDS, DraftFile, InformationRequest

# Of one link, and of one address without one, in ten minutes: enough for a person with a bad line, too
# few to try links.
RATE, SECONDS = 30, 600

Upload = tuple[str, UploadedFile[bytes]]  # its kind, and the file


class AnswerForm(forms.Form):
    """What the applicant sends: files by kind, and words. One of both must be there."""

    def __init__(self, request: InformationRequest, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        all_kinds = DOCUMENT_KINDS[request.case.kind]
        self.kinds = [kind for kind in all_kinds if kind in request.kinds]
        if not self.kinds:
            # The request names no kind that its case can have: the applicant chooses.
            self.kinds = list(all_kinds)
        for kind in self.kinds:
            self.fields[kind.value] = DocumentsField.of(kind)
        self.fields["text"] = forms.CharField(
            label="Anything to say", required=False, max_length=10_000,
            widget=forms.Textarea(attrs={"rows": 4}),
        )  # fmt: skip

    def uploads(self) -> list[Upload]:
        """The files with their kinds."""
        uploads = []
        for kind in self.kinds:
            for file in self.cleaned_data.get(kind) or []:
                uploads.append((kind.value, file))
        return uploads

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if self.errors:
            return cleaned
        count = len(self.uploads())
        if not count and not cleaned.get("text", "").strip():
            raise forms.ValidationError("Choose at least one file, or write something.")
        if count > information_requests.MOST_FILES:
            words = f"Send at most {information_requests.MOST_FILES} files."
            raise forms.ValidationError(words)
        return cleaned


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def answer(request: HttpRequest, token: str) -> HttpResponse:
    """404 for a link that was never given, 410 for one that has ended, 429 for too many tries."""
    row = information_requests.find(token)
    # Applicants may share an address: who has a link is counted by it, others by the address.
    caller = f"link:{row.pk}" if row else f"address:{address_of(request)}"
    if count(f"reviews.request:{caller}", seconds=SECONDS) > RATE:
        response = _page(request, "Please wait a few minutes, and try again.", 429)
        response["Retry-After"] = str(SECONDS)
        return response
    if row is None:
        return _page(request, "This link is not complete. Copy the whole link.", 404)
    if row.status == InformationRequest.Status.ANSWERED:
        return _page(request, "Thank you. What you sent has arrived.", 200)
    if row.status != InformationRequest.Status.OPEN or row.expires_at <= now():
        words = "This link has ended. Ask whoever sent it for a new one."
        return _page(request, words, 410)
    information_requests.note_use(row)
    if request.method == "POST":
        return _accept(request, row)
    return _form_page(request, row, AnswerForm(row), [], HTTPStatus.OK)


def _accept(request: HttpRequest, row: InformationRequest) -> HttpResponse:
    """Take the answer; where it does not fit, show the form again and keep its files."""
    kinds = AnswerForm(row).kinds
    earlier = draft_files.chosen_files(row, request.POST, kinds=kinds)
    files = draft_files.merge(request.FILES, earlier)
    with contextlib.closing(files):
        form = AnswerForm(row, request.POST, files)
        for name, words in files.faults:
            form.add_error(name, words)
        if form.is_valid():
            text = form.cleaned_data["text"].strip()
            information_requests.answer(row, files=form.uploads(), text=text)
            draft_files.remove(earlier)
            return HttpResponseRedirect(request.path, status=HTTPStatus.SEE_OTHER)
        stored = draft_files.store(row, files, kinds=kinds)
    return _form_page(request, row, form, stored, HTTPStatus.UNPROCESSABLE_ENTITY)


def _form_page(
    request: HttpRequest,
    row: InformationRequest,
    form: AnswerForm,
    files: list[DraftFile],
    status: HTTPStatus,
) -> HttpResponse:
    context = {
        "form": form,
        "information_request": row,
        "types": ACCEPTED,
        "draft_files": files,
        "file_kinds": [(kind.value, kind.label) for kind in form.kinds],
        "max_bytes": settings.MAX_DOCUMENT_BYTES,
        "max_megabytes": settings.MAX_DOCUMENT_BYTES >> 20,
    }
    return render(request, "reviews/request.html", context, status=status)


def _page(request: HttpRequest, words: str, status: int) -> HttpResponse:
    return render(request, "reviews/request.html", {"words": words}, status=status)
