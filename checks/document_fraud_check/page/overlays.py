"""Indicators from what lies over the text of a page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rapidfuzz import fuzz

from checks.base import Change
from checks.document_fraud_check.alterations import alters
from checks.document_fraud_check.facts import (
    erased_by_annotations,
    hidden_text_of,
    read_at,
)
from checks.document_fraud_check.rules import (
    Finding,
    IndicatorResult,
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
WHOLE_PAGE = 0.5
MAX_WORDS = 4_000
# Letters of neighbours touch; two words that share half of their place are one over the other.
SHARED = 0.5
# Fewer letters are a bracket or a mark of where to write.
LEGIBLE = 2
# In points: what is put in the place of words of a line is no higher; stamps and logos are.
LINE = 30
# So sure must OCR be of a word on a picture, and so alike (of 100) are two readings of a paragraph.
READ, ALIKE = 0.5, 60


@indicator("RISK", "overlay", strong=True)
def text_covered(evidence: Evidence) -> IndicatorResult:
    """Text is hidden under something that was drawn over it.

    A shape lies over words, so that they cannot be seen, and the words are still in the file:
    that is how a word is painted out and another one written over it. The finding shows what is
    hidden and what is shown in its place. Where that is the same, or a placeholder, a label or
    the number of a page is hidden, it is an INFO.

    Found: a plain rectangle in the colour of paper that was drawn after the text that it lies on;
    and any other shape, where the page looks the same when the text beneath it is left out. Which
    program drew it does not matter. Text that was made invisible where other words are written
    counts as well; the invisible text behind a scan does not.

    Innocent explanations: an issuer's program that blanks a field of a template before it fills
    it. The hidden words are then those of the template.
    """
    changes = [*_covered(evidence, "fill"), *_hidden_changes(evidence, dark=False)]
    altering = [change for change in changes if alters(change)]
    return _finding(changes, altering, "under something drawn over it")


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
    changes = [
        _as_recognised(evidence, change) for change in _covered(evidence, "image")
    ]
    altering = [change for change in changes if _replaces(evidence, change)]
    weak = [change for change in changes if alters(change)]
    return _finding(changes, altering, "under a picture", weak)


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
    return Finding(
        f"{counted(len(changes), 'piece of text lies', 'pieces of text lie')} under a dark shape.",
        [box for change in changes for box in change.boxes],
        changes=changes,
    )


def _covered(evidence: Evidence, kind: CoverKind) -> list[Change]:
    changes: list[Change] = []
    for page in evidence.pages:
        for covered in page.covered:
            if covered.cover == kind:
                changes.append(
                    Change(
                        covered.box.page, covered.text, covered.visible, (covered.box,)
                    )
                )
    return changes


def _hidden_changes(evidence: Evidence, *, dark: bool) -> list[Change]:
    pairs = []
    for hidden in evidence.once(hidden_text_of):
        if hidden.dark is dark:
            pairs.append(
                (
                    hidden,
                    _visible(
                        evidence.pages[hidden.box.page - 1], hidden.text, hidden.box
                    ),
                )
            )
    # Invisible text that repeats what is seen is there to be searched for.
    return [
        Change(hidden.box.page, hidden.text, visible, (hidden.box,))
        for hidden, visible in pairs
        if not hidden.invisible or _differs(hidden.text, visible)
    ]


def _differs(hidden: str, visible: str) -> bool:
    bare, other = (re.sub(r"[\W_]", "", text).casefold() for text in (hidden, visible))
    return bool(other) and bare not in other and other not in bare


def _visible(page: Page, hidden: str, box: Box) -> str:
    words = [word.text for word in page.words if box.contains_centre_of(word.box)]
    return " ".join(word for word in words if word not in hidden.split())


def _as_recognised(evidence: Evidence, change: Change) -> Change:
    """With the words that OCR reads on the picture, where the file states none over it."""
    if change.after:
        return change
    reading = read_at(evidence, change.boxes[0])
    if reading:
        return replace(change, after=" ".join(reading.sure_words(READ)))
    return change


def _replaces(evidence: Evidence, change: Change) -> bool:
    """Do other words of the page's own kind, or bare paper, stand in the place of a fact?"""
    if not alters(change):
        return False
    [box] = change.boxes
    if box.height * evidence.pages[box.page - 1].height <= LINE:
        if change.after:
            return True
        reading = read_at(evidence, box)
        return reading is None or reading.blank
    if not change.after:
        reading = read_at(evidence, box)
        return reading is not None and reading.blank
    # A larger piece of a page that was replaced by another of its kind shares words with it.
    return fuzz.token_set_ratio(change.before, change.after) >= ALIKE


def _finding(
    changes: Sequence[Change],
    altering: Sequence[Change],
    where: str,
    weak: Sequence[Change] = (),
) -> Finding | None:
    """Strong where a fact was altered; those changes are told first."""
    if not changes:
        return None
    ordered = [*altering, *(change for change in changes if change not in altering)]
    description = "; ".join(_sentence(change) for change in ordered[:3])
    return Finding(
        f"Text lies {where}: {description}.",
        [box for change in ordered for box in change.boxes],
        "\n".join(f"{change.before} → {change.after}" for change in ordered),
        changes=ordered,
        type=None if altering or weak else "INFO",
        strong=bool(altering),
    )


def _sentence(change: Change) -> str:
    if change.after:
        replacement = f"{quoted(change.after)} is shown"
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
    them, to see which words they blot out. A filled field of a form counts where it does that.

    Innocent explanations: an office's stamp, a reader's note, a mark of a highlighter.
    """
    overlays = [
        note for note in evidence.structure.annotations if note.subtype in DRAWN_ON
    ]
    overlays += _covering_fields(evidence)
    overlays = [note for note in overlays if note.page <= len(evidence.pages)]
    if not overlays:
        return None
    boxes = []
    for n in overlays:
        boxes.append(evidence.pages[n.page - 1].transform.box(n.page, n.rectangle))
    contents = [note.contents for note in overlays]
    beneath = {}
    for box in boxes:
        beneath[box] = [
            w
            for w in evidence.pages[box.page - 1].words
            if w.source != "form value" and box.contains_centre_of(w.box)
        ]
    erased = erased_by_annotations(
        evidence, [w for words in beneath.values() for w in words]
    )
    changes = [
        Change(
            box.page,
            " ".join(w.text for w in beneath[box] if w in erased),
            content,
            (box,),
        )
        for box, content in zip(boxes, contents, strict=True)
        if any(word in erased for word in beneath[box])
    ]
    changes = [_as_recognised(evidence, change) for change in changes]
    weak = [change for change in changes if alters(change)]
    altering = [change for change in weak if _replaces(evidence, change)]
    # A text box without a look of its own is drawn by each viewer as it likes.
    typed_over = any(
        note.subtype == "FreeText" and beneath[box]
        for note, box in zip(overlays, boxes, strict=True)
    )
    over = (
        "over words of the page"
        if any(beneath.values())
        else "beside the words of the page"
    )
    kinds = ", ".join(sorted({each.subtype for each in overlays}))
    blotted = (
        f" Blotted out: {'; '.join(quoted(change.before) for change in changes[:3])}."
    )
    return Finding(
        f"{counted(len(overlays), 'annotation lies', 'annotations lie')} {over} ({kinds})."
        + (blotted if changes else ""),
        boxes,
        "\n".join(filter(None, contents)),
        type=None if weak or typed_over else "INFO",
        strong=bool(altering),
        changes=changes,
    )


def _covering_fields(evidence: Evidence) -> list[Annotation]:
    """Fields of a form that blot out words of the page, as no form needs to."""
    from checks.readers.pdf.structure import Annotation

    fields = []
    for widget in evidence.structure.widgets:
        if widget.value and not widget.hidden and widget.page <= len(evidence.pages):
            fields.append(
                Annotation(widget.page, widget.rectangle, "Field", widget.value)
            )
    beneath = {field: _printed_under(evidence, field) for field in fields}
    erased = erased_by_annotations(
        evidence, [w for words in beneath.values() for w in words]
    )
    matching_fields: list[Annotation] = []
    for field, words in beneath.items():
        if any(word in erased for word in words):
            matching_fields.append(field)
    return matching_fields


def _printed_under(evidence: Evidence, field: Annotation) -> list[Word]:
    page = evidence.pages[field.page - 1]
    box = page.transform.box(field.page, field.rectangle)
    words: list[Word] = []
    for word in page.words:
        if (
            word.source == "text layer"
            and box.contains_centre_of(word.box)
            and sum(map(str.isalnum, word.text)) >= LEGIBLE
        ):
            words.append(word)
    return words


@indicator("INFO", "overlay")
def patch_over_scan(evidence: Evidence) -> IndicatorResult:
    """A picture lies on a picture of the page.

    The page is a scan, and a smaller picture was placed on it.

    Found: an image of less than half the page that lies within another one that fills it, and was
    drawn after it.

    Innocent explanations: many. Scanners that pack text and pictures apart do that to every page,
    and so do programs that add a stamp; one of seven genuine scans has it.
    """
    patches = []
    for page in evidence.pages:
        for index, image in enumerate(page.images):
            if image.area < WHOLE_PAGE * page.image_share and any(
                under.area > WHOLE_PAGE and under.overlap(image) > 0.95 * image.area
                for under in page.images[:index]
            ):
                patches.append(image)
    if not patches or evidence.kind != "pdf":
        return None
    return Finding(
        f"{counted(len(patches), 'picture lies', 'pictures lie')} on the picture of a page.",
        patches,
    )


@indicator("INFO", "overlay")
def text_overlap(evidence: Evidence) -> IndicatorResult:
    """Words lie over other words.

    Two different words of the text share one place.

    Found: the boxes of the words of each page, where they share more than half of their area.

    Innocent explanations: watermarks, the stamps of courts, a form that was filled by a machine
    which missed its line. Where something lies between the two, it is covered text instead.
    """
    pairs = [pair for page in evidence.pages for pair in _overlapping(page)]
    if sum(len(word.text) for word, _ in pairs) < 3:
        return None
    description = ", ".join(
        f"{quoted(word.text)} and {quoted(other.text)}" for word, other in pairs[:3]
    )
    return Finding(
        f"Words share one place: {description}.", [other.box for _, other in pairs]
    )


def _overlapping(page: Page) -> list[tuple[Word, Word]]:
    words = []
    for w in page.words:
        if w.source == "text layer" and w.box.area > 0:
            words.append(w)
    words = sorted(words[:MAX_WORDS], key=lambda word: word.box.y0)
    pairs = []
    for index, first in enumerate(words):
        for other in words[index + 1 :]:
            if other.box.y0 > first.box.y1:
                break
            area = min(first.box.area, other.box.area)
            if (
                first.text != other.text
                and first.box.overlap(other.box) > SHARED * area
            ):
                pairs.append((first, other))
    return pairs
