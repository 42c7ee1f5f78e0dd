"""Facts that indicators need, for `Evidence.once`: computed when the first indicator asks.

Their libraries are large. So they are imported inside the functions, by the process that opens a
document, and only if the document needs them.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from checks.base import IndicatorType
from checks.document_fraud_check import tunables
from checks.evidence import Evidence
from checks.text.words import Line, Page, Span, Word
from checks.visual_verification.page_scan import look
from papers.geometry import Box

if TYPE_CHECKING:
    from checks.readers.ocr.snippets import Places, Snippet
    from checks.readers.pdf.overlays.hidden_text import Hidden
    from checks.readers.pdf.patches import Patch
    from checks.readers.pdf.repainting import Repainted
    from checks.readers.pdf.signatures import Signature
    from checks.readers.pdf.structure import Widget
    from checks.readers.pictures.forensics import ScannedPicture
    from checks.readers.pictures.origins import Camera, Credentials
    from checks.vision.codes import Code

MEDIA_TYPES = {"pdf": "application/pdf", "jpeg": "image/jpeg", "png": "image/png", "tiff": "image/tiff"}  # fmt: skip
SIGNATURE_ROOTS = "signature_roots"


def signatures_of(evidence: Evidence) -> list[Signature]:
    if evidence.kind != "pdf" or evidence.problem:
        return []
    if not evidence.structure.signature_records:
        return []
    from checks.readers.pdf.signatures import read_roots, read_signatures

    # Without roots, signatures are validated all the same, but no signer is trusted.
    folder = str(evidence.arguments.get(SIGNATURE_ROOTS) or "")
    if not folder:
        return read_signatures(evidence.file, ())
    return read_signatures(evidence.file, read_roots(folder))


def hidden_text_of(evidence: Evidence) -> list[Hidden]:
    """Return text that cannot be seen, except text that the page reader itself found to be
    covered.
    """
    if evidence.kind != "pdf":
        return []
    from checks.readers.pdf.overlays.hidden_text import hidden_text
    from checks.readers.pdf.overlays.replaced_text import replaced_text

    # Plain boxes were already found while the pages were read. Do not report them twice.
    covered: list[Box] = []
    for page in evidence.pages:
        covered.extend(cover.box for cover in page.covered)
    numbers = _pages_with_objects(evidence)
    uncovered: list[Hidden] = []
    for hidden in hidden_text(evidence.file, pages=numbers):
        if not any(box.contains_centre_of(hidden.box) for box in covered):
            uncovered.append(hidden)
            covered.append(hidden.box)
    for part in replaced_text(evidence.file, pages=numbers):
        if not any(box.contains_centre_of(part.box) for box in covered):
            uncovered.append(part)
    return uncovered


def _pages_with_objects(evidence: Evidence) -> list[int]:
    """Return the numbers of those of the first pages that have drawn objects."""
    pages = evidence.pages[: tunables.MAX_PAGES]
    return [page.number for page in pages if page.objects]


def word_patches_of(evidence: Evidence) -> list[Patch]:
    """Return words of the first pages that stand on a patch."""
    if evidence.kind != "pdf":
        return []
    from checks.readers.pdf.patches import patches_of

    numbers = _pages_with_objects(evidence)
    return patches_of(evidence.file, pages=numbers)


def unseen_text_of(evidence: Evidence) -> list[Hidden]:
    """Return text of the first pages that cannot be seen, with nothing at its place."""
    if evidence.kind != "pdf":
        return []
    from checks.readers.pdf.overlays.unseen_text import unseen_text

    boxes = [piece.box for piece in evidence.once(hidden_text_of)]
    numbers = _pages_with_objects(evidence)
    pieces: list[Hidden] = []
    for piece in unseen_text(evidence.file, pages=numbers):
        # What something else lies over is covered text.
        if not any(box.contains_centre_of(piece.box) for box in boxes):
            pieces.append(piece)
    return pieces


def field_looks_of(evidence: Evidence) -> list[tuple[Widget, Box, str]]:
    """Return what the filled text fields of the first pages show, with their places."""
    pages = evidence.pages[: tunables.MAX_PAGES]
    fields = []
    for widget in evidence.structure.widgets:
        is_seen = widget.page <= len(pages) and not widget.hidden
        if is_seen and widget.kind == "Tx" and widget.value:
            fields.append(widget)
    if not fields:
        return []
    from checks.readers.pdf.overlays.field_looks import field_looks

    return field_looks(evidence.file, pages, fields)


def patched_scans_of(evidence: Evidence) -> list[tuple[Box, Snippet, Snippet]]:
    """Return the patches over ink of the first scanned pages, with what OCR reads there without the
    patch and with it.
    """
    if evidence.kind != "pdf" or evidence.arguments.get("ocr") == "off":
        return []
    numbers = [
        page.number
        for page in evidence.pages[: tunables.MAX_PAGES]
        if page.objects > 1 and page.ground >= tunables.SCAN
    ]
    if not numbers:
        return []
    from checks.readers.ocr.snippets import in_picture
    from checks.readers.pdf.overlays.scan_patches import scan_patches

    languages = str(evidence.arguments.get("ocr_languages") or "eng")
    readings: list[tuple[Box, Snippet, Snippet]] = []
    for patch in scan_patches(evidence.file, pages=numbers):
        before = in_picture(patch.before, languages=languages)
        after = in_picture(patch.after, languages=languages)
        if before is not None and after is not None:
            readings.append((patch.box, before, after))
    return readings


def intact_signatures_of(evidence: Evidence) -> list[Signature]:
    """Return the signatures whose signed bytes are unchanged."""
    return [signature for signature in evidence.once(signatures_of) if signature.intact]


def covered_by_signature(evidence: Evidence, since: int) -> Signature | None:
    """Return an intact signature that covers what was appended after this length, or None.

    The signer saw the file with the appended part, and so made or accepted it.
    """
    covering = []
    for signature in intact_signatures_of(evidence):
        if signature.end > since:
            covering.append(signature)
    # The most reliable signature: a trusted signer first, a self-signed certificate last.
    return max(
        covering,
        key=lambda signature: (signature.trusted, not signature.self_signed),
        default=None,
    )


def repainted_of(evidence: Evidence) -> list[Repainted]:
    """Return where a page looks different than before, outside form fields."""
    if not evidence.revisions:
        return []
    from checks.document_fraud_check.changes import paired, versions_of
    from checks.readers.pdf.repainting import repainted

    fields = _fields_of_forms(evidence)
    every_region: list[Repainted] = []
    for before, after in itertools.pairwise(versions_of(evidence)):
        # Compare only pages that are the same page in both versions.
        numbers = []
        for old, new in paired(before.pages, after.pages):
            numbers.append((old.number, new.number))
        regions = repainted(
            evidence.file[: before.length],
            evidence.file[: after.length],
            pairs=numbers[: tunables.MAX_PAGES],
            apart_from=fields,
        )
        for region in regions:
            every_region.append(replace(region, since=before.length))
    return every_region


def _fields_of_forms(evidence: Evidence) -> list[Box]:
    fields = []
    for widget in evidence.structure.widgets:
        if widget.page <= len(evidence.pages):
            transform = evidence.pages[widget.page - 1].transform
            fields.append(transform.box(widget.page, widget.rectangle))
    return fields


def read_at(
    evidence: Evidence, box: Box, *, scale: float = 1, margin: bool = True
) -> Snippet | None:
    """Return what OCR reads at a place of a page as it is displayed; None if it cannot be read.

    `scale` enlarges the picture of the place before it is read. A margin may have words of other
    lines.
    """
    if evidence.arguments.get("ocr") == "off":
        return None
    languages = str(evidence.arguments.get("ocr_languages") or "eng")
    places = evidence.once(_places)
    return places.read(box, languages=languages, scale=scale, margin=margin)


def _places(evidence: Evidence) -> Places:
    from checks.readers.ocr.snippets import Places

    return Places(evidence.file)


def read_pair(evidence: Evidence, region: Repainted) -> tuple[Snippet, Snippet] | None:
    """Return what OCR reads at a region in two versions; None if it was not drawn or cannot be
    read.
    """
    if (
        region.before is None
        or region.after is None
        or evidence.arguments.get("ocr") == "off"
    ):
        return None
    from checks.readers.ocr.snippets import in_picture

    languages = str(evidence.arguments.get("ocr_languages") or "eng")
    before = in_picture(region.before, languages=languages)
    after = in_picture(region.after, languages=languages)
    if before is None or after is None:
        return None
    return before, after


def pictures_of(evidence: Evidence) -> list[ScannedPicture]:
    """Return the pictures that fill the first pages: each page of a scan, or the
    photograph itself.
    """
    # Decoding pictures is slow, so it is done only if a page may be a scan.
    if evidence.problem or not any(
        map(_is_scan, evidence.pages[: tunables.MAX_PICTURES])
    ):
        return []
    from checks.readers.pictures.forensics import read_pictures

    return list(
        read_pictures(evidence.file, evidence.kind, pages=tunables.MAX_PICTURES)
    )


def earlier_versions(evidence: Evidence) -> dict[int, Evidence]:
    """Return the file at each earlier length, as evidence that can be read like the file itself."""
    versions: dict[int, Evidence] = {}
    for revision in evidence.revisions:
        versions[revision.length] = Evidence(
            evidence.file[: revision.length], arguments=evidence.arguments
        )
    return versions


def _is_scan(page: Page) -> bool:
    return page.image_share > 0.5


def camera_of(evidence: Evidence) -> Camera | None:
    if evidence.kind in {"pdf", "other"} or evidence.problem:
        return None
    from checks.readers.pictures.origins import read_camera

    return read_camera(evidence.file)


def credentials_of(evidence: Evidence) -> Credentials | None:
    if evidence.problem or evidence.kind not in MEDIA_TYPES:
        return None
    from checks.readers.pictures.origins import read_credentials

    return read_credentials(evidence.file, MEDIA_TYPES[evidence.kind])


def codes_of(evidence: Evidence) -> list[Code]:
    """Return the bar codes and QR codes that the visual inspection found."""
    if evidence.problem:
        return []
    return evidence.once(look).codes


def recognised_lines(evidence: Evidence, number: int) -> tuple[Line, ...] | str:
    """Return what OCR read on a page, or the reason why it could not."""
    reading = evidence.recognised(number)
    return reading.unread or reading.lines


def erased_by_annotations(evidence: Evidence, words: Sequence[Word]) -> set[Word]:
    """Return the words that annotations erase, among words below annotations."""
    from checks.readers.pdf.overlays.erased_words import erased_words

    erasures: set[Word] = set()
    for number in sorted({word.box.page for word in words}):
        on_page = [word for word in words if word.box.page == number]
        boxes = [word.box for word in on_page]
        erased = erased_words(evidence.file, number, boxes)
        erasures.update(itertools.compress(on_page, erased))
    return erasures


def info_if_by_ocr(evidence: Evidence, span: Span) -> IndicatorType | None:
    """Return INFO for text from OCR: a wrong digit is then more likely a misreading than a
    forgery.
    """
    for word in evidence.text.words(span):
        if word.source == "OCR":
            return "INFO"
    return None
