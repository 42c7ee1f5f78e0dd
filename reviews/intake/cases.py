"""What people do with a case. Pages, REST and admin all call these."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.core.files.base import File
from django.db import IntegrityError, transaction

from compliance.db import fast_sql
from compliance.http import references
from compliance.work import notify
from reviews.access import roles
from reviews.audit import trail
from reviews.documents import store
from reviews.findings import check_runs, related_cases
from reviews.jobs import completion, endings, schedule, start
from reviews.models import (
    ID_PICTURES,
    Agent,
    Case,
    CaseEvent,
    Connection,
    Document,
    Job,
    Kind,
    SearchText,
)
from reviews.people import sla
from reviews.service.client import Service, ServiceError

# The members of self_attested_data that are lists of documents.
LISTED = [kind.value for kind in Document.Kind if kind not in ID_PICTURES]


class ReferenceTakenError(Exception):
    """Another case of this connection has that reference."""


class UnfitReferenceError(Exception):
    """A service named a case in a way that could be signed as something else."""


def submit(
    *,
    actor: User | None,
    agent: Agent,
    subject: str,
    data: Mapping[str, Any],
    documents: Iterable[tuple[str, File[bytes]]],
    reference: str = "",
    country: str = "",
    submission: uuid.UUID | None = None,
) -> Case:
    """Open a case and have its first job sent.

    `documents` are (Document.Kind, file) pairs. `submission` names this act: submitting it again
    (a double click, a repeated request) gives the same case. Without a `reference` one is made.
    No `actor` is the installation itself. Raises ReferenceTakenError, PermissionDenied, and
    UnfitReferenceError where the form was passed by.
    """
    if actor is not None:
        roles.require_agent(actor, agent)
    if not references.fits(reference):
        raise UnfitReferenceError(references.REFUSAL)
    submission = submission or uuid.uuid4()
    try:
        with transaction.atomic():
            if done := fast_sql.fetch_models(Job, only=("case",), pk=submission):
                return done[0].case
            case = _open(
                actor=actor, agent=agent, reference=reference, subject=subject, country=country,
                data=data, submission=submission,
            )  # fmt: skip
            attach(case, documents)
            start.queue(case, submission=submission)
            return case
    except IntegrityError as exc:
        if done := fast_sql.fetch_models(Job, only=("case",), pk=submission):
            return done[0].case
        raise ReferenceTakenError(reference) from exc


def _open(
    *,
    actor: User | None,
    agent: Agent,
    reference: str,
    subject: str,
    country: str,
    data: Mapping[str, Any],
    submission: uuid.UUID,
) -> Case:
    case = Case(
        connection=agent.connection,
        agent=agent,
        kind=agent.kind,
        reference=reference or str(submission),
        subject=subject[:400],
        country=country,
        self_attested_data=dict(data),
        submitted_by=actor,
    )
    case.due_at = sla.due(case, risk=0)
    # Not save(), which would have the case found by a reference that it does not keep.
    fast_sql.insert([case])
    if not reference:
        case.reference = _free_reference(case)
        fast_sql.update(Case, {"reference": case.reference}, pk=case.pk)
    fast_sql.insert([SearchText(case=case, **case.searchable())])
    related_cases.store_identifiers(case)
    store.adopt_id(case)
    trail.record(case, "submitted", {"agent": agent.name}, user=actor, actor=CaseEvent.Actor.AGENT)
    return case


def _free_reference(case: Case) -> str:
    plain = f"C-{10000 + case.pk}"
    taken = fast_sql.fetch_models(
        Case, only=("reference",), connection=case.connection_id, reference=plain
    )
    return f"{plain}-{secrets.token_hex(3)}" if taken else plain


def attach(case: Case, files: Iterable[tuple[str, File[bytes]]]) -> list[Document]:
    """Keep files with a case, all or none."""
    kept: list[Document] = []
    try:
        for kind, file in files:
            kept.append(store.add(case, kind=kind, file=file, file_name=file.name or "document"))
    except BaseException:
        # The rows go with the transaction; the files would stay.
        for document in kept:
            document.file.delete(save=False)
        raise
    return kept


@transaction.atomic
def run_again(case: Case, *, actor: User | None, check_id: str = "") -> Job | None:
    """Send a new job for the case, of all checks or of one.

    What the run of one check says takes the place of what it said before; the recommendation,
    which rests on all, stays. Returns None where a job is still under way. Raises LookupError
    where no such check has run, and PermissionDenied. No `actor` is the installation itself.
    """
    if actor is not None:
        roles.require(actor, roles.RUN_AGAIN, case)
    case = Case.objects.select_for_update().get(pk=case.pk)
    under_way = (Job.Status.QUEUED, Job.Status.RUNNING)
    if check_id and not check_runs.EffectiveResults.after(list(case.jobs.all())).has(check_id):
        raise LookupError(check_id)
    forgotten: dict[str, Any] = {} if check_id else {**endings.NO_RECOMMENDATION, "summary": {}}
    if case.jobs.filter(status__in=under_way).exists() or not case.move(
        Case.Status.CHECKING, **forgotten
    ):
        return None
    data = {"check": check_id} if check_id else {}
    trail.record(case, "run_again", data, user=actor, actor=CaseEvent.Actor.AGENT)
    return start.queue(case, check_id=check_id)


# From then on a page offers to stop to wait for a job. Most take minutes.
LONG = timedelta(hours=1)


@transaction.atomic
def stop_waiting(case: Case, *, actor: User) -> Job | None:
    """End the job that is under way here, whatever the service does with it: a person has waited
    long enough. What it says later is taken in all the same.

    Returns None where none is under way. Raises PermissionDenied.
    """
    roles.require(actor, roles.RUN_AGAIN, case)
    case = Case.objects.select_for_update().get(pk=case.pk)
    job = case.jobs.first()
    if job is None or not job.is_under_way:
        return None
    since = job.started_at or job.created_at
    trail.record(case, "stopped_waiting", {"job": job.remote_id}, user=actor)
    said = f"{actor.get_full_name() or actor.get_username()} stopped waiting for this job."
    completion.fail(
        job, error=f"{said} It was under way since {since:%Y-%m-%d %H:%M} UTC. {job.error}"
    )
    return job


def adopt(connection: Connection, remote_id: str) -> Job:
    """Make a case of a job that another system started at the service.

    Raises ServiceError where the service does not know the job, or cannot be asked now, and
    UnfitReferenceError where it names the case as none may be named.
    """
    found = Service.of(connection).get_job(remote_id)
    schema = found.get("input_payload")
    if not isinstance(schema, dict):
        raise ServiceError("getJobById: the job has no input_payload", permanent=True)
    # The start response carries the whole request; a service may do so elsewhere too.
    schema = schema.get("kyb_schema") or schema.get("kyc_schema") or schema
    with transaction.atomic():
        case = _adopted_case(connection, schema if isinstance(schema, dict) else {}, remote_id)
        job, created = Job.objects.get_or_create(
            connection=connection,
            remote_id=remote_id,
            defaults={
                "case": case,
                "agent": case.agent,
                "status": Job.Status.RUNNING,
            },
        )
        if created:
            case.move(Case.Status.CHECKING)
            trail.record(case, "adopted", {"job": remote_id}, actor=CaseEvent.Actor.AGENT)
            notify.after_commit(schedule.QUEUE)
    return job


def _adopted_reference(schema: dict[str, Any], remote_id: str) -> str:
    reference = str(schema.get("id") or remote_id)
    if not references.fits(reference):
        raise UnfitReferenceError(
            f"The case id of this job cannot be taken: {references.REFUSAL} "
            f"It has at most {references.LONGEST} characters."
        )
    return reference


def _adopted_case(connection: Connection, schema: dict[str, Any], remote_id: str) -> Case:
    data = schema.get("self_attested_data")
    data = data if isinstance(data, dict) else {}
    kind = Kind.KYC if "first_name" in data or "last_name" in data else Kind.KYB
    kept = {key: value for key, value in data.items() if key not in LISTED}
    extra = {k: v for k, v in schema.items() if k not in {"id", "self_attested_data"}}
    case, created = Case.objects.get_or_create(
        connection=connection,
        reference=_adopted_reference(schema, remote_id),
        defaults={
            "kind": kind,
            "subject": subject_of(data)[:400],
            "self_attested_data": kept,
            "schema_extra": extra,
            "agent": connection.agents.filter(kind=kind, is_active=True).first(),
        },
    )
    if created:
        Case.objects.filter(pk=case.pk).update(due_at=sla.due(case, risk=0))
        related_cases.store_identifiers(case)
        store.adopt_id(case)
    for member in LISTED if created else ():
        listed = data.get(member)
        for wire in listed if isinstance(listed, list) else ():
            if isinstance(wire, dict):
                store.adopt(case, kind=member, wire=wire)
    return case


def subject_of(data: Mapping[str, Any]) -> str:
    """The name under review, from self-attested data of either shape."""
    names = [data.get("business_name") or data.get("registered_business_name")]
    if not names[0]:
        names = [data.get(part) for part in ("first_name", "middle_name", "last_name")]
    return " ".join(str(name) for name in names if name) or str(data.get("website") or "Unnamed")
