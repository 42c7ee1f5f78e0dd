"""The sections of a visual inspection, each from the evidence alone."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from checks.base import boxes_to_wire
from checks.evidence import NOT_READ, Evidence
from checks.fields.general import type_of
from checks.text.words import Span, phrase
from checks.visual_verification.codes import ComparedCode, compared_codes
from papers.geometry import Box

AUTHENTICITY = (
    (
        "certification by the register",
        phrase(
            r"(?:do(?:es)? )?hereby certif(?:y|ies)|this is to certify|certifies that|given under my hand|in (?:witness|testimony) whereof|true and correct copy"
        ),
    ),
    (
        "a way to verify it",
        phrase(
            r"(?:may be|may|can be|to) verif(?:y|ied)[^.\n]{0,80}|authentication(?: number| code)?:? \w+|verification (?:code|number|id)"
        ),
    ),
    (
        "authentication by the register",
        phrase(
            r"authenticated by the registrar|digitally signed|electronically (?:signed|certified|issued)"
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the inspection. `passed` is None where it could not be checked.

    On the wire `passed` is a boolean: a section that was not checked is sent as not passed, with
    `checked` false beside it, and does not count for the inspection as a whole.
    """

    analysis: str
    passed: bool | None
    boxes: Sequence[Box] = ()
    present: bool | None = None

    def to_wire(self) -> dict[str, Any]:
        wire: dict[str, Any] = {
            "analysis": self.analysis,
            "passed": bool(self.passed),
            "checked": self.passed is not None,
            "boxes": boxes_to_wire(self.boxes),
        }
        if self.present is None:
            return wire
        return wire | {"present": self.present}


def classification(evidence: Evidence, expected: Collection[str]) -> Section:
    """Is it one of the kinds of document that were asked for?"""
    if not evidence.text.value.strip():
        return Section(NOT_READ, None)
    kind = evidence.once(type_of)
    if kind is None:
        return Section("The kind of document could not be recognised.", passed=False)
    boxes = evidence.text.boxes(kind.span)
    if kind.value.code in expected:
        return Section(
            f"It is {kind.value.name}, by its title and wording.",
            passed=True,
            boxes=boxes,
        )
    return Section(
        f"It looks like {kind.value.name}, which was not asked for.",
        passed=False,
        boxes=boxes,
    )


def authenticity(evidence: Evidence) -> Section:
    """The marks by which registers vouch for a document. They can be copied, and prove nothing."""
    codes = evidence.once(compared_codes)
    if not evidence.text.value.strip() and not codes:
        return Section(NOT_READ, None)
    facts = [
        (label, match)
        for label, pattern in AUTHENTICITY
        if (match := pattern.search(evidence.text.value))
    ]
    boxes = [
        box for _, match in facts for box in evidence.text.boxes(Span(*match.span()))
    ]
    labels = [label for label, _ in facts]
    if evidence.structure.signatures:
        labels.append("a digital signature (present, not validated)")
        boxes += evidence.signature_boxes
    conflicts = [code for code in codes if code.state == "conflicts"]
    if conflicts:
        boxes = [code.code.box for code in conflicts]
        return Section(" ".join(map(_code, conflicts)), passed=False, boxes=boxes)
    agreeing = [code for code in codes if code.state == "agrees"]
    labels += ["a code that agrees with its text"] if agreeing else []
    boxes += [code.code.box for code in codes]
    notes = " ".join(map(_code, codes))
    if labels:
        note = "These marks can be copied; they are not proof."
        said_in_full = f"It bears {', '.join(labels)}. {note} {notes}".strip()
        return Section(said_in_full, passed=True, boxes=boxes)
    kind = evidence.once(type_of)
    if kind and kind.value.code == "certificate_of_incorporation":
        bare = "A certificate without words by which a register certifies it."
        return Section(f"{bare} {notes}".strip(), passed=False, boxes=boxes)
    bare = "not checked: no mark of a register was found."
    return Section(f"{bare} {notes}".strip(), None, boxes)


def _code(code: ComparedCode) -> str:
    verb = {
        "agrees": "agrees: ",
        "conflicts": "contradicts the document: ",
        "not_compared": "",
    }
    where = f"{code.code.format} on page {code.code.box.page}"
    return f"The {where} {verb[code.state]}{code.how}."
