"""The values of an XFA form: XML besides the pages, which no free renderer can lay out."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree as ET

import pikepdf

from checks.readers.pdf import tunables
from checks.readers.pdf.limits import TooFarError, inflate


def read_xfa(pdf: pikepdf.Pdf) -> tuple[tuple[str, str], ...]:
    """Return the filled fields as (name, value), in the order of the data; empty without XFA."""
    form = pdf.Root.get("/AcroForm")
    if not isinstance(form, pikepdf.Dictionary):
        return ()
    packets = form.get("/XFA")
    parts: list[pikepdf.Object | None] = [packets]
    if isinstance(packets, pikepdf.Array):
        parts = [*packets][: tunables.MAX_PARTS]
    values: list[tuple[str, str]] = []
    for part in parts:
        if isinstance(part, pikepdf.Stream):
            values += _values(part)
    return tuple(values[: tunables.MAX_VALUES])


def _values(stream: pikepdf.Stream) -> list[tuple[str, str]]:
    try:
        xml = inflate(stream)
    except TooFarError:
        return []
    # Form data need no entities. A file that defines some may be an attack by entity expansion.
    if b"datasets" not in xml or b"<!ENTITY" in xml or len(xml) > tunables.MAX_XML:
        return []
    try:
        root = ET.fromstring(xml)  # noqa: S314 - without entities, and within a limit
    except ET.ParseError:
        return []
    for element in root.iter():
        if _bare(element.tag) == "data":
            return list(_leaves(element))
    return []


def _leaves(element: ET.Element) -> Iterator[tuple[str, str]]:
    for child in element.iter():
        if len(child):
            continue
        words = (child.text or "").split()
        value = " ".join(words)[: tunables.MAX_LENGTH]
        if value:
            yield _bare(child.tag), value


def _bare(tag: str) -> str:
    return tag.rpartition("}")[2]
