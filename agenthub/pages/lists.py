"""Pages of the lists that subjects are screened against, and of their versions."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import urlsplit

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
)

from agenthub.accounts.permissions import administrators_only
from agenthub.models.lists import (
    HeldVersion,
    ListName,
    ListRefresh,
    ListSource,
    ListVersion,
    Rescreening,
)
from agenthub.pages import list_faults
from agenthub.pages.layout import context
from agenthub.screening import catalogue, held, plausibility, refreshing, status
from agenthub.screening.formats import ListError
from compliance.pages import form_state

NEWEST = 60  # versions on a page; the admin site lists all
MOST_CANARIES, LONGEST_CANARY = 50, 200
COLORS = {"active": "pass", "staging": "info", "retired": "", "rejected": "fail"}


class RefreshForm(forms.Form):
    url = forms.URLField(
        required=False, label=gettext_lazy("Fetched from"), max_length=500, assume_scheme="https",
        help_text=gettext_lazy("Empty: as it is. It may hold a token, and is not shown again."),
    )  # fmt: skip
    on = forms.BooleanField(required=False, label=gettext_lazy("Fetch it every day"))


def _addable() -> list[tuple[str, str]]:
    """(slug, title) of well-known lists that can be fetched and are not here yet."""
    present = set(ListSource.objects.values_list("slug", flat=True))
    choices = []
    for slug, (title, _format, url) in catalogue.WELL_KNOWN.items():
        if url and slug not in present:
            choices.append((slug, title))
    return choices


class AddForm(forms.Form):
    slug = forms.ChoiceField(label=gettext_lazy("List"), choices=_addable)


class ReleaseForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Why this version is right"),
        max_length=1000,
        widget=forms.Textarea({"rows": 2}),
    )


class CanariesForm(forms.Form):
    canaries = forms.CharField(
        required=False, label=gettext_lazy("Names, one a line"), widget=forms.Textarea({"rows": 4}),
        help_text=gettext_lazy("A version that does not hold every one of them is held for a person."),
    )  # fmt: skip

    def clean_canaries(self) -> list[str]:
        lines = self.cleaned_data["canaries"].splitlines()
        plain_lines = []
        for line in lines:
            plain_lines.append(" ".join(line.split()))
        names = list(dict.fromkeys(filter(None, plain_lines)))
        if len(names) > MOST_CANARIES:
            raise forms.ValidationError(
                _("At most %(most)d names.") % {"most": MOST_CANARIES}
            )
        for name in names:
            has_words = any(plausibility.written_ways(name))
            if not has_words or len(name) > LONGEST_CANARY:
                raise forms.ValidationError(
                    _("Each line must be a name that can be compared.")
                )
        return names


@administrators_only
@require_http_methods(["GET", "HEAD", "POST"])
def list_of_lists(request: HttpRequest) -> HttpResponse:
    """The lists, and a form that adds a well-known one and fetches it every day."""
    code = HTTPStatus.OK
    form = AddForm(request.POST or None)
    if request.method == "POST":
        if form.is_valid():
            slug = form.cleaned_data["slug"]
            refreshing.switch(catalogue.source(slug), url="", on=True)
            messages.success(request, _("The list is being fetched."))
            return _see_other(slug)
        code = HTTPStatus.UNPROCESSABLE_ENTITY
    page = context(
        "lists",
        lists=status.all_lists(),
        program=settings.PROGRAM,
        form=form,
        may_add=bool(_addable()),
    )
    return render(request, "agenthub/lists.html", page, status=code)


@administrators_only
@require_http_methods(["GET", "HEAD", "POST"])
def list_page(request: HttpRequest, slug: str) -> HttpResponse:
    source = get_object_or_404(ListSource, slug=slug)
    if request.method != "POST":
        return _page_of(request, source)
    form = RefreshForm(request.POST)
    if form.is_valid():
        try:
            refreshing.switch(source, **form.cleaned_data)
        except ListError as exc:
            form.add_error("url", list_faults.in_words(str(exc)))
        else:
            return _see_other(slug)
    return _page_of(request, source, form=form)


def _page_of(
    request: HttpRequest, source: ListSource, **forms_sent: forms.Form
) -> HttpResponse:
    """The page of a list; a form that was sent and not accepted is on it as it was sent."""
    refresh = ListRefresh.objects.filter(source=source).first()
    is_on = refresh is not None and refresh.status == ListRefresh.Status.ON
    names = _lines_of(source)
    shown = {
        "form": RefreshForm(initial={"on": is_on}),
        "release": ReleaseForm(),
        "canaries": CanariesForm(initial={"canaries": names}),
        **forms_sent,
    }
    state = status.of(source)
    page = context(
        "lists",
        source=source,
        state=state,
        held_why=list_faults.in_words(state.held.version.note) if state.held else "",
        held_error=list_faults.in_words(state.held.error) if state.held else "",
        refresh_error=list_faults.in_words(refresh.error) if refresh else "",
        versions=_versions(source),
        refresh=refresh,
        is_on=is_on,
        host=urlsplit(source.url).hostname,
        canaries_state=_state_of_canaries(source),
        **shown,
    )
    is_refused = any(form.errors for form in forms_sent.values())
    code = HTTPStatus.UNPROCESSABLE_ENTITY if is_refused else HTTPStatus.OK
    return render(request, "agenthub/list.html", page, status=code)


@dataclass(frozen=True)
class _RescreeningState:
    """The state of the rescreening for a version, over all its parts."""

    status: str
    raised: int
    error: str


# A version, its colour, its rescreening and why it was not loaded.
_Row = tuple[ListVersion, str, _RescreeningState | None, str]


def _versions(source: ListSource) -> list[_Row]:
    rows = source.versions.select_related("held").prefetch_related("rescreenings")
    versions: list[_Row] = []
    for row in rows[:NEWEST]:
        again = _rescreening_state(row.rescreenings.all())
        note = list_faults.in_words(row.note)
        versions.append((row, COLORS[row.status], again, note))
    return versions


# The state of several parts: the first of these statuses that one of them has.
_STATUS_OF_ALL = (
    Rescreening.Status.FAILED,
    Rescreening.Status.DUE,
    Rescreening.Status.DONE,
)


def _rescreening_state(parts: Collection[Rescreening]) -> _RescreeningState | None:
    if not parts:
        return None
    statuses = {part.status for part in parts}
    status = next(each for each in _STATUS_OF_ALL if each in statuses)
    errors = [part.error for part in parts if part.error]
    raised = sum(part.raised for part in parts)
    return _RescreeningState(str(status.label), raised, " ".join(dict.fromkeys(errors)))


@administrators_only
@require_POST
def release(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    row = get_object_or_404(HeldVersion, pk=pk, version__source__slug=slug)
    form = ReleaseForm(request.POST)
    if not form.is_valid():
        messages.error(
            request, _("Say why this version is right. Nothing was released.")
        )
        return _page_of(request, row.version.source, release=form)
    by, reason = request.user.get_username(), form.cleaned_data["reason"]
    if held.release(row, by=by, reason=reason):
        messages.success(request, _("The version is released, and is being loaded."))
    else:
        messages.error(request, _("The version is not held any more."))
    return _see_other(slug)


@administrators_only
@require_POST
def canaries(request: HttpRequest, slug: str) -> HttpResponse:
    source = get_object_or_404(ListSource, slug=slug)
    form = CanariesForm(request.POST, initial={"canaries": _lines_of(source)})
    is_stale = form_state.refuse_stale(form, _state_of_canaries(source))
    if is_stale or not form.is_valid():
        return _page_of(request, source, canaries=form)
    names = form.cleaned_data["canaries"]
    source.canaries = names
    source.save(update_fields=["canaries"])
    messages.success(
        request,
        _("%(count)d names must be found in every version.") % {"count": len(names)},
    )
    missing = _not_in_active(source, names)
    if missing:
        first_names = ", ".join(missing[:5])
        messages.warning(
            request,
            _("The active version does not hold: %(names)s.") % {"names": first_names},
        )
    return _see_other(slug)


def _lines_of(source: ListSource) -> str:
    return "\n".join(source.canaries)


def _state_of_canaries(source: ListSource) -> str:
    form = CanariesForm(initial={"canaries": _lines_of(source)})
    return form_state.state_of(form)


def _not_in_active(source: ListSource, names: list[str]) -> list[str]:
    """The names that the active version does not contain; empty if no version is active."""
    if not source.versions.filter(status=ListVersion.Status.ACTIVE).exists():
        return []
    rows = ListName.objects.filter(entity__source=source, entity__last_version=None)
    active_names = set()
    for tokens in rows.values_list("tokens", flat=True).iterator():
        active_names.add(" ".join(sorted(tokens.split())))
    return [
        name
        for name in names
        if active_names.isdisjoint(plausibility.written_ways(name))
    ]


@administrators_only
@require_POST
def fetch(request: HttpRequest, slug: str) -> HttpResponse:
    row = get_object_or_404(ListRefresh, source__slug=slug)
    if refreshing.fetch_now(row):
        messages.success(request, _("The list is being fetched."))
    else:
        messages.error(request, _("The refresh of this list is off."))
    return _see_other(slug)


def _see_other(slug: str) -> HttpResponse:
    return HttpResponseRedirect(
        reverse("hub-list", args=[slug]), status=HTTPStatus.SEE_OTHER
    )
