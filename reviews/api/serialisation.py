"""What the desk answers: rows as they go over the wire."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User

from reviews import results
from reviews.decisions import decisions, policy
from reviews.findings.review_state import ReviewState
from reviews.intake import information_requests
from reviews.models import (
    Agent,
    ApiToken,
    Case,
    CheckResult,
    Connection,
    Decision,
    Dismissal,
    Document,
    InformationRequest,
    Job,
    Note,
    Outcome,
    ReasonCode,
    Severity,
    Subscription,
)
from reviews.records.evidence_pack import decision_to_wire

Wire = dict[str, Any]


def who(user: User | None) -> str:
    return user.get_username() if user else ""


def me(token: ApiToken) -> Wire:
    return {
        "user": who(token.user),
        "token": token.prefix,
        "scopes": token.scopes,
        "expires_at": token.expires_at,
        "roles": sorted(token.user.groups.values_list("name", flat=True)),
    }


def agent(row: Agent, connection: Connection) -> Wire:
    return {
        "id": row.pk,
        "name": row.name,
        "kind": row.kind,
        "connection": connection.slug,
    }


def reason(row: ReasonCode) -> Wire:
    return {
        "code": row.code,
        "label": row.label,
        "hint": row.hint,
        "outcome": row.outcome,
    }


def case_row(row: Case) -> Wire:
    return {
        "id": row.pk,
        "reference": row.reference,
        "kind": row.kind,
        "subject": row.subject,
        "country": row.country,
        "status": row.status,
        "recommendation": row.recommendation,
        "recommendation_reasons": row.recommendation_reasons,
        "requirements_version": row.requirements_version,
        "revision": row.revision,
        "connection": row.connection.slug,
        # An agent is of its case's connection.
        "agent": agent(row.agent, row.connection) if row.agent else None,
        "submitted_by": who(row.submitted_by),
        "analyst": who(row.analyst),
        "risk": row.risk,
        "severity": Severity(row.severity).name.lower(),
        "alarm": row.alarm,
        "alarm_at": row.alarm_at,
        "due_at": row.due_at,
        "snoozed_until": row.snoozed_until,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
        "url": settings.DESK_URL + row.get_absolute_url(),
    }


def case(row: Case, *, may_ask: bool) -> Wire:
    """`may_ask`: the caller may request information, and so see the applicant's link."""
    asked = row.requests.select_related("made_by").first()
    return {
        **case_row(row),
        "tags": [tag.name for tag in row.tags.all()],
        "self_attested_data": row.self_attested_data,
        "schema_extra": row.schema_extra,
        "request": request(asked, may_ask=may_ask) if asked else None,
    }


def request(row: InformationRequest, *, may_ask: bool) -> Wire:
    is_open = row.status == InformationRequest.Status.OPEN
    return {
        "status": row.status,
        "message": row.message,
        "kinds": row.kinds,
        "url": information_requests.address(row) if is_open and may_ask else "",
        "made_by": who(row.made_by),
        "made_at": row.made_at,
        "expires_at": row.expires_at,
        "answer": row.answer,
        "answered_at": row.answered_at,
    }


def job(row: Job) -> Wire:
    return {
        "id": row.pk,
        "case_id": row.case_id,
        "remote_id": row.remote_id,
        "status": row.status,
        "recommendation": row.recommendation,
        "recommendation_reasons": row.recommendation_reasons,
        "requirements_version": row.requirements_version,
        "error": row.error,
        "agent": agent(row.agent, row.connection) if row.agent else None,
        "created_at": row.created_at,
        "started_at": row.started_at,
        "ended_at": row.ended_at,
    }


def result(row: CheckResult) -> Wire:
    names = (
        "source",
        "check_id",
        "subject",
        "status",
        "confirmation",
        "received_at",
        "body",
    )
    said = {name: getattr(row, name) for name in names}
    return {"id": row.pk, "passed": results.passed(row), **said}


def situation(found: ReviewState) -> Wire:
    """With what stands in the way of approving it, and why that takes two people."""
    rows = [(part, row) for part in found.parts for row in part.findings]
    return {
        "revision": found.case.revision,
        "job_id": found.job.pk if found.job else None,
        "is_running": found.is_running,
        "agent_reasons": found.agent_reasons,
        "checks": [_check(found, check) for check in found.checks],
        "findings": [_finding(found, part, row) for part, row in rows],
        "obstacles": decisions.obstacles(found.case, found, Outcome.APPROVE),
        "why_second": policy.reasons_for_second_person(
            found.case, found, Outcome.APPROVE
        ),
    }


def _check(found: ReviewState, check: results.Check) -> Wire:
    said = found.reviews.get(check.id)
    return {
        "check_id": check.id,
        "label": check.label,
        "verdict": check.verdict,
        "explanation": check.explanation,
        "documents": [UUID(hex=document) for document in check.documents if document],
        "is_open": check in found.open,
        "review": {
            "kind": said.kind,
            "reason": said.reason,
            "by": who(said.by),
            "at": said.at,
        }
        if said
        else None,
    }


def _finding(found: ReviewState, part: results.Part, row: results.Finding) -> Wire:
    dismissed = found.dismissed.get(row)
    return {
        "key": found.dismissed.key(row),
        "kind": type(row).__name__.lower(),
        "title": row.name,
        "tone": row.tone,
        "document_id": UUID(hex=part.document) if part.document else None,
        "places": [box._asdict() for box in row.boxes],
        "dismissal": dismissal(dismissed) if dismissed else None,
    }


def dismissal(row: Dismissal) -> Wire:
    names = ("case_id", "title", "reason", "at", "until", "taken_back_at")
    return {
        "id": row.pk,
        "by": who(row.by),
        **{name: getattr(row, name) for name in names},
    }


def document(row: Document) -> Wire:
    """`row` is annotated with page_count, and its case at hand."""
    names = (
        "case_id",
        "kind",
        "file_name",
        "size",
        "sha256",
        "status",
        "reason",
        "created_at",
    )
    pages: Any = getattr(row, "page_count", 0)
    said = {
        "verdict": results.verdict_of(row),
        **{name: getattr(row, name) for name in names},
    }
    return {"id": row.pk, "pages": pages, **said}


def note(row: Note) -> Wire:
    files = ("file_name", "size", "sha256")
    return {
        "id": row.pk,
        "text": row.text,
        "by": who(row.by),
        "mentions": [who(user) for user in row.mentions.all()],
        "attachments": [
            {"id": file.pk, **{name: getattr(file, name) for name in files}}
            for file in row.attachments.all()
        ],
        "at": row.at,
        "edited_at": row.edited_at,
    }


def decision(row: Decision) -> Wire:
    said = decision_to_wire(row)
    return {
        **said,
        "id": row.pk,
        "case_id": row.case_id,
        "second_by": said["second_by"] or "",
    }


def subscription(row: Subscription, *, secret: str = "") -> Wire:
    said = {
        "id": row.pk,
        "name": row.name,
        "url": row.url,
        "connection": row.connection.slug if row.connection else "",
        "is_active": row.is_active,
        "created_at": row.created_at,
    }
    return {**said, "secret": secret} if secret else said
