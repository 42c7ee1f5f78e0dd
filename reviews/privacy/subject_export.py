"""The export for a subject: a ZIP file with the data of the cases that a person has chosen."""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Iterable, Sequence
from typing import IO

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.fields.files import FieldFile
from django.template.loader import render_to_string
from django.utils.timezone import now

from compliance.languages import english
from compliance.storage import file_types, stored_files
from reviews import results
from reviews.access import roles
from reviews.audit import trail
from reviews.documents import scans
from reviews.models import (
    Attachment,
    Case,
    Document,
    Invitation,
    PartyRelation,
    PartyStatement,
    RequestMail,
    SecondLook,
)
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
        evidence_pack.forget_key(case)
    file, missing = _build(cases, actor)
    with transaction.atomic():
        # Each case is read again and locked, also behind one that was erased.
        erased = list(map(evidence_pack.is_erased_since, cases))
        if any(erased):
            file.close()
            file, missing = _build(cases, actor)
        numbers = [case.reference for case in cases]
        for case in cases:
            data = {"cases": numbers, "files_missing": missing}
            trail.record(case, "subject_taken", data, user=actor)
    file.seek(0)
    return file


def _build(cases: Sequence[Case], actor: User) -> tuple[IO[bytes], int]:
    """The ZIP file, and how many files of the cases are not in it."""
    # Imported here: the PDF library takes 10 MiB of memory in every process.
    from reviews.records import report

    at = now()
    head = trail.seal_all()
    file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - the caller's
    with (
        evidence_pack.closed_on_failure(file),
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as target,
    ):
        missing: list[str] = []
        closed: list[str] = []
        for case in cases:
            folder = f"case-{case.pk}"
            wire = {**evidence_pack.case_to_wire(case), **_more(case)}
            target.writestr(f"{folder}/case.json", evidence_pack.to_json(wire))
            content = report.pdf(case, by=actor, at=at, head=head)
            target.writestr(f"{folder}/report.pdf", content)
            missing_here, closed_here = _add_files(target, folder, case)
            missing += missing_here
            closed += closed_here
        page = _page(cases, missing, closed)
        target.writestr("index.html", page)
    # None of either is in the file.
    return file, len(missing) + len(closed)


def _more(case: Case) -> dict[str, object]:
    """What the tables hold beside the case itself, and an evidence pack has not."""
    return {
        "parties": list(map(_statement, _statements(case))),
        "relations": list(map(_relation, _relations(case))),
        "second_looks": list(map(_look, case.second_looks.order_by("pk"))),
        "invitations": list(map(_invitation, _invitations(case))),
        "mails": list(map(_mail, _mails(case))),
    }


def _statements(case: Case) -> QuerySet[PartyStatement]:
    rows = PartyStatement.objects.filter(case_party__case=case)
    return rows.select_related("case_party").order_by("pk")


def _statement(row: PartyStatement) -> dict[str, object]:
    return {
        "party": row.case_party_id,
        "role": row.case_party.role,
        "kind": row.kind,
        "label": row.label,
        "value": row.value,
        "issuer": row.issuer,
        "since": row.since,
        "until": row.until,
        "source": row.source,
        "at": row.learnt_at,
    }


def _relations(case: Case) -> QuerySet[PartyRelation]:
    return PartyRelation.objects.filter(holder__case=case).order_by("pk")


def _relation(row: PartyRelation) -> dict[str, object]:
    return {
        "holder": row.holder_id,
        "held": row.held_id,
        "kind": row.kind,
        "share": [row.share_min, row.share_max],
        "votes": [row.votes_min, row.votes_max],
        "detail": row.detail,
        "since": row.since,
        "until": row.until,
        "source": row.source,
        "at": row.learnt_at,
    }


def _look(row: SecondLook) -> dict[str, object]:
    return {
        "outcome": row.outcome,
        "rationale": row.rationale,
        "at": row.given_at,
    }


def _invitations(case: Case) -> QuerySet[Invitation]:
    return Invitation.objects.filter(case=case).order_by("pk")


def _invitation(row: Invitation) -> dict[str, object]:
    return {
        "message": row.message,
        "at": row.made_at,
        "submitted_at": row.submitted_at,
    }


def _mails(case: Case) -> QuerySet[RequestMail]:
    rows = RequestMail.objects.filter(Q(request__case=case) | Q(invitation__case=case))
    return rows.order_by("pk")


def _mail(row: RequestMail) -> dict[str, object]:
    return {"kind": row.kind, "address": row.address, "sent_at": row.sent_at}


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

    Raises StoredError while the store is away.
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
        except stored_files.StoredError as exc:
            # The store is away: nobody may be told that the file is lost.
            if exc.is_temporary:
                raise
            missing.append(row.file_name)
    return missing, closed


def _copy(target: zipfile.ZipFile, name: str, file: FieldFile, sha256: str) -> None:
    with (
        stored_files.opened(file, sha256) as source,
        target.open(name, "w") as entry,
    ):
        while chunk := source.read(CHUNK):
            entry.write(chunk)
