"""Comparison of attested and extracted values, field by field."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from checks.base import boxes_to_wire
from checks.wire import Wire
from papers.geometry import Box

# `altered`: the value would match, but its place was painted over or retyped.
State = Literal[
    "equal", "close", "differs", "altered", "not_attested", "cannot_compare"
]

DIFFERENT = frozenset({"differs", "altered"})
COMPARED = DIFFERENT | {"equal", "close"}
WORDS = {
    "equal": "agrees",
    "close": "is close",
    "differs": "differs",
    "altered": "was altered",
}


@dataclass(frozen=True, slots=True)
class Comparison:
    """One field on both sides. `how` says in words what decided the state.

    `for_person`: the values agree, or nearly, and may be two all the same, so that a person decides.
    """

    field: str
    label: str
    attested: object
    extracted: object
    state: State
    how: str
    boxes: Sequence[Box] = ()
    for_person: bool = False

    def to_wire(self) -> Wire:
        return {
            "field": self.field,
            "label": self.label,
            "attested": self.attested,
            "extracted": self.extracted,
            "state": self.state,
            "how": self.how,
            "boxes": boxes_to_wire(self.boxes),
        }


def absent(field: str, label: str, attested: Any, extracted: Any) -> Comparison | None:
    """Return the comparison of a field that one side lacks, or None if both have it."""
    if attested in (None, "", [], {}):
        return Comparison(field, label, None, extracted, "not_attested", "not attested")
    if extracted in (None, "", [], {}):
        how = "not read from the document"
        return Comparison(field, label, attested, None, "cannot_compare", how)
    return None
