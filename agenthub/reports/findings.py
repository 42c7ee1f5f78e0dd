"""The results of tools as lines of a report: fields, sections and indicators of any payload."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from agenthub.reports.words import label
from agenthub.wire import JsonObject

MOST = 60  # lines of one kind in one place; the interface returns all
MOST_ITEMS = 20  # of a list in one line


# Members that the page shows elsewhere (alerts, the document), or that are meant for programs.
HIDDEN = {
    "type",
    "boxes",
    "places",
    "source",
    "comparisons",
    "alerts",
    "document",
    "document_type",
}


class Line(NamedTuple):
    """A line: its subject, its text, and its tone (pass, fail, warn, plain)."""

    name: str
    text: str
    tone: str = "plain"


TONES = {"RISK": "fail", "TRUST": "pass", "INFO": "plain"}


def of_payload(payload: object) -> list[Line]:
    """The findings in one tool's payload: fraud indicators, visual sections, or fields."""
    if not isinstance(payload, Mapping):
        return []
    lines: list[Line] = []
    for part in payload.values():
        if not isinstance(part, Mapping):
            continue
        indicators = part.get("verification_data")
        sections = part.get("visual_analysis")
        if isinstance(indicators, list):
            lines += _indicators(indicators)
        elif isinstance(sections, Mapping):
            lines += _sections(sections)
        else:
            lines += of_fields(part)
    return lines[:MOST]


def of_fields(fields: JsonObject, *, prefix: str = "") -> list[Line]:
    """Plain values and lists of them. Documents and drawings are omitted."""
    return list(_fields(fields, prefix))[:MOST]


def _fields(fields: JsonObject, prefix: str) -> Iterator[Line]:
    for name, value in fields.items():
        if name in HIDDEN or name.startswith("b64"):
            continue
        text = _text(value)
        if text:
            yield Line(prefix + label(name), text)


def _text(value: object) -> str:
    if isinstance(value, list):
        texts = filter(None, map(_item, value[:MOST_ITEMS]))
        return "; ".join(texts)
    return _item(value)


def _item(value: object) -> str:
    if isinstance(value, Mapping):
        return one_line(value)
    return plain(value)


def one_line(value: JsonObject) -> str:
    """An address, a document or another small object as one line."""
    file_name = value.get("file_name")
    url = value.get("url")
    if file_name or url:
        return plain(file_name) or plain(url)
    texts = []
    for name, item in value.items():
        if name not in {"type", "b64_document", "boxes"}:
            texts.append(plain(item))
    return ", ".join(filter(None, texts))


def plain(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str | int | float):
        return str(value)
    return ""


def _indicators(indicators: list[object]) -> Iterator[Line]:
    for indicator in indicators:
        if not isinstance(indicator, Mapping):
            continue
        kind = str(indicator.get("type") or "INFO")
        title = str(indicator.get("title") or kind)
        words = str(indicator.get("description") or "")
        yield Line(title, words, TONES.get(kind, "plain"))


def _sections(sections: JsonObject) -> Iterator[Line]:
    for name, section in sections.items():
        if not isinstance(section, Mapping):
            continue
        tone = "plain"
        if section.get("passed") is True:
            tone = "pass"
        elif section.get("passed") is False:
            tone = "warn"
        yield Line(label(name), str(section.get("analysis") or ""), tone)
