"""The facts about a file, for users who want the original."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser, User
from django.urls import reverse

from compliance.storage import file_types, stored_files
from reviews import results
from reviews.access import roles
from reviews.documents import scans
from reviews.findings.check_runs import EffectiveResults
from reviews.models import Attachment, Case, Document, FileScan
from reviews.results.sentences import in_words

SAFETY = "document_safety"  # key of the safety check in payloads


@dataclass(frozen=True)
class FileFacts:
    """A file as its page shows it."""

    row: Document | Attachment
    case: Case
    type: str  # determined from the content
    offered_name: str
    scan: FileScan | None
    scan_words: str
    safety: str
    may_release: bool

    @classmethod
    def of(cls, row: Document | Attachment, user: User | AnonymousUser) -> FileFacts:
        if isinstance(row, Document):
            case = row.case
        else:
            case = row.note.case
        # The type is derived from the content: a file name proves nothing.
        start = _start(row)
        kind = file_types.type_of(start)
        safety = ""
        if isinstance(row, Document):
            safety = _safety(row)
        return cls(
            row=row,
            case=case,
            type=kind.name if kind else "unknown",
            offered_name=file_types.offered_name(row.file_name, start),
            scan=scans.of(row),
            scan_words=scans.words(row),
            safety=safety,
            may_release=user.has_perm(roles.RELEASE),
        )

    @property
    def has_copy(self) -> bool:
        if not isinstance(self.row, Document):
            return False
        return self.row.status == Document.Status.DRAWN

    @property
    def is_closed(self) -> bool:
        """Whether nobody may download the original now."""
        if not self.row.file:
            return True
        return scans.is_closed(self.row) or scans.is_waiting(self.row)

    @property
    def address(self) -> str:
        return address(self.row)

    @property
    def can_release(self) -> bool:
        return self.scan is not None and self.scan.status in {
            FileScan.Status.WAITING,
            FileScan.Status.QUARANTINED,
        }


def address(row: Document | Attachment) -> str:
    """The address of the page about a file."""
    if isinstance(row, Document):
        name = "document-original"
    else:
        name = "attachment"
    return reverse(name, args=[row.pk])


def _start(row: Document | Attachment) -> bytes:
    """The first bytes, which determine the type; empty if the file cannot be read."""
    if not row.file:
        return b""
    try:
        with stored_files.opened(row.file, "") as file:
            start: bytes = file.read(file_types.START)
    except stored_files.StoredError:
        return b""
    return start


def _safety(document: Document) -> str:
    """The conclusion of the safety check for this document; "" if the check did not cover it."""
    effective = EffectiveResults.after(list(document.case.jobs.all()))
    documents = list(document.case.documents.all())
    for part in results.parts(effective.rows, documents, {}):
        if part.key == SAFETY and part.document == document.pk.hex:
            return in_words(part.explanation or part.summary)
    return ""
