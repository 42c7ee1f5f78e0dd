"""The page on which a user opens a case."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Callable, Mapping
from http import HTTPStatus

from django.conf import settings
from django.contrib.auth.decorators import permission_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
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
from reviews.intake.parties import rows as party_rows
from reviews.models import DOCUMENT_KINDS, Agent, Case, DraftFile, Kind
from reviews.service import pauses
from reviews.service.client import ServiceError

MAX_CHECKS = 200

View = Callable[..., HttpResponse]


def _page(view: View) -> View:
    """Decorator of pages for users who may submit cases."""
    allowed = permission_required("reviews.add_case", raise_exception=True)
    # The form holds personal data, so the browser must not show it from its cache to the next user.
    uncached = cache_control(private=True, no_store=True)
    return uncached(readers_only(allowed(view)))


def _kind(request: HttpRequest) -> str:
    kind = request.GET.get("kind", "")
    if kind in FORMS:
        return kind
    return Kind.KYB.value


@_page
@require_http_methods(["GET", "HEAD", "POST"])
def case_new(request: HttpRequest) -> HttpResponse:
    person = person_of(request)
    kind = _kind(request)
    draft = None
    if request.method == "POST" and party_rows.ADD in request.POST:
        form, files = _with_more_parties(request, person, kind)
    elif request.method == "POST":
        form, case, files = _submitted(request, person, kind)
        if case is not None:
            # 303, so that reloading the next page does not send the form again.
            address = case.get_absolute_url()
            return HttpResponseRedirect(address, status=HTTPStatus.SEE_OTHER)
    else:
        draft = drafts.find(person, kind=kind)
        fields = {}
        if draft:
            fields = drafts.fields_of(draft)
        files = draft_files.find(person, fields.pop("kept", "").split(","))
        form = FORMS[kind](actor=person, initial=fields)
    context = {
        "nav": "submit",
        "form": form,
        "kinds": Kind,
        "draft": draft,
        "check_at": f"{reverse('case-new-check')}?kind={kind}&field=",
        "checks_at": f"{reverse('case-new-checks')}?kind={kind}",
        "draft_at": f"{reverse('case-new-draft')}?kind={kind}",
        "add_parties_at": f"?kind={kind}",
        "draft_files": files,
        "file_kinds": [(item.value, item.label) for item in DOCUMENT_KINDS[kind]],
        "types": ACCEPTED,
        "extensions": EXTENSIONS,
        "max_bytes": settings.MAX_DOCUMENT_BYTES,
        "max_megabytes": settings.MAX_DOCUMENT_BYTES >> 20,
    }
    return render(request, "reviews/case_new.html", context)


def _with_more_parties(
    request: HttpRequest, person: User, kind: str
) -> tuple[CaseForm, list[DraftFile]]:
    """The form as it was typed, with further rows of parties. Files are kept for it."""
    kinds = DOCUMENT_KINDS[kind]
    files = draft_files.chosen_files(person, request.POST, kinds=kinds)
    files += draft_files.store(person, request.FILES, kinds=kinds)
    fields = FORMS[kind](request.POST, actor=person).typed(request.POST)
    return FORMS[kind](actor=person, initial=fields), files


def _submitted(
    request: HttpRequest, person: User, kind: str
) -> tuple[CaseForm, Case | None, list[DraftFile]]:
    """Handle the submitted form: returns the form, the new case or None, and the files to keep
    if None.
    """
    kinds = DOCUMENT_KINDS[kind]
    # Files that were saved with the draft count as if they were uploaded now.
    earlier = draft_files.chosen_files(person, request.POST, kinds=kinds)
    files = draft_files.merge(request.FILES, earlier)
    with contextlib.closing(files):
        form = FORMS[kind](request.POST, files, actor=person)
        for name, words in files.faults:
            form.add_error(name, words)
        case = None
        if form.is_valid():
            case = _new_case(form, person)
        if case is None:
            # Browsers do not send files again, so they are saved for the next attempt.
            rows = draft_files.store(person, files, kinds=kinds)
            return form, None, rows
        drafts.delete(person, kind=kind)
        draft_files.remove_later(earlier)
        return form, case, []


@_page
@require_POST
def check(request: HttpRequest) -> HttpResponse:
    """The faults of a field that was just filled in, to be shown below the field."""
    make_form = FORMS[_kind(request)]
    person = person_of(request)
    form = make_form(request.POST, actor=person)
    name = request.GET.get("field", "")
    # Files are validated when the form is sent.
    field = form.fields.get(name)
    if field is None or isinstance(field, DocumentsField):
        raise Http404
    value = form[name].data
    faults = form.faults_of(name, value)
    return render(request, "_faults.html", {"faults": faults})


@_page
@require_POST
def draft(request: HttpRequest) -> HttpResponse:
    """Save the draft; with `drop`, delete it. A script gets only the status line, others a
    redirect.
    """
    person = person_of(request)
    kind = _kind(request)
    kinds = DOCUMENT_KINDS[kind]
    # Files that belong to the draft already.
    rows = draft_files.chosen_files(person, request.POST, kinds=kinds)
    draft = None
    if "drop" in request.POST:
        drafts.delete(person, kind=kind)
        draft_files.remove(rows)
    else:
        rows += draft_files.store(person, request.FILES, kinds=kinds)
        form = FORMS[kind](request.POST, actor=person)
        fields = form.typed(request.POST)
        keys = []
        for row in rows:
            keys.append(str(row.pk))
        fields["kept"] = ",".join(keys)
        draft = drafts.save(person, kind=kind, fields=fields)
        if _is_sent(person, request.POST.get("submission", "")):
            drafts.delete(person, kind=kind)
            draft = None
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, "reviews/_draft.html", {"draft": draft})
    address = reverse("case-new")
    return redirect(f"{address}?kind={kind}")


def _is_sent(person: User, submission: str) -> bool:
    """Whether the form has become a case: a page saves it also while it is being sent.

    Such a draft would fill the next form with the data of this case. Asked after the draft is
    saved: a form that is sent later than this deletes the draft itself.
    """
    try:
        key = uuid.UUID(submission)
    except ValueError:
        return False
    return Case.objects.filter(submitted_by=person, jobs=key).exists()


@_page
@require_safe
def agent_checks(request: HttpRequest) -> HttpResponse:
    """The checks that the chosen agent runs, fetched from its service now."""
    make_form = FORMS[_kind(request)]
    form = make_form(actor=person_of(request))
    # Only agents that the user may choose.
    agent_by_key = {str(agent.pk): agent for agent in form.agents}
    key = request.GET.get("agent", "")
    agent = agent_by_key.get(key)
    checks: list[tuple[str, str]] = []
    error = ""
    if agent is not None:
        try:
            checks = _checks_of(agent)
        except ServiceError as exc:
            error = str(exc)
    context = {"agent": agent, "checks": checks, "error": error}
    return render(request, "reviews/_agent_checks.html", context)


def _checks_of(agent: Agent) -> list[tuple[str, str]]:
    """Label and id of each check. Raises ServiceError."""
    with pauses.asking(agent.connection) as service:
        catalogue = service.get_available_checks(agent_key=agent.agent_key)
    return [_title_and_id(check) for check in catalogue[:MAX_CHECKS]]


def _title_and_id(check: Mapping[str, object]) -> tuple[str, str]:
    """Label and id of a check of the service's catalogue."""
    key = check.get("check_id") or check.get("id")
    check_id = results.text(key, 200)
    title = results.text(check.get("title"), 200)
    if not title:
        title = results.check_label(check_id)
    return title, check_id


def _new_case(form: CaseForm, person: User) -> Case | None:
    """The new case. None if its reference or the form itself is used; the form has an error."""
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
            procedure=form.procedure,
            custom_fields=form.custom_values(),
        )
    except cases.ReferenceTakenError:
        words = _("Another case has this reference. Change it, or leave it empty.")
        form.add_error("reference", words)
    except cases.SubmissionTakenError:
        # For example the browser's Back button, and a corrected value.
        words = _(
            "This form was already sent, with other values. Send it again to open another case."
        )
        form.add_error("reference", words)
        form.begin_again()
    return None
