"""Batches: many cases from one CSV file, and jobs that were started under one batch id.

Each row of a file is validated separately: valid rows become jobs, others are stored with their
line and reason. A file is read in chunks with one transaction each, so another worker can continue
where one died. The first chunk is read during the request.
"""

from __future__ import annotations

import hashlib
import itertools
import uuid
from collections.abc import Container, Iterator, Sequence
from datetime import timedelta
from typing import IO, cast

import orjson
from django.conf import settings
from django.core.files.base import File
from django.db import IntegrityError, transaction
from django.utils.timezone import now

from agenthub import digests
from agenthub.batches import csv_cases
from agenthub.jobs import admission, lifecycle
from agenthub.models import Agent, AgentJob, JobBatch, RejectedRow
from agenthub.models.jobs import message
from agenthub.schemas.limits import Problem
from agenthub.subjects import facts, names
from agenthub.wire import JsonObject, JsonValue, Wire
from compliance.db import clock
from compliance.http.limits import quotas
from compliance.security.data_keys import DataKeyError
from compliance.tracing import spans
from compliance.work import notify

QUEUE = "agenthub.tasks.advance_batches"
CHUNK = 1000
LONGEST_QUOTE = 60  # characters of an id in the reason of a refusal
CHUNKS = 5  # per run; then other waiting batches get their turn
# The wait before checking again whether the account has room for more jobs.
WAIT_FOR_ROOM = timedelta(seconds=15)
# How long the file of an ended batch is kept.
RETENTION = timedelta(seconds=settings.DOCUMENT_URL_SECONDS)
# Why a batch ends whose row cannot be trusted.
CHANGED = "Its options were changed in the database, so no more rows are started."
HEADER_REFUSED = "The header of the file was refused."
ROW_OPTIONS = ("webhook_url", "tool_webhook_url", "slack_webhook_url")


class OtherRowsError(Exception):
    """A batch with this id exists, and was made from other rows."""


class UnknownRowsError(OtherRowsError):
    """A batch with this id exists, and its rows are not stored any more: they may be others."""


def of(agent: Agent, batch_id: uuid.UUID) -> JobBatch:
    """The batch for jobs that are started one by one with this batch id. Created if needed."""
    batch, _ = JobBatch.objects.get_or_create(
        agent=agent,
        batch_id=batch_id,
        defaults={
            "status": JobBatch.Status.COMPLETE,
            "due_at": None,
            # It has no rows, so no file repeats it.
            "rows_sha256": _digest(b""),
        },
    )
    return batch


def create(
    *,
    agent: Agent,
    batch_id: uuid.UUID,
    name: str,
    file: File[bytes],
    options: JsonObject,
) -> tuple[JobBatch, bool]:
    """Store a file of cases and start its first rows; a worker starts the rest.

    Returns (batch, True), or (existing batch with this id, False). Raises OtherRowsError, and
    csv_cases.UnreadableFileError before anything is stored.
    """
    with csv_cases.reading(bare(file), options.get("column_mapping")) as rows:
        # Validate the header and the first row now.
        if next(rows, None) is None:
            raise csv_cases.UnreadableFileError("The file has no rows.")
    file.seek(0)
    batch = JobBatch(
        agent=agent,
        batch_id=batch_id,
        name=name[: names.LONGEST],
        rows_sha256=_digest(file.read(), options.get("column_mapping")),
        options=_of_batch(agent, batch_id, options),
        # Created with a lease: this request reads the first chunk.
        claim_count=1,
        leased_until=now() + settings.LEASE,
    )
    if JobBatch.objects.filter(agent=agent, batch_id=batch_id).exists():
        return _repeated(batch), False
    file.seek(0)
    # The file comes first: if this process dies between the two, no batch without rows occupies
    # the id. A file without a row is removed later. Its name is made in the store: a client's file
    # name is untrusted.
    batch.file.save(f"{uuid.uuid4()}.csv", file, save=False)
    try:
        with transaction.atomic():
            batch.save(force_insert=True)
    except BaseException as exc:
        batch.file.delete(save=False)
        if isinstance(exc, IntegrityError):
            return _repeated(batch), False
        raise
    _read(batch, chunks=1)
    return batch, True


def _digest(content: bytes, read_by: object = None) -> str:
    """The keyed hash of the rows of a batch, and of what decides how they are read.

    Without the key nobody finds a short row from it by trying.
    """
    options = orjson.dumps(read_by, option=orjson.OPT_SORT_KEYS)
    return digests.keyed(hashlib.sha256(options + b"\n" + content).hexdigest())


def _of_batch(agent: Agent, batch_id: uuid.UUID, options: JsonObject) -> Wire:
    """The options with their agent and batch, so that they are not valid for another batch."""
    return {**options, "agent_key": agent.key, "batch_id": str(batch_id)}


def _require_its_options(batch: JobBatch) -> None:
    """Raise DataKeyError unless the options are those that the request of this batch had.

    Whoever writes to the database, without a key, gets no results sent to an address of their own.
    """
    options = batch.options
    own = _of_batch(batch.agent, batch.batch_id, options)
    if options != own:
        raise DataKeyError("The options are those of another batch.")


def _repeated(batch: JobBatch) -> JobBatch:
    """The batch that has this id already.

    Raises OtherRowsError if it has other rows, or UnknownRowsError if nobody can tell.
    """
    earlier = JobBatch.objects.get(agent=batch.agent, batch_id=batch.batch_id)
    digest = earlier.rows_sha256 or _digest_of_stored(earlier)
    if digest != batch.rows_sha256:
        raise OtherRowsError
    return earlier


def _digest_of_stored(batch: JobBatch) -> str:
    """The digest of a batch that an older version made without one: from its file or its jobs.

    Raises UnknownRowsError if the rows are not there any more.
    """
    if batch.file:
        try:
            with batch.file.open("rb") as file:
                return _digest(file.read(), batch.options.get("column_mapping"))
        except (FileNotFoundError, DataKeyError) as exc:
            raise UnknownRowsError from exc
    jobs = batch.jobs.order_by("pk").select_related("agent")
    schemas = [job.input_payload.get(f"{job.agent.kind}_schema") for job in jobs]
    # A refused row is not stored, and what was erased is gone.
    is_whole = len(schemas) == batch.read_rows and not jobs.exclude(erased_at=None)
    if not schemas or not is_whole:
        raise UnknownRowsError
    return _digest(b"", schemas)


def create_of_schemas(
    *,
    agent: Agent,
    batch_id: uuid.UUID,
    name: str,
    schemas: Sequence[JsonValue],
    options: JsonObject,
) -> tuple[JobBatch, bool]:
    """Start a job for each case of a list, at most CHUNK, in one transaction.

    Refused cases are stored with their position in the list, from 1. Returns (batch, True), or
    (existing batch with this id, False). Raises OtherRowsError.
    """
    batch = JobBatch(
        agent=agent,
        batch_id=batch_id,
        name=name[: names.LONGEST],
        status=JobBatch.Status.COMPLETE,
        rows_sha256=_digest(b"", list(schemas)),
        options=_of_batch(agent, batch_id, options),
        read_rows=len(schemas),
        due_at=None,
    )
    jobs, rejections = _judge(batch, schemas)
    batch.accepted, batch.rejected = len(jobs), len(rejections)
    # The jobs have these options, and no more jobs follow.
    batch.options = {}
    try:
        with transaction.atomic():
            batch.save(force_insert=True)
            AgentJob.objects.bulk_create(jobs)
            RejectedRow.objects.bulk_create(rejections)
            for queue in {lifecycle.queue_of(job) for job in jobs}:
                notify.after_commit(queue)
    except IntegrityError:
        # These jobs were not started. Those of the earlier call were counted by it.
        quotas.give_back(quotas.ACCOUNT, agent.account_id, jobs=len(jobs))
        return _repeated(batch), False
    return batch, True


def _judge(
    batch: JobBatch, schemas: Sequence[JsonValue]
) -> tuple[list[AgentJob], list[RejectedRow]]:
    # Here, so that only a worker that reads a batch loads the whole of REST framework.
    from agenthub.schemas.validation import judge

    jobs: list[AgentJob] = []
    places: list[int] = []
    rejections: list[RejectedRow] = []
    ids: set[str] = set()
    for place, schema in enumerate(schemas, start=1):
        problem = judge(batch.agent, schema) or _duplicate(schema["id"], ids)
        if problem is None:
            ids.add(schema["id"])
            jobs.append(_job(batch, place, schema))
            places.append(place)
        else:
            rejections.append(_rejection(batch, place, problem))
    if too_many := _over_quota(batch, places):
        return [], rejections + too_many
    return jobs, rejections


def _over_quota(batch: JobBatch, places: list[int]) -> list[RejectedRow]:
    """A rejection for each of these rows if the account has reached its daily quota; else empty."""
    try:
        quotas.take(quotas.ACCOUNT, batch.agent.account_id, jobs=len(places))
    except quotas.QuotaError as exc:
        problem = Problem(str(exc), [])
        return [_rejection(batch, place, problem) for place in places]
    return []


def _rejection(batch: JobBatch, line: int, problem: Problem) -> RejectedRow:
    return RejectedRow(
        batch=batch,
        line=line,
        reason=problem.reason,
        detail=problem.detail,
    )


def advance(batch: JobBatch) -> None:
    """Start rows that are not started yet. For an ended batch: delete its file."""
    if batch.status != JobBatch.Status.RUNNING:
        batch.file.delete(save=False)
        batch.complete(file="", options={})
        return
    try:
        _require_its_options(batch)
    except DataKeyError:
        give_up(batch, CHANGED)
        return
    if not batch.file:
        # A process of an earlier version died between storing the row and the file. Nothing was
        # confirmed to the client.
        give_up(batch, "The file did not arrive.")
        return
    _read(batch, chunks=CHUNKS)


def give_up(batch: JobBatch, reason: str) -> None:
    """Stop reading a file. Jobs that were started already continue."""
    _end(batch, JobBatch.Status.FAILED, error=reason)


def _end(batch: JobBatch, status: JobBatch.Status, **changes: str) -> None:
    # The file is personal data, and its content is in the jobs: keep it for a limited time.
    delete_at = clock.now() + RETENTION if batch.file else None
    batch.move(status, due_at=delete_at, leased_until=None, **changes)


def _read(batch: JobBatch, *, chunks: int) -> None:
    try:
        mapping = batch.options.get("column_mapping")
        with (
            batch.file.open("rb") as file,
            csv_cases.reading(bare(file), mapping) as all_rows,
        ):
            rows = itertools.islice(all_rows, batch.read_rows, None)
            for _ in range(chunks):
                if reason := _closed(batch):
                    give_up(batch, reason)
                    return
                # Start only as many jobs as the account has room for. The rest of the file waits.
                room = admission.room_for_jobs(batch.agent.account)
                if room == 0:
                    batch.complete(due_at=now() + WAIT_FOR_ROOM)
                    return
                if room is None:
                    size = CHUNK
                else:
                    size = min(CHUNK, room)
                chunk = list(itertools.islice(rows, size))
                # Validate before the transaction: on SQLite, nobody else can write while it is
                # open.
                _start(batch, chunk, list(_jobs_or_problems(batch, chunk)))
                if len(chunk) < size:
                    _end(batch, JobBatch.Status.COMPLETE)
                    return
    except csv_cases.UnreadableHeaderError:
        # This version refuses what an earlier one took.
        give_up(batch, HEADER_REFUSED)
        return
    except csv_cases.UnreadableFileError as exc:
        give_up(batch, str(exc))
        return
    batch.complete(due_at=clock.now())
    notify.after_commit(QUEUE)


def _closed(batch: JobBatch) -> str:
    """Why no more rows are started: somebody has closed the account or the agent; else empty."""
    # Read again: a long file takes minutes.
    agent = Agent.objects.select_related("account").get(pk=batch.agent_id)
    if not agent.account.is_active:
        return "The account is not active."
    if not agent.is_active:
        return "The agent is not active."
    return ""


def bare(file: File[bytes]) -> IO[bytes]:
    """The raw file of a Django File, which lacks methods that a text reader needs."""
    return cast(IO[bytes], file.file)


@transaction.atomic
def _start(
    batch: JobBatch,
    rows: Sequence[csv_cases.Row],
    jobs_or_problems: Sequence[AgentJob | Problem],
) -> None:
    # First, and in the same transaction: a worker that lost the lease must not start anything.
    batch.heartbeat(settings.LEASE)
    jobs: list[AgentJob] = []
    places: list[int] = []
    rejections: list[RejectedRow] = []
    for row, job_or_problem in zip(rows, jobs_or_problems, strict=True):
        if isinstance(job_or_problem, Problem):
            rejections.append(_rejection(batch, row.line, job_or_problem))
        else:
            jobs.append(job_or_problem)
            places.append(row.line)
    # The quota is all or nothing: reject the valid rows of the chunk.
    if too_many := _over_quota(batch, places):
        jobs = []
        rejections += too_many
    AgentJob.objects.bulk_create(jobs, batch_size=CHUNK)
    RejectedRow.objects.bulk_create(rejections, batch_size=CHUNK)
    batch.read_rows += len(rows)
    batch.accepted += len(jobs)
    batch.rejected += len(rejections)
    batch.save(update_fields=["read_rows", "accepted", "rejected", "updated_at"])
    for queue in sorted({lifecycle.queue_of(job) for job in jobs}):
        notify.after_commit(queue)


def _jobs_or_problems(
    batch: JobBatch, rows: Sequence[csv_cases.Row]
) -> Iterator[AgentJob | Problem]:
    # Here, so that only a worker that reads a batch loads the whole of REST framework.
    from agenthub.schemas.validation import judge

    row_ids = {csv_cases.case_id(row.cells) for row in rows}
    earlier = AgentJob.objects.filter(batch=batch, case_id__in=row_ids)
    ids = set(earlier.values_list("case_id", flat=True))
    for row in rows:
        if row.error:
            yield Problem(row.error, [])
            continue
        schema: Wire = {
            "id": csv_cases.case_id(row.cells) or f"{batch.batch_id}-{row.line}",
            "self_attested_data": csv_cases.attested(row.cells),
        }
        problem = judge(batch.agent, schema) or _duplicate(schema["id"], ids)
        if problem is not None:
            yield problem
            continue
        ids.add(schema["id"])
        yield _job(batch, row.line, schema)


def _duplicate(case_id: str, ids: Container[str]) -> Problem | None:
    """A Problem if an earlier row has this id: one case would hold the data of two subjects."""
    if case_id not in ids:
        return None
    quote = case_id[:LONGEST_QUOTE]
    words = f"The id {quote} stands in an earlier row: give each case its own."
    detail = {"loc": ["id"], "msg": words, "type": "unique"}
    return Problem(words, [detail])


def _job(batch: JobBatch, line: int, schema: Wire) -> AgentJob:
    agent, options = batch.agent, batch.options
    name = names.name_of(schema)
    job = AgentJob(
        account_id=agent.account_id,
        agent=agent,
        # Derived, so that reading a row again gives the same id.
        job_id=uuid.uuid5(batch.batch_id, f"{agent.pk}:{line}"),
        case_id=schema["id"],
        input_payload={f"{agent.kind}_schema": schema, **options},
        check_ids=options.get("check_ids") or [],
        batch=batch,
        is_bulk=True,
        subject=name,
        subject_key=names.key_of(schema, kind=agent.kind),
        fact_key=facts.key_of(schema),
        traceparent=spans.current(),
        status_messages=[message("Job created.")],
        **{option: options.get(option) or "" for option in ROW_OPTIONS},
    )
    lifecycle.set_documents(job)
    job.request_proof = job.proof()
    return job
