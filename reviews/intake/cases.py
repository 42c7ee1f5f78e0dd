"""Acts of people on a case: submit, attach, run again, stop waiting.

Pages, the REST interface and the admin call the same functions.
"""

from __future__ import annotations

import json
import secrets
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import timedelta
from typing import Literal

from django.contrib.auth.models import User
from django.core.files.base import File
from django.db import IntegrityError, transaction
from django.db.models import Model

from compliance.http import references
from compliance.http.limits import quotas
from compliance.security.personal_fields import delete_files
from reviews.access import roles
from reviews.audit import trail
from reviews.documents import store
from reviews.findings import related_cases
from reviews.findings.check_runs import EffectiveResults
from reviews.jobs import completion, start
from reviews.jobs.endings import NO_RECOMMENDATION, NO_SUMMARY
from reviews.jobs.schedule import UNDER_WAY
from reviews.models import (
    Agent,
    Case,
    CaseEvent,
    Document,
    Job,
    Procedure,
    SubscriptionEvent,
)
from reviews.parties import recording
from reviews.people import sla
from reviews.procedures import checklists, versions
from reviews.subscriptions import announcements

# If a job runs longer, the page offers to stop waiting for it. Most jobs take minutes.
LONG_RUN = timedelta(hours=1)


class ReferenceTakenError(Exception):
    """Another case of this connection has the same reference."""


class SubmissionTakenError(Exception):
    """The id of this submission belongs to a case with other data."""


class UnfitReferenceError(Exception):
    """The reference could be confused with other signed content of a webhook."""


def submit(
    *,
    actor: User | None,
    agent: Agent,
    subject: str,
    data: Mapping[str, object],
    documents: Iterable[tuple[str, File[bytes]]],
    links: Sequence[tuple[str, str]] = (),
    reference: str = "",
    country: str = "",
    submission: uuid.UUID | None = None,
    extra: Mapping[str, object] | None = None,
    procedure: Procedure | Literal["live"] | None = "live",
    custom_fields: Mapping[str, object] | None = None,
    extra_columns: Mapping[str, str] | None = None,
    original: Case | None = None,
    opened: Callable[[Case], None] | None = None,
) -> Case:
    """Open a case and queue its first job.

    - `actor`: None stands for the installation itself
    - `documents`: pairs of Document.Kind and file
    - `links`: pairs of Document.Kind and URL; the files are fetched in the background
    - `submission`: identifies this act; a repeated submission (double click, retried request)
      returns the same case, if it has the same data
    - `reference`: if empty, the desk makes one
    - `extra`: members of the schema beside the attested data
    - `procedure`: the version that `custom_fields` belong to, or None without one; default: the live one
    - `extra_columns`: further columns of an imported file, by header
    - `original`: a case with the same data, which this one reviews: its parties are the same
    - `opened`: called with a new case, in its transaction. If it raises, nothing is kept

    Raises ReferenceTakenError, SubmissionTakenError, PermissionDenied, QuotaError, and
    UnfitReferenceError for a reference that no form has checked.
    """
    documents = list(documents)
    _admit(actor, agent, reference)
    submission = submission or uuid.uuid4()
    case = Case(
        connection=agent.connection,
        agent=agent,
        kind=agent.kind,
        reference=reference or str(submission),
        subject=subject[:400],
        country=country,
        self_attested_data=dict(data),
        schema_extra=dict(extra or {}),
        submitted_by=actor,
    )
    checklists.begin(
        case,
        versions.live(case.kind) if procedure == "live" else procedure,
        values=custom_fields,
        extra=extra_columns,
    )
    # A repetition needs no files, and counts nothing.
    if earlier := _repeated(submission, case, reference, documents):
        return earlier
    files = len(documents) + len(links)
    try:
        with (
            _counted(actor, files),
            written(case, documents) as rows,
            transaction.atomic(),
        ):
            pictures = _open(case, has_reference=bool(reference))
            parties = recording.record(case, original=original, is_new=True)
            linked = _link(case, links)
            insert(rows)
            _record_submission(case, [*pictures, *linked, *rows, *parties.rows])
            start.queue(case, submission=submission)
            if opened is not None:
                opened(case)
            return case
    except IntegrityError as exc:
        # The same submission arrived twice at the same time, and the other one was first: a job
        # has its id.
        if earlier := _repeated(submission, case, reference, documents):
            return earlier
        raise ReferenceTakenError(reference) from exc


def _admit(actor: User | None, agent: Agent, reference: str) -> None:
    if actor is not None:
        roles.require_agent(actor, agent)
    if not references.fits(reference):
        raise UnfitReferenceError(references.REFUSAL)


def _counted(actor: User | None, files: int) -> AbstractContextManager[None]:
    # People have a daily quota of files and jobs. The installation has none.
    if actor is None:
        return nullcontext()
    return quotas.counted(quotas.USER, actor.pk, files=files, jobs=1)


def _repeated(
    submission: uuid.UUID,
    case: Case,
    reference: str,
    documents: Iterable[tuple[str, File[bytes]]],
) -> Case | None:
    """The case of an earlier submission with the same id. Its first job has this id.

    Raises SubmissionTakenError if it had other data.
    """
    # First the key alone: nearly every submission is new.
    keys = Job.objects.filter(pk=submission).values_list("case", flat=True)
    key = keys.first()
    if key is None:
        return None
    earlier = Case.objects.get(pk=key)
    _require_same(earlier, case, reference, documents)
    return earlier


def _require_same(
    earlier: Case,
    case: Case,
    reference: str,
    documents: Iterable[tuple[str, File[bytes]]],
) -> None:
    """Raise SubmissionTakenError if this is not a repetition of what opened the earlier case.

    Otherwise a client would be told that data was stored which is lost.
    """
    # As the database returns it: a tuple becomes a list.
    data = json.loads(json.dumps(case.self_attested_data))
    is_same = earlier.agent_id == case.agent_id and earlier.self_attested_data == data
    if reference and reference != earlier.reference:
        is_same = False
    # What the applicant sent later, and what was fetched from a link, came with no submission.
    before = []
    for document in earlier.documents.filter(request=None):
        if not document.source_url:
            before.append((document.kind, document.sha256))
    now_sent = [(kind, store.digest(file)) for kind, file in documents]
    if sorted(before) != sorted(now_sent):
        is_same = False
    if not is_same:
        raise SubmissionTakenError


def _open(case: Case, *, has_reference: bool) -> list[Document]:
    """Insert a new case with its search text and identifiers.

    Without a reference it gets one from its primary key. Returns documents for the ID pictures
    that were attested as URLs.
    """
    case.due_at = sla.due(case, risk=0)
    # save() would write a search text with a reference that is replaced below.
    Case.objects.bulk_create([case])
    if not has_reference:
        case.reference = _free_reference(case)
        Case.objects.filter(pk=case.pk).update(reference=case.reference)
    case.make_searchable(is_new=True)
    related_cases.store_identifiers(case)
    return store.import_id_pictures(case)


def _link(case: Case, links: Iterable[tuple[str, str]]) -> list[Document]:
    documents = []
    for kind, url in links:
        documents.append(store.import_document(case, kind=kind, wire={"url": url}))
    return documents


def _record_submission(case: Case, rows: Iterable[Model]) -> None:
    data = {"agent": case.agent.name if case.agent else ""}
    actor = CaseEvent.Actor.AGENT
    trail.record(
        case,
        "submitted",
        data,
        user=case.submitted_by,
        actor=actor,
        about=[case, *rows],
    )
    announcements.announce(case, SubscriptionEvent.CREATED)


def _free_reference(case: Case) -> str:
    reference = f"C-{10000 + case.pk}"
    same = Case.objects.filter(
        connection=case.connection_id,
        reference=reference,
    )
    if same.exists():
        return f"{reference}-{secrets.token_hex(3)}"
    return reference


@contextmanager
def written(
    case: Case, files: Iterable[tuple[str, File[bytes]]]
) -> Iterator[list[Document]]:
    """Write files into the store, and yield their documents, for insert(): all files, or none.

    Enter it before the transaction (see store.write). At its end, files without a row are deleted.
    """
    named = [(kind, file, file.name or "document") for kind, file in files]
    documents = store.write(case, named)
    is_complete = False
    try:
        yield documents
        is_complete = True
    finally:
        unused = []
        for document in documents:
            # After an error the rows were rolled back.
            if not is_complete or document._state.adding:
                unused.append(document.file)
        delete_files(unused)


def insert(documents: Iterable[Document]) -> None:
    """Add the rows of documents of written()."""
    for document in documents:
        store.insert(document)


@transaction.atomic
def run_again(case: Case, *, actor: User | None, check_id: str = "") -> Job | None:
    """Queue a new job for the case: for all checks, or for one.

    A run of one check replaces its earlier result. The recommendation stays, as it is based on
    all checks. Returns None if a job is still under way, or the case may not move. `actor` None
    stands for the installation. Raises LookupError if no such check has run, and
    PermissionDenied.
    """
    if actor is not None:
        roles.require(actor, roles.RUN_AGAIN, case)
    case = Case.objects.select_for_update().get(pk=case.pk)
    data = {}
    changes: dict[str, object] = {}
    if check_id:
        if not EffectiveResults.after(list(case.jobs.all())).has(check_id):
            raise LookupError(check_id)
        data["check"] = check_id
    else:
        # A run of all checks starts without the earlier recommendation and summary.
        changes = {**NO_RECOMMENDATION, **NO_SUMMARY}
    if case.jobs.filter(status__in=UNDER_WAY).exists():
        return None
    if not case.move(Case.Status.CHECKING, **changes):
        return None
    # Last: what is not run is not counted. If nothing is left, the transaction is undone.
    if actor is not None:
        quotas.take(quotas.USER, actor.pk, jobs=1)
    trail.record(case, "run_again", data, user=actor, actor=CaseEvent.Actor.AGENT)
    return start.queue(case, check_id=check_id)


@transaction.atomic
def stop_waiting(case: Case, *, actor: User) -> Job | None:
    """End the job that is under way, on the side of the desk only.

    The service may still finish it, and its results are applied as usual. Returns None if no
    job is under way. Raises PermissionDenied.
    """
    roles.require(actor, roles.RUN_AGAIN, case)
    case = Case.objects.select_for_update().get(pk=case.pk)
    job = case.jobs.first()
    if job is None or not job.is_under_way:
        return None
    trail.record(case, "stopped_waiting", {"job": job.remote_id}, user=actor)
    name = actor.get_full_name() or actor.get_username()
    since = job.started_at or job.created_at
    error = (
        f"{name} stopped waiting for this job."
        f" It was under way since {since:%Y-%m-%d %H:%M} UTC. {job.error}"
    )
    completion.fail(job, error=error)
    return job


def subject_of(data: Mapping[str, object]) -> str:
    """The name of the subject, from the attested data of a business or a person."""
    business_name = data.get("business_name") or data.get("registered_business_name")
    if business_name:
        return str(business_name)
    names = []
    for member in ("first_name", "middle_name", "last_name"):
        if data.get(member):
            names.append(str(data[member]))
    return " ".join(names) or str(data.get("website") or "Unnamed")
