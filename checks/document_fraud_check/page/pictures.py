"""Indicators from the pixels and the metadata of a scan or a photograph."""

from __future__ import annotations

from checks.document_fraud_check import tunables
from checks.document_fraud_check.facts import camera_of, pictures_of
from checks.document_fraud_check.file.metadata import EDITORS
from checks.document_fraud_check.rules import (
    Finding,
    IndicatorResult,
    Unchecked,
    indicator,
)
from checks.evidence import Evidence

NO_PICTURE = (
    "the grain of the picture: it is too small or too large, or not a plain JPEG"
)


@indicator("RISK", "image")
def duplicated_glyphs(evidence: Evidence) -> IndicatorResult:
    """Letters of the scan were copied from another place of it.

    A scanner gives every letter a grain of its own. Here a run of letters stands on the picture
    twice, alike to the grain: it was cut out and put down again. A person has to look.

    Found: all letters of one size are compared pixel by pixel. At least two neighbours must be
    alike to their likes at one and the same distance. A single letter or digit counts where it and the
    paper around it are equal in every dot, as in a picture that was not compressed again. It finds copies
    in pictures that were saved with high quality: after strong compression nothing is left to find.

    Innocent explanations: a form that was drawn by a computer and not scanned; where many letters
    are alike, nothing is said for that reason.
    """
    from checks.readers.pictures.copies import copied_place
    from checks.readers.pictures.forensics import duplicated_letters

    pictures = evidence.once(pictures_of)
    if not pictures:
        # The page is a picture, but its pixels could not be used. Report that nothing was checked.
        if _is_picture(evidence):
            return Unchecked(NO_PICTURE)
        return None
    for picture in pictures:
        twins = duplicated_letters(picture)
        if twins:
            description = f"Page {picture.page}: {twins.letters} letters in a row stand on it twice, to the grain."
            return Finding(description, [twins.first, twins.second])
        copied = copied_place(picture)
        if copied:
            description = (
                f"Page {picture.page}: a place of it stands on it twice, to the dot."
            )
            return Finding(description, list(copied))
    return None


@indicator("RISK", "image")
def patch_without_grain(evidence: Evidence) -> IndicatorResult:
    """A patch of the scan has no grain, while the paper around it has.

    A scanner or a camera gives every dot of the paper a value of its own. A program that paints
    over a word gives all dots of the patch the same. It is a weak sign: a person looks at the place.

    Found: the spread of grey values within three dots. One patch must be filled with dots of one
    value, lie inside the page, and be far larger than any other smooth place. It finds nothing on
    scans that were cleaned to plain white, after strong compression, and after the page was printed
    and scanned again.

    Innocent explanations: a field that was blanked on purpose before the paper was sent, as for
    reasons of privacy; a label or a stamp that a program put on the scan.
    """
    from checks.readers.pictures.grain import patch_without_grain

    for picture in evidence.once(pictures_of):
        box = patch_without_grain(picture)
        if box:
            description = f"Page {picture.page}: a patch of the paper has no grain, unlike the rest."
            return Finding(description, [box])
    return None


@indicator("RISK", "image")
def added_between_saves(evidence: Evidence) -> IndicatorResult:
    """A place of the picture is newer than the rest of it.

    Each save as a JPEG rounds the picture in its own way, and a second save leaves traces of the
    first. The whole picture has traces of an earlier save, except for this place: it was put there,
    or painted over, after the scan or the photograph was saved. A person has to look.

    Found: the picture is divided into the squares of JPEG, and the waves of each square are compared
    with the steps of an earlier save. At most a few places may lack what all others have, beyond any
    chance. The earlier save must be coarser than the last one, and the picture must not have been
    turned, cropped or resized in between. Nothing is found where the paper is full white, on pictures
    that were saved only once, and after the page was printed and scanned again.

    Innocent explanations: a mark, a note or a stamp that a program put on the scan; a field that was
    blanked for reasons of privacy.
    """
    from checks.readers.pictures.history import added_later

    for picture in evidence.once(pictures_of):
        boxes = added_later(picture)
        if boxes:
            description = f"Page {picture.page}: a place has no trace of an earlier save, which the rest has."
            return Finding(description, boxes)
    return None


@indicator("INFO", "image")
def compression_inconsistent(evidence: Evidence) -> IndicatorResult:
    """A region of the picture was compressed otherwise than the rest.

    The region had been saved with another quality before it came into this picture, as where it
    was taken from another one.

    Found: the picture is compressed again with each quality, and a region that loses far less than
    the rest at one of them stands out (a JPEG ghost).

    Innocent explanations: many: flat paper beside print, a photograph on a form, a second save. One
    of twenty genuine receipts has it, so that it only tells where to look.
    """
    from checks.readers.pictures.forensics import compressed_otherwise

    for picture in evidence.once(pictures_of):
        # Only JPEG loses detail at each save.
        if not picture.is_jpeg:
            continue
        box = compressed_otherwise(picture)
        if box:
            description = f"Page {picture.page}: one region was compressed otherwise."
            return Finding(description, [box])
    return None


@indicator("INFO", "image")
def exif_editor(evidence: Evidence) -> IndicatorResult:
    """The picture was saved by a program for editing pictures, or after it was taken.

    Its record names such a program, or bears a later date of change than of taking.

    Found: the EXIF and XMP data of the picture.

    Innocent explanations: cropping, turning, making it smaller; the photo app of a telephone does
    all of that. Many programs leave no name.
    """
    camera = evidence.once(camera_of)
    if camera is None:
        return None
    editor = next((name for name in camera.software if EDITORS.search(name)), "")
    if not editor and not camera.edited_later:
        return None
    if editor:
        description = f"It was saved with {editor}."
    else:
        description = "It was changed after it was taken."
    return Finding(description, raw="\n".join(camera.software))


@indicator("INFO", "image")
def no_camera_data(evidence: Evidence) -> IndicatorResult:
    """The picture does not say which camera took it.

    A photograph that comes from a camera or a telephone names it. This one says nothing.

    Found: no maker and no model in the EXIF data.

    Innocent explanations: messengers and upload forms take the data away, scanners never write
    them, and a screenshot has none. Most genuine files have none.
    """
    camera = evidence.once(camera_of)
    if camera is None or camera.maker:
        return None
    return Finding("No maker or model of a camera is recorded in the picture.")


def _is_picture(evidence: Evidence) -> bool:
    if evidence.problem:
        return False
    return any(page.image_share > tunables.SCAN for page in evidence.pages)
