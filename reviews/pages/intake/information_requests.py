"""The page that an applicant opens by the link of a request: no account, nothing of the case."""

from __future__ import annotations

import contextlib
from http import HTTPStatus
from typing import Any

from django import forms
from django.conf import settings
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

# Of one address, in ten minutes: enough for a person with a bad line, too few to try links.
RATE, SECONDS = 30, 600


class AnswerForm(forms.Form):
    """What the applicant sends: files by kind, and words. One of both must be there."""

    def __init__(self, request: InformationRequest, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        of_case = DOCUMENT_KINDS[request.case.kind]
        self.kinds = [kind for kind in of_case if kind in request.kinds] or of_case
        for kind in self.kinds:
            self.fields[kind.value] = DocumentsField.of(kind)
        self.fields["text"] = forms.CharField(
            label="Anything to say", required=False, max_length=10_000,
            widget=forms.Textarea(attrs={"rows": 4}),
        )  # fmt: skip

    def sent(self) -> list[tuple[str, Any]]:
        return [
            (kind.value, file)
            for kind in self.kinds
            for file in self.cleaned_data.get(kind) or []
        ]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors and not self.sent() and not cleaned.get("text", "").strip():
            raise forms.ValidationError("Choose at least one file, or write something.")
        if not self.errors and len(self.sent()) > information_requests.MOST_FILES:
            raise forms.ValidationError(
                f"Send at most {information_requests.MOST_FILES} files."
            )
        return cleaned


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def answer(request: HttpRequest, token: str) -> HttpResponse:
    """404 for a link that was never given, 410 for one that has ended, 429 for too many tries."""
    if not _is_within_rate(request):
        response = _page(request, "Please wait a few minutes, and try again.", 429)
        response["Retry-After"] = str(SECONDS)
        return response
    found = information_requests.find(token)
    if found is None:
        return _page(request, "This link is not complete. Copy the whole link.", 404)
    if found.status == InformationRequest.Status.ANSWERED:
        return _page(request, "Thank you. What you sent has arrived.", 200)
    if found.status != InformationRequest.Status.OPEN or found.expires_at <= now():
        return _page(
            request, "This link has ended. Ask whoever sent it for a new one.", 410
        )
    return _asked(request, found)


def _asked(request: HttpRequest, found: InformationRequest) -> HttpResponse:
    sent, kept = request.method == "POST", list[DraftFile]()
    form = AnswerForm(found)
    if sent:
        earlier = draft_files.chosen_files(found, request.POST, kinds=form.kinds)
        files = draft_files.merge(request.FILES, earlier)
        with contextlib.closing(files):
            form = AnswerForm(found, request.POST, files)
            for name, words in files.faults:
                form.add_error(name, words)
            if form.is_valid():
                information_requests.answer(
                    found, files=form.sent(), text=form.cleaned_data["text"].strip()
                )
                draft_files.remove(earlier)
                return HttpResponseRedirect(request.path, status=HTTPStatus.SEE_OTHER)
            kept = draft_files.store(found, files, kinds=form.kinds)
    context = {
        "form": form, "asked": found, "types": ACCEPTED, "kept": kept,
        "kept_kinds": [(kind.value, kind.label) for kind in form.kinds],
        "max_bytes": settings.MAX_DOCUMENT_BYTES,
        "max_megabytes": settings.MAX_DOCUMENT_BYTES >> 20,
    }  # fmt: skip
    status = HTTPStatus.UNPROCESSABLE_ENTITY if sent else HTTPStatus.OK
    return render(request, "reviews/request.html", context, status=status)


def _page(request: HttpRequest, words: str, status: int) -> HttpResponse:
    return render(request, "reviews/request.html", {"words": words}, status=status)


def _is_within_rate(request: HttpRequest) -> bool:
    name = f"reviews.request:{address_of(request)}"
    return count(name, seconds=SECONDS) <= RATE
