"""Indicators from earlier versions that are still inside the file."""

from __future__ import annotations

from checks.document_fraud_check.changes import changes_of
from checks.document_fraud_check.facts import repainted_of
from checks.document_fraud_check.rules import Finding, Seen, Unchecked, indicator
from checks.evidence import Evidence
from checks.wording import counted


@indicator("RISK", "revisions", strong=True)
def revision_text_changed(evidence: Evidence) -> Seen:
    """Text differs from an earlier saved version.

    A PDF that is saved by appending keeps its earlier versions. One of them shows other words
    than the file as it is now; the finding shows them before and after, at their place.

    Found: each earlier version is recovered and read, and the words of each page are compared as
    a bag, so that a mere change of their order says nothing. How often a file was saved counts
    for nothing: four of ten genuine files were saved more than once. The values of form fields
    are left out.

    Innocent explanations: an issuer corrected a file before sending it, or the owner filled in a
    document that is meant to be filled in and is not a form. Read what changed.
    """
    if evidence.kind == "pdf" and not evidence.problem and evidence.structure.encrypted:
        return Unchecked("earlier versions: the file is encrypted")
    changes = [change for change in evidence.once(changes_of) if change.before]
    if not changes:
        return None
    said = "; ".join(map(str, changes[:3]))
    return Finding(
        f"An earlier version inside the file reads differently: {said}.",
        [box for change in changes for box in change.boxes],
        "\n".join(map(str, changes)),
        changes=changes,
    )


@indicator("RISK", "revisions")
def revision_text_added(evidence: Evidence) -> Seen:
    """Text was added to an earlier saved version.

    Words stand on a page that an earlier version of it lacked, and none were taken away.

    Found: as for text that differs, where every change only adds.

    Innocent explanations: a receiver's stamp, a reference number or a date put on by the office
    that the document went through. It is a weak sign for that reason.
    """
    changes = evidence.once(changes_of)
    if not changes or any(change.before for change in changes):
        return None
    said = "; ".join(f"page {change.page}: “{change.after}”" for change in changes[:3])
    return Finding(
        f"The earlier version inside the file lacks words that it shows now: {said}.",
        [box for change in changes for box in change.boxes],
        "\n".join(map(str, changes)),
        changes=changes,
    )


@indicator("RISK", "revisions")
def revision_pixels_changed(evidence: Evidence) -> Seen:
    """A page looks different from an earlier saved version.

    Something on the face of the page was painted over, replaced or added between two versions:
    a picture, a seal, a drawing, or words that are drawn and not written. Where ink that stood
    there is gone, the sign is strong; where something was only added, it is weak.

    Found: the pages of each earlier version are drawn and compared with the next, without the
    annotations and fields that lie above them. Places where words changed are left to the
    indicator for words.

    Innocent explanations: a stamp or a bar code put on by an office; a service for signing that
    adds a line or a margin to each page. Where a page only has another size, it is an INFO.
    """
    changed = [box for change in evidence.once(changes_of) for box in change.boxes]
    regions = [
        region
        for region in evidence.once(repainted_of)
        if not any(region.box.overlap(box) > 0.3 * box.area for box in changed if box.area)
    ]
    if not regions:
        return None
    resized = [region.box for region in regions if region.box.area >= 1]
    if len(resized) == len(regions):
        pages = counted(len(resized), "page has", "pages have")
        said = f"{pages} another size than in an earlier version."
        return Finding(said, resized, type="INFO")
    replaced = sum(region.replaced for region in regions)
    said = f", and in {replaced} of them ink that stood there is gone" if replaced else ""
    return Finding(
        f"{counted(len(regions), 'region looks', 'regions look')} different than in an earlier"
        f" version{said}.",
        [region.box for region in regions],
        strong=bool(replaced) and not changed,
    )


@indicator("INFO", "revisions")
def revision_content_identical(evidence: Evidence) -> Seen:
    """Saved more than once, with the same content.

    Earlier versions are inside the file, and every page shows the same in all of them.

    Found: each earlier version is read and drawn, and neither words nor looks differ.

    Innocent explanations: this is itself one. Registers sign documents by appending, and readers
    append when they save; it is told so that the number of versions worries nobody.
    """
    count = len(evidence.revisions)
    if not count or evidence.once(changes_of) or evidence.once(repainted_of):
        return None
    versions = counted(count, "earlier version")
    return Finding(f"The file holds {versions} with the same words on every page.")
