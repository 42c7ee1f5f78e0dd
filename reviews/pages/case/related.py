"""What the service knows about a case's subject: its application state, and enrichment."""

from __future__ import annotations

from datetime import UTC

from django.contrib.auth.decorators import permission_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.timezone import is_naive, localtime, make_aware
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe

from reviews.access import roles
from reviews.access.decorators import readers_only
from reviews.audit import trail
from reviews.models import Case, Kind
from reviews.service import pauses
from reviews.service.client import ServiceError

MOST_RESULTS = 200
STATES = {
    "pending": ("clock", ""),
    "in_progress": ("loader-circle", "info"),
    "complete": ("check", "pass"),
    "error": ("circle-alert", "fail"),
}


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def application(request: HttpRequest, pk: int) -> HttpResponse:
    """The application state of the subject, fetched from the service now."""
    case = _case(request, pk)
    context: dict[str, object] = {"case": case}
    try:
        if case.agent is None:
            raise ServiceError(_("No agent is set for this case."), permanent=True)
        with pauses.asking(case.connection) as service:
            # Not stored: the service has the current state.
            state = service.get_latest_application_state(
                case.reference, agent_key=case.agent.agent_key
            )
        context["state"] = {
            "status": _tag(state.get("application_status")),
            "updated_at": _moment(state.get("updated_at")),
            "current": _results(state.get("current_check_results")),
            "past": _results(state.get("past_check_results")),
        }
    except ServiceError as exc:
        context["error"] = str(exc)
    return render(request, "reviews/_related_application.html", context)


@readers_only
@permission_required("reviews.change_case", raise_exception=True)
@require_POST
@cache_control(private=True, no_store=True)
def enrich(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask the service's data provider about the subject, and record that in the audit trail."""
    assert isinstance(request.user, User)  # noqa: S101 - readers_only, for the type checker
    case = _case(request, pk)
    context: dict[str, object] = {"case": case}
    facts = facts_of(case)
    try:
        with pauses.asking(case.connection) as service:
            if case.kind == Kind.KYC:
                answer = service.enrich_person(**facts)
            else:
                answer = service.enrich_company(**facts)
    except ServiceError as exc:
        context["error"] = str(exc)
    else:
        # Record only what was asked and its outcome, not the data that came back.
        status = _text(answer.get("status"))
        source = _text(answer.get("source"))
        event = {"status": status, "source": source}
        trail.record(case, "enriched", event, user=request.user)
        data = answer.get("data")
        if isinstance(data, dict):
            # The provider may return this very case, which is not news.
            reference = data.get("case_id")
        else:
            reference = None
        context |= {
            "status": status,
            "source": source,
            "answer_error": _text(answer.get("error")),
            "data": data,
            "is_itself": reference == case.reference,
        }
    return render(request, "reviews/_related_enrichment.html", context)


def facts_of(case: Case) -> dict[str, str]:
    """The attested facts about the subject that an enrichment request may contain."""
    attested = case.self_attested_data
    data = attested if isinstance(attested, dict) else {}
    if case.kind == Kind.KYC:
        facts = {
            "first_name": data.get("first_name"),
            "last_name": data.get("last_name"),
            "email": data.get("email"),
            "phone": data.get("phone"),
            "full_name": case.subject,
        }
        # Attested data may have any form, and a service may reject the whole request for one bad
        # member.
        if "@" not in str(facts["email"]):
            facts["email"] = None
    else:
        site = data.get("website")
        if isinstance(site, list):
            # The form accepts several websites, the service one.
            site = next(iter(site), "")
        name = data.get("business_name") or data.get("registered_business_name")
        facts = {"name": name, "website": site}
    texts = {}
    for member, value in facts.items():
        if isinstance(value, str) and value:
            texts[member] = value
    return texts


def _case(request: HttpRequest, pk: int) -> Case:
    return get_object_or_404(
        roles.visible(request.user).select_related("connection", "agent"), pk=pk
    )


def _results(value: object) -> list[dict[str, object]]:
    items = value if isinstance(value, list) else []
    rows: list[dict[str, object]] = []
    for item in items:
        # Skip what is malformed, and stop at the limit.
        if not isinstance(item, dict) or len(rows) == MOST_RESULTS:
            continue
        row: dict[str, object] = {
            "check": _text(item.get("check_id") or item.get("command_id")),
            "status": _tag(item.get("status")),
            "error": _text(item.get("error")),
            "updated_at": _moment(item.get("updated_at")),
        }
        rows.append(row)
    return rows


def _tag(status: object) -> dict[str, str]:
    """A state as icon, word and colour. An unknown state is shown as it was sent."""
    word = _text(status).strip()
    icon, color = STATES.get(word.lower(), ("info", ""))
    return {
        "word": word.replace("_", " ").lower() or "unknown",
        "icon": icon,
        "color": color,
    }


def _moment(value: object) -> str:
    """A time of the service in the reader's time zone. What is no time is shown as it was sent."""
    text = _text(value)
    try:
        moment = parse_datetime(text)
        if moment is None:
            return text
        if is_naive(moment):
            moment = make_aware(moment, UTC)
        return date_format(localtime(moment), "MOMENT")
    except (ValueError, OverflowError):
        # Such as a 13th month, or a time before the year 1.
        return text


def _text(value: object) -> str:
    if isinstance(value, str):
        return value[:500]
    return ""
