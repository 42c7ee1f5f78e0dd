"""Writes the documents whose fields people settled, with the values, for `manage.py evaluate`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.db import transaction

from compliance.storage import file_types, stored_files
from reviews.audit import trail
from reviews.documents import scans
from reviews.models import Document, ValueChoice

# The label of a field that the document does not state, as `manage.py evaluate` reads it.
STATES_NONE = "-"


@dataclass
class Export:
    """How many documents and values were written, and how many documents could not be read."""

    documents: int = 0
    values: int = 0
    left_out: int = 0


def write(folder: Path) -> Export:
    """Write each document, and `NAME.json` with its values beside it, into the folder.

    A document that is in quarantine, erased or missing is left out. The trail of its case gets a
    line for each document that is written. Raises StoredError while the store is away.
    """
    export = Export()
    for document in _documents():
        values = _values(document)
        try:
            content = _content(document)
        except (
            scans.QuarantinedError,
            scans.RemovedError,
            scans.WaitsForScanError,
        ):
            export.left_out += 1
            continue
        except stored_files.StoredError as exc:
            if exc.is_temporary:
                raise
            export.left_out += 1
            continue
        start = content[: file_types.START]
        extension = file_types.offered_name("document", start).rpartition(".")[2]
        path = folder / f"{document.pk}.{extension}"
        labels = {"kind": document.kind, **values}
        # The line first: what has no line is not written.
        with transaction.atomic():
            data = {"file": document.file_name, "sha256": document.sha256}
            trail.record(document.case, "original_taken", data)
            path.write_bytes(content)
            beside = path.with_name(f"{path.name}.json")
            beside.write_text(json.dumps(labels, ensure_ascii=False), encoding="utf-8")
        export.documents += 1
        export.values += len(values)
    return export


def _documents() -> Iterator[Document]:
    keys = ValueChoice.objects.filter(
        ended_at=None,
        document__isnull=False,
    )
    keys = keys.filter(case__erased_at=None)
    documents = Document.objects.filter(pk__in=keys.values("document"))
    yield from documents.select_related("case", "scan").order_by("created_at", "pk")


def _values(document: Document) -> dict[str, list[str]]:
    values: dict[str, list[str]] = {}
    rows = document.value_choices.filter(ended_at=None).order_by("pk")
    for row in rows:
        values[row.field] = [str(row.value) or STATES_NONE]
    return values


def _content(document: Document) -> bytes:
    scans.require_open(document)
    with stored_files.opened(document.file, document.sha256) as file:
        content: bytes = file.read()
    return content
