"""Indicators from the digital signatures of a file (those of ink are for the visual inspection)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from checks.base import Change, IndicatorType
from checks.document_fraud_check.changes import edits_of
from checks.document_fraud_check.facts import (
    MAX_PAGES,
    SIGNATURE_ROOTS,
    repainted_of,
    signatures_of,
)
from checks.document_fraud_check.file.revisions import altered_at, pages_changed
from checks.document_fraud_check.rules import Finding, IndicatorResult, indicator
from checks.evidence import Evidence
from checks.text.plurals import counted

if TYPE_CHECKING:
    from checks.readers.pdf.signatures import Signature

# Behind this page the versions are not drawn beside one another.
LAST_COMPARED = MAX_PAGES
# Words of one line stand on one row, and no further apart than so many times their height.
SAME_ROW, NEAR = 0.5, 2.0


@indicator("RISK", "signature", strong=True)
def signature_broken(evidence: Evidence) -> IndicatorResult:
    """A digital signature does not fit the file.

    The bytes that the signature covers are not those that were signed: the file was changed in
    the part that the signer signed, or the signature was taken from another file.

    Where the whole file was saved again after signing, the sign is weak: every signature breaks by
    that, whether or not anything was changed.

    Found: the digest of the signed bytes is computed and compared with the one in the signature,
    and the signature is verified with the signer's key. Nobody is asked for it. A file was saved
    again where the signature no longer stands between the bytes that it names.

    Innocent explanations: a mail gateway or an archive that rewrote the file, a program that made
    it smaller. The signed original can then be had from its issuer.
    """
    broken = [
        signature
        for signature in evidence.once(signatures_of)
        if signature.intact is False
    ]
    if not broken:
        return None
    if all(signature.moved for signature in broken):
        return Finding(
            f"The file was saved again after {_names(broken)} signed, so that the signature no longer"
            " fits. Whether anything was changed cannot be told: ask for the signed original.",
            evidence.signature_boxes,
            _table(broken),
            strong=False,
        )
    return Finding(
        f"The signed part of the file was changed after signing. Signature of {_names(broken)}.",
        evidence.signature_boxes,
        _table(broken),
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
    signatures = evidence.once(signatures_of)
    changed = []
    for signature in signatures:
        if signature.intact and signature.later in {"content", "annotations"}:
            changed.append(signature)
    if not changed:
        return None
    # A signature that is itself changed after cannot vouch for what was added.
    resigned = any(
        signature.intact and signature.covers_file
        for signature in signatures
        if signature not in changed
    )
    content = any(signature.later == "content" for signature in changed)
    after = f"After {_names(changed)} signed,"
    if resigned:
        kind: IndicatorType | None = "INFO"
        description, strong = "annotations changed.", False
        if content:
            description, kind, _ = _what_changed(
                evidence, min(signature.end for signature in changed)
            )
        description = f"{after} {description} A later signature covers the whole file."
    else:
        description, kind, strong = _what_changed(
            evidence, min(signature.end for signature in changed)
        )
        description = f"{after} {description}"
    return Finding(
        description, evidence.signature_boxes, _table(changed), type=kind, strong=strong
    )


def _joins_a_line(evidence: Evidence, change: Change) -> bool:
    """Do added words continue a line of the signed page, as a stamp in a free place does not?"""
    if change.before or change.page > len(evidence.pages):
        return False
    page = evidence.pages[change.page - 1]
    for box in change.boxes:
        for word in page.words:
            if word.source == "text layer" and (
                word.box.shared_rows(box) >= SAME_ROW
                and not box.contains_centre_of(word.box)
                and max(word.box.x0 - box.x1, box.x0 - word.box.x1) * page.width
                < NEAR * box.height * page.height
            ):
                return True
    return False


def _what_changed(
    evidence: Evidence, end: int
) -> tuple[str, IndicatorType | None, bool]:
    """What came behind the signed bytes: in words, with its type, and whether it is strong."""
    # The end mark of a version lies a few bytes behind what its signature covers.
    edits = [edit for edit in evidence.once(edits_of) if edit.since >= end]
    regions = [region for region in evidence.once(repainted_of) if region.since >= end]
    altered = [e.change for e in edits if e.alters or _joins_a_line(evidence, e.change)]
    altered += [
        change for region in regions if (change := altered_at(evidence, region))
    ]
    if altered:
        return (
            f"what the pages say was changed: {'; '.join(map(str, altered[:3]))}.",
            None,
            True,
        )
    if edits:
        changes = "; ".join(str(edit.change) for edit in edits[:3])
        return f"words were added or changed: {changes}.", None, False
    if regions:
        return "the looks of the pages changed.", None, False
    if count := pages_changed(evidence, since=end):
        return f"pages were put in or taken out: the file has {count}.", None, False
    if not evidence.revisions or evidence.page_count > LAST_COMPARED:
        return "something was added, and not all pages could be compared.", None, False
    return (
        "the file was changed. Its pages show the same words and pictures.",
        "INFO",
        False,
    )


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
    if not signatures or not all(signature.trusted for signature in signatures):
        return None
    return Finding(
        f"Signed by {_names(signatures)}.", evidence.signature_boxes, _table(signatures)
    )


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
    filled = any(signature.later == "form values" for signature in signatures)
    since = (
        "values of its form were filled in since"
        if filled
        else "the file is as it was signed"
    )
    roots = evidence.arguments.get(SIGNATURE_ROOTS)
    if roots:
        why = "leads to no authority that is trusted here"
    else:
        why = "was not judged: no roots given"
    return Finding(
        f"Signed by {_names(signatures)}; {since}. The certificate {why}.",
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
    unclear = [
        signature
        for signature in evidence.once(signatures_of)
        if signature.intact is None
    ]
    if not unclear:
        count = evidence.structure.signatures
        if count and not evidence.once(signatures_of):
            return Finding(
                f"{counted(count, 'digital signature')}, not validated: not understood."
            )
        return None
    kinds = ", ".join(sorted({signature.problem for signature in unclear}))
    return Finding(
        f"{counted(len(unclear), 'digital signature')}, not validated ({kinds}).",
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
    for signature in evidence.once(signatures_of):
        if signature.intact and signature.later == "unknown":
            after.append(signature)
    if not after:
        return None
    return Finding(
        f"The file goes on behind the signature of {_names(after)}.", raw=_table(after)
    )


def _sound(evidence: Evidence) -> list[Signature]:
    """All signatures, if every one of them stands; else none."""
    signatures = evidence.once(signatures_of)
    harmless = {"nothing", "validation data", "form values"}
    if all(
        signature.intact and signature.later in harmless for signature in signatures
    ):
        return signatures
    return []


def _names(signatures: list[Signature]) -> str:
    return ", ".join(
        dict.fromkeys(
            signature.signer or "an unnamed signer" for signature in signatures
        )
    )


def _table(signatures: list[Signature]) -> str:
    return "\n".join(
        f"{signature.field or '-'}: {signature.signer}; after it: {signature.later}"
        for signature in signatures
    )
