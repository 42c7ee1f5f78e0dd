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
        for case in cases:
            folder = f"case-{case.pk}"
            wire = evidence_pack.case_to_wire(case)
            target.writestr(f"{folder}/case.json", evidence_pack.to_json(wire))
            content = report.pdf(case, by=actor, at=at, head=head)
            target.writestr(f"{folder}/report.pdf", content)
            missing += _add_files(target, folder, case)
        page = _page(cases, missing)
        target.writestr("index.html", page)
    with transaction.atomic():
        numbers = [case.reference for case in cases]
        for case in cases:
            data = {"cases": numbers, "files_missing": len(missing)}
            trail.record(case, "subject_taken", data, user=actor)
    file.seek(0)
    return file


@english()
def _page(cases: Iterable[Case], missing: Sequence[str]) -> str:
    """An HTML page for readers without a program for JSON."""
    entries = []
    for case in cases:
        documents = list(case.documents.all())
        entries.append((case, _facts(case), documents))
    context = {"entries": entries, "missing": missing, "at": now()}
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


def _add_files(target: zipfile.ZipFile, folder: str, case: Case) -> list[str]:
    """Add the files of a case. Returns the names of files that are missing or were changed."""
    missing = []
    attachments = Attachment.objects.filter(note__case=case)
    rows: list[Document | Attachment] = []
    rows += case.documents.exclude(file="")
    rows += attachments.exclude(file="")
    for number, row in enumerate(rows, start=1):
        # The number makes the path unique, because names come from users.
        name = file_types.shown_name(row.file_name)
        path = f"{folder}/files/{number:03}-{name}"
        # No path may lead out of the folder.
        path = path.replace("..", ".")
        try:
            _copy(target, path, row.file, row.sha256)
        except stored_files.StoredError:
            missing.append(row.file_name)
    return missing


def _copy(target: zipfile.ZipFile, name: str, file: FieldFile, sha256: str) -> None:
    with (
        stored_files.opened(file, sha256) as source,
        target.open(name, "w") as entry,
    ):
        while chunk := source.read(CHUNK):
            entry.write(chunk)
