"""Pages for many cases from one file: the user's files, and the batches of a service."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, cast

from django import forms
from django.conf import settings
from django.contrib.auth.decorators import permission_required
from django.contrib.auth.models import User
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_safe

from reviews.access import masking, roles
from reviews.access.decorators import person_of, readers_only
from reviews.imports import imports
from reviews.intake import batch_files, batches
from reviews.intake.form_fields import Uploads
from reviews.models import Agent, Kind
from reviews.service.client import ServiceError

MOST_IMPORTS = 50
STOP_POLLING = 286  # htmx: swap this response in, and stop polling
submitters_only = permission_required("reviews.add_case", raise_exception=True)


class BatchForm(forms.Form):
    agent = forms.ModelChoiceField(
        label=gettext_lazy("Agent"), queryset=Agent.objects.none(), empty_label=None
    )
    file = forms.FileField(
        label=gettext_lazy("File"),
        max_length=255,
        help_text=gettext_lazy(
            "CSV in UTF-8, one case a row. On the next page you see what its columns mean "
            "and what is wrong with it. No case is opened before you say so."
        ),
        widget=forms.FileInput(attrs={"accept": ".csv,text/csv"}),
    )

    def __init__(
        self,
        data: Mapping[str, object] | None = None,
        files: Uploads | None = None,
        *,
        actor: User,
        initial: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(data, files, initial=dict(initial or {}))
        choices = cast("forms.ModelChoiceField[Agent]", self.fields["agent"])
        choices.queryset = roles.agents(actor)

    def clean_file(self) -> UploadedFile[bytes]:
        file: UploadedFile[bytes] = self.cleaned_data["file"]
        if (file.size or 0) > settings.MAX_DOCUMENT_BYTES:
            raise forms.ValidationError(_("The file is too large. Split it."))
        return file


@readers_only
@submitters_only
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_store=True)
def home(request: HttpRequest) -> HttpResponse:
    """Upload a file; list the user's own files, and the batches of an agent at its service."""
    person = person_of(request)
    agents = list(roles.agents(person))
    agent = _chosen(agents, request.GET.get("agent", ""))
    form = BatchForm(
        request.POST or None,
        request.FILES or None,
        initial={"agent": agent},
        actor=person,
    )
    if request.method == "POST" and form.is_valid():
        address = _keep(form, person)
        if address:
            return HttpResponseRedirect(address, status=HTTPStatus.SEE_OTHER)
    newest: Sequence[batches.Progress] = ()
    # If the service does not respond, the rest of the page still works.
    error = ""
    if agent:
        try:
            # The request may be a POST, which is not masked by the middleware.
            with masking.hide_from(person):
                newest = batches.newest(agent, actor=person)
        except ServiceError as exc:
            error = str(exc)
    context = {
        "nav": "batches",
        "form": form,
        "kinds": Kind,
        "imports": imports.of(person)[:MOST_IMPORTS],
        "agents": agents,
        "agent": agent,
        "batches": newest,
        "error": error,
    }
    return render(request, "reviews/batches.html", context)


@readers_only
@submitters_only
@require_safe
def template(request: HttpRequest, kind: str) -> HttpResponse:
    """A CSV file with the columns of a kind of case, to be filled in."""
    if kind not in Kind.values:
        raise Http404
    content = batch_files.template(kind)
    response = HttpResponse(content, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="cases-{kind}.csv"'
    response["X-Content-Type-Options"] = "nosniff"
    return response


def _chosen(agents: Sequence[Agent], pk: str) -> Agent | None:
    """The agent with this id; otherwise the first one."""
    for agent in agents:
        if str(agent.pk) == pk:
            return agent
    return agents[0] if agents else None


def _keep(form: BatchForm, person: User) -> str:
    """Store the file and return its address; "" if it cannot be read, with an error in the form."""
    file = form.cleaned_data["file"]
    try:
        row = imports.keep(
            file.read(),
            file_name=file.name or "cases.csv",
            agent=form.cleaned_data["agent"],
            actor=person,
        )
    except batch_files.RefusedFileError as exc:
        form.add_error("file", exc.faults)
        return ""
    return reverse("case-import", args=[row.pk])


@readers_only
@submitters_only
@require_safe
@cache_control(private=True, no_store=True)
def batch(request: HttpRequest, agent_id: int, batch_id: uuid.UUID) -> HttpResponse:
    agent = _agent(request, agent_id)
    context = _context(request, agent, batch_id)
    context["nav"] = "batches"
    context["agent"] = agent
    status = HTTPStatus.OK
    if context["is_unknown"]:
        status = HTTPStatus.NOT_FOUND
    return render(request, "reviews/batch.html", context, status=status)


@readers_only
@submitters_only
@require_safe
@cache_control(private=True, no_store=True)
def live(request: HttpRequest, agent_id: int, batch_id: uuid.UUID) -> HttpResponse:
    """The rows of the batch, for polling while they may change."""
    agent = _agent(request, agent_id)
    context = _context(request, agent, batch_id)
    context["agent"] = agent
    if context["error"]:
        # If the service does not respond now, it may do so at the next poll.
        goes_on = not context["is_unknown"]
    else:
        goes_on = context["batch"].is_live
    status = HTTPStatus.OK if goes_on else STOP_POLLING
    return render(request, "reviews/_batch_rows.html", context, status=status)


def _agent(request: HttpRequest, pk: int) -> Agent:
    return get_object_or_404(roles.agents(person_of(request)), pk=pk)


def _context(request: HttpRequest, agent: Agent, batch_id: uuid.UUID) -> dict[str, Any]:
    """The template context. `error` says why the service did not respond."""
    person = person_of(request)
    cursor = request.GET.get("cursor", "")[:64]
    context: dict[str, Any] = {
        "batch": None,
        "batch_id": batch_id,
        "refused": [],
        "more_refused": 0,
        "cursor": cursor,
        "error": "",
        "is_unknown": False,
    }
    try:
        progress = batches.progress(agent, str(batch_id), actor=person, cursor=cursor)
    except ServiceError as exc:
        return {**context, **_fault(exc)}
    context["batch"] = progress
    # Rejected rows are shown on the first page only.
    if progress.rejected and not cursor:
        refused: Sequence[tuple[int, str]] = ()
        # If this request fails, the page still shows its other rows.
        with contextlib.suppress(ServiceError):
            refused = batches.rejected(agent, str(batch_id), actor=person)
        context["refused"] = refused
        context["more_refused"] = progress.rejected - len(refused)
    return context


def _fault(exc: ServiceError) -> dict[str, object]:
    """Why the page has no batch: the service does not know it, or did not respond."""
    if exc.status == HTTPStatus.NOT_FOUND:
        words = _("The service knows no such batch.")
        return {"error": words, "is_unknown": True}
    return {"error": str(exc), "is_unknown": False}


@readers_only
@submitters_only
@require_safe
@cache_control(private=True, no_store=True)
def export(request: HttpRequest, agent_id: int, batch_id: uuid.UUID) -> HttpResponse:
    agent = _agent(request, agent_id)
    try:
        content = batches.export(agent, str(batch_id), actor=person_of(request))
    except ServiceError as exc:
        # The page of the batch with the error, instead of a broken download.
        context = {
            "nav": "batches",
            "agent": agent,
            "batch_id": batch_id,
            **_fault(exc),
        }
        status = HTTPStatus.BAD_GATEWAY
        if context["is_unknown"]:
            status = HTTPStatus.NOT_FOUND
        return render(request, "reviews/batch.html", context, status=status)
    response = HttpResponse(content, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="batch-{batch_id}.csv"'
    response["X-Content-Type-Options"] = "nosniff"
    return response
