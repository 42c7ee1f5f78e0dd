"""Erases one applicant's data for one account: requests, results, webhooks, uploads, hashes.

Ids, statuses and times stay, so that the account's lists and counts do not change."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from django.db import models, transaction
from django.utils.timezone import now

from agenthub.batches import csv_cases, processing
from agenthub.documents import uploads
from agenthub.models import (
    Account,
    Agent,
    AgentJob,
    CheckRun,
    Delivery,
    JobBatch,
    RejectedRow,
    Upload,
)
from agenthub.models.jobs import message
from agenthub.subjects import names
from agenthub.wire import Wire
from compliance.security import data_keys, data_map
from compliance.security.data_map import ERASED, Act, Table
from compliance.security.personal_fields import Sealed, opened

UNDER_WAY = (AgentJob.Status.PENDING, AgentJob.Status.RUNNING)
# The URL of an upload in a request.
_UPLOAD = re.compile(r"/uploads/([0-9a-fA-F-]{36})/")
# Members of a result that stay: they identify nobody.
_KEPT = ("passed", "verdict")


class UnderWayError(Exception):
    """A job of the case is running: erase the case when it has ended."""


@transaction.atomic
def erase_case(account: Account, case_id: str) -> dict[str, int]:
    """Erase a case. Returns how many rows of each kind, and files, were erased; {} the second time.

    Raises UnderWayError.
    """
    jobs = AgentJob.objects.filter(account=account, case_id=case_id)
    # Lock the rows: none of the jobs may be run again meanwhile.
    locked = list(jobs.select_for_update().values_list("pk", "status", "erased_at"))
    if any(status in UNDER_WAY for _, status, _ in locked):
        raise UnderWayError
    keys = []
    for pk, _, erased_at in locked:
        if erased_at is None:
            keys.append(pk)
    return _erase_jobs(account, keys, case_id)


def erase_again(key_ids: Sequence[int]) -> None:
    """Erase jobs that a restored backup has brought back, by the ids of their data keys.

    They were erased before, so nothing can forbid it. The caller has an open transaction.
    """
    jobs = AgentJob.objects.select_for_update(of=("self",)).filter(
        data_key__in=key_ids, erased_at=None
    )
    jobs_by_case: dict[tuple[Account, str], list[int]] = {}
    for job in jobs.select_related("account").order_by("pk"):
        # The backup may be of a time when it was under way.
        job.move(AgentJob.Status.FAILED, due_at=None, leased_until=None)
        jobs_by_case.setdefault((job.account, job.case_id), []).append(job.pk)
    for (account, case_id), keys in jobs_by_case.items():
        _erase_jobs(account, keys, case_id)


def _erase_jobs(account: Account, keys: list[int], case_id: str) -> dict[str, int]:
    """Erase these jobs of one case. Returns how many rows of each kind, and files, were erased."""
    counts = {"jobs": len(keys)}
    # Read the payloads for uploads and batches first: afterwards they are erased.
    counts["uploads"] = _erase_uploads(account, keys)
    counts["batch_files"] = _erase_batches(account, keys, case_id)
    for table in data_map.of_app("agenthub"):
        if table.act is not Act.STAY and table.model != "agenthub.AgentJob":
            name = str(table.cls._meta.verbose_name_plural).replace(" ", "_")
            counts[name] = _erase_rows(table, keys)
    _blank_jobs(keys)
    return {name: count for name, count in counts.items() if count}


def _erase_rows(table: Table, keys: Collection[int]) -> int:
    rows = table.cls._default_manager.filter(**{f"{table.path}__in": keys})
    if table.act is Act.REMOVE:
        count, _ = rows.delete()
        return count
    if table.cls is CheckRun:
        return _blank_runs(CheckRun.objects.filter(job__in=keys))
    if table.cls is Delivery:
        # Deliveries that are still due would send the erased data.
        rows.filter(status=Delivery.Status.DUE).update(status=Delivery.Status.DEAD)
    return _blank(rows, table)


def _blank(rows: models.QuerySet[models.Model], table: Table) -> int:
    return rows.update(**table.blanks())


def _blank_runs(runs: Iterable[CheckRun]) -> int:
    """Erase the results of check runs. Whether a check passed stays; its findings do not."""
    count = 0
    for run in runs:
        kept: Wire = {}
        for name in _KEPT:
            if name in run.result:
                kept[name] = run.result[name]
        result: Wire = {**kept, "explanation": ERASED, "payload": {}}
        CheckRun.objects.filter(pk=run.pk).update(
            result=_open(CheckRun, "result", result),
            status_messages=_open(CheckRun, "status_messages", [message(ERASED)]),
        )
        count += 1
    return count


def _blank_jobs(keys: Collection[int]) -> None:
    table = data_map.table(AgentJob)
    moment = now()
    for job in AgentJob.objects.filter(pk__in=keys).select_related("agent"):
        # Clients expect a case with an id in every job, so keep that.
        schema = {"id": job.case_id, "self_attested_data": {}}
        values = {
            **table.blanks(),
            "input_payload": _open(
                AgentJob, "input_payload", {f"{job.agent.kind}_schema": schema}
            ),
            "status_messages": [message(ERASED)],
            "erased_at": moment,
        }
        AgentJob.objects.filter(pk=job.pk).update(**values)
        if job.data_key_id is not None:
            # With the key erased, the names in backups of the database are unreadable as well.
            data_keys.erase(job.data_key_id)


def _open(model: type[models.Model], name: str, value: object) -> Sealed:
    """A value without personal data, sealed so that it outlives the job's erased key."""
    column: Any = model._meta.get_field(name)
    token: Sealed = column.sealed(data_keys.INSTALLATION, value)
    return token


def _erase_uploads(account: Account, keys: Collection[int]) -> int:
    """Delete the uploads that the requests refer to by URL. Returns their number."""
    ids = set()
    jobs = AgentJob.objects.filter(pk__in=keys)
    for payload in jobs.values_list("input_payload", flat=True):
        for text in _UPLOAD.findall(json.dumps(opened(payload))):
            try:
                ids.add(uuid.UUID(text))
            except ValueError:
                continue
    rows = Upload.objects.filter(account=account, pk__in=ids, status=Upload.Status.KEPT)
    count = 0
    for upload in rows:
        uploads.expire(upload)
        count += 1
    return count


def _erase_batches(account: Account, keys: Collection[int], case_id: str) -> int:
    """Delete the CSV files that contained the case. Their rows are jobs already, or refused.

    Rejected rows that contain the case's id are emptied, and names of batches that name the applicant,
    too. Returns the number of files.
    """
    batches = [*JobBatch.objects.filter(jobs__in=keys).distinct()]
    for batch in _refusing_batches(account).exclude(jobs__in=keys):
        if _has_row(batch, case_id):
            batches.append(batch)
    rejected = RejectedRow.objects.filter(batch__in=batches)
    # A reason quotes a long id only in part.
    quote = case_id[: processing.LONGEST_QUOTE]
    for row in rejected:
        if quote in f"{row.reason} {json.dumps(row.detail, ensure_ascii=False)}":
            reason = _open(RejectedRow, "reason", ERASED)
            RejectedRow.objects.filter(pk=row.pk).update(reason=reason, detail=b"")
    _erase_names(account, keys, {batch.pk for batch in batches})
    count = 0
    for batch in batches:
        # A running batch still needs its file and options. They go when its retention ends.
        if batch.status == JobBatch.Status.RUNNING:
            continue
        if batch.file:
            batch.file.delete(save=False)
            count += 1
        # Addresses of webhooks may name a case, and the hash of one short row may be guessed by
        # whoever has the key.
        JobBatch.objects.filter(pk=batch.pk).update(
            file="", due_at=None, options={}, rows_sha256=""
        )
    return count


def _refusing_batches(account: Account) -> models.QuerySet[JobBatch]:
    """Batches that refused a row, and whose file is still there."""
    ended = JobBatch.objects.exclude(status=JobBatch.Status.RUNNING)
    return ended.filter(agent__account=account, rejected__gt=0).exclude(file="")


def _has_row(batch: JobBatch, case_id: str) -> bool:
    """Whether the file has a row of the case: a refused row is no job that would lead to it."""
    try:
        mapping = batch.options.get("column_mapping")
        with (
            batch.file.open("rb") as file,
            csv_cases.reading(processing.bare(file), mapping) as rows,
        ):
            return any(csv_cases.case_id(row.cells) == case_id for row in rows)
    except (csv_cases.UnreadableFileError, OSError, data_keys.DataKeyError):
        # No row of it can be read, so none can be told apart.
        return True


def _erase_names(
    account: Account, keys: Collection[int], batches_of_case: Collection[int]
) -> None:
    """Empty names of batches that name the applicant, as a file that was named after one.

    A company shares many of its words with others, so two of them tell which it is. Of a batch that
    contained the case one word is enough.
    """
    jobs = list(AgentJob.objects.filter(pk__in=keys).select_related("agent"))
    for batch in JobBatch.objects.filter(agent__account=account).exclude(name=""):
        for job in jobs:
            is_of_case = batch.pk in batches_of_case
            is_enough = is_of_case or job.agent.kind == Agent.Kind.KYC
            least = 1 if is_enough else 2
            if names.is_named(batch.name, job.subject, least=least):
                JobBatch.objects.filter(pk=batch.pk).update(name=ERASED)
                break
