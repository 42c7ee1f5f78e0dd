"""Files that an applicant has chosen on a page: saved immediately, shown by kind, removable."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _

from compliance.storage import file_types
from reviews.intake import draft_files, information_requests
from reviews.intake.draft_files import Link
from reviews.intake.form_fields import DocumentsField
from reviews.models import Document, DraftFile

MOST_FILES = information_requests.MOST_FILES
# The name of the entry of a PDF that says how the file is encrypted. It is never encrypted itself.
ENCRYPTION = re.compile(rb"/Encrypt\b")


@dataclass(frozen=True)
class Part:
    """A kind of document on the page: the saved files, and the faults of the last upload.

    A file that may be locked is saved, and is among the faults.
    """

    kind: Document.Kind
    chooser: forms.BoundField
    files: list[DraftFile]
    faults: list[str] = field(default_factory=list)

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
        part = Part(
            kind=kind,
            chooser=form[kind.value],
            files=own,
            faults=words,
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
        faults += _words_of_encryption(file)
        draft_files.add(link, kind=kind.value, file=file)
    return faults


def _words_of_encryption(file: UploadedFile[bytes]) -> list[str]:
    """What to say of a file that may ask for a password.

    Many encrypted PDFs open without one, and only a reader knows. No reader of documents runs in
    the processes that serve pages, so the person looks.
    """
    content = file.read()
    file.seek(0)
    kind = file_types.type_of(content[: file_types.START])
    is_pdf = kind is not None and kind.name == "PDF"
    if not is_pdf or not ENCRYPTION.search(content):
        return []
    sentence = _(
        "“%(name)s” is protected. Open it once: if it asks for a password, remove it here, save it"
        " without a password and choose it again."
    )
    return [sentence % {"name": file_types.shown_name(file.name or "")}]


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
