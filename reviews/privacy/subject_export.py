"""The export for a subject: a ZIP file with the data of the cases that a person has chosen."""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Iterable, Sequence
from typing import IO

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models.fields.files import FieldFile
from django.template.loader import render_to_string
from django.utils.timezone import now

from compliance.languages import english
from compliance.storage import file_types, stored_files
from reviews import results
from reviews.access import roles
from reviews.audit import trail
from reviews.documents import scans
from reviews.models import Attachment, Case, Document
from reviews.procedures.checklists import Checklist
from reviews.records import evidence_pack, report_content

IN_MEMORY = 16 << 20
CHUNK = 1 << 20


def pack(cases: Sequence[Case], *, actor: User) -> IO[bytes]:
    """Build the ZIP file, positioned at its start, and record it in the trail of each case.

    Raises PermissionDenied.
    """
    for case in cases:
        roles.require(actor, roles.EXPORT, case)
    # Imported here: the PDF library takes 10 MiB of memory in every process.
    from reviews.records import report

    at = now()
    head = trail.seal_all()
    file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - the caller's
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as target:
        missing: list[str] = []
        closed: list[str] = []
        for case in cases:
            folder = f"case-{case.pk}"
            wire = evidence_pack.case_to_wire(case)
            target.writestr(f"{folder}/case.json", evidence_pack.to_json(wire))
            content = report.pdf(case, by=actor, at=at, head=head)
            target.writestr(f"{folder}/report.pdf", content)
            missing_here, closed_here = _add_files(target, folder, case)
            missing += missing_here
            closed += closed_here
        page = _page(cases, missing, closed)
        target.writestr("index.html", page)
    with transaction.atomic():
        numbers = [case.reference for case in cases]
        for case in cases:
            # None of either is in the file.
            data = {"cases": numbers, "files_missing": len(missing) + len(closed)}
            trail.record(case, "subject_taken", data, user=actor)
    file.seek(0)
    return file


@english()
def _page(cases: Iterable[Case], missing: Sequence[str], closed: Sequence[str]) -> str:
    """An HTML page for readers without a program for JSON."""
    entries = []
    for case in cases:
        documents = list(case.documents.all())
        entries.append((case, _facts(case), documents))
    context = {
        "entries": entries,
        "missing": missing,
        "closed": closed,
        "at": now(),
    }
    return render_to_string("reviews/subject_export.html", context)


def _facts(case: Case) -> list[tuple[str, str]]:
    members = case.self_attested_data
    if not isinstance(members, dict):
        members = {"data": members}
    facts = []
    for name, value in members.items():
        words = results.text(value)
        if words:
            label = results.label(str(name))
            facts.append((label, words))
    own_rows = Checklist.of(case)
    return facts + list(report_content.custom_fields(case, own_rows))


@english()
def _add_files(
    target: zipfile.ZipFile, folder: str, case: Case
) -> tuple[list[str], list[str]]:
    """Add the files of a case. Returns the names of the missing and of the closed ones.

    Missing files were lost or changed in the store. Closed files wait for the malware scanner, are in
    quarantine, or were removed from it; nobody gets them.
    """
    missing = []
    closed = []
    attachments = Attachment.objects.filter(note__case=case).select_related("scan")
    rows: list[Document | Attachment] = []
    rows += case.documents.select_related("scan")
    rows += attachments
    for number, row in enumerate(rows, start=1):
        if not row.file and not scans.is_closed(row):
            # It was never fetched, or the case was erased.
            continue
        # The number makes the path unique, because names come from users.
        name = file_types.shown_name(row.file_name)
        path = f"{folder}/files/{number:03}-{name}"
        # No path may lead out of the folder.
        path = path.replace("..", ".")
        try:
            scans.require_open(row)
            _copy(target, path, row.file, row.sha256)
        except (scans.QuarantinedError, scans.RemovedError, scans.WaitsForScanError):
            closed.append(f"{row.file_name}: {scans.words(row)}")
        except stored_files.StoredError:
            missing.append(row.file_name)
    return missing, closed


def _copy(target: zipfile.ZipFile, name: str, file: FieldFile, sha256: str) -> None:
    with (
        stored_files.opened(file, sha256) as source,
        target.open(name, "w") as entry,
    ):
        while chunk := source.read(CHUNK):
            entry.write(chunk)
