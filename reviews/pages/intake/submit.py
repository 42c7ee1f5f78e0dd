"""The page on which a person opens a case."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import permission_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from compliance.storage.file_types import ACCEPTED, EXTENSIONS
from reviews import results
from reviews.access.decorators import person_of, readers_only
from reviews.intake import cases, draft_files, drafts
from reviews.intake.form_fields import DocumentsField
from reviews.intake.forms import FORMS, CaseForm
from reviews.models import DOCUMENT_KINDS, Case, DraftFile, Kind
from reviews.service import pauses
from reviews.service.client import ServiceError

MOST_CHECKS = 200


def _page(view: Any) -> Any:
    """Of whoever may submit cases."""
    allowed = permission_required("reviews.add_case", raise_exception=True)
    return cache_control(private=True, no_store=True)(readers_only(allowed(view)))


def _kind(request: HttpRequest) -> str:
    kind = request.GET.get("kind", "")
    return kind if kind in FORMS else Kind.KYB.value


@_page
@require_http_methods(["GET", "HEAD", "POST"])
def case_new(request: HttpRequest) -> HttpResponse:
    person, kind = person_of(request), _kind(request)
    make_form = FORMS[kind]
    draft, kept = None, list[DraftFile]()
    if request.method == "POST":
        kinds = DOCUMENT_KINDS[kind]
        earlier = draft_files.chosen_files(person, request.POST, kinds=kinds)
        files = draft_files.merge(request.FILES, earlier)
        with contextlib.closing(files):
            form = make_form(request.POST, files, actor=person)
            for name, words in files.faults:
                form.add_error(name, words)
            if form.is_valid() and (case := _submitted(form, person)):
                drafts.delete(person, kind=kind)
                draft_files.remove(earlier)
                # 303: a reload of the next page must not send the form again.
                return HttpResponseRedirect(
                    case.get_absolute_url(), status=HTTPStatus.SEE_OTHER
                )
            kept = draft_files.store(person, files, kinds=kinds)
    else:
        draft = drafts.find(person, kind=kind)
        typed = drafts.fields_of(draft) if draft else {}
        kept = draft_files.find(person, typed.pop("kept", "").split(","))
        form = make_form(actor=person, initial=typed)
    context = {
        "nav": "submit",
        "form": form,
        "kinds": Kind,
        "draft": draft,
        "check_at": f"{reverse('case-new-check')}?kind={kind}&field=",
        "checks_at": f"{reverse('case-new-checks')}?kind={kind}",
        "draft_at": f"{reverse('case-new-draft')}?kind={kind}",
        "kept": kept,
        "kept_kinds": [(one.value, one.label) for one in DOCUMENT_KINDS[kind]],
        "types": ACCEPTED,
        "extensions": EXTENSIONS,
        "max_bytes": settings.MAX_DOCUMENT_BYTES,
        "max_megabytes": settings.MAX_DOCUMENT_BYTES >> 20,
    }
    return render(request, "reviews/case_new.html", context)


@_page
@require_POST
def check(request: HttpRequest) -> HttpResponse:
    """What is wrong with a field that was just filled in, as it stands below the field."""
    form = FORMS[_kind(request)](request.POST, actor=person_of(request))
    name = request.GET.get("field", "")
    if name not in form.fields or isinstance(form.fields[name], DocumentsField):
        raise Http404
    return render(
        request, "_faults.html", {"faults": form.faults_of(name, form[name].data)}
    )


@_page
@require_POST
def draft(request: HttpRequest) -> HttpResponse:
    """Keep what was typed; with `drop`, forget it. A script asks for the words alone."""
    person, kind = person_of(request), _kind(request)
    kinds = DOCUMENT_KINDS[kind]
    rows = draft_files.chosen_files(person, request.POST, kinds=kinds)
    if "drop" in request.POST:
        drafts.delete(person, kind=kind)
        draft_files.remove(rows)
        kept = None
    else:
        rows += draft_files.store(person, request.FILES, kinds=kinds)
        typed = FORMS[kind](actor=person).typed(request.POST)
        typed["kept"] = ",".join(str(row.pk) for row in rows)
        kept = drafts.save(person, kind=kind, fields=typed)
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, "reviews/_draft.html", {"draft": kept})
    return redirect(f"{reverse('case-new')}?kind={kind}")


@_page
@require_safe
def agent_checks(request: HttpRequest) -> HttpResponse:
    """What the chosen agent runs, as its service says now."""
    form = FORMS[_kind(request)](actor=person_of(request))
    asked = request.GET.get("agent", "")
    agent = next((agent for agent in form.agents if str(agent.pk) == asked), None)
    listed, error = [], ""
    if agent is not None:
        try:
            with pauses.asking(agent.connection) as service:
                said = service.get_available_checks(agent_key=agent.agent_key)
        except ServiceError as exc:
            error = str(exc)
        else:
            listed = [_named(check) for check in said[:MOST_CHECKS]]
    context = {"agent": agent, "checks": listed, "error": error}
    return render(request, "reviews/_agent_checks.html", context)


def _named(check: Mapping[str, Any]) -> tuple[str, str]:
    """A check of the catalogue in words, and its id."""
    check_id = results.text(check.get("check_id") or check.get("id"), 200)
    return results.text(check.get("title"), 200) or results.check_label(
        check_id
    ), check_id


def _submitted(form: CaseForm, person: User) -> Case | None:
    """The new case, or None where its reference is taken, which the form then says."""
    try:
        return cases.submit(
            actor=person,
            agent=form.cleaned_data["agent"],
            reference=form.cleaned_data["reference"],
            subject=form.subject(),
            country=form.country(),
            data=form.self_attested_data(),
            documents=form.documents(),
            submission=form.cleaned_data["submission"],
        )
    except cases.ReferenceTakenError:
        form.add_error(
            "reference",
            "Another case has this reference. Change it, or leave it empty.",
        )
        return None
