"""Files that the malware scanner named: read by nothing until a person releases them.

A file is known by its hash and its account, so it is held whatever way it comes: in a request, by
an upload, from a URL. Of the file itself nothing is kept: who sent it has it.
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
    """What is known of these bytes of this account."""
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
    """Hold a file that the scanner named. Held already, it is the row that there is."""
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
    """Let the file be read from now on, although the scanner names it.

    Returns False where it is not held any more. Raises ValueError without a reason.
    """
    return _end(row, Status.RELEASED, "hub_file_released", actor, reason)


def remove(row: QuarantinedFile, *, actor: User, reason: str) -> bool:
    """Hold the file for good, and delete what clients lent the hub of it.

    Returns False where it is not held any more. Raises ValueError without a reason.
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
    """The worker that expires uploads deletes their files; nobody gets them meanwhile."""
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
