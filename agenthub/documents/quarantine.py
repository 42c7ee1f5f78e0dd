"""Quarantine: files in which malware was found stay unreadable until a person releases them.

A file is identified by its hash and its account, so it is blocked in a request, in an upload and
from a URL alike. The file itself is not stored here: the sender has it.
"""

from __future__ import annotations

import hashlib
import logging

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.timezone import now

from agenthub.models import Account, AgentJob, QuarantinedFile, Upload
from compliance.approvals import lines
from compliance.scanning import scanner
from compliance.scanning.connection import ScannerError
from compliance.security import decisive_rows

log = logging.getLogger(__name__)
LONGEST = 2_000
Status = QuarantinedFile.Status


def of(account: Account, content: bytes) -> QuarantinedFile | None:
    """The quarantine row of this content for the account; None if there is none."""
    return of_hash(account, digest(content))


def of_hash(account: Account, sha256: str) -> QuarantinedFile | None:
    rows = QuarantinedFile.objects.filter(account=account, sha256=sha256)
    return rows.first()


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@transaction.atomic
def hold(
    account: Account, content: bytes, *, signature: str, job: AgentJob | None = None
) -> QuarantinedFile:
    """Quarantine a file. If it is quarantined already, the existing row is returned."""
    row, is_new = QuarantinedFile.objects.get_or_create(
        account=account,
        sha256=digest(content),
        defaults={
            "size": len(content),
            "signature": signature,
            "scanner": _scanner(),
            "job": job,
        },
    )
    if is_new:
        lines.record("hub_file_quarantined", _data(row), user=None)
        log.warning("Denied: a document of a job is in quarantine, row %s", row.pk)
    return row


def release(row: QuarantinedFile, *, actor: User, reason: str) -> bool:
    """Allow the file to be read from now on, in spite of the scanner.

    Returns False if it is no longer held. Raises ValueError without a reason.
    """
    return _end(row, Status.RELEASED, "hub_file_released", actor, reason)


def remove(row: QuarantinedFile, *, actor: User, reason: str) -> bool:
    """Block the file permanently, and delete uploads of it.

    Returns False if it is no longer held. Raises ValueError without a reason.
    """
    return _end(row, Status.REMOVED, "hub_file_removed", actor, reason)


@transaction.atomic
def _end(
    row: QuarantinedFile, status: str, what: str, actor: User, reason: str
) -> bool:
    reason = reason.strip()[:LONGEST]
    if not reason:
        raise ValueError
    name = actor.get_username()
    if not row.move(status, ended_by=name, ended_at=now(), reason=reason):
        return False
    if status == Status.REMOVED:
        _expire_uploads(row)
    lines.record(what, {**_data(row), "reason": reason}, user=actor)
    decisive_rows.changed(row)
    return True


def _expire_uploads(row: QuarantinedFile) -> None:
    """Make uploads of the file due, so that a worker deletes them.

    Until then they cannot be read.
    """
    uploads = Upload.objects.filter(account=row.account_id, sha256=row.sha256)
    uploads.filter(status=Upload.Status.KEPT).update(due_at=now())


def _data(row: QuarantinedFile) -> dict[str, object]:
    return {
        "account": row.account.name,
        "sha256": row.sha256,
        "signature": row.signature,
        "job": str(row.job.job_id) if row.job else "",
    }


def _scanner() -> str:
    try:
        return scanner.version()
    except ScannerError:
        return scanner.name()
