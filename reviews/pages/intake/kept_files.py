"""Files that an applicant has chosen on a page: saved immediately, shown by kind, removable."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django import forms
from django.core.cache import caches
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _

from compliance.storage import file_types, stored_files
from reviews.intake import draft_files, information_requests
from reviews.intake.draft_files import Link
from reviews.intake.form_fields import DocumentsField
from reviews.models import Document, DraftFile

MOST_FILES = information_requests.MOST_FILES
# The name of the entry of a PDF that says how the file is encrypted. It is never encrypted itself.
ENCRYPTION = re.compile(rb"/Encrypt\b")
# How long a process remembers whether a saved file is protected.
CACHED_SECONDS = 3600


@dataclass(frozen=True)
class Part:
    """A kind of document on the page: the saved files, and the faults of the last upload.

    A file that may be locked is saved. `notes` say so for as long as it is among the files.
    """

    kind: Document.Kind
    chooser: forms.BoundField
    files: list[DraftFile]
    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def is_single(self) -> bool:
        return _is_single(self.chooser.field)


def parts(
    link: Link,
    form: forms.Form,
    kinds: Sequence[Document.Kind],
    faults: Mapping[str, list[str]] | None = None,
) -> list[Part]:
    """The parts of the page, one per kind. `faults` by kind; None means those of the form."""
    files = draft_files.of_link(link)
    rows = []
    for kind in kinds:
        # The saved files of this kind.
        own = []
        for file in files:
            if file.kind == kind:
                own.append(file)
        if faults is None:
            words = []
            for word in form.errors.get(kind.value, []):
                words.append(str(word))
        else:
            words = faults.get(kind.value, [])
        notes = _notes(own)
        part = Part(
            kind=kind,
            chooser=form[kind.value],
            files=own,
            faults=[word for word in words if word not in notes],
            notes=notes,
        )
        rows.append(part)
    return rows


def keep(
    request: HttpRequest, link: Link, form: forms.Form, kinds: Sequence[Document.Kind]
) -> dict[str, list[str]]:
    """Store the uploaded files, and remove those marked for removal. Returns the faults by kind."""
    # Remove first, so that the number of files allows the new ones.
    dropped = draft_files.find(link, request.POST.getlist("drop_file"))
    draft_files.remove(dropped)
    faults = {}
    for kind in kinds:
        words = _keep_kind(request.FILES, link, form.fields[kind.value], kind)
        if words:
            faults[kind.value] = words
    return faults


def _keep_kind(
    uploads: MultiValueDict[str, UploadedFile[bytes]],
    link: Link,
    chooser: forms.Field,
    kind: Document.Kind,
) -> list[str]:
    faults: list[str] = []
    for file in uploads.getlist(kind.value):
        try:
            chooser.clean([file])
        except forms.ValidationError as exc:
            faults += exc.messages
            continue
        # Read again for each file, because the previous one counts, too.
        files = draft_files.of_link(link)
        if _is_single(chooser):
            # There is only one file of each ID picture, so a new one replaces the earlier one.
            draft_files.remove(kept for kept in files if kept.kind == kind)
        elif len(files) >= MOST_FILES:
            faults.append(
                _("Send at most %(most)d files. Remove one first.")
                % {"most": MOST_FILES}
            )
            break
        [row] = draft_files.add(link, [(kind.value, file)])
        # Among the faults, too: a page that would be left stays, so that it is read.
        faults += _notes([row])
    return faults


def _notes(files: Sequence[DraftFile]) -> list[str]:
    """What to say of the saved files."""
    notes = []
    for file in files:
        if _is_protected(file):
            notes.append(_words_of_protection(file))
    return notes


def _words_of_protection(file: DraftFile) -> str:
    """What to say of a file that may ask for a password.

    Many encrypted PDFs open without one, and only a reader knows. No reader of documents runs in
    the processes that serve pages, so the person looks.
    """
    sentence = _(
        "“%(name)s” is protected. Open it once: if it asks for a password, remove it here, save it"
        " without a password and choose it again."
    )
    return sentence % {"name": file.file_name}


def _is_protected(file: DraftFile) -> bool:
    """Whether the file is an encrypted PDF. Each page asks it of each saved file, and the content
    of a row never changes, so the answer is cached.
    """
    cache = caches["memory"]
    key = f"protected-file:{file.pk}"
    known = cache.get(key)
    if isinstance(known, bool):
        return known
    try:
        content = stored_files.content(file.file, file.sha256)
    except stored_files.StoredError:
        # Sending the form says that it is lost.
        return False
    kind = file_types.type_of(content[: file_types.START])
    is_pdf = kind is not None and kind.name == "PDF"
    is_protected = is_pdf and ENCRYPTION.search(content) is not None
    cache.set(key, is_protected, CACHED_SECONDS)
    return is_protected


def kept(
    request: HttpRequest, link: Link, kinds: Sequence[Document.Kind]
) -> list[DraftFile]:
    """The saved files that belong to this submission: those of the link that are not removed."""
    dropped = set(request.POST.getlist("drop_file"))
    values = {kind.value for kind in kinds}
    rows = []
    for row in draft_files.of_link(link):
        if row.kind in values and str(row.pk) not in dropped:
            rows.append(row)
    return rows


def _is_single(chooser: forms.Field) -> bool:
    return isinstance(chooser, DocumentsField) and chooser.is_single
