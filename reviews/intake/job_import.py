"""Imports a job that another system started at the service: the desk opens a case for it."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from compliance.http import references
from compliance.tracing import spans
from compliance.work import notify
from reviews.audit import trail
from reviews.documents import store
from reviews.findings import related_cases
from reviews.intake.cases import UnfitReferenceError, subject_of
from reviews.jobs import polling, schedule
from reviews.models import (
    ID_PICTURES,
    Case,
    CaseEvent,
    Connection,
    Document,
    Job,
    Kind,
    SubscriptionEvent,
)
from reviews.parties import recording
from reviews.people import sla
from reviews.procedures import checklists, versions
from reviews.service.client import Service, ServiceError
from reviews.subscriptions import announcements
from reviews.wire import JsonObject

# The members of self_attested_data that are lists of documents.
DOCUMENT_LISTS = [kind.value for kind in Document.Kind if kind not in ID_PICTURES]


class ErasedCaseError(Exception):
    """The job belongs to a case that was erased. Nothing of it is stored again."""

    def __init__(self) -> None:
        super().__init__("The case of this job was erased. Nothing was kept.")


def import_job(connection: Connection, remote_id: str) -> Job:
    """Open a case for a job that another system started at the service, or find its case.

    Raises ServiceError if the service does not know the job or cannot be asked now,
    ErasedCaseError, and UnfitReferenceError if the reference of the case is not allowed.
    """
    schema = _schema(Service.of(connection).get_job(remote_id))
    with transaction.atomic():
        case, is_new_case = _case(connection, schema, remote_id)
        if case.erased_at is not None:
            raise ErasedCaseError
        defaults = {
            "case": case,
            "agent": case.agent,
            "status": Job.Status.RUNNING,
            "traceparent": spans.current(),
        }
        # Two webhooks of one job may arrive at the same time: the second one finds the row.
        job, is_new = Job.objects.get_or_create(
            connection=connection,
            remote_id=remote_id,
            defaults=defaults,
        )
        if is_new:
            case.move(Case.Status.CHECKING)
            data = {"job": remote_id}
            parties = recording.record(case)
            trail.record(
                case,
                "imported",
                data,
                actor=CaseEvent.Actor.AGENT,
                about=[case, *case.documents.all(), *parties.rows],
            )
            if is_new_case:
                announcements.announce(case, SubscriptionEvent.CREATED)
            notify.after_commit(schedule.QUEUE)
    return job


def _schema(answer: JsonObject) -> JsonObject:
    """The kyb_schema or kyc_schema of a job. Raises ServiceError."""
    if not isinstance(answer.get("input_payload"), dict):
        raise ServiceError("getJobById: the job has no input_payload", permanent=True)
    return polling.schema_of(answer)


def _case(
    connection: Connection, schema: JsonObject, remote_id: str
) -> tuple[Case, bool]:
    """The case for the schema, and whether it is new: it may exist with this reference."""
    data = schema.get("self_attested_data")
    if not isinstance(data, dict):
        data = {}
    is_person = "first_name" in data or "last_name" in data
    kind = Kind.KYC if is_person else Kind.KYB
    procedure = versions.live(kind)
    content = versions.content_of(procedure)
    defaults = {
        "kind": kind,
        "subject": subject_of(data)[:400],
        "self_attested_data": _without(data, DOCUMENT_LISTS),
        "schema_extra": _without(schema, ("id", "self_attested_data")),
        "agent": connection.agents.filter(kind=kind, is_active=True).first(),
        "procedure": procedure,
        "open_items": checklists.required_items(content),
    }
    case, is_new = Case.objects.get_or_create(
        connection=connection,
        reference=_reference(schema, remote_id),
        defaults=defaults,
    )
    if is_new:
        Case.objects.filter(pk=case.pk).update(due_at=sla.due(case, risk=0))
        related_cases.store_identifiers(case)
        store.import_id_pictures(case)
        _import_documents(case, data)
    return case, is_new


def _reference(schema: JsonObject, remote_id: str) -> str:
    """The id of the case in the schema, else the id of the job. Raises UnfitReferenceError."""
    reference = str(schema.get("id") or remote_id)
    if not references.fits(reference):
        raise UnfitReferenceError(
            f"The case id of this job cannot be taken: {references.REFUSAL} "
            f"It has at most {references.LONGEST} characters."
        )
    return reference


def _import_documents(case: Case, data: JsonObject) -> None:
    for kind in DOCUMENT_LISTS:
        documents = data.get(kind)
        if not isinstance(documents, list):
            continue
        for wire in documents:
            if isinstance(wire, dict):
                store.import_document(case, kind=kind, wire=wire)


def _without(
    members: Mapping[str, object], names: list[str] | tuple[str, ...]
) -> JsonObject:
    rest = {}
    for name, value in members.items():
        if name not in names:
            rest[name] = value
    return rest
