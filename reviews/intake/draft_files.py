"""Files that were uploaded to a form which was refused or saved as a draft.

So nobody has to choose them again. A form refers to them by id; only files of the same person,
or of the same link of an applicant, count. They become documents when the form is accepted.
Otherwise they are deleted after some time.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Collection, Iterable
from datetime import timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.base import File
from django.core.files.uploadedfile import UploadedFile
from django.db.models import QuerySet
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _

from compliance.db import clock
from compliance.security.personal_fields import save_files
from compliance.storage import file_types, stored_files
from compliance.work import notify
from reviews.intake import drafts
from reviews.intake.form_fields import Uploads
from reviews.models import DraftFile, InformationRequest, Invitation

if TYPE_CHECKING:
    from django.http import QueryDict

QUEUE = "reviews.tasks.expire_draft_files"
# Files of a person stay as long as a draft; files of a link stay until the link ends.
LIFETIME = drafts.LIFETIME
# How long files stay after their form was accepted.
AFTER_ACCEPTANCE = timedelta(minutes=10)
# Limits per owner. The oldest files are deleted first.
MOST_FILES = 60
MOST_BYTES = settings.MAX_REQUEST_BYTES

Link = InformationRequest | Invitation
Owner = User | Link


class StoredUpload(UploadedFile[bytes]):
    """A file of an earlier attempt, in the form of an upload of this request."""

    def __init__(self, row: DraftFile, content: File[bytes]) -> None:
        super().__init__(content, row.file_name, size=row.size)
        self.row = row


class Files(MultiValueDict[str, UploadedFile[bytes]]):
    """The files of a form, together with those of earlier attempts, by kind. Call close() at
    the end.

    `faults`: pairs of a kind and a sentence about an earlier file that was lost or changed.
    """

    faults: list[tuple[str, str]]

    def close(self) -> None:
        for _kind, uploads in self.lists():
            for file in uploads:
                if isinstance(file, StoredUpload):
                    file.close()


def add(
    owner: Owner, files: Iterable[tuple[str, UploadedFile[bytes]]]
) -> list[DraftFile]:
    """Store files, as pairs of a kind and a file. If the owner has too many, the oldest are deleted."""
    rows = []
    new = []
    for kind, file in files:
        row = _new_row(owner, kind, file)
        rows.append(row)
        new.append((row.file, f"{row.pk}.bin", file))
    save_files(new)
    for row in rows:
        row.save(force_insert=True)
    if rows:
        _make_room(owner)
    return rows


def _new_row(owner: Owner, kind: str, file: UploadedFile[bytes]) -> DraftFile:
    digest = hashlib.sha256()
    for chunk in file.chunks():
        digest.update(chunk)
    # The digest has read the file to its end; it is read again to store it.
    file.seek(0)
    row = DraftFile(
        kind=kind,
        file_name=file_types.shown_name(file.name or "document"),
        size=file.size or 0,
        sha256=digest.hexdigest(),
    )
    if isinstance(owner, User):
        row.user = owner
        row.due_at = clock.now() + LIFETIME
    elif isinstance(owner, Invitation):
        row.invitation = owner
        row.due_at = owner.expires_at
    else:
        row.request = owner
        row.due_at = owner.expires_at
    return row


def chosen_files(
    owner: Owner, form: QueryDict, *, kinds: Collection[str]
) -> list[DraftFile]:
    """The files that a form refers to and does not remove.

    The form may also change the kind of a file to one of `kinds`.
    """
    ids = set(form.getlist("kept")) - set(form.getlist("drop_file"))
    rows = []
    for row in find(owner, ids):
        kind = form.get(f"kept_kind.{row.pk}", row.kind)
        if kind != row.kind and kind in kinds:
            row.kind = kind
            row.save(update_fields=["kind"])
        if row.kind in kinds:
            rows.append(row)
    return rows


def find(owner: Owner, ids: Iterable[str]) -> list[DraftFile]:
    """The owner's files with these ids. Text that is not an id is ignored."""
    keys = []
    for text in ids:
        if _is_id(text):
            keys.append(text)
    # Most forms keep no file.
    if not keys:
        return []
    rows = _files_of(owner)
    return list(rows.filter(pk__in=keys))


def merge(uploads: Uploads, rows: Iterable[DraftFile]) -> Files:
    """Combine the files of a form with those of earlier attempts."""
    files = Files()
    files.faults = []
    for kind, new in uploads.lists():
        files.setlist(kind, list(new))
    rows = list(rows)
    contents = stored_files.opened_all([(row.file, row.sha256) for row in rows])
    _raise_outage(contents)
    for row, content in zip(rows, contents, strict=True):
        if isinstance(content, stored_files.StoredError):
            words = _(
                "“%(name)s” changed or was lost in the store. Choose it again."
            ) % {"name": row.file_name}
            files.faults.append((row.kind, words))
            remove([row])
        else:
            files.appendlist(row.kind, StoredUpload(row, content))
    return files


def _raise_outage(contents: Iterable[File[bytes] | stored_files.StoredError]) -> None:
    """Raise the error of a file that may be read later, and close the others."""
    outage = None
    for content in contents:
        if isinstance(content, stored_files.StoredError) and content.is_temporary:
            outage = content
    if outage is None:
        return
    for content in contents:
        if isinstance(content, File):
            content.close()
    raise outage


def store(owner: Owner, uploads: Uploads, *, kinds: Collection[str]) -> list[DraftFile]:
    """Store the files of a form that is shown again, without those that are refused."""
    # Imported here: a worker uses this module, and must not load forms.
    from reviews.intake.form_fields import faults_of

    rows = []
    new = []
    for kind in kinds:
        for file in uploads.getlist(kind):
            if isinstance(file, StoredUpload):
                rows.append(file.row)
            elif not faults_of([file]):
                new.append((kind, file))
    return rows + add(owner, new)


def of_link(link: Link) -> list[DraftFile]:
    """All files that were uploaded with a link, oldest first."""
    return list(_files_of(link))


def expire_soon(link: Link) -> None:
    """Make the files of a link due for deletion, in the transaction that ends the link."""
    if _files_of(link).update(due_at=clock.now()):
        notify.after_commit(QUEUE)


def remove_later(rows: Iterable[DraftFile]) -> None:
    """Delete the files of an accepted form a little later.

    The same form may arrive once more, by a double click or a second try. Without its files it
    would count as another one.
    """
    keys = [row.pk for row in rows]
    due_at = clock.now() + AFTER_ACCEPTANCE
    DraftFile.objects.filter(pk__in=keys).update(due_at=due_at)


def remove(rows: Iterable[DraftFile]) -> None:
    for row in rows:
        expire(row)


def expire(row: DraftFile) -> None:
    """Delete a file and its row.

    The file goes first: if a worker dies in between, the row is due again.
    """
    row.file.delete(save=False)
    row.delete()


def _make_room(owner: Owner) -> None:
    total = 0
    newest_first = _files_of(owner).order_by("-created_at", "-pk")
    for count, row in enumerate(newest_first, start=1):
        total += row.size
        if count > MOST_FILES or total > MOST_BYTES:
            expire(row)


def _files_of(owner: Owner) -> QuerySet[DraftFile]:
    if isinstance(owner, User):
        return DraftFile.objects.filter(user=owner)
    if isinstance(owner, Invitation):
        return DraftFile.objects.filter(invitation=owner)
    return DraftFile.objects.filter(request=owner)


def _is_id(text: str) -> bool:
    try:
        uuid.UUID(text)
    except ValueError:
        return False
    return True
