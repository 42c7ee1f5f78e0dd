"""The values of an XFA form: XML beside the pages, which no free renderer lays out."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree as ET

import pikepdf

from checks.readers.pdf.limits import TooFarError, inflate

MAX_XML = 4 * 1024 * 1024
MAX_VALUES = 500
MAX_LENGTH = 400


def read_xfa(pdf: pikepdf.Pdf) -> tuple[tuple[str, str], ...]:
    """The filled fields in the order of the data, each as (name, value); empty without XFA."""
    form = pdf.Root.get("/AcroForm")
    parts = form.get("/XFA") if isinstance(form, pikepdf.Dictionary) else None
    several = list(parts)[:40] if isinstance(parts, pikepdf.Array) else [parts]
    streams = [part for part in several if isinstance(part, pikepdf.Stream)]
    return tuple(value for stream in streams for value in _values(stream))[:MAX_VALUES]


def _values(stream: pikepdf.Stream) -> list[tuple[str, str]]:
    try:
        xml = inflate(stream)
    except TooFarError:
        return []
    # Data define no entities; a file that does means no good.
    if b"datasets" not in xml or b"<!ENTITY" in xml or len(xml) > MAX_XML:
        return []
    try:
        root = ET.fromstring(xml)  # noqa: S314 - without entities, and within a limit
    except ET.ParseError:
        return []
    data = [element for element in root.iter() if _bare(element.tag) == "data"]
    return [value for element in data[:1] for value in _leaves(element)]


def _leaves(element: ET.Element) -> Iterator[tuple[str, str]]:
    for child in element.iter():
        value = " ".join((child.text or "").split())[:MAX_LENGTH]
        if value and not len(child):
            yield _bare(child.tag), value


def _bare(tag: str) -> str:
    return tag.rpartition("}")[2]
