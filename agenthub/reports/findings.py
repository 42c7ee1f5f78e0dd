"""What tools said, as rows to draw: fields, sections and indicators, whatever the payload holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from agenthub.reports.words import label

MOST = 60  # of one kind in one place; the interface has them all


# What is told elsewhere on the page (alerts, the document), or is meant for programs.
HIDDEN = {"type", "boxes", "places", "source", "comparisons", "alerts", "document", "document_type"}


class Line(NamedTuple):
    """A finding: what it is about, what it says, and how it looks (pass, fail, warn, plain)."""

    name: str
    text: str
    tone: str = "plain"


TONES = {"RISK": "fail", "TRUST": "pass", "INFO": "plain"}


def of_payload(payload: Any) -> list[Line]:
    """The findings of one tool: fraud indicators, visual sections, or fields."""
    if not isinstance(payload, Mapping):
        return []
    found: list[Line] = []
    for part in payload.values():
        if not isinstance(part, Mapping):
            continue
        if isinstance(part.get("verification_data"), list):
            found += _indicators(part["verification_data"])
        elif isinstance(part.get("visual_analysis"), Mapping):
            found += _sections(part["visual_analysis"])
        else:
            found += of_fields(part)
    return found[:MOST]


def of_fields(fields: Mapping[str, Any], *, prefix: str = "") -> list[Line]:
    """Plain values and lists of them; documents and drawings are left to the interface."""
    return list(_fields(fields, prefix))[:MOST]


def _fields(fields: Mapping[str, Any], prefix: str) -> Iterator[Line]:
    for name, value in fields.items():
        shown = prefix + label(name)
        if name in HIDDEN or name.startswith("b64"):
            continue
        if isinstance(value, Mapping):
            text = one_line(value)
            if text:
                yield Line(shown, text)
        elif isinstance(value, list):
            texts = [one_line(item) if isinstance(item, Mapping) else plain(item) for item in value]
            if any(texts):
                yield Line(shown, "; ".join(text for text in texts[:20] if text))
        elif text := plain(value):
            yield Line(shown, text)


def one_line(value: Mapping[str, Any]) -> str:
    """An address, a document or another small object, as one line."""
    if value.get("file_name") or value.get("url"):
        return plain(value.get("file_name")) or plain(value.get("url"))
    hidden = {"type", "b64_document", "boxes"}
    texts = (plain(item) for name, item in value.items() if name not in hidden)
    return ", ".join(text for text in texts if text)


def plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) if isinstance(value, str | int | float) else ""


def _indicators(found: list[Any]) -> Iterator[Line]:
    for one in found:
        if isinstance(one, Mapping):
            kind = str(one.get("type") or "INFO")
            words = str(one.get("description") or "")
            yield Line(str(one.get("title") or kind), words, TONES.get(kind, "plain"))


def _sections(found: Mapping[str, Any]) -> Iterator[Line]:
    for name, section in found.items():
        if isinstance(section, Mapping):
            passed = section.get("passed")
            tone = "pass" if passed is True else "warn" if passed is False else "plain"
            yield Line(label(name), str(section.get("analysis") or ""), tone)
