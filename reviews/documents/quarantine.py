"""What a person does with a file that the malware scanner found something in, or cannot scan."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.timezone import now
from django.utils.translation import gettext as _

from compliance.db import clock
from compliance.languages import english
from reviews.access import roles
from reviews.audit import trail
from reviews.documents import scans
from reviews.models import Document, FileScan

LONGEST = 2_000
Status = FileScan.Status


def release(scan: FileScan, *, actor: User, reason: str) -> bool:
    """Give the file to whoever may see the case, as any other. Its pages are drawn then.

    Also for a file that still waits. Returns False where it is not closed any more. Raises
    PermissionDenied, and ValueError without a reason.
    """
    return _end(scan, Status.RELEASED, "file_released", actor=actor, reason=reason)


def remove(scan: FileScan, *, actor: User, reason: str) -> bool:
    """Delete the file from the store. Its name, its hash and what was found stay.

    Returns False where it is not in quarantine any more. Raises PermissionDenied, and ValueError
    without a reason.
    """
    return _end(scan, Status.REMOVED, "file_removed", actor=actor, reason=reason)


@transaction.atomic
def _end(scan: FileScan, status: str, what: str, *, actor: User, reason: str) -> bool:
    roles.require(actor, roles.RELEASE, scan.case)
    reason = reason.strip()[:LONGEST]
    if not reason:
        raise ValueError(_("Write the reason: it is in the audit trail."))
    earlier = scan.status
    # A worker that scans it now writes nothing more: its lease is over.
    if not scan.move(
        status, by=actor, at=now(), because=reason, due_at=None, leased_until=None
    ):
        return False
    row = scan.row
    data = {
        "file": row.file_name,
        "sha256": row.sha256,
        "was": earlier,
        "signature": scan.signature,
        "reason": reason,
    }
    about = [scan, row]
    if status == Status.REMOVED:
        _delete(row)
    trail.record(scan.case, what, data, user=actor, about=about)
    if isinstance(row, Document) and status == Status.RELEASED:
        row.move(Document.Status.PENDING, reason="", due_at=clock.now())
        scans.draw(row)
    return True


def _delete(row: scans.Row) -> None:
    name, storage = row.file.name, row.file.storage
    row.file.name = ""
    row.save(update_fields=["file"])
    if isinstance(row, Document):
        # It is stored.
        with english():
            scans.close(row, str(scans.RemovedError.reason))
    # After the commit: a transaction that fails must leave the file. If this is interrupted, the
    # file has no row and is removed as an orphan.
    transaction.on_commit(lambda: storage.delete(name or ""))
