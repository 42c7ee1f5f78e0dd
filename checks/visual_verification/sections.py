"""The sections of a visual inspection. Each uses only the evidence."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from checks.base import boxes_to_wire
from checks.evidence import NOT_READ, Evidence
from checks.fields.general import type_of
from checks.text.phrases import Phrase
from checks.text.words import (
    Span,
)
from checks.visual_verification.codes import ComparedCode, State, compared_codes
from papers.geometry import Box

AUTHENTICITY = (
    (
        "certification by the register",
        Phrase(
            r"(?:do(?:es)? )?hereby certif(?:y|ies)|this is to certify|certifies that|given under my hand|in (?:witness|testimony) whereof|true and correct copy"
        ),
    ),
    (
        "a way to verify it",
        Phrase(
            r"(?:may be|may|can be|to) verif(?:y|ied)[^.\n]{0,80}|authentication(?: number| code)?:? \w+|verification (?:code|number|id)"
        ),
    ),
    (
        "authentication by the register",
        Phrase(
            r"authenticated by the registrar|digitally signed|electronically (?:signed|certified|issued)"
        ),
    ),
)


NO_PROOF = "These marks can be copied; they are not proof."
VERBS: Mapping[State, str] = {
    "agrees": "agrees: ",
    "conflicts": "contradicts the document: ",
    "not_compared": "",
}


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the inspection. `passed` is None if it could not be checked.

    In the interface `passed` is a boolean: a section that was not checked is sent as not passed
    with `checked` false, and does not count in the result of the inspection.
    """

    analysis: str
    passed: bool | None
    boxes: Sequence[Box] = ()
    present: bool | None = None

    def to_wire(self) -> dict[str, object]:
        wire: dict[str, object] = {
            "analysis": self.analysis,
            "passed": bool(self.passed),
            "checked": self.passed is not None,
            "boxes": boxes_to_wire(self.boxes),
        }
        if self.present is not None:
            wire["present"] = self.present
        return wire


def classification(evidence: Evidence, expected: Collection[str]) -> Section:
    """Return the section about the kind of document: whether it is one of those that were asked
    for.
    """
    if not evidence.text.value.strip():
        return Section(NOT_READ, None)
    kind = evidence.once(type_of)
    if kind is None:
        return Section("The kind of document could not be recognised.", passed=False)
    name = kind.value.name
    boxes = evidence.text.boxes(kind.span)
    if kind.value.code in expected:
        analysis = f"It is {name}, by its title and wording."
        return Section(analysis, passed=True, boxes=boxes)
    analysis = f"It looks like {name}, which was not asked for."
    return Section(analysis, passed=False, boxes=boxes)


def authenticity(evidence: Evidence) -> Section:
    """Return the section about marks by which registers certify a document.

    They can be copied and prove nothing.
    """
    codes = evidence.once(compared_codes)
    if not evidence.text.value.strip() and not codes:
        return Section(NOT_READ, None)
    # A code that contradicts the text outweighs all other marks.
    conflicts = [code for code in codes if code.state == "conflicts"]
    if conflicts:
        analysis = " ".join(map(_sentence, conflicts))
        return Section(analysis, passed=False, boxes=_boxes_of(conflicts))
    labels, boxes = _marks(evidence)
    if any(code.state == "agrees" for code in codes):
        labels.append("a code that agrees with its text")
    boxes += _boxes_of(codes)
    notes = " ".join(map(_sentence, codes))
    passed: bool | None
    kind = evidence.once(type_of)
    if labels:
        passed = True
        analysis = f"It bears {', '.join(labels)}. {NO_PROOF}"
    elif kind and kind.value.code == "certificate_of_incorporation":
        passed = False
        analysis = "A certificate without words by which a register certifies it."
    else:
        passed = None
        analysis = "not checked: no mark of a register was found."
    return Section(f"{analysis} {notes}".strip(), passed, boxes)


def _marks(evidence: Evidence) -> tuple[list[str], list[Box]]:
    """Return the marks in the words and signatures of a document, with their places."""
    labels = []
    boxes: list[Box] = []
    for label, pattern in AUTHENTICITY:
        match = pattern.search(evidence.text.value)
        if match:
            labels.append(label)
            boxes.extend(evidence.text.boxes(Span(*match.span())))
    if evidence.structure.signatures:
        labels.append("a digital signature (present, not validated)")
        boxes.extend(evidence.signature_boxes)
    return labels, boxes


def _boxes_of(codes: Sequence[ComparedCode]) -> list[Box]:
    return [code.code.box for code in codes]


def _sentence(code: ComparedCode) -> str:
    where = f"{code.code.format} on page {code.code.box.page}"
    return f"The {where} {VERBS[code.state]}{code.how}."
