"""Indicators from objects that lie over the text of a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from rapidfuzz import fuzz

from checks.base import Change, IndicatorType
from checks.document_fraud_check import tunables
from checks.document_fraud_check.alterations import alters, bare
from checks.document_fraud_check.facts import (
    erased_by_annotations,
    hidden_text_of,
    patched_scans_of,
    read_at,
    word_patches_of,
)
from checks.document_fraud_check.rules import (
    Finding,
    IndicatorResult,
    boxes_of,
    indicator,
    quoted,
)
from checks.evidence import Evidence
from checks.text.plurals import counted
from checks.text.words import CoverKind, Page, Word
from papers.geometry import Box

if TYPE_CHECKING:
    from checks.readers.pdf.structure import Annotation

DRAWN_ON = {"FreeText", "Stamp", "Redact", "Ink", "Square", "Polygon", "Circle", "Line"}


@indicator("RISK", "overlay", strong=True)
def text_covered(evidence: Evidence) -> IndicatorResult:
    """Text is hidden under something that was drawn over it.

    A shape lies over words, so that they cannot be seen, and the words are still in the file:
    that is how a word is painted out and another one written over it. The finding shows what is
    hidden and what is shown in its place. Where that is the same, or a placeholder, a label or
    the number of a page is hidden, it is an INFO. A shape from edge to edge over a large part of the
    page, as the ground of a slide, is a weak sign, and so is one on which something is drawn that
    cannot be read.

    On a scan, what OCR reads is compared without a patch and with it. That is a weak sign. A part of
    a line that is clipped or masked away counts where another number is written there.

    Found: a plain rectangle in the colour of paper that was drawn after the text that it lies on;
    and any other shape, where the page looks the same when the text beneath it is left out. Which
    program drew it does not matter. Text that was made invisible where other words are written
    counts as well; the invisible text behind a scan does not. So does text in a layer that is off,
    where other words are shown: another number, or other words where the layer repeats most of the
    page.

    Innocent explanations: an issuer's program that blanks a field of a template before it fills
    it. The hidden words are then those of the template.
    """
    # Plain boxes are found when the pages are read. All other covers are found by drawing the page
    # without the text.
    changes_of_text = []
    unclear = []
    for change in (
        *_covered(evidence, "fill"),
        *_hidden_changes(evidence, dark=False),
    ):
        visible_change = change
        if not change.after and alters(change):
            read = _as_drawn(evidence, change)
            visible_change = read or change
            if read is None:
                unclear.append(change)
        changes_of_text.append(visible_change)
    # What OCR reads of a scan is less certain than the text of the file.
    changes = [*changes_of_text, *_patched_scans(evidence)]
    weak = list(filter(alters, changes))
    # A cover of a large part of the page is the background of a new drawing, and only a weak sign.
    altering = [
        change
        for change in filter(alters, changes_of_text)
        if not _is_ground(change) and change not in unclear
    ]
    return _finding(changes, altering, "under something drawn over it", weak, unclear)


@indicator("RISK", "overlay", strong=True)
def text_under_image(evidence: Evidence) -> IndicatorResult:
    """Text is hidden under a picture.

    An opaque picture that is smaller than half the page was placed over words. Pictures that let
    the text show through, as seals and signatures do, do not count. Where other words stand on it
    as in a line of the page, or nothing does, the sign is strong: a fact was replaced or taken
    away. A stamp, a logo or a scribble over words is a weak sign; over a placeholder, or where the
    picture shows the same words, it is an INFO.

    Found: the picture was drawn after the text beneath it and is opaque where the text stands. The
    place is read with OCR. The pictures that make up a scan do not count.

    Innocent explanations: a logo or a stamp with a white ground that was put carelessly.
    """
    changes = []
    for change in _covered(evidence, "image"):
        changes.append(_as_recognised(evidence, change))
    altering = [change for change in changes if _replaces(evidence, change)]
    weak = list(filter(alters, changes))
    unclear = [change for change in changes if _is_unread(evidence, change)]
    return _finding(changes, altering, "under a picture", weak, unclear)


@indicator("INFO", "overlay")
def text_blacked_out(evidence: Evidence) -> IndicatorResult:
    """Text is blacked out, and still in the file.

    A dark shape lies over words. It hides them from the eye and not from a program.

    Found: as for covered text, where what is seen in its place is dark.

    Innocent explanations: somebody blacked out an account number or an address, as they may,
    and did not know that it stays in the file.
    """
    changes = _hidden_changes(evidence, dark=True)
    if not changes:
        return None
    pieces = counted(len(changes), "piece of text lies", "pieces of text lie")
    return Finding(f"{pieces} under a dark shape.", boxes_of(changes), changes=changes)


def _covered(evidence: Evidence, kind: CoverKind) -> list[Change]:
    changes: list[Change] = []
    for page in evidence.pages:
        for covered in page.covered:
            if covered.cover != kind:
                continue
            box = covered.box
            changes.append(Change(box.page, covered.text, covered.visible, (box,)))
    return changes


def _patched_scans(evidence: Evidence) -> list[Change]:
    """Return words of a scan over which a patch with other words, or none, was laid."""
    changes: list[Change] = []
    for box, before, after in evidence.once(patched_scans_of):
        if before.confidence < tunables.SURE_READING:
            continue
        if not after.blank and after.confidence < tunables.SURE_READING:
            continue
        # The same words again are a part of the scan that was stored on its own.
        if fuzz.ratio(bare(before.text), bare(after.text)) >= tunables.SAME_SNIPPET:
            continue
        changes.append(Change(box.page, before.text, after.text, (box,)))
    return changes


def _is_ground(change: Change) -> bool:
    """Whether the cover is the background of a new drawing, and not a box in the place of
    a fact.
    """
    for box in change.boxes:
        if box.width < tunables.GROUND_WIDTH or box.height < tunables.GROUND_HEIGHT:
            return False
    return True


def _hidden_changes(evidence: Evidence, *, dark: bool) -> list[Change]:
    changes = []
    for hidden in evidence.once(hidden_text_of):
        # Dark covers are redactions, which have their own indicator.
        if hidden.dark is not dark:
            continue
        box = hidden.box
        visible = hidden.shown or _visible(
            evidence.pages[box.page - 1], hidden.text, box
        )
        # Invisible text that repeats the visible text is there for searching.
        if hidden.invisible and not _differs(hidden.text, visible):
            continue
        changes.append(Change(box.page, hidden.text, visible, (box,)))
    return changes


def _differs(hidden: str, visible: str) -> bool:
    hidden_letters = bare(hidden)
    visible_letters = bare(visible)
    if not visible_letters:
        return False
    return (
        hidden_letters not in visible_letters and visible_letters not in hidden_letters
    )


def _visible(page: Page, hidden: str, box: Box) -> str:
    hidden_words = hidden.split()
    words = []
    for word in page.words:
        if word.text not in hidden_words and box.contains_centre_of(word.box):
            words.append(word.text)
    return " ".join(words)


def _as_recognised(evidence: Evidence, change: Change) -> Change:
    """Add the words that OCR reads on the picture, if the file states none over it."""
    if change.after:
        return change
    # A margin helps to read them, but it has pieces of the words beside the picture as well.
    for margin in (False, True):
        reading = read_at(evidence, change.boxes[0], margin=margin)
        if reading and reading.confidence >= tunables.READ:
            return replace(change, after=" ".join(reading.sure_words(tunables.READ)))
    return change


def _is_unread(evidence: Evidence, change: Change) -> bool:
    """Whether something is shown in the place of the words that could not be read."""
    if change.after:
        return False
    reading = read_at(evidence, change.boxes[0])
    return reading is not None and not reading.blank


def _as_drawn(evidence: Evidence, change: Change) -> Change | None:
    """Return the change with what is drawn over the words, if the file states no words there.

    A program may draw a word twice, and the text has only the first one; drawn letters are in no text at
    all. None if something is drawn there that cannot be read for certain.
    """
    texts = []
    for scale in (1, tunables.LARGER):
        reading = read_at(evidence, change.boxes[0], scale=scale)
        # Without OCR nothing is known of it, and the file states nothing.
        if reading is None or reading.blank:
            return change
        texts.append(" ".join(reading.sure_words(tunables.READ)))
    first, second = map(bare, texts)
    if not first or fuzz.ratio(first, second) < tunables.SAME_SNIPPET:
        return None
    return replace(change, after=texts[0])


def _replaces(evidence: Evidence, change: Change) -> bool:
    """Whether other words in the style of the page, or bare paper, stand in the place of a fact."""
    if not alters(change):
        return False
    [box] = change.boxes
    # A cover no higher than a line replaces a value of that line.
    if box.height * evidence.pages[box.page - 1].height <= tunables.LINE:
        if change.after:
            return True
        reading = read_at(evidence, box)
        # If nothing can be read there, the fact is gone.
        return reading is None or reading.blank
    if not change.after:
        reading = read_at(evidence, box)
        return reading is not None and reading.blank
    # A larger part of a page that was replaced by an edited copy still shares words with it.
    return fuzz.token_set_ratio(change.before, change.after) >= tunables.ALIKE


def _finding(
    changes: Sequence[Change],
    altering: Sequence[Change],
    where: str,
    weak: Sequence[Change],
    unclear: Sequence[Change],
) -> Finding | None:
    """Return a finding that is strong if a fact was altered. Those changes come first.

    `unclear`: what is shown in their place could not be read.
    """
    if not changes:
        return None
    # Changes that alter a fact come first, because lists are cut.
    ordered = sorted(changes, key=lambda change: change not in altering)
    sentences = []
    for change in ordered[: tunables.MOST_QUOTED]:
        sentences.append(_sentence(change, read=change not in unclear))
    description = "; ".join(sentences)
    raw = "\n".join(f"{change.before} → {change.after}" for change in ordered)
    milder: IndicatorType | None = "INFO"
    if altering or weak:
        milder = None
    return Finding(
        f"Text lies {where}: {description}.",
        boxes_of(ordered),
        raw,
        changes=ordered,
        type=milder,
        strong=bool(altering),
    )


def _sentence(change: Change, *, read: bool) -> str:
    if change.after:
        replacement = f"{quoted(change.after)} is shown"
    elif not read:
        replacement = "what is shown in its place could not be read"
    else:
        replacement = "nothing is shown in its place"
    return f"page {change.page}: {quoted(change.before)} is hidden, {replacement}"


@indicator("RISK", "overlay")
def annotation_overlay(evidence: Evidence) -> IndicatorResult:
    """An annotation is drawn on the page.

    Text boxes, stamps and shapes of a PDF reader lie above the page and are no part of it. Where
    they blot a fact out and show other words, or none, in its line, the sign is strong. A stamp or
    a remark that is larger than the line and blots words out is weak, and so is a text box over
    words that can still be read. All other marks, and what lies on labels, placeholders or beside
    the words of the page, are an INFO.

    Found: the annotations of the file, by their places; the page is drawn with them and without
    them, to see which words they blot out. A field of a form, a link and an annotation of any other
    kind count where they do that.

    Innocent explanations: an office's stamp, a reader's note, a mark of a highlighter.
    """
    overlays = _overlays(evidence)
    if not overlays:
        return None
    boxes = []
    # Collect the words below all annotations first, so that each page is drawn only twice.
    beneath: dict[Box, list[Word]] = {}
    for overlay in overlays:
        box = _box_of(evidence, overlay)
        boxes.append(box)
        beneath[box] = _words_beneath(evidence, box)
    erased = erased_by_annotations(evidence, list(chain(*beneath.values())))
    changes = []
    typed_over = False
    for overlay, box in zip(overlays, boxes, strict=True):
        words = [word.text for word in beneath[box] if word in erased]
        if words:
            change = Change(box.page, " ".join(words), overlay.contents, (box,))
            changes.append(_as_recognised(evidence, change))
        # A text box without an appearance stream is drawn differently by each viewer.
        if overlay.subtype == "FreeText" and beneath[box]:
            typed_over = True
    weak = list(filter(alters, changes))
    altering = [change for change in weak if _replaces(evidence, change)]
    milder: IndicatorType | None = "INFO"
    if weak or typed_over:
        milder = None
    return Finding(
        _overlays_in_words(overlays, changes, over_words=any(beneath.values())),
        boxes,
        "\n".join(overlay.contents for overlay in overlays if overlay.contents),
        type=milder,
        strong=bool(altering),
        changes=changes,
    )


def _overlays_in_words(
    overlays: Sequence[Annotation], changes: Sequence[Change], *, over_words: bool
) -> str:
    count = counted(len(overlays), "annotation lies", "annotations lie")
    where = "over words of the page" if over_words else "beside the words of the page"
    kinds = ", ".join(sorted({overlay.subtype for overlay in overlays}))
    description = f"{count} {where} ({kinds})."
    if not changes:
        return description
    words = "; ".join(
        quoted(change.before) for change in changes[: tunables.MOST_QUOTED]
    )
    return f"{description} Blotted out: {words}."


def _overlays(evidence: Evidence) -> list[Annotation]:
    """Return what lies above the pages that were read: marks of PDF readers, and all else that
    covers words.

    Any kind of annotation can bring its own look, also a link, a button or one of no known kind.
    Viewers draw it, so only the drawing of the page shows whether it covers something.
    """
    marks: list[Annotation] = []
    others: list[Annotation] = []
    for annotation in evidence.structure.annotations:
        if annotation.page > len(evidence.pages):
            continue
        if annotation.subtype in DRAWN_ON:
            marks.append(annotation)
        elif annotation.has_look:
            others.append(annotation)
    return [*marks, *_covering(evidence, [*others, *_fields(evidence)])]


def _box_of(evidence: Evidence, annotation: Annotation) -> Box:
    transform = evidence.pages[annotation.page - 1].transform
    return transform.box(annotation.page, annotation.rectangle)


def _words_beneath(evidence: Evidence, box: Box) -> list[Word]:
    words = []
    for word in evidence.pages[box.page - 1].words:
        # A form value is itself drawn by a field, so it is not text of the page.
        if word.source != "form value" and box.contains_centre_of(word.box):
            words.append(word)
    return words


def _fields(evidence: Evidence) -> list[Annotation]:
    from checks.readers.pdf.structure import Annotation

    fields: list[Annotation] = []
    for widget in evidence.structure.widgets:
        # A field without a value may have a look all the same, as a button or a signature has.
        if not widget.hidden and widget.page <= len(evidence.pages):
            fields.append(
                Annotation(widget.page, widget.rectangle, "Field", widget.value)
            )
    return fields


def _covering(
    evidence: Evidence, annotations: Sequence[Annotation]
) -> list[Annotation]:
    """Return the annotations that erase words of the page, which none of these needs to do."""
    beneath: dict[Annotation, list[Word]] = {}
    for annotation in annotations:
        beneath[annotation] = _printed_under(evidence, annotation)
    erased = erased_by_annotations(evidence, list(chain(*beneath.values())))
    covering: list[Annotation] = []
    for annotation, words in beneath.items():
        if not erased.isdisjoint(words):
            covering.append(annotation)
    return covering


def _printed_under(evidence: Evidence, annotation: Annotation) -> list[Word]:
    box = _box_of(evidence, annotation)
    words: list[Word] = []
    for word in evidence.pages[annotation.page - 1].words:
        if word.source != "text layer" or not box.contains_centre_of(word.box):
            continue
        if sum(map(str.isalnum, word.text)) >= tunables.LEGIBLE:
            words.append(word)
    return words


@indicator("RISK", "overlay")
def words_on_patch(evidence: Evidence) -> IndicatorResult:
    """Words stand on a patch in the colour of the paper.

    A small filling in the colour of paper was drawn for these words alone, and both were drawn after
    all else on the page, in its midst: so does a program that takes words out of a file and
    writes others in their place. What stood there before is not in the file any more.

    Found: filled shapes as large as a few words, with nothing beneath, that hold later words; at most
    three on a page. The page was drawn before them, though a part of it stands further down.

    Innocent explanations: a number or a date that an office's program put on a finished
    document, with a white ground so that it can be read.
    """
    patches = evidence.once(word_patches_of)
    if not patches:
        return None
    quotes = [quoted(patch.text) for patch in patches[: tunables.MOST_QUOTED]]
    return Finding(
        f"Written last, on a patch in the colour of the paper: {', '.join(quotes)}.",
        [patch.box for patch in patches],
    )


@indicator("INFO", "overlay")
def patch_over_scan(evidence: Evidence) -> IndicatorResult:
    """A picture lies on a picture of the page.

    The page is a scan, and a smaller picture was placed on it.

    Found: an image of less than half the page that lies within another one that fills it, and was
    drawn after it.

    Innocent explanations: many. Scanners that pack text and pictures apart do that to every page,
    and so do programs that add a stamp; one of seven genuine scans has it.
    """
    if evidence.kind != "pdf":
        return None
    patches = []
    for page in evidence.pages:
        for index, image in enumerate(page.images):
            # Images are in drawing order, so that earlier ones lie below.
            if _is_patch(image, page, page.images[:index]):
                patches.append(image)
    if not patches:
        return None
    pictures = counted(len(patches), "picture lies", "pictures lie")
    return Finding(f"{pictures} on the picture of a page.", patches)


def _is_patch(image: Box, page: Page, beneath: Sequence[Box]) -> bool:
    # An image about as large as the largest one is a part of the scan itself.
    if image.area >= tunables.SCAN * page.image_share:
        return False
    for under in beneath:
        if (
            under.area > tunables.SCAN
            and under.overlap(image) > tunables.WITHIN * image.area
        ):
            return True
    return False


@indicator("INFO", "overlay")
def text_overlap(evidence: Evidence) -> IndicatorResult:
    """Words lie over other words.

    Two different words of the text share one place.

    Found: the boxes of the words of each page, where they share more than half of their area.

    Innocent explanations: watermarks, the stamps of courts, a form that was filled by a machine
    which missed its line. Where something lies between the two, it is covered text instead.
    """
    pairs: list[tuple[Word, Word]] = []
    for page in evidence.pages:
        pairs.extend(_overlapping(page))
    # A few overlapping letters are caused by tight layout.
    if sum(len(word.text) for word, _ in pairs) < tunables.MIN_OVERLAPPING:
        return None
    quotes = []
    for word, other in pairs[: tunables.MOST_QUOTED]:
        quotes.append(f"{quoted(word.text)} and {quoted(other.text)}")
    boxes = [other.box for _, other in pairs]
    return Finding(f"Words share one place: {', '.join(quotes)}.", boxes)


def _overlapping(page: Page) -> list[tuple[Word, Word]]:
    words = []
    for word in page.words:
        if word.source == "text layer" and word.box.area > 0:
            words.append(word)
    # Sorted from top to bottom, so that each word is only compared with words at its height.
    words = sorted(words[: tunables.MAX_WORDS], key=lambda word: word.box.y0)
    pairs = []
    for index, first in enumerate(words):
        for other in words[index + 1 :]:
            if other.box.y0 > first.box.y1:
                break
            area = min(first.box.area, other.box.area)
            if (
                first.text != other.text
                and first.box.overlap(other.box) > tunables.SHARED * area
            ):
                pairs.append((first, other))
    return pairs
