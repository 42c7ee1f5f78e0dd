"""The sections about seals and signatures: what is visible compared with what is expected."""

from __future__ import annotations

from collections.abc import Sequence

from checks.evidence import Evidence, name_pages
from checks.fields.general import type_of
from checks.text.plurals import counted
from checks.visual_verification.codes import compared_codes
from checks.visual_verification.expectations import Expectation, expectation_of
from checks.visual_verification.page_scan import VisualScan, look
from checks.visual_verification.sections import Section
from papers.geometry import Box

NOT_OPENED = "The pages could not be opened."


def seal(evidence: Evidence) -> Section:
    """Return the section about seals and round stamps, printed, inked or drawn.

    On some documents a digital signature or a code replaces the seal.
    """
    scan = evidence.once(look)
    if not scan.pages:
        return Section(_why_not(scan), None, present=False)
    if scan.seals:
        count = counted(len(scan.seals), "seal or round stamp", "seals or round stamps")
        sentence = f"{count} on {_where(scan.seals)}."
        return Section(sentence, passed=True, boxes=scan.seals, present=True)
    kind, expected = _kind(evidence)
    # The order matters: first what was seen, then what is not expected anyway, then the reasons why
    # nothing can be decided, and only then a fault.
    if kind and expected.seal == "none":
        return Section(
            f"No seal; none is expected on {kind}.", passed=True, present=False
        )
    if scan.doubtful_seals:
        sentence = (
            "cannot be judged: a round mark is there that may be a seal or a logo."
        )
        return Section(sentence, None, scan.doubtful_seals, present=False)
    if not scan.whole:
        return Section(
            f"cannot be judged: no seal, but {_why_not(scan)}", None, present=False
        )
    if not kind:
        sentence = "cannot be judged: no seal, and the kind of document is not known"
        return Section(
            f"{sentence}, so that none may be expected.", None, present=False
        )
    # Another mark of the issuer may replace the seal.
    if expected.needs_mark:
        return _in_place_of_seal(evidence, kind)
    return Section(f"No seal; {kind} may do without.", passed=True, present=False)


def _in_place_of_seal(evidence: Evidence, kind: str) -> Section:
    """Return the section for a document without a seal that should have one.

    Registers that issue files sign them digitally, or print a code that leads to the register.
    """
    if evidence.structure.signatures:
        sentence = (
            "No seal; a digital signature stands in its place (see fraud indicators)."
        )
        return Section(
            sentence, passed=True, boxes=evidence.signature_boxes, present=False
        )
    boxes = []
    for code in evidence.once(compared_codes):
        if code.state == "agrees":
            boxes.append(code.code.box)
    if boxes:
        sentence = "No seal; a code that agrees with the text stands in its place."
        return Section(sentence, passed=True, boxes=boxes, present=False)
    sentence = f"No seal, no digital signature and no code of a register, one of which {kind} bears."
    return Section(sentence, passed=False, present=False)


def signature(evidence: Evidence) -> Section:
    """Return the section about signatures: ink on the page, or a digital signature in the file."""
    scan = evidence.once(look)
    if scan.signatures or evidence.structure.signatures:
        return _signed(evidence, scan)
    if not scan.pages:
        return Section(_why_not(scan), None, present=False)
    kind, expected = _kind(evidence)
    # The order is the same as for seals.
    if kind and expected.signature == "none":
        return Section(
            f"No signature; none is expected on {kind}.", passed=True, present=False
        )
    if scan.doubtful_signatures:
        sentence = (
            "cannot be judged: there are strokes that may be a signature, or a drawing."
        )
        return Section(sentence, None, scan.doubtful_signatures, present=False)
    if not scan.whole:
        return Section(
            f"cannot be judged: no signature, but {_why_not(scan)}", None, present=False
        )
    if not kind:
        sentence = (
            "cannot be judged: no signature, and the kind of document is not known"
        )
        return Section(
            f"{sentence}, so that none may be expected.",
            None,
            scan.unsigned_lines,
            present=False,
        )
    return _unsigned(scan, kind, needed=expected.signature == "must")


def _signed(evidence: Evidence, scan: VisualScan) -> Section:
    sentences = []
    if scan.signatures:
        where = _where(scan.signatures)
        sentences.append(f"Handwriting like a signature on {where}.")
    if evidence.structure.signatures:
        where = "without a visible field"
        if evidence.signature_boxes:
            where = "in a field of the page"
        sentences.append(
            f"A digital signature is present {where}; it was not validated here."
        )
    # With a signature present, an empty line is mentioned but not a fault.
    if scan.unsigned_lines:
        count = len(scan.unsigned_lines)
        lines = counted(count, "line to sign on is", "lines to sign on are")
        sentences.append(f"{lines} empty on {_where(scan.unsigned_lines)}.")
    boxes = [*scan.signatures, *evidence.signature_boxes]
    return Section(" ".join(sentences), passed=True, boxes=boxes, present=True)


def _unsigned(scan: VisualScan, kind: str, *, needed: bool) -> Section:
    lines = scan.unsigned_lines
    sentence = "No signature"
    if lines:
        sentence += f"; the line to sign on is empty ({_where(lines)})"
    sentence += f"; {kind} should be signed." if needed else f"; {kind} may do without."
    return Section(sentence, passed=not needed, boxes=lines, present=False)


def _kind(evidence: Evidence) -> tuple[str, Expectation]:
    """Return the name of the kind of document, empty if not known, and what belongs on it."""
    kind = evidence.once(type_of)
    if kind is None:
        return "", expectation_of(None)
    return kind.value.name, expectation_of(kind.value.code)


def _why_not(scan: VisualScan) -> str:
    if scan.missed:
        return "; ".join(scan.missed) + "."
    return NOT_OPENED


def _where(boxes: Sequence[Box]) -> str:
    return name_pages(sorted({box.page for box in boxes}))
