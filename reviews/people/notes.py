"""What people write to each other about a case: notes with mentions and files, and tags."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from uuid import uuid4

from django.contrib.auth.models import User
from django.core.files.base import File
from django.db import transaction
from django.utils.timezone import now

from compliance.storage.file_types import shown_name
from reviews.access import roles
from reviews.audit import trail
from reviews.models import Attachment, Case, Note, Tag

LONGEST = 10_000
# Ends on a letter, so that "@ana." at the end of a sentence names ana.
_MENTION = re.compile(r"(?<![\w@])@([\w.+-]*\w)")


def add(case: Case, *, actor: User, text: str, files: Iterable[File[bytes]] = ()) -> Note:
    """Write a note. Raises ValueError where it says nothing, or too much."""
    roles.require(actor, roles.NOTE, case)
    text, kept = _said(text), []
    try:
        with transaction.atomic():
            note = Note.objects.create(case=case, by=actor, text=text)
            _mention(note)
            kept = [_attach(note, file) for file in files]
            data = {"note": note.pk, "text": text}
            data |= {"files": [f"{row.file_name} {row.sha256}" for row in kept]} if kept else {}
            trail.record(case, "note_added", data, user=actor)
            return note
    except BaseException:
        for row in kept:
            row.file.delete(save=False)
        raise


def edit(note: Note, *, actor: User, text: str) -> None:
    """Reword one's own note. The earlier wording stays in the trail. Raises ValueError."""
    roles.require(actor, roles.NOTE, note.case)
    if note.by_id != actor.pk:
        raise ValueError("Only who wrote a note may edit it.")
    text = _said(text)
    with transaction.atomic():
        note = Note.objects.select_for_update().get(pk=note.pk)
        if note.text == text:
            return
        data = {"note": note.pk, "before": note.text, "after": text}
        trail.record(note.case, "note_edited", data, user=actor)
        note.text, note.edited_at = text, now()
        note.save(update_fields=["text", "edited_at"])
        _mention(note)


@transaction.atomic
def tag(case: Case, name: str, *, actor: User) -> None:
    """Mark the case with a word. Raises ValueError where it is none."""
    roles.require(actor, roles.NOTE, case)
    name = " ".join(name.replace("\0", "").split())
    if not 0 < len(name) <= 40:
        raise ValueError("A tag has 1 to 40 characters.")
    found = Tag.objects.filter(name__iexact=name).first() or Tag.objects.create(name=name)
    if not case.tags.filter(pk=found.pk).exists():
        case.tags.add(found)
        trail.record(case, "tagged", {"tag": found.name}, user=actor)


@transaction.atomic
def untag(case: Case, name: str, *, actor: User) -> None:
    roles.require(actor, roles.NOTE, case)
    if found := case.tags.filter(name=name).first():
        case.tags.remove(found)
        trail.record(case, "untagged", {"tag": found.name}, user=actor)


def _said(text: str) -> str:
    text = text.replace("\0", "").strip()
    if not text:
        raise ValueError("Write something.")
    if len(text) > LONGEST:
        raise ValueError(f"A note has at most {LONGEST:,} characters.")
    return text


def _mention(note: Note) -> None:
    """Name those whom the text names, of the people who may read the case."""
    names = set(_MENTION.findall(note.text))
    readers = roles.colleagues(note.case, "reviews.view_case")
    note.mentions.set(readers.filter(username__in=names) if names else [])


def _attach(note: Note, file: File[bytes]) -> Attachment:
    digest, size = hashlib.sha256(), 0
    for chunk in file.chunks():
        digest.update(chunk)
        size += len(chunk)
    file.seek(0)
    row = Attachment(
        note=note,
        file_name=shown_name(file.name or "file"),
        size=size,
        sha256=digest.hexdigest(),
    )
    row.file.save(f"{uuid4()}.bin", file, save=False)
    row.save(force_insert=True)
    return row
