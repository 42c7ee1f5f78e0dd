"""Converts rows to the JSON objects that the REST interface sends."""

from __future__ import annotations

from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User

from reviews import results
from reviews.decisions import obstacles, policy
from reviews.findings.review_state import ReviewState
from reviews.intake import information_requests
from reviews.jobs import waiting
from reviews.models import (
    Agent,
    ApiToken,
    Attachment,
    Case,
    CheckResult,
    CheckReview,
    Connection,
    Decision,
    Dismissal,
    Document,
    HitLabel,
    InformationRequest,
    Job,
    Note,
    Outcome,
    ReasonCode,
    RiskBand,
    Severity,
    Subscription,
    ValueChoice,
)
from reviews.records.evidence_pack import decision_to_wire
from reviews.wire import JsonObject


# The user name; "" for no user.
def who(user: User | None) -> str:
    if user is None:
        return ""
    return user.get_username()


def me(token: ApiToken) -> JsonObject:
    return {
        "user": who(token.user),
        "token": token.prefix,
        "scopes": token.scopes,
        "expires_at": token.expires_at,
        "roles": sorted(token.user.groups.values_list("name", flat=True)),
    }


def _agent_of(row: Case | Job) -> JsonObject | None:
    if row.agent is None:
        return None
    # The agent belongs to the connection of its case.
    return agent(row.agent, row.connection)


def agent(row: Agent, connection: Connection) -> JsonObject:
    return {
        "id": row.pk,
        "name": row.name,
        "kind": row.kind,
        "connection": connection.slug,
    }


def reason(row: ReasonCode) -> JsonObject:
    return {
        "code": row.code,
        "label": row.label,
        "hint": row.hint,
        "outcome": row.outcome,
    }


def case_row(row: Case) -> JsonObject:
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
        "agent": _agent_of(row),
        "submitted_by": who(row.submitted_by),
        "analyst": who(row.analyst),
        "risk": row.risk,
        "severity": Severity(row.severity).name.lower(),
        "risk_band": RiskBand(row.risk_band).word,
        "review_on": row.review_on,
        "alarm": row.alarm,
        "alarm_at": row.alarm_at,
        "erased_at": row.erased_at,
        "due_at": row.due_at,
        "snoozed_until": row.snoozed_until,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
        "url": settings.DESK_URL + row.get_absolute_url(),
    }


def case(row: Case, *, may_ask: bool) -> JsonObject:
    """`may_ask`: the caller may request information, and so may see the applicant's link."""
    newest = row.requests.select_related("made_by").first()
    newest_request = None
    if newest is not None:
        newest_request = request(newest, may_ask=may_ask)
    return {
        **case_row(row),
        "tags": [tag.name for tag in row.tags.all()],
        "self_attested_data": row.self_attested_data,
        "schema_extra": row.schema_extra,
        "procedure": row.procedure.number if row.procedure else None,
        "custom_fields": row.custom_fields,
        "extra_columns": row.extra_columns,
        "open_items": row.open_items,
        "request": newest_request,
    }


def request(row: InformationRequest, *, may_ask: bool) -> JsonObject:
    url = ""
    # The link is a permission to answer, so it is shown only while it is open.
    if may_ask and row.status == InformationRequest.Status.OPEN:
        url = information_requests.address(row)
    return {
        "status": row.status,
        "message": row.message,
        "kinds": row.kinds,
        "url": url,
        "made_by": who(row.made_by),
        "made_at": row.made_at,
        "expires_at": row.expires_at,
        "answer": row.answer,
        "answered_at": row.answered_at,
    }


def job(row: Job) -> JsonObject:
    return {
        "id": row.pk,
        "case_id": row.case_id,
        "remote_id": row.remote_id,
        "status": row.status,
        "recommendation": row.recommendation,
        "recommendation_reasons": row.recommendation_reasons,
        "requirements_version": row.requirements_version,
        "error": row.error,
        "agent": _agent_of(row),
        "created_at": row.created_at,
        "started_at": row.started_at,
        "ended_at": row.ended_at,
    }


def one_job(row: Job) -> JsonObject:
    wait = waiting.of(row, row.connection)
    return {**job(row), "waiting": wait.to_wire() if wait else None}


def result(row: CheckResult) -> JsonObject:
    return {
        "id": row.pk,
        "source": row.source,
        "check_id": row.check_id,
        "subject": row.subject,
        "status": row.status,
        "confirmation": row.confirmation,
        "passed": results.effective_pass(row),
        "received_at": row.received_at,
        "body": row.body,
    }


def review_state(state: ReviewState) -> JsonObject:
    """The review state, with the obstacles to an approval and the reasons for a second person."""
    job_id = None
    if state.job:
        job_id = state.job.pk
    findings = []
    for part in state.parts:
        for row in part.findings:
            findings.append(_finding(state, part, row))
    # Computed for an approval, like the obstacles.
    why_second = policy.reasons_for_second_person(state.case, state, Outcome.APPROVE)
    return {
        "revision": state.case.revision,
        "job_id": job_id,
        "is_running": state.is_running,
        "agent_reasons": state.agent_reasons,
        "checks": [_check(state, check) for check in state.checks],
        "findings": findings,
        "obstacles": obstacles.of(state.case, state, Outcome.APPROVE),
        "why_second": why_second,
    }


def _check(state: ReviewState, check: results.Check) -> JsonObject:
    return {
        "check_id": check.id,
        "label": check.label,
        "verdict": check.verdict,
        "explanation": check.explanation,
        "documents": [UUID(hex=document) for document in check.documents if document],
        "is_open": check in state.open,
        "review": _review(state.reviews.get(check.id)),
    }


def _review(row: CheckReview | None) -> JsonObject | None:
    if row is None:
        return None
    return {"kind": row.kind, "reason": row.reason, "by": who(row.by), "at": row.at}


def _finding(
    state: ReviewState, part: results.Part, row: results.Finding
) -> JsonObject:
    document_id = None
    if part.document:
        document_id = UUID(hex=part.document)
    earlier = state.dismissed.get(row)
    label = state.confirmed.get(row)
    chosen = state.values.get(row)
    return {
        "key": state.dismissed.key(row),
        "kind": type(row).__name__.lower(),
        "title": row.name,
        "tone": row.tone,
        "document_id": document_id,
        "places": [box._asdict() for box in row.boxes],
        "dismissal": dismissal(earlier) if earlier else None,
        "hit_key": state.confirmed.key(row),
        "is_confirmed": row in state.confirmed,
        "confirmation": hit_confirmation(label) if label else None,
        "folded_by": state.dismissed.folded_by(row) or None,
        "field_key": state.values.key(row),
        "candidates": _candidates(row),
        "value_choice": value_choice(chosen) if chosen else None,
    }


def _candidates(row: results.Finding) -> list[JsonObject]:
    if not isinstance(row, results.Comparison):
        return []
    candidates = []
    for number, candidate in enumerate(row.candidates, 1):
        candidates.append(
            {
                "candidate": number,
                "value": candidate.value,
                "snippet": candidate.snippet,
                "how": candidate.how,
                "confidence": candidate.confidence,
                "places": [box._asdict() for box in candidate.boxes],
            }
        )
    return candidates


def value_choice(row: ValueChoice) -> JsonObject:
    return {
        "id": row.pk,
        "case_id": row.case_id,
        "document_id": row.document_id,
        "field": row.field,
        "kind": row.kind,
        "offered": row.offered,
        "candidates": row.candidates,
        "value": row.value,
        "by": who(row.by),
        "at": row.at,
        "ended_at": row.ended_at,
    }


def dismissal(row: Dismissal) -> JsonObject:
    return {
        "id": row.pk,
        "case_id": row.case_id,
        "title": row.title,
        "reason": row.reason,
        "by": who(row.by),
        "at": row.at,
        "until": row.until,
        "taken_back_at": row.taken_back_at,
    }


def hit_confirmation(row: HitLabel) -> JsonObject:
    return {
        "id": row.pk,
        "case_id": row.case_id,
        "title": row.title,
        "list": row.list_slug,
        "list_title": row.list_title,
        "source": row.source,
        "by": who(row.by),
        "at": row.at,
        "taken_back_at": row.taken_back_at,
    }


def document(row: Document) -> JsonObject:
    """`row` must be annotated with page_count. It reads `row.case`."""
    return {
        "id": row.pk,
        "case_id": row.case_id,
        "kind": row.kind,
        "file_name": row.file_name,
        "size": row.size,
        "sha256": row.sha256,
        "pages": getattr(row, "page_count", 0),
        "status": row.status,
        "reason": row.reason,
        "verdict": results.verdict_of(row),
        "created_at": row.created_at,
    }


def note(row: Note) -> JsonObject:
    return {
        "id": row.pk,
        "text": row.text,
        "by": who(row.by),
        "mentions": [who(user) for user in row.mentions.all()],
        "attachments": [_attachment(file) for file in row.attachments.all()],
        "at": row.at,
        "edited_at": row.edited_at,
    }


def _attachment(row: Attachment) -> JsonObject:
    return {
        "id": row.pk,
        "file_name": row.file_name,
        "size": row.size,
        "sha256": row.sha256,
    }


def decision(row: Decision) -> JsonObject:
    members = decision_to_wire(row)
    return {
        **members,
        "id": row.pk,
        "case_id": row.case_id,
        # In this interface a missing name is always an empty text, never null.
        "second_by": members["second_by"] or "",
        "bulk_approval_id": row.bulk_id,
        "decision_policy": row.policy.number if row.policy else None,
    }


def subscription(row: Subscription, *, secret: str = "") -> JsonObject:
    connection = ""
    if row.connection:
        connection = row.connection.slug
    members: JsonObject = {
        "id": row.pk,
        "name": row.name,
        "url": row.url,
        "connection": connection,
        "events": row.events,
        "is_active": row.is_active,
        "created_at": row.created_at,
    }
    # Only the response to its creation has the secret.
    if secret:
        members["secret"] = secret
    return members
