"""Files of a form that was refused, or kept as a draft: nobody has to choose them again.

A form names the files by their ids; only those of the same person (or of the same link of an
applicant) count. They become documents when the form is taken, and go after a while otherwise.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Collection, Iterable
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.base import File
from django.core.files.uploadedfile import UploadedFile
from django.utils.datastructures import MultiValueDict
from django.utils.timezone import now

from compliance.storage import file_types, stored_files
from reviews.intake import drafts
from reviews.models import DraftFile, InformationRequest

if TYPE_CHECKING:
    from django.http import QueryDict

QUEUE = "reviews.tasks.expire_draft_files"
# A person's files stay as long as a draft. Who has the link of an applicant is not known by name.
LIFETIME, LIFETIME_OF_LINK = drafts.KEPT, timedelta(days=1)
# Of one owner; the oldest go first.
MOST_FILES = 60
MOST_BYTES = settings.MAX_REQUEST_BYTES

Owner = User | InformationRequest
Uploads = MultiValueDict[str, UploadedFile[bytes]]


class KeptUpload(UploadedFile[bytes]):
    """A file of an earlier try, as if it had come with this one."""

    def __init__(self, row: DraftFile, content: File[bytes]) -> None:
        super().__init__(content, row.file_name, size=row.size)
        self.row = row


class Files(MultiValueDict[str, UploadedFile[bytes]]):
    """What a form was sent with, and the files of earlier tries, by kind; to be closed. `faults` are
    kinds with words about files of earlier tries that are not there as they were kept."""

    faults: list[tuple[str, str]]

    def close(self) -> None:
        for _, sent in self.lists():
            for file in sent:
                if isinstance(file, KeptUpload):
                    file.close()


def add(owner: Owner, *, kind: str, file: UploadedFile[bytes]) -> DraftFile:
    digest = hashlib.sha256()
    for chunk in file.chunks():
        digest.update(chunk)
    file.seek(0)
    row = DraftFile(
        **_owned_by(owner),
        kind=kind,
        file_name=file_types.shown_name(file.name or "document"),
        size=file.size or 0,
        sha256=digest.hexdigest(),
        due_at=now() + (LIFETIME if isinstance(owner, User) else LIFETIME_OF_LINK),
    )
    row.file.save(f"{row.pk}.bin", file, save=False)
    row.save(force_insert=True)
    _make_room(owner)
    return row


def named(owner: Owner, form: QueryDict, *, kinds: Collection[str]) -> list[DraftFile]:
    """The files that a form names and does not remove, of the kinds that were chosen for them."""
    rows = of_ids(owner, set(form.getlist("kept")) - set(form.getlist("drop_file")))
    for row in rows:
        chosen = form.get(f"kept_kind.{row.pk}", row.kind)
        if chosen != row.kind and chosen in kinds:
            row.kind = chosen
            row.save(update_fields=["kind"])
    return [row for row in rows if row.kind in kinds]


def of_ids(owner: Owner, ids: Iterable[str]) -> list[DraftFile]:
    rows = DraftFile.objects.filter(**_owned_by(owner), pk__in=[one for one in ids if _is_id(one)])
    return list(rows)


def with_rows(uploads: Uploads, rows: Iterable[DraftFile]) -> Files:
    merged = Files({kind: list(sent) for kind, sent in uploads.lists()})
    merged.faults = []
    for row in rows:
        try:
            merged.appendlist(row.kind, KeptUpload(row, stored_files.opened(row.file, row.sha256)))
        except (stored_files.MissingError, stored_files.ChangedError):
            words = f"“{row.file_name}” changed or was lost in the store. Choose it again."
            merged.faults.append((row.kind, words))
            remove([row])
    return merged


def keep(owner: Owner, uploads: Uploads, *, kinds: Collection[str]) -> list[DraftFile]:
    """Keep what a form that is shown again came with, but for files that are refused."""
    from reviews.intake.form_fields import faults_of  # here: a worker loads no forms

    rows = []
    for kind in kinds:
        for file in uploads.getlist(kind):
            if isinstance(file, KeptUpload):
                rows.append(file.row)
            elif not faults_of([file]):
                rows.append(add(owner, kind=kind, file=file))
    return rows


def remove(rows: Iterable[DraftFile]) -> None:
    for row in rows:
        expire(row)


def expire(row: DraftFile) -> None:
    """The file first: a worker that dies in between finds the row due again."""
    row.file.delete(save=False)
    row.delete()


def _make_room(owner: Owner) -> None:
    total = 0
    newest_first = DraftFile.objects.filter(**_owned_by(owner)).order_by("-created_at", "-pk")
    for place, row in enumerate(newest_first, start=1):
        total += row.size
        if place > MOST_FILES or total > MOST_BYTES:
            expire(row)


def _owned_by(owner: Owner) -> dict[str, Any]:
    return {"user": owner} if isinstance(owner, User) else {"request": owner}


def _is_id(text: str) -> bool:
    try:
        return bool(uuid.UUID(text))
    except ValueError:
        return False
