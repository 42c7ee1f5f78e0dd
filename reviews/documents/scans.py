"""The malware scan of each file. It must pass before users, systems or the service get the file.

Without FILE_SCANNER no file is scanned and all are open. A file in quarantine stays closed even
then.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext, gettext_lazy

from compliance.db import clock
from compliance.scanning import scanner
from compliance.storage import stored_files
from compliance.work import notify
from reviews.audit import trail
from reviews.documents import page_images
from reviews.models import Attachment, Case, Document, FileScan

QUEUE = "reviews.tasks.scan_files"
# If FILE_SCANNER is no longer set, rows that still wait are looked at this often.
PAUSE = timedelta(minutes=10)
# The scanner needs time for the file and a few seconds to report its version.
LEASE = max(settings.LEASE, timedelta(seconds=settings.FILE_SCANNER_SECONDS + 10))
Status = FileScan.Status
Row = Document | Attachment
NOT_SCANNED = gettext_lazy("not scanned: no malware scanner is set up")


_ENDS = {
    Status.CLEAN: gettext_lazy("no malware found (%(scanner)s, %(moment)s)"),
    Status.QUARANTINED: gettext_lazy("in quarantine: %(signature)s (%(scanner)s)"),
    Status.RELEASED: gettext_lazy(
        "released by %(person)s: %(signature)s. Reason: %(reason)s"
    ),
    Status.REMOVED: gettext_lazy(
        "removed by %(person)s: %(signature)s. Reason: %(reason)s"
    ),
}


class WaitsForScanError(stored_files.StoredError):
    reason = gettext_lazy(
        "The file waits for the malware scanner. Nobody gets it before."
    )


class QuarantinedError(stored_files.StoredError):
    status = 403
    reason = gettext_lazy("The file is in quarantine. Nobody gets it.")


class RemovedError(stored_files.StoredError):
    status = 410
    reason = gettext_lazy(
        "The file was removed: the malware scanner had found something in it."
    )


def queue(row: Row) -> FileScan | None:
    """Queue a file for its scan after the commit. Returns None without a scanner."""
    if not scanner.is_on() or not row.file:
        return None
    if isinstance(row, Document):
        scan, _ = FileScan.objects.get_or_create(document=row)
    else:
        scan, _ = FileScan.objects.get_or_create(attachment=row)
    notify.after_commit(QUEUE)
    return scan


def of(row: Row) -> FileScan | None:
    """The scan of a file, or None if it has none."""
    scan: FileScan | None = getattr(row, "scan", None)
    return scan


def require_open(row: Row) -> None:
    """Raise StoredError unless the file may be read by anybody.

    A file that is older than the scanner gets its scan queued when somebody asks for it.
    """
    scan = of(row) or queue(row)
    if scan is None or scan.is_open:
        return
    if scan.status == Status.QUARANTINED:
        raise QuarantinedError
    if scan.status == Status.REMOVED:
        raise RemovedError
    if scanner.is_on():
        raise WaitsForScanError


def is_waiting(row: Row) -> bool:
    try:
        require_open(row)
    except WaitsForScanError:
        return True
    except stored_files.StoredError:
        return False
    return False


def is_closed(row: Row) -> bool:
    """Whether the file is in quarantine or was removed from it."""
    scan = of(row)
    return scan is not None and scan.status in {Status.QUARANTINED, Status.REMOVED}


def words(row: Row) -> str:
    """The state of the scan as a phrase for the page."""
    scan = of(row)
    if scan is None:
        if not scanner.is_on():
            return str(NOT_SCANNED)
        return gettext("not scanned yet: it came before there was a scanner")
    if scan.status != Status.WAITING:
        return _words_of_end(scan)
    if not scanner.is_on():
        return str(NOT_SCANNED)
    if scan.error:
        sentence = gettext("waits for the malware scanner (%(error)s)")
        return sentence % {"error": scan.error}
    return gettext("waits for the malware scanner")


def _words_of_end(scan: FileScan) -> str:
    values = {
        "scanner": scan.scanner,
        "moment": f"{scan.scanned_at:%Y-%m-%d %H:%M} UTC" if scan.scanned_at else "",
        "signature": scan.signature or gettext("not scanned"),
        "person": scan.by,
        "reason": scan.because,
    }
    return _ENDS[Status(scan.status)] % values


def closed_documents(documents: Sequence[Document]) -> list[str]:
    """Documents whose scan blocks a decision: one sentence for each that waits or is in
    quarantine.
    """
    faults = []
    for document in documents:
        scan = of(document)
        if scan is None or scan.is_open or scan.status == Status.REMOVED:
            continue
        # A file that waits blocks only while a scanner is set up.
        if scan.is_in_quarantine or scanner.is_on():
            faults.append(f"“{document.file_name}”: {words(document)}.")
    return faults


def perform(scan: FileScan) -> bool:
    """Scan the file of a due row. Returns whether the scanner gave a result."""
    if not scanner.is_on():
        scan.complete(due_at=clock.now() + PAUSE)
        return False
    row = scan.row
    try:
        file = stored_files.opened(row.file, row.sha256)
    except (stored_files.MissingError, stored_files.ChangedError) as exc:
        # Nothing to scan. Pages and downloads report the missing or changed file themselves.
        scan.complete(due_at=clock.now() + PAUSE, error=str(exc)[:200])
        return False
    with file:
        signature = scan.answer(file)
    # The scanner did not respond. `answer` has set the next attempt.
    if signature is None:
        return False
    status = Status.QUARANTINED if signature else Status.CLEAN
    _end(scan, row, status)
    return True


@transaction.atomic
def _end(scan: FileScan, row: Row, status: str) -> None:
    """Store the result, record it in the audit trail, and close or draw the document."""
    scan.heartbeat(LEASE)  # also locks the row until the end of the transaction
    if not scan.move(
        status,
        signature=scan.signature,
        scanner=scan.scanner,
        scanned_at=scan.scanned_at,
        error="",
        failures=0,
        due_at=None,
        leased_until=None,
    ):
        return
    data = {"file": row.file_name, "sha256": row.sha256, "scanner": scan.scanner}
    what = "file_scanned"
    if status == Status.QUARANTINED:
        what = "file_quarantined"
        data["signature"] = scan.signature
    trail.record(scan.case, what, data, about=[scan])
    # Files of notes have no pages.
    if not isinstance(row, Document):
        return
    if status == Status.QUARANTINED:
        close(row, f"It is in quarantine: the malware scanner found {scan.signature}.")
    else:
        draw(row)


def close(document: Document, reason: str) -> None:
    """Close the document: it is not drawn, and a worker that draws it now loses its lease."""
    document.move(
        Document.Status.UNREADABLE,
        reason=reason[:200],
        due_at=None,
        leased_until=None,
    )


def draw(document: Document) -> None:
    """Make the drawing of the pages due now, unless they are drawn already."""
    waiting = Document.objects.filter(
        pk=document.pk,
        status=Document.Status.PENDING,
    )
    if waiting.update(due_at=clock.now()):
        notify.after_commit(page_images.QUEUE)


def scan_again(case: Case | None = None) -> int:
    """Queue the scan of all files that wait or were clean, e.g. after an update. Returns their
    number.
    """
    count = 0
    models: tuple[type[Document], type[Attachment]] = (Document, Attachment)
    for model in models:
        # The lookup from the file to its case.
        path = "case" if model is Document else "note__case"
        rows = model._default_manager.exclude(file="").select_related("scan")
        if case:
            rows = rows.filter(**{path: case})
        for row in rows.iterator(chunk_size=500):
            scan = of(row) or queue(row)
            if scan and scan.move(
                Status.WAITING, due_at=clock.now(), leased_until=None
            ):
                notify.after_commit(QUEUE)
            count += 1
    return count
