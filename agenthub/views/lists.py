"""The lists that subjects are screened against: which versions are loaded, and how they stand."""

from __future__ import annotations

from http import HTTPStatus
from urllib.parse import urlsplit

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from agenthub.access import administrators_only
from agenthub.screening import refreshing, status
from agenthub.screening.formats import ListError
from agenthub.screening.models import ListRefresh, ListSource, ListVersion, Rescreening
from agenthub.views.shell import context

NEWEST = 60  # versions on a page; the administration lists them all
COLORS = {"active": "pass", "staging": "info", "retired": "", "rejected": "fail"}


class RefreshForm(forms.Form):
    url = forms.URLField(
        required=False, label="Fetched from", max_length=500, assume_scheme="https",
        help_text="Empty: as it is. It may hold a token, and is not shown again.",
    )  # fmt: skip
    on = forms.BooleanField(required=False, label="Fetch it every day")


@administrators_only
@require_safe
def listed(request: HttpRequest) -> HttpResponse:
    return render(request, "agenthub/lists.html", context("lists", lists=status.all_lists()))


@administrators_only
@require_http_methods(["GET", "HEAD", "POST"])
def one(request: HttpRequest, slug: str) -> HttpResponse:
    source = get_object_or_404(ListSource, slug=slug)
    refresh = ListRefresh.objects.filter(source=source).first()
    is_on = refresh is not None and refresh.status == ListRefresh.Status.ON
    form = RefreshForm(request.POST or None, initial={"on": is_on})
    if request.method == "POST" and form.is_valid():
        try:
            refreshing.switch(source, **form.cleaned_data)
        except ListError as exc:
            form.add_error("url", str(exc))
        else:
            return _see(slug)
    found = context(
        "lists", source=source, state=status.of(source), versions=_versions(source), form=form,
        refresh=refresh, is_on=is_on, host=urlsplit(source.url).hostname,
    )  # fmt: skip
    return render(request, "agenthub/list.html", found)


def _versions(source: ListSource) -> list[tuple[ListVersion, str, Rescreening | None]]:
    rows = source.versions.select_related("rescreening")[:NEWEST]
    return [(row, COLORS[row.status], getattr(row, "rescreening", None)) for row in rows]


@administrators_only
@require_POST
def fetch(request: HttpRequest, slug: str) -> HttpResponse:
    row = get_object_or_404(ListRefresh, source__slug=slug)
    if refreshing.fetch_now(row):
        messages.success(request, "The list is being fetched.")
    else:
        messages.error(request, "The refresh of this list is off.")
    return _see(slug)


def _see(slug: str) -> HttpResponse:
    return HttpResponseRedirect(reverse("hub-list", args=[slug]), status=HTTPStatus.SEE_OTHER)
