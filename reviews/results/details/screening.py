"""What a screening found, read for the page: each hit a finding that can be dismissed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from reviews.results.kinds import Asked, Hit, Screened
from reviews.results.reading import items, number, obj, string, text

MAX_HITS = 100
MAX_PEOPLE = 100
SHOWN = ("id", "programs", "positions", "listed_on", "reason")  # members of an entry


def screening(data: Mapping[str, Any], _: Mapping[str, Any]) -> Screened:
    return Screened((_asked(data, ref=_ref(data)),))


def people(data: Mapping[str, Any], _: Mapping[str, Any]) -> Screened:
    sent = data.get("people")
    found = [obj(item) for item in items(sent)[:MAX_PEOPLE]]
    asked = tuple(
        _asked(obj(one.get("screening")), ref=f"p{index}", said=one)
        for index, one in enumerate(found)
        if one
    )
    count = len(sent) if isinstance(sent, list) else 0
    return Screened(asked, not_shown=max(0, count - len(found)))


def _asked(data: Mapping[str, Any], *, ref: str, said: Mapping[str, Any] | None = None) -> Asked:
    sent = items(data.get("matches"))
    hits = [obj(item) for item in sent[:MAX_HITS] if obj(item)]
    subject = obj(data.get("subject"))
    known = said or {}
    parts = [text(known.get("name"), 300), text(known.get("what") or data.get("what"), 100)]
    return Asked(
        title=": ".join(part for part in parts if part),
        verdict=string(known.get("verdict"), 40),
        explanation=text(known.get("explanation")),
        said={
            "lists": _objects(data.get("lists")),
            "policy": obj(obj(data.get("versions")).get("policy")),
        },
        rows=tuple(_hit(f"{ref}-{index}", hit, subject) for index, hit in enumerate(hits)),
        not_shown=int(number(data.get("not_shown")) or 0) + len(sent) - len(hits),
    )


def _ref(data: Mapping[str, Any]) -> str:
    """A case has a part for each kind of list."""
    words = string(data.get("what"), 60).casefold().split()
    return "h-" + "-".join("".join(filter(str.isalnum, word)) for word in words)


def _hit(ref: str, hit: Mapping[str, Any], subject: Mapping[str, Any]) -> Hit:
    entry, on = obj(hit.get("entry")), obj(hit.get("list"))
    return Hit(
        ref=ref,
        boxes=(),
        listed=text(obj(hit.get("name")).get("listed"), 300) or "Unnamed entry",
        band=string(hit.get("band"), 40),
        score=number(hit.get("score")),
        list_title=text(on.get("title"), 200) or "a list that was not named",
        identity=(
            text(on.get("slug"), 200),
            text(entry.get("id"), 200),
            # A service that sends no hash of the entry has the entry itself compared.
            string(hit.get("content_hash"), 128) or _plain(entry),
            _plain(subject),
        ),
        is_told=bool(
            subject.get("date_of_birth")
            or subject.get("identifiers")
            or (subject.get("schema") == "Organization" and subject.get("countries"))
        ),
        said={
            "list": on,
            "kind": string(obj(hit.get("name")).get("kind"), 20),
            "entry": {name: text(entry.get(name)) for name in SHOWN},
            "alignment": _objects(hit.get("alignment")),
            "facts": _objects(hit.get("facts")),
        },
    )


def _objects(value: Any) -> list[Mapping[str, Any]]:
    return [found for item in items(value)[:MAX_HITS] if (found := obj(item))]


def _plain(said: Any) -> str:
    """The same text for the same content; nothing that a payload may hold makes it raise."""
    try:
        return json.dumps(said, sort_keys=True, default=str)
    except (RecursionError, ValueError, TypeError):
        return "nested too deeply"
