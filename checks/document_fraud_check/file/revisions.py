"""Indicators from earlier versions that are still inside the file."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import TYPE_CHECKING

from checks.base import Change, IndicatorType
from checks.document_fraud_check.alterations import alters, bare
from checks.document_fraud_check.changes import Edit, edits_of, present_pages
from checks.document_fraud_check.facts import (
    covered_by_signature,
    earlier_versions,
    read_pair,
    repainted_of,
    signatures_of,
)
from checks.document_fraud_check.rules import (
    Finding,
    IndicatorResult,
    Unchecked,
    indicator,
    quoted,
)
from checks.evidence import Evidence
from checks.text.plurals import counted

if TYPE_CHECKING:
    from checks.readers.ocr.snippets import Snippet
    from checks.readers.pdf.repainting import Repainted

# So sure must OCR be of both readings where two pictures are compared.
SURE = 0.7


@indicator("RISK", "revisions", strong=True)
def revision_text_changed(evidence: Evidence) -> IndicatorResult:
    """Text differs from an earlier saved version.

    A PDF that is saved by appending keeps its earlier versions. One of them shows other words
    than the file as it is now; the finding shows them before and after, at their place.

    Where a fact was replaced or taken away, the sign is strong. Where an intact signature was
    made after that, and covers it, the sign is weak, for the signer may have done it himself, and
    an INFO if the signer is trusted. Where only a placeholder, a label or the number of a page
    changed, it is an INFO.

    Found: each earlier version is recovered and read, and the words of each page are compared as
    a bag, so that a mere change of their order says nothing. Pages that were put in, taken out or
    turned are recognised. How often a file was saved counts for nothing: four of ten genuine files
    were saved more than once. The values of form fields and the text behind scans are left out.

    Innocent explanations: an issuer corrected a file before sending it, or the owner filled in a
    document that is meant to be filled in and is not a form. Read what changed.
    """
    if evidence.kind == "pdf" and not evidence.problem and evidence.structure.encrypted:
        return Unchecked("earlier versions: the file is encrypted")
    edits = [edit for edit in evidence.once(edits_of) if edit.change.before]
    if not edits:
        return None
    changes = [edit.change for edit in edits]
    description = "; ".join(map(str, changes[:3]))
    altering = [edit for edit in edits if edit.alters]
    kind, strong, by = _weighed(evidence, [edit.since for edit in altering])
    return Finding(
        f"An earlier version inside the file reads differently: {description}.{by}",
        [box for change in changes for box in change.boxes],
        "\n".join(map(str, changes)),
        changes=changes,
        type=kind,
        strong=strong,
    )


def _weighed(
    evidence: Evidence, lengths: list[int]
) -> tuple[IndicatorType | None, bool, str]:
    """The type and strength of facts that were altered behind these lengths, and who signed them."""
    if not lengths:
        return "INFO", False, ""
    signatures = [covered_by_signature(evidence, since) for since in lengths]
    vouching = [signature for signature in signatures if signature is not None]
    if len(vouching) < len(signatures):
        return None, True, ""
    names = ", ".join(
        dict.fromkeys(signature.signer or "an unnamed signer" for signature in vouching)
    )
    by = f" That was before {names} signed; the signature covers it."
    if all(signature.trusted for signature in vouching):
        return "INFO", False, by
    return (
        None,
        False,
        f"{by} Whether the signer is who the certificate says is not known here.",
    )


@indicator("RISK", "revisions")
def revision_text_added(evidence: Evidence) -> IndicatorResult:
    """Text was added to an earlier saved version.

    Words stand on a page that an earlier version of it lacked, and none were taken away. Where an
    intact signature was made after that, and covers it, it is an INFO.

    Found: as for text that differs, where every change only adds.

    Innocent explanations: a receiver's stamp, a reference number or a date put on by the office
    that the document went through. It is a weak sign for that reason.
    """
    edits = evidence.once(edits_of)
    if not edits or any(edit.change.before for edit in edits):
        return None
    changes = [edit.change for edit in edits]
    description = "; ".join(
        f"page {change.page}: “{change.after}”" for change in changes[:3]
    )
    vouched = all(covered_by_signature(evidence, edit.since) for edit in edits)
    return Finding(
        f"The earlier version inside the file lacks words that it shows now: {description}.",
        [box for change in changes for box in change.boxes],
        "\n".join(map(str, changes)),
        changes=changes,
        type="INFO" if vouched else None,
    )


@indicator("RISK", "revisions", strong=True)
def revision_pixels_changed(evidence: Evidence) -> IndicatorResult:
    """A page looks different from an earlier saved version.

    Something on the face of the page was painted over, replaced or added between two versions:
    a picture, a seal, a drawing, or words that are drawn and not written. Where words were to be
    read there before, and others, or none, are to be read now, the sign is strong, unless an intact
    signature was made after that, and covers it. All else is a weak sign; beside added words, in a page
    that has another size, and before a covering signature it is an INFO.

    Found: the pages of each earlier version are drawn and compared with the next, without the
    annotations and fields that lie above them, the way up that the page has now. Small regions are
    read with OCR in both versions. Places where words changed are left to the indicator for words.

    Innocent explanations: a stamp or a bar code put on by an office; a service for signing that
    adds a line or a margin to each page; a scan that was straightened or saved with less quality;
    a form that its issuer's program draws again.
    """
    edits = evidence.once(edits_of)
    changed = [box for edit in edits for box in edit.change.boxes]
    regions = []
    for region in evidence.once(repainted_of):
        if not any(
            region.box.overlap(box) > 0.3 * box.area for box in changed if box.area
        ):
            regions.append(region)
    if not regions:
        return None
    boxes = [region.box for region in regions]
    if all(region.box.area >= 1 for region in regions):
        pages = counted(len(regions), "page has", "pages have")
        return Finding(
            f"{pages} another size than in an earlier version.", boxes, type="INFO"
        )
    replaced = [region for region in regions if region.replaced]
    altered = [
        (region, change)
        for region in replaced
        if (change := altered_at(evidence, region))
    ]
    changes = [change for _, change in altered]
    description = f"{counted(len(regions), 'region looks', 'regions look')} different than in an earlier version"
    if replaced:
        description += f", and in {len(replaced)} of them ink that stood there is gone"
    if changes:
        description += f": {'; '.join(map(str, changes[:3]))}"
    if changes:
        kind, strong, by = _weighed(evidence, [region.since for region, _ in altered])
        return Finding(
            f"{description}.{by}", boxes, type=kind, strong=strong, changes=changes
        )
    vouched = all(covered_by_signature(evidence, region.since) for region in regions)
    beside_words = bool(edits) and not replaced
    return Finding(
        f"{description}.",
        boxes,
        type="INFO" if vouched or beside_words else None,
        strong=False,
    )


def altered_at(evidence: Evidence, region: Repainted) -> Change | None:
    """The words that were to be read at a region, and those that are; None if no fact changed."""
    read = read_pair(evidence, region)
    if read is None:
        return None
    before, after = read
    if before.confidence >= SURE and (after.blank or after.confidence >= SURE):
        change = Change(region.box.page, before.text, after.text, (region.box,))
        if alters(change) and not _moved(evidence, region, change):
            return change
        return None
    # Words that the edge of the region cuts are read badly, and those beside them may be read well.
    gone = _replaced_words(before, after)
    come = _replaced_words(after, before)
    if not gone or not (after.blank or come):
        return None
    change = Change(region.box.page, " ".join(gone), " ".join(come), (region.box,))
    if alters(change) and not _moved(evidence, region, change):
        return change
    return None


def _moved(evidence: Evidence, region: Repainted, change: Change) -> bool:
    """Do the words of a region stand as often on the page as before, at another place of it?

    So it is where a service puts a margin about a scan, or a scan is straightened.
    """
    version = evidence.once(earlier_versions).get(region.since)
    if version is None:
        return False
    before, after = (
        Counter(
            bare(word.text)
            for line in source.recognised(number).lines
            for word in line.words
        )
        for source, number in ((version, region.was), (evidence, region.box.page))
    )
    words = Counter(filter(None, map(bare, change.before.split())))
    for word in words:
        if not (before[word] and after[word] >= before[word]):
            return False
    return True


def _replaced_words(before: Snippet, after: Snippet) -> list[str]:
    """The words that were surely read in the one picture and stand nowhere in the other."""
    other = bare(after.text)
    words: list[str] = []
    for word in before.sure_words(SURE):
        if bare(word) and bare(word) not in other:
            words.append(word)
    return words


@indicator("INFO", "revisions")
def revision_content_identical(evidence: Evidence) -> IndicatorResult:
    """Saved more than once, with the same content.

    Earlier versions are inside the file, and every page shows the same in all of them.

    Found: each earlier version is read and drawn, and neither words nor looks nor the values of
    fields differ. Of a long document the first pages are compared.

    Innocent explanations: this is itself one. Registers sign documents by appending, and readers
    append when they save; it is told so that the number of versions worries nobody.
    """
    count = len(evidence.revisions)
    if not count or evidence.once(edits_of) or evidence.once(repainted_of):
        return None
    if pages_changed(evidence, since=0) or evidence.once(values_changed):
        return None
    versions = counted(count, "earlier version")
    compared = max(len(revision.pages) for revision in evidence.revisions)
    if evidence.page_count > compared:
        where = f"the first {compared} pages"
    else:
        where = "every page"
    return Finding(f"The file holds {versions} with the same words on {where}.")


@indicator("RISK", "revisions")
def revision_values_changed(evidence: Evidence) -> IndicatorResult:
    """Fields of a form hold other values than in an earlier saved version.

    A field that was filled in holds another value now, or none. It is a RISK where an intact
    signature stood over the earlier value and none covers the new one, and else an INFO.

    Found: the fields of each earlier version, by their names, against those of the next.

    Innocent explanations: that is what fields are for: whoever filled in the form corrected it. Where
    an issuer fills in forms and sends them, compare the values with what it says.
    """
    edits = evidence.once(values_changed)
    if not edits:
        return None
    changes = [edit.change for edit in edits]
    description = "; ".join(
        f"{quoted(c.before)}, now {quoted(c.after)}" for c in changes[:3]
    )
    signed = [
        signature.end for signature in evidence.once(signatures_of) if signature.intact
    ]
    after = any(
        min(signed, default=edit.since + 1) <= edit.since
        and not covered_by_signature(evidence, edit.since)
        for edit in edits
    )
    return Finding(
        f"Values of fields were changed{' after signing' if after else ''}: {description}.",
        [box for change in changes for box in change.boxes],
        changes=changes,
        type=None if after else "INFO",
    )


def values_changed(evidence: Evidence) -> list[Edit]:
    """The fields whose values were replaced or taken away between one version and the next."""
    versions = [*evidence.once(earlier_versions).values(), evidence]
    edits: list[Edit] = []
    for old, new in itertools.pairwise(versions):
        now = {(widget.page, widget.name): widget for widget in new.structure.widgets}
        for was in old.structure.widgets:
            later = now.get((was.page, was.name))
            if not was.value.strip() or later is None or later.value == was.value:
                continue
            if was.page <= len(evidence.pages):
                box = evidence.pages[was.page - 1].transform.box(
                    was.page, later.rectangle
                )
                change = Change(was.page, was.value, later.value, (box,))
                edits.append(Edit(change, len(old.file), alters(change)))
    return edits


@indicator("INFO", "revisions")
def revision_pages_changed(evidence: Evidence) -> IndicatorResult:
    """Pages were put in or taken out since an earlier saved version.

    The pages that both versions have are compared with one another.

    Found: the numbers of pages of the versions; pages are known again by their words.

    Innocent explanations: a cover sheet, an attachment, an empty page; several scans in one file.
    """
    if not pages_changed(evidence, since=0):
        return None
    return Finding(f"The file has {pages_changed(evidence, since=0)}.")


def pages_changed(evidence: Evidence, *, since: int) -> str:
    """How many pages the file has and had in its versions from that length on; empty if as many."""
    counts = []
    for revision in evidence.revisions:
        if revision.length >= since:
            counts.append(len(revision.pages))
    if not counts:  # so also where the file is no document that may be drawn
        return ""
    # Of a long document only the first pages are read, so that no difference shows.
    present = len(evidence.once(present_pages))
    if all(count == present for count in counts):
        return ""
    had = ", ".join(str(count) for count in dict.fromkeys(counts))
    return f"{counted(present, 'page')}, and had {had} before"
