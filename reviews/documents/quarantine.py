"""Releases or removes a file in which the malware scanner found something, or that it cannot
scan.
"""

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

LONGEST = 2_000  # characters of a reason
Status = FileScan.Status


def release(scan: FileScan, *, actor: User, reason: str) -> bool:
    """Open the file to everybody who may see the case, and draw its pages.

    Works for a file that still waits for its scan, too. Returns False if the file is no longer
    closed. Raises PermissionDenied, and ValueError if the reason is empty.
    """
    return _end(scan, Status.RELEASED, "file_released", actor=actor, reason=reason)


def remove(scan: FileScan, *, actor: User, reason: str) -> bool:
    """Delete the file from the store. Its name, its hash and the scan result stay.

    Returns False if the file is no longer in quarantine. Raises PermissionDenied, and ValueError if
    the reason is empty.
    """
    return _end(scan, Status.REMOVED, "file_removed", actor=actor, reason=reason)


@transaction.atomic
def _end(scan: FileScan, status: str, what: str, *, actor: User, reason: str) -> bool:
    roles.require(actor, roles.RELEASE, scan.case)
    reason = reason.strip()[:LONGEST]
    if not reason:
        raise ValueError(_("Write the reason: it is in the audit trail."))
    earlier = scan.status
    # The move ends the lease, so a worker that scans the file at this moment can no longer write.
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
    # Its pages could not be drawn while it was closed.
    if isinstance(row, Document) and status == Status.RELEASED:
        row.move(Document.Status.PENDING, reason="", due_at=clock.now())
        scans.draw(row)
    return True


def _delete(row: scans.Row) -> None:
    name, storage = row.file.name, row.file.storage
    row.file.name = ""
    row.save(update_fields=["file"])
    if isinstance(row, Document):
        # The reason is stored, so it is written in English.
        with english():
            scans.close(row, str(scans.RemovedError.reason))
    # Delete after the commit: a transaction that fails must not lose the file. If the process stops
    # in between, the file has no row and is removed as an orphan.
    transaction.on_commit(lambda: storage.delete(name or ""))
