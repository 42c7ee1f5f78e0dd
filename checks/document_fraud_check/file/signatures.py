"""Indicators from digital signatures. The visual inspection examines handwritten ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from checks.base import Change, IndicatorType
from checks.document_fraud_check import tunables
from checks.document_fraud_check.changes import Edit, edits_of
from checks.document_fraud_check.facts import (
    SIGNATURE_ROOTS,
    intact_signatures_of,
    repainted_of,
    signatures_of,
)
from checks.document_fraud_check.file.revisions import (
    altered_at,
    pages_changed,
    signers,
)
from checks.document_fraud_check.rules import Finding, IndicatorResult, indicator
from checks.evidence import Evidence
from checks.text.plurals import counted

if TYPE_CHECKING:
    from checks.readers.pdf.repainting import Repainted
    from checks.readers.pdf.signatures import Signature
    from checks.text.words import Page
    from papers.geometry import Box

# Additions after a signature that change nothing that the signer saw.
HARMLESS = frozenset({"nothing", "validation data", "form values"})


@indicator("RISK", "signature", strong=True)
def signature_broken(evidence: Evidence) -> IndicatorResult:
    """A digital signature does not fit the file.

    The bytes that the signature covers are not those that were signed: the file was changed in
    the part that the signer signed, or the signature was taken from another file.

    Where the whole file was saved again after signing, the sign is weak: every signature breaks by
    that, whether or not anything was changed. So it is where a field has the record of a signature and the
    file has no signature for it.

    Found: the digest of the signed bytes is computed and compared with the one in the signature,
    and the signature is verified with the signer's key. Nobody is asked for it. A file was saved
    again where the signature no longer stands between the bytes that it names.

    Innocent explanations: a mail gateway or an archive that rewrote the file, a program that made
    it smaller. The signed original can then be had from its issuer.
    """
    broken = []
    for signature in evidence.once(signatures_of):
        if signature.intact is False:
            broken.append(signature)
    if not broken:
        return _emptied(evidence)
    names = signers(broken)
    # If the whole file was saved again, every signature breaks, whether or not anything was edited.
    if all(signature.moved for signature in broken):
        return Finding(
            f"The file was saved again after {names} signed, so that the signature no longer"
            " fits. Whether anything was changed cannot be told: ask for the signed original.",
            evidence.signature_boxes,
            _table(broken),
            strong=False,
        )
    return Finding(
        f"The signed part of the file was changed after signing. Signature of {names}.",
        evidence.signature_boxes,
        _table(broken),
    )


def _emptied(evidence: Evidence) -> Finding | None:
    """Return whether a field is signed and the file has no signature for it.

    A signature names the bytes that were signed, and stands between them. Without the one or the other
    nothing about the file can be compared with what was signed.
    """
    fields = {widget.name for widget in evidence.structure.widgets if widget.signed}
    if len(fields) <= evidence.structure.signatures:
        return None
    return Finding(
        "A field has the record of a digital signature, and the signature itself was taken out of the file."
        " Whether anything was changed cannot be told: ask for the signed original.",
        evidence.signature_boxes,
        strong=False,
    )


@indicator("RISK", "signature", strong=True)
def changed_after_signature(evidence: Evidence) -> IndicatorResult:
    """The file was changed after it was signed.

    The signed bytes are whole, and what was appended behind them is more than form values or the
    data that a later validation needs. Where a fact that the signed pages show was replaced or
    taken away, or words were put into a line of theirs, the sign is strong. Where other words were only added, where a later, valid signature
    covers the whole file, or where the pages cannot be compared, it is weak. Annotations, and
    changes after which the pages show the same, as where they were turned, are an INFO.

    Found: each object of the appended part is held against rules of what may follow a signature
    (the difference policy of pyHanko, which follows ISO 32000-2, 12.8.2.2). The signed version is
    then read and drawn, and compared with the present one.

    Innocent explanations: several people who signed one after another with a program that
    rewrites the page for each of them; a comment by a reader; the stamp of an office in which
    the document was filed.
    """
    changed = []
    covers_file = False
    for signature in intact_signatures_of(evidence):
        if signature.later in {"content", "annotations"}:
            changed.append(signature)
        # A signature after which content was added does not cover these additions.
        elif signature.covers_file:
            covers_file = True
    if not changed:
        return None
    # Several people may sign one after another, and each signature then covers what came before.
    if covers_file and all(signature.later == "annotations" for signature in changed):
        what = Appended("annotations changed.", type="INFO")
    else:
        what = _what_changed(evidence, min(signature.end for signature in changed))
    description = f"After {signers(changed)} signed, {what.description}"
    if covers_file:
        description += " A later signature covers the whole file."
    return Finding(
        description,
        evidence.signature_boxes,
        _table(changed),
        type=what.type,
        strong=what.strong and not covers_file,
    )


class Appended(NamedTuple):
    """What was added after the signed bytes: in words, with its type and strength."""

    description: str
    type: IndicatorType | None = None
    strong: bool = False


def _what_changed(evidence: Evidence, end: int) -> Appended:
    # The end of a version lies a few bytes after the end of its signature.
    edits = [edit for edit in evidence.once(edits_of) if edit.since >= end]
    regions = [region for region in evidence.once(repainted_of) if region.since >= end]
    # From the most to the least serious: altered facts, other words, other looks, other pages.
    altering = _altering(evidence, edits, regions)
    if altering:
        changes = "; ".join(map(str, altering[: tunables.MOST_QUOTED]))
        return Appended(f"what the pages say was changed: {changes}.", strong=True)
    if edits:
        changes = "; ".join(str(edit.change) for edit in edits[: tunables.MOST_QUOTED])
        return Appended(f"words were added or changed: {changes}.")
    if regions:
        return Appended("the looks of the pages changed.")
    counts = pages_changed(evidence, since=end)
    if counts:
        return Appended(f"pages were put in or taken out: the file has {counts}.")
    # Pages after this limit are not drawn and compared.
    if not evidence.revisions or evidence.page_count > tunables.MAX_PAGES:
        return Appended("something was added, and not all pages could be compared.")
    return Appended(
        "the file was changed. Its pages show the same words and pictures.", type="INFO"
    )


def _altering(
    evidence: Evidence, edits: Sequence[Edit], regions: Sequence[Repainted]
) -> list[Change]:
    """Return the changes of words and regions that alter what the pages say."""
    changes = []
    for edit in edits:
        if edit.alters or _joins_a_line(evidence, edit.change):
            changes.append(edit.change)
    for region in regions:
        change = altered_at(evidence, region)
        if change:
            changes.append(change)
    return changes


def _joins_a_line(evidence: Evidence, change: Change) -> bool:
    """Whether added words continue a line of the signed page. A stamp in a free place does not."""
    # Only additions are examined here. Replaced words are already altering.
    if change.before or change.page > len(evidence.pages):
        return False
    page = evidence.pages[change.page - 1]
    for box in change.boxes:
        for word in page.words:
            if word.source == "text layer" and _are_neighbours(page, word.box, box):
                return True
    return False


def _are_neighbours(page: Page, word: Box, box: Box) -> bool:
    if word.shared_rows(box) < tunables.SAME_ROW or box.contains_centre_of(word):
        return False
    # Boxes are fractions of the page. The gap is converted into the units of the height.
    gap = word.gap_across(box) * page.width
    return gap < tunables.NEAR_VALUE * box.height * page.height


@indicator("TRUST", "signature", strong=True)
def signature_valid_trusted(evidence: Evidence) -> IndicatorResult:
    """Signed by somebody whose certificate is trusted.

    Every signature fits the file, nothing but form values or validation data came after, and the
    signer's certificate leads to an authority that the operator of this installation trusts.

    Found: the chain of the certificate is built from the file and the roots in the folder
    `SIGNATURE_ROOTS`.

    Does not prove: that the certificate was not withdrawn since, for no list of withdrawn ones
    is fetched; nor that the signer is who ought to sign such a document. Read the name.
    """
    signatures = _sound(evidence)
    # One untrusted signature is enough for the other indicator.
    if not signatures or not all(signature.trusted for signature in signatures):
        return None
    names = signers(signatures)
    return Finding(f"Signed by {names}.", evidence.signature_boxes, _table(signatures))


@indicator("INFO", "signature")
def signature_valid_untrusted(evidence: Evidence) -> IndicatorResult:
    """Signed, by somebody who is not known here.

    Every signature fits the file and nothing came after that changes it. Whether the signer is
    who the certificate says cannot be told: it leads to no authority that is trusted here.

    Found: as for a trusted signature; the chain ends elsewhere, or no roots are given.

    Innocent explanations: this is the usual case where the operator has given no roots. But
    anybody can make a certificate in any name.
    """
    signatures = _sound(evidence)
    if not signatures or all(signature.trusted for signature in signatures):
        return None
    since = "the file is as it was signed"
    if any(signature.later == "form values" for signature in signatures):
        since = "values of its form were filled in since"
    why = "was not judged: no roots given"
    if evidence.arguments.get(SIGNATURE_ROOTS):
        why = "leads to no authority that is trusted here"
    return Finding(
        f"Signed by {signers(signatures)}; {since}. The certificate {why}.",
        evidence.signature_boxes,
        _table(signatures),
    )


@indicator("INFO", "signature")
def signature_present(evidence: Evidence) -> IndicatorResult:
    """A digital signature that could not be validated.

    The file bears one, and whether it fits cannot be told.

    Found: a signature dictionary with the range of bytes that it covers, whose content is of a
    kind that is not understood here, or is damaged.

    Innocent explanations: old or regional kinds of signatures. A reader made by the signing
    service may tell more.
    """
    if _emptied(evidence):
        return None
    signatures = evidence.once(signatures_of)
    records = evidence.structure.signature_records
    if not signatures and records:
        count = counted(records, "digital signature")
        return Finding(f"{count}, not validated: not understood.")
    unclear = [signature for signature in signatures if signature.intact is None]
    if not unclear:
        return None
    count = counted(len(unclear), "digital signature")
    kinds = ", ".join(sorted({signature.problem for signature in unclear}))
    return Finding(
        f"{count}, not validated ({kinds}).",
        evidence.signature_boxes,
        _table(unclear),
    )


@indicator("INFO", "signature")
def bytes_after_signature(evidence: Evidence) -> IndicatorResult:
    """Something follows a signature, and could not be judged.

    The signature stands outside the form of the document, as some tax offices write it, and the
    file goes on behind what it covers.

    Found: the range of bytes that the signature covers ends before the file does. Whether words
    or looks changed is told by the indicators for earlier versions.

    Innocent explanations: a second signature, or a save by a reader.
    """
    after = []
    for signature in intact_signatures_of(evidence):
        if signature.later == "unknown":
            after.append(signature)
    if not after:
        return None
    description = f"The file goes on behind the signature of {signers(after)}."
    return Finding(description, raw=_table(after))


def _sound(evidence: Evidence) -> list[Signature]:
    """Return all signatures if each is intact and followed by harmless additions only;
    else none.
    """
    signatures = evidence.once(signatures_of)
    for signature in signatures:
        if not signature.intact or signature.later not in HARMLESS:
            return []
    return signatures


def _table(signatures: Sequence[Signature]) -> str:
    lines = []
    for signature in signatures:
        field = signature.field or "-"
        lines.append(f"{field}: {signature.signer}; after it: {signature.later}")
    return "\n".join(lines)
