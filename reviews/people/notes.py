"""Notes on cases, with mentions and files, and tags."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from uuid import uuid4

from django.contrib.auth.models import User
from django.core.files.base import File
from django.db import transaction
from django.utils.timezone import now
from django.utils.translation import gettext as _

from compliance.languages import number
from compliance.security.personal_fields import delete_files, save_files
from compliance.storage.file_types import shown_name
from reviews.access import roles
from reviews.audit import trail
from reviews.documents import scans
from reviews.inbox import notifications
from reviews.models import Attachment, Case, Note, Notification, Tag

LONGEST = 10_000
LONGEST_TAG = 40
# A mention ends with a word character, so that "@ana." at the end of a sentence means ana. The
# name of a user may be an address of e-mail, so it may contain another @.
_MENTION = re.compile(r"(?<![\w@])@([\w.+@-]*\w)")


def add(
    case: Case, *, actor: User, text: str, files: Iterable[File[bytes]] = ()
) -> Note:
    """Add a note to a case. Raises PermissionDenied, and ValueError if it is empty or too long."""
    roles.require(actor, roles.NOTE, case)
    text = _clean(text)
    note = Note(case=case, by=actor, text=text)
    # Before the transaction: a slow store would hold its locks.
    attachments = _write(note, files)
    try:
        with transaction.atomic():
            note.save(force_insert=True)
            _set_mentions(note)
            for attachment in attachments:
                _insert(attachment, note)
            # The audit trail keeps the text and the hashes of the files.
            data: dict[str, object] = {"note": note.pk, "text": text}
            if attachments:
                data["files"] = [f"{row.file_name} {row.sha256}" for row in attachments]
            rows = [note, *attachments]
            trail.record(case, "note_added", data, user=actor, about=rows)
            return note
    except BaseException:
        # The transaction removes the rows, but not the files.
        delete_files([attachment.file for attachment in attachments])
        raise


class ChangedError(ValueError):
    """The note was changed since its text was read."""


def edit(note: Note, *, actor: User, text: str, read: str | None = None) -> None:
    """Change the text of one's own note. The audit trail keeps the earlier text.

    `read`: the version that the author has read, None for any. Raises PermissionDenied, ChangedError
    for another version, and ValueError for a note of another user or an invalid text.
    """
    roles.require(actor, roles.NOTE, note.case)
    if note.by_id != actor.pk:
        raise ValueError(_("Only who wrote a note may edit it."))
    text = _clean(text)
    with transaction.atomic():
        note = Note.objects.select_for_update().get(pk=note.pk)
        # Nothing changes, so no line in the audit trail.
        if note.text == text:
            return
        if read is not None and read != note.version:
            raise ChangedError(
                _(
                    "It was changed since you opened the page. Keep yours to replace what you see now."
                )
            )
        data = {"note": note.pk, "before": note.text, "after": text}
        note.text = text
        note.edited_at = now()
        note.save(update_fields=["text", "edited_at"])
        trail.record(note.case, "note_edited", data, user=actor, about=[note])
        _set_mentions(note)


@transaction.atomic
def tag(case: Case, name: str, *, actor: User) -> None:
    """Add a tag to the case. Raises PermissionDenied, and ValueError if it is empty or too long."""
    roles.require(actor, roles.NOTE, case)
    words = name.replace("\0", "").split()
    name = " ".join(words)
    if not 0 < len(name) <= LONGEST_TAG:
        raise ValueError(
            _("A tag has 1 to %(most)d characters.") % {"most": LONGEST_TAG}
        )
    # "Urgent" and "urgent" are the same tag. The first spelling stays.
    row = Tag.objects.filter(name__iexact=name).first()
    if row is None:
        row = Tag.objects.create(name=name)
    if case.tags.filter(pk=row.pk).exists():
        return
    case.tags.add(row)
    trail.record(case, "tagged", {"tag": row.name}, user=actor)


@transaction.atomic
def untag(case: Case, name: str, *, actor: User) -> None:
    roles.require(actor, roles.NOTE, case)
    row = case.tags.filter(name=name).first()
    if row is None:
        return
    case.tags.remove(row)
    trail.record(case, "untagged", {"tag": row.name}, user=actor)


def _clean(text: str) -> str:
    """The text to store. Raises ValueError if it is empty or too long."""
    text = text.replace("\0", "").strip()
    if not text:
        raise ValueError(_("Write something."))
    if len(text) > LONGEST:
        raise ValueError(
            _("A note has at most %(most)s characters.") % {"most": number(LONGEST)}
        )
    return text


def unknown_mentions(note: Note) -> list[str]:
    """The names after an @ that are of nobody who may read the case, so that nobody was told."""
    readers = _readers(note)
    names = dict.fromkeys(_MENTION.findall(note.text))
    return [name for name in names if _reader(name, readers) is None]


def _mentioned(note: Note) -> list[User]:
    """The users whom the text names and who may read the case.

    Who begins a sentence with a name writes it with a capital letter.
    """
    names = _MENTION.findall(note.text)
    if not names:
        return []
    readers = _readers(note)
    people: list[User] = []
    for name in names:
        person = _reader(name, readers)
        if person is not None and person not in people:
            people.append(person)
    return people


def _readers(note: Note) -> dict[str, User]:
    """Who may read the case, by name in small letters."""
    people = roles.colleagues(note.case, "reviews.view_case")
    return {person.get_username().casefold(): person for person in people}


def _reader(name: str, readers: Mapping[str, User]) -> User | None:
    """Whom "ana@firm" after an @ means: a user of this name, else the user "ana"."""
    whole = name.casefold()
    return readers.get(whole) or readers.get(whole.partition("@")[0])


def _set_mentions(note: Note) -> None:
    """Set the mentions to the users named in the text who may read the case."""
    people = _mentioned(note)
    before = list(note.mentions.all())
    note.mentions.set(people)
    # Only new mentions are notified when a note is edited.
    new = []
    for person in people:
        if person not in before:
            new.append(person)
    notifications.notify(
        note.case,
        new,
        Notification.Kind.MENTION,
        by=note.by,
    )


def _write(note: Note, files: Iterable[File[bytes]]) -> list[Attachment]:
    """Write files into the store: all, or none. _insert() adds their rows."""
    rows = []
    new = []
    for file in files:
        row = _attachment(note, file)
        rows.append(row)
        new.append((row.file, f"{uuid4()}.bin", file))
    save_files(new)
    return rows


def _attachment(note: Note, file: File[bytes]) -> Attachment:
    digest = hashlib.sha256()
    size = 0
    for chunk in file.chunks():
        digest.update(chunk)
        size += len(chunk)
    file.seek(0)
    return Attachment(
        note=note,
        file_name=shown_name(file.name or "file"),
        size=size,
        sha256=digest.hexdigest(),
    )


def _insert(row: Attachment, note: Note) -> None:
    # Again: the note had no key before.
    row.note = note
    row.save(force_insert=True)
    scans.queue(row)
