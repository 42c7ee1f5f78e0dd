"""The page of one case: its checks, the pages of its documents, and the findings on them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.db.models import Count, QuerySet
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseNotModified,
    HttpResponseRedirect,
    QueryDict,
)
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe

from compliance.db import masks
from compliance.storage import file_types
from reviews import results
from reviews.access import roles
from reviews.access.decorators import person_of, readers_only
from reviews.documents import scans
from reviews.findings import check_runs, notices, related_cases
from reviews.findings.review_state import ReviewState
from reviews.intake import cases
from reviews.jobs import schedule, waiting
from reviews.models import (
    PAUSED,
    Case,
    Document,
    Erasure,
    Job,
    Kind,
    Outcome,
    Pause,
)
from reviews.pages.case.decision_form import DecisionForm, unsent_form
from reviews.pages.case.payloads import webhooks_of
from reviews.pages.case.run_comparison import RunComparison
from reviews.pages.case.selection import TABS, Address, selected
from reviews.pages.queue.queue_rows import IS_PAUSED, KIND_ICONS, STATUSES
from reviews.parties import visibility
from reviews.periodic.view import ReviewView
from reviews.procedures import checklists, form_fields, versions
from reviews.procedures.checklists import Checklist
from reviews.procedures.form_fields import ValuesForm
from reviews.queue.filters import searched_words
from reviews.records import report_content
from reviews.records.trail_words import Event
from reviews.results.words import country_name
from reviews.risk import ratings
from reviews.risk.view import RatingView

STOP_POLLING = 286  # htmx: swap this response in, and stop polling
MOST_RATINGS = 50  # earlier ratings on the page
# The fields of a document and its scan that show whether anything changed.
_CHANGES_OF_DOCUMENT = (
    "case", "status", "reason", "file", "sha256", "scan__status", "scan__error",
)  # fmt: skip


def case_context(
    request: HttpRequest, pk: int, *, params: QueryDict | None = None, tab: str = ""
) -> dict[str, Any]:
    """The template context of the case page, with everything that it shows.

    `params`: the query of the address, or the posted form if the page is shown again after a
    refusal. `tab`: the tab to show, overriding `params`. Raises Http404 if the user must not see
    the case.
    """
    if params is None:
        params = request.GET
    tab = tab or params.get("tab", "")
    if tab not in TABS:
        tab = TABS[0]
    user = person_of(request)
    case, jobs = check_runs.load_case(user, pk)
    job = jobs[0] if jobs else None
    documents = list(documents_of(case))
    standing = check_runs.EffectiveResults.after(jobs)
    review_state = ReviewState.read(case, job, documents, standing)
    address = Address(case, params)
    query = searched_words(params, reader=user.pk)
    page = {
        "query": query,
        "tab": tab,
        "here": address.params,
        "address": address,
        "hides_names": masks.is_hidden(),
        "jobs": jobs,
        "documents": documents,
        "review_state": review_state,
        "checks": review_state.checks,
        # A failed job has no effective results, so the page shows those of the job before it.
        "earlier_stands": bool(jobs) and list(standing.jobs) != jobs[:1],
        **selected(params, review_state, address, query),
        **_state(case, job, user),
        "rating": RatingView.of(case, user),
        **_tab(tab, case, jobs, documents, standing, params, user),
    }
    # The page polls while checks run or pages are drawn.
    page["is_live"] = case.status == Case.Status.CHECKING or _is_drawing(documents)
    etag = _etag(case, jobs, documents, standing, page["waiting"])
    unsent = unsent_form(request, case)
    return {
        "nav": "queue",
        "page": page,
        "decision_form": _decision_form(
            case,
            review_state,
            user,
            params,
            address,
            unsent,
            # An address fills in nothing, so that no link writes a decision.
            params if request.method == "POST" else unsent,
        ),
        "typed": unsent,
        "q": query,
        "case": case,
        "job": job,
        "document": page["document"],
        "check": page["check"],
        "kind_icon": KIND_ICONS[Kind(case.kind)],
        "country": country_name(case.country),
        "panels": _panels(tab, user, address, case),
        "etag": etag,
        "condition": json.dumps({"If-None-Match": etag}),
        "max_bytes": settings.MAX_DOCUMENT_BYTES,
        "types": file_types.ACCEPTED,
        "extensions": file_types.EXTENSIONS,
        "activity_url": address.of_tab("activity"),
        "checklist_url": address.of_tab("checklist"),
        "live_url": f"{reverse('case-live', args=[case.pk])}?{urlencode(page['selection'])}",
    }


def documents_of(case: Case) -> QuerySet[Document]:
    rows = case.documents.select_related("scan").annotate(page_count=Count("pages"))
    # Ordered again, because an aggregate drops the ordering of the model.
    return rows.order_by("created_at", "id")


def _state(case: Case, job: Job | None, user: User) -> dict[str, Any]:
    """The state of the case and its newest job, and the facts in the head of the page."""
    is_running = job is not None and job.is_under_way
    # A run that takes unusually long may be stopped by hand.
    is_long = False
    if job is not None:
        run_time = now() - (job.started_at or job.created_at)
        is_long = run_time > cases.LONG_RUN
    icon, color = STATUSES[Case.Status(case.status)]
    if case.status_word == str(PAUSED):
        icon, color = IS_PAUSED
    return {
        "status_icon": icon,
        "status_color": color,
        "job_is_running": is_running,
        "pause": _pause(case, job),
        "waiting": _waiting(case, job),
        "waits_for_room": job is not None and schedule.waits_for_room(job),
        # The service has reported the job as running for a long time.
        "is_long": is_long and job is not None and job.status == Job.Status.RUNNING,
        "may_stop": is_long and is_running and user.has_perm(roles.RUN_AGAIN),
        "is_adopted": check_runs.is_imported(case),
        "sleeps": case.snoozed_until is not None and case.snoozed_until > now(),
        "alarm": case.alarm.splitlines(),
        "notice": _notice(job),
        "tax_number": _tax_number(case),
        "facts": report_content.attested(case),
        "may_see_payloads": user.has_perm(roles.PAYLOAD),
        "erasures": _erasures(case),
        "mark_url": reverse("case-mark", args=[case.pk]),
        "dismiss_url": reverse("case-dismiss", args=[case.pk]),
        "choose_url": reverse("case-choose-value", args=[case.pk]),
        "confirm_url": reverse("case-confirm-hit", args=[case.pk]),
    }


def _erasures(case: Case) -> list[Erasure]:
    """Completed erasures of the case. Most cases have none, and cost no query."""
    if case.erased_at is None:
        return []
    rows = case.erasures.exclude(erased_at=None)
    return list(rows.select_related("by", "second_by"))


def _pause(case: Case, job: Job | None) -> Pause | None:
    """The connection's pause, if the service refuses the API key and the job still needs the
    service.
    """
    if job is None or job.due_at is None:
        return None
    return case.connection.standing_pause


def _waiting(case: Case, job: Job | None) -> waiting.Waiting | None:
    if job is not None:
        return waiting.of(job, case.connection)
    return None


def _is_drawing(documents: Sequence[Document]) -> bool:
    statuses = {document.status for document in documents}
    return Document.Status.PENDING in statuses


def _notice(job: Job | None) -> str:
    """How a webhook reported the end of the job, if the service has not confirmed it."""
    return notices.describe(notices.of(job))


def _tax_number(case: Case) -> str:
    """The masked tax number for the heading, which is always on screen. The facts show it in
    full.
    """
    data = case.self_attested_data
    if not isinstance(data, dict):
        return ""
    number = results.text(data.get("tin_number"), 40)
    # Four visible characters would reveal most of a short number.
    if len(number) <= 6:
        return ""
    return f"{number[:2]}•••{number[-2:]}"


def _panels(
    tab: str, user: User, address: Address, case: Case
) -> list[tuple[str, str, bool]]:
    """The tabs of the panel as tuples: name, address, whether it is shown."""
    hidden = set()
    if not user.has_perm(roles.PAYLOAD):
        hidden.add("payload")
    if tab != "checklist" and not _has_procedure(case):
        hidden.add("checklist")
    panels = []
    for name in TABS:
        if name not in hidden:
            panels.append((name, address.of_tab(name), name == tab))
    return panels


def _has_procedure(case: Case) -> bool:
    """Whether the checklist tab has content, or the case could get a procedure."""
    if case.procedure_id is not None or case.extra_columns:
        return True
    return case.status in checklists.CHANGEABLE and versions.cached_is_live(case.kind)


def _tab(
    tab: str,
    case: Case,
    jobs: list[Job],
    documents: list[Document],
    standing: check_runs.EffectiveResults,
    params: QueryDict,
    user: User,
) -> dict[str, Any]:
    """The context that only this tab needs."""
    # Each branch loads only what its tab needs.
    if tab == "activity":
        rows = case.events.select_related("user").order_by("-id")
        events = []
        for row in rows:
            events.append(Event.of(row))
        return {"events": events}
    if tab == "checklist":
        own = Checklist.of(case)
        values = form_fields.initial(own.content, checklists.values_of(case))
        return {
            "own": own,
            "values_form": ValuesForm(own.content, initial=values),
            "extra": checklists.extra_of(case),
            "newer": checklists.newer(case),
        }
    if tab == "risk":
        return {
            "ratings": ratings.history(case)[1:MOST_RATINGS],
            "review": ReviewView.read(case, user),
        }
    if tab == "runs":
        return {"comparison": RunComparison(case, jobs, documents, params)}
    if tab == "related":
        subject = visibility.subject_of(case)
        return {
            "related": related_cases.related(case, user),
            "party": subject.pk if subject else None,
        }
    # Hiding the tab is not enough: its address could be opened directly.
    if tab == "payload" and user.has_perm(roles.PAYLOAD):
        return {"webhooks": webhooks_of(jobs), "rows": standing.rows}
    return {}


def _decision_form(
    case: Case,
    review_state: ReviewState,
    user: User,
    params: QueryDict,
    address: Address,
    unsent: QueryDict,
    values: QueryDict,
) -> DecisionForm:
    # `decide` comes from a link that opens the form, `outcome` from the posted form.
    outcome = params.get("decide") or params.get("outcome") or ""
    if outcome not in Outcome.values:
        outcome = ""
    return DecisionForm(
        case,
        review_state,
        user,
        address.here(),
        outcome,
        values,
        waiting=check_runs.open_request(case),
        unsent=unsent.get("outcome", ""),
    )


def _etag(
    case: Case,
    jobs: Sequence[Job],
    documents: Sequence[Document],
    standing: check_runs.EffectiveResults,
    wait: waiting.Waiting | None,
) -> str:
    """An ETag that changes whenever the content of the page changes."""
    newest = jobs[0] if jobs else None
    pause = _pause(case, newest)
    state: list[object] = [case.updated_at, case.status, case.recommendation]
    # To tick an item, to take the case and to snooze it do not change `updated_at`.
    state += [case.open_items, case.analyst_id, case.snoozed_until]
    if wait:
        state += [wait.reason, wait.words]
    if pause:
        state += [pause.updated_at, pause.due_at]
    for job in jobs:
        state.append((job.pk, job.updated_at, job.status, job.error, job.tries))
    reviews = standing.reviews.values()
    # Sorted, because the database returns them in any order.
    state += sorted((review.pk, review.at) for review in reviews)
    for document in documents:
        state += [
            document.pk,
            document.status,
            document.reason,
            document.fault,
            document.page_count,  # type: ignore[attr-defined]
        ]
        if scan := scans.of(document):
            state += [scan.status, scan.error]
    for row in standing.rows:
        state.append((row.pk, row.status, row.subject, row.confirmation))
    content = repr(state)
    digest = hashlib.sha256(content.encode()).hexdigest()
    return f'"{digest[:32]}"'


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def case_detail(request: HttpRequest, pk: int) -> HttpResponse:
    return render(request, "reviews/case_detail.html", case_context(request, pk))


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def case_live(request: HttpRequest, pk: int) -> HttpResponse:
    """The parts of the page that may have changed, for polling.

    The response has status 286, which stops the polling, if nothing will change any more by itself.
    """
    condition = request.headers.get("If-None-Match")
    # Usually nothing has changed. This check does not load the bodies of results.
    if condition and condition == _etag_of(person_of(request), pk):
        return HttpResponseNotModified(headers={"ETag": condition})
    context = case_context(request, pk)
    page = context["page"]
    # The viewer is replaced only if it shows another document, or one has been drawn since.
    has_changed = request.GET.get("drawn") != page["viewer"].drawn
    redraw = page["document"] is not None and has_changed
    may_change = page["is_live"] or context["decision_form"].outcome
    response = render(
        request,
        "reviews/_case_live.html",
        context | {"oob": True, "redraw": redraw},
        status=HTTPStatus.OK if may_change else STOP_POLLING,
    )
    response["ETag"] = context["etag"]
    return response


def _etag_of(user: User, pk: int) -> str:
    case, jobs = check_runs.load_changes(user, pk)
    standing = check_runs.EffectiveResults.after(jobs, bodies=False)
    documents = list(documents_of(case).only(*_CHANGES_OF_DOCUMENT))
    wait = _waiting(case, jobs[0] if jobs else None)
    return _etag(case, jobs, documents, standing, wait)


@readers_only
@require_POST
def run_again(request: HttpRequest, pk: int) -> HttpResponse:
    person = person_of(request)
    case = get_object_or_404(roles.visible(person), pk=pk)
    try:
        job = cases.run_again(
            case,
            actor=person,
            check_id=request.POST.get("check", ""),
        )
    except LookupError as exc:
        raise Http404 from exc
    if job is None:
        messages.info(request, _("A job of this case is still under way."))
    return HttpResponseRedirect(case.get_absolute_url(), status=HTTPStatus.SEE_OTHER)


@readers_only
@require_POST
def stop_waiting(request: HttpRequest, pk: int) -> HttpResponse:
    person = person_of(request)
    case = get_object_or_404(roles.visible(person), pk=pk)
    job = cases.stop_waiting(case, actor=person)
    if job is None:
        messages.info(request, _("No job of this case is under way."))
    page = case.get_absolute_url()
    return HttpResponseRedirect(page, status=HTTPStatus.SEE_OTHER)
