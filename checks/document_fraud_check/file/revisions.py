"""Indicators from earlier versions that are still inside the file."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from checks.base import Change, IndicatorType
from checks.document_fraud_check import tunables
from checks.document_fraud_check.alterations import alters, bare
from checks.document_fraud_check.changes import Edit, edits_of, present_pages
from checks.document_fraud_check.facts import (
    covered_by_signature,
    earlier_versions,
    intact_signatures_of,
    read_pair,
    repainted_of,
)
from checks.document_fraud_check.rules import (
    Finding,
    IndicatorResult,
    Unchecked,
    boxes_of,
    indicator,
    quoted,
)
from checks.evidence import Evidence
from checks.text.plurals import counted

if TYPE_CHECKING:
    from checks.readers.ocr.snippets import Snippet
    from checks.readers.pdf.repainting import Repainted
    from checks.readers.pdf.signatures import Signature
    from papers.geometry import Box


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
    changes = []
    lengths = []
    for edit in evidence.once(edits_of):
        # Words that were only added belong to the next indicator.
        if not edit.change.before:
            continue
        changes.append(edit.change)
        if edit.alters:
            lengths.append(edit.since)
    if not changes:
        return None
    description = "; ".join(map(str, changes[: tunables.MOST_QUOTED]))
    weight = _weight_of(evidence, lengths)
    return Finding(
        f"An earlier version inside the file reads differently: {description}.{weight.note}",
        boxes_of(changes),
        "\n".join(map(str, changes)),
        changes=changes,
        type=weight.type,
        strong=weight.strong,
    )


class Weight(NamedTuple):
    """How much altered facts count, and a sentence about who signed afterwards."""

    type: IndicatorType | None
    strong: bool
    note: str


def _weight_of(evidence: Evidence, lengths: Sequence[int]) -> Weight:
    """Return the weight of facts that were altered after these lengths of the file.

    A change is strong unless a later signature covers it: the signer then made or accepted it.
    """
    # Only labels, placeholders or page numbers changed.
    if not lengths:
        return Weight("INFO", strong=False, note="")
    vouching = []
    for since in lengths:
        signature = covered_by_signature(evidence, since)
        if signature is None:
            return Weight(None, strong=True, note="")
        vouching.append(signature)
    note = f" That was before {signers(vouching)} signed; the signature covers it."
    # A trusted signer made or accepted all changes.
    if all(signature.trusted for signature in vouching):
        return Weight("INFO", strong=False, note=note)
    note += " Whether the signer is who the certificate says is not known here."
    return Weight(None, strong=False, note=note)


def signers(signatures: Iterable[Signature]) -> str:
    """Return the names of the signers, each once."""
    names: dict[str, None] = {}
    for signature in signatures:
        names[signature.signer or "an unnamed signer"] = None
    return ", ".join(names)


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
    if not edits:
        return None
    changes = [edit.change for edit in edits]
    # If words were removed, too, the indicator for changed text reports it.
    if any(change.before for change in changes):
        return None
    quotes = []
    for change in changes[: tunables.MOST_QUOTED]:
        quotes.append(f"page {change.page}: “{change.after}”")
    return Finding(
        f"The earlier version inside the file lacks words that it shows now: {'; '.join(quotes)}.",
        boxes_of(changes),
        "\n".join(map(str, changes)),
        changes=changes,
        type=_info_if_covered(evidence, [edit.since for edit in edits]),
    )


def _info_if_covered(
    evidence: Evidence, lengths: Sequence[int]
) -> IndicatorType | None:
    """Return INFO if intact signatures cover all changes after these lengths."""
    for since in lengths:
        if not covered_by_signature(evidence, since):
            return None
    return "INFO"


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
    changed_words = boxes_of(edit.change for edit in edits)
    regions = []
    for region in evidence.once(repainted_of):
        # A region in which words changed is reported by the indicator for words.
        if not _shows_one_of(region, changed_words):
            regions.append(region)
    if not regions:
        return None
    boxes = [region.box for region in regions]
    # If the size of a page changed, the whole page differs.
    if all(box.area >= 1 for box in boxes):
        pages = counted(len(regions), "page has", "pages have")
        return Finding(
            f"{pages} another size than in an earlier version.", boxes, type="INFO"
        )
    # Only regions that lost ink can hide a fact. New ink alone may be a stamp.
    replaced = [region for region in regions if region.replaced]
    changes, lengths = _altered(evidence, replaced)
    description = _regions_in_words(regions, replaced, changes)
    if changes:
        weight = _weight_of(evidence, lengths)
        return Finding(
            f"{description}.{weight.note}",
            boxes,
            type=weight.type,
            strong=weight.strong,
            changes=changes,
        )
    kind = _info_if_covered(evidence, [region.since for region in regions])
    # Drawings beside added words most likely belong to them.
    if edits and not replaced:
        kind = "INFO"
    return Finding(f"{description}.", boxes, type=kind, strong=False)


def _shows_one_of(region: Repainted, changed_words: Sequence[Box]) -> bool:
    """Whether the region looks different because words in it changed."""
    for box in changed_words:
        if box.area and region.box.overlap(box) > tunables.PART_OF_WORD * box.area:
            return True
    return False


def _regions_in_words(
    regions: Sequence[Repainted],
    replaced: Sequence[Repainted],
    changes: Sequence[Change],
) -> str:
    count = counted(len(regions), "region looks", "regions look")
    description = f"{count} different than in an earlier version"
    if replaced:
        description += f", and in {len(replaced)} of them ink that stood there is gone"
    if changes:
        description += f": {'; '.join(map(str, changes[: tunables.MOST_QUOTED]))}"
    return description


def _altered(
    evidence: Evidence, regions: Sequence[Repainted]
) -> tuple[list[Change], list[int]]:
    """Return the facts that were altered in regions, and the lengths of the file before
    the change.
    """
    changes = []
    lengths = []
    for region in regions:
        change = altered_at(evidence, region)
        if change:
            changes.append(change)
            lengths.append(region.since)
    return changes, lengths


def altered_at(evidence: Evidence, region: Repainted) -> Change | None:
    """Return the words of a region before and after; None if no fact changed."""
    readings = read_pair(evidence, region)
    if readings is None:
        return None
    before, after = readings
    # Both readings must be certain before they are compared as a whole.
    if before.confidence >= tunables.SURE_READING and (
        after.blank or after.confidence >= tunables.SURE_READING
    ):
        old_text = before.text
        new_text = after.text
    else:
        # Words that the edge of the region cuts off are read badly. So compare only the words that
        # were read with certainty.
        old_text = " ".join(_replaced_words(before, after))
        new_text = " ".join(_replaced_words(after, before))
        if not old_text or not (after.blank or new_text):
            return None
    change = Change(region.box.page, old_text, new_text, (region.box,))
    if alters(change) and not _moved(evidence, region, change):
        return change
    return None


def _moved(evidence: Evidence, region: Repainted, change: Change) -> bool:
    """Whether the words of a region are still on the page as often as before, at another place.

    This happens if a service adds a margin around a scan, or a scan is straightened.
    """
    # Both whole pages are read with OCR, so this runs only for regions that seem to alter a fact.
    version = evidence.once(earlier_versions).get(region.since)
    if version is None:
        return False
    before = _recognised_words(version, region.was)
    after = _recognised_words(evidence, region.box.page)
    for word in filter(None, map(bare, change.before.split())):
        # If a word was not found on the whole page before, it cannot be shown to have moved.
        if not before[word] or after[word] < before[word]:
            return False
    return True


def _recognised_words(evidence: Evidence, number: int) -> Counter[str]:
    words: Counter[str] = Counter()
    for line in evidence.recognised(number).lines:
        words.update(bare(word.text) for word in line.words)
    return words


def _replaced_words(before: Snippet, after: Snippet) -> list[str]:
    """Return words that were read with certainty in one picture and are not in the other."""
    other = bare(after.text)
    words: list[str] = []
    for word in before.sure_words(tunables.SURE_READING):
        letters = bare(word)
        if letters and letters not in other:
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
    where = "every page"
    if evidence.page_count > compared:
        where = f"the first {compared} pages"
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
    quotes = []
    for change in changes[: tunables.MOST_QUOTED]:
        quotes.append(f"{quoted(change.before)}, now {quoted(change.after)}")
    description = "; ".join(quotes)
    boxes = boxes_of(changes)
    if any(_follows_a_signature(evidence, edit.since) for edit in edits):
        return Finding(
            f"Values of fields were changed after signing: {description}.",
            boxes,
            changes=changes,
        )
    return Finding(
        f"Values of fields were changed: {description}.",
        boxes,
        changes=changes,
        type="INFO",
    )


def _follows_a_signature(evidence: Evidence, since: int) -> bool:
    """Whether an intact signature ends before the change, and none covers the change."""
    for signature in intact_signatures_of(evidence):
        if signature.end <= since:
            return not covered_by_signature(evidence, since)
    return False


def values_changed(evidence: Evidence) -> list[Edit]:
    """Return fields whose values were replaced or removed between one version and the next."""
    versions = [*evidence.once(earlier_versions).values(), evidence]
    edits: list[Edit] = []
    for old, new in itertools.pairwise(versions):
        # Fields are identified by page and name.
        now = {(widget.page, widget.name): widget for widget in new.structure.widgets}
        for earlier in old.structure.widgets:
            page = earlier.page
            later = now.get((page, earlier.name))
            # Filling in an empty field is normal use.
            if later is None or not earlier.value.strip():
                continue
            if later.value == earlier.value or page > len(evidence.pages):
                continue
            box = evidence.pages[page - 1].transform.box(page, later.rectangle)
            change = Change(page, earlier.value, later.value, (box,))
            edits.append(Edit(change, len(old.file), alters(change)))
    return edits


@indicator("INFO", "revisions")
def revision_pages_changed(evidence: Evidence) -> IndicatorResult:
    """Pages were put in or taken out since an earlier saved version.

    The pages that both versions have are compared with one another.

    Found: the numbers of pages of the versions; pages are known again by their words.

    Innocent explanations: a cover sheet, an attachment, an empty page; several scans in one file.
    """
    counts = pages_changed(evidence, since=0)
    if not counts:
        return None
    return Finding(f"The file has {counts}.")


def pages_changed(evidence: Evidence, *, since: int) -> str:
    """Return how many pages the file has and had, in its versions from that length on; empty if
    unchanged.
    """
    counts = []
    for revision in evidence.revisions:
        if revision.length >= since:
            counts.append(len(revision.pages))
    if not counts:  # also if the file is no document that can be drawn
        return ""
    # Both counts are limited to the first pages, so that a long document shows no difference.
    present = len(evidence.once(present_pages))
    if all(count == present for count in counts):
        return ""
    had = ", ".join(map(str, dict.fromkeys(counts)))
    return f"{counted(present, 'page')}, and had {had} before"
