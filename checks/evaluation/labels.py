"""The true values of labelled documents, from a table or from a file beside each document."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TextIO

Part = Literal["all", "built", "kept"]

# The fields of a label, with alternative names in files.
NAMES: Mapping[str, Sequence[str]] = {
    "name": ("name", "business_name", "full_name", "holder_name"),
    "number": ("number", "regno", "business_registration_number", "tax_number", "ein"),
    "date": ("date", "incorporation_date"),
    "jurisdiction": ("jurisdiction",),
    "address": ("address", "addr", "business_address"),
    "issuer": ("issuer",),
    "total": ("total", "total_amount"),
}
FIELDS = tuple(NAMES)
# The label of a field that the document does not state.
NONE = "-"
TABLES = ("labels.csv", "truth.csv", "manifest.csv")
DOCUMENTS = frozenset({".pdf", ".png", ".jpg", ".jpeg", ".tif", ".tiff", ".heic"})


class LabelError(Exception):
    """A label cannot be used. The message says which and why."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A document with its true values.

    `truth` has the known fields. Of a name any value is right; of numbers and addresses each value
    must be read. An empty list means that the document states none.
    """

    path: Path
    kind: str
    truth: Mapping[str, Sequence[str]]
    check_id: str = ""

    @property
    def is_kept(self) -> bool:
        """Whether it belongs to the half that is not used for making rules.

        The hash of its content decides.
        """
        return hashlib.sha256(self.path.read_bytes()).digest()[0] % 2 == 1


def read_labels(
    folder: Path, *, table: Path | None = None, part: Part = "all"
) -> list[Labelled]:
    """Return the labelled documents of a folder, sorted by name.

    Raises LabelError if there are none.
    """
    if table is None:
        table = next((folder / n for n in TABLES if (folder / n).is_file()), None)
    if table is None:
        documents = list(_beside(folder))
    else:
        documents = list(_of_table(folder, table))
    if not documents:
        raise LabelError(f"{folder}: no labelled documents")
    documents.sort(key=lambda document: document.path.name)
    if part == "all":
        return documents
    return [d for d in documents if d.is_kept == (part == "kept")]


def _of_table(folder: Path, table: Path) -> Iterator[Labelled]:
    """Yield the documents of a table: a row for each, with its fields as columns, or as JSON in
    `ground_truth`.
    """
    with _opened(table) as lines:
        for number, row in enumerate(csv.DictReader(lines), 2):
            where = f"{table.name}, line {number}"
            name = (row.get("file") or "").strip()
            if not name:
                raise LabelError(f"{where}: no file")
            path = _path(folder, name)
            if path is None:
                raise LabelError(f"{where}: {name} is not in the folder")
            values: dict[str, object] = dict(row)
            if row.get("ground_truth"):
                values |= _object(row["ground_truth"], where)
            yield _labelled(path, values, where)


def _opened(table: Path) -> TextIO:
    try:
        return table.open(encoding="utf-8-sig", newline="")
    except OSError as exc:
        raise LabelError(f"{table}: {exc.strerror}") from exc


def _path(folder: Path, name: str) -> Path | None:
    """Return the document of a row.

    It must be inside the folder; the path may include the folder itself.
    """
    for path in (folder / name, folder.parent / name):
        inside = path.resolve().is_relative_to(folder.resolve())
        if inside and path.is_file():
            return path
    return None


def _beside(folder: Path) -> Iterator[Labelled]:
    """Yield each document that has a `NAME.json`, or a `NAME.pdf.json`, beside it."""
    if not folder.is_dir():
        raise LabelError(f"{folder}: no such folder")
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() not in DOCUMENTS:
            continue
        for label in (path.with_suffix(".json"), path.with_name(f"{path.name}.json")):
            if label.is_file():
                values = _object(label.read_text(encoding="utf-8"), label.name)
                yield _labelled(path, values, label.name)
                break


def _object(text: str, where: str) -> dict[str, object]:
    try:
        values = json.loads(text)
    except ValueError as exc:
        raise LabelError(f"{where}: no JSON") from exc
    if not isinstance(values, dict):
        raise LabelError(f"{where}: not an object")
    return values


def _labelled(path: Path, values: Mapping[str, object], where: str) -> Labelled:
    truth: dict[str, Sequence[str]] = {}
    for field, names in NAMES.items():
        for name in names:
            several = _values(values.get(name), f"{where}: {name}")
            if several is not None:
                truth[field] = several
                break
    kind = str(values.get("kind") or values.get("type") or "document")
    return Labelled(path, kind, truth, str(values.get("check") or ""))


def _values(value: object, where: str) -> list[str] | None:
    """Return the values; None if the truth is not known, and an empty list if there is none."""
    if isinstance(value, str):
        value = value.split("|")
    if value is None or value == []:
        return None
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise LabelError(f"{where} is neither a text nor a list of texts")
    several = [text.strip() for text in value if text.strip()]
    if not several:
        return None
    if several == [NONE]:
        return []
    return several
