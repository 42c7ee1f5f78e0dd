"""A job waits until each file of its case was scanned for malware.

Files in quarantine are never sent to the service.
"""

from __future__ import annotations

from datetime import timedelta

from compliance.db import clock
from compliance.scanning import scanner
from compliance.storage import stored_files
from compliance.work import notify
from reviews.documents import scans
from reviews.jobs import schedule
from reviews.models import Case, Document, FileScan, Job

# The end of the last scan makes the job due at once. This pause covers an end that was missed.
PAUSE = timedelta(seconds=30)
WAITS = "Waits for the malware scanner"


def perform(scan: FileScan) -> None:
    """Scan a file. After the last file of a case, its waiting job becomes due."""
    if scans.perform(scan) and scan.document:
        queued = Job.objects.filter(
            case=scan.document.case_id, status=Job.Status.QUEUED
        )
        # The error is encrypted, so the database cannot filter by it.
        waiting = []
        for job in queued:
            if job.error.startswith(WAITS):
                waiting.append(job.pk)
        if queued.filter(pk__in=waiting).update(due_at=clock.now()):
            notify.after_commit(schedule.QUEUE)


def wait(job: Job, case: Case) -> bool:
    """Whether the job must wait for scans.

    Then it is due again later, with the reason as error.
    """
    if not scanner.is_on():
        return False
    rows = case.documents.exclude(file="").select_related("scan")
    names = []
    for document in rows:
        if scans.is_waiting(document) and not _is_lost(document):
            names.append(document.file_name)
    if names:
        error = f"{WAITS}: {', '.join(names)}"
        job.complete(due_at=clock.now() + PAUSE, error=error)
    return bool(names)


def _is_lost(document: Document) -> bool:
    """Whether the file was changed or lost in the store. Such a file is never scanned. Nobody gets
    it: its checks fail, and the case comes to people.

    A store that is away has lost nothing: the job waits.
    """
    fault = stored_files.fault(document.file, document.sha256)
    return fault is not None and not fault.is_temporary
