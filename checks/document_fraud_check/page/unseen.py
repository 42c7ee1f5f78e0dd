"""The indicator for what programs read in a file and people do not see on its pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rapidfuzz import fuzz

from checks.base import Change, IndicatorType
from checks.document_fraud_check import tunables
from checks.document_fraud_check.alterations import bare, is_of_the_form
from checks.document_fraud_check.facts import (
    field_looks_of,
    read_at,
    unseen_text_of,
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
from checks.fields.names.companies import split_legal_form
from checks.text.right_to_left import is_right_to_left
from checks.text.words import Page

if TYPE_CHECKING:
    from checks.readers.pdf.structure import Widget

# A field of an XFA form has a number behind its name: "Text1[0]".
OF_XFA = re.compile(r"\[\d+\]$")
UNREAD = "the values of fields against what they show: the place could not be read"


@indicator("RISK", "text layer")
def facts_unseen(evidence: Evidence) -> IndicatorResult:
    """Programs read words in the file that cannot be seen.

    A program reads the text of a file and the values of its fields; people see the drawing of its
    pages. Here the file states a number or the name of a company that its page does not show: in the
    colour of the paper, too small, cut away, or in a layer that is off; or a field shows other words
    than it holds. What was read from the file may come from there, so that a person has to compare it
    with the page. Other words that cannot be seen are an INFO.

    Found: the first pages are drawn with their text and without it; text cannot be seen where the page
    looks the same without it, and nothing is drawn over it. The text behind scans and on pictures, and what the page shows
    elsewhere, are left out. The look of each text field is read as the page is, and held against its
    value; where they differ, OCR reads the place as well. Where a script of the form may write the value in
    another way, as a date in words, only another number of as many digits, or another company, counts.

    Innocent explanations: marks for a signing service or for sorting the mail, written in white; a
    program that changes the values of a form and leaves it to the reader to draw them.
    """
    unlike, unread = _unlike_fields(evidence)
    fields = [change for change, _ in unlike]
    pieces = _unseen(evidence)
    stating = [change for change in pieces if _is_fact(change.before)]
    changes = [*fields, *stating] or pieces
    if not changes:
        return Unchecked(UNREAD) if unread else None
    milder: IndicatorType | None = "INFO"
    if stating or any(not is_of_xfa for _, is_of_xfa in unlike):
        milder = None
    sentences = "; ".join(map(_sentence, changes[: tunables.MOST_QUOTED]))
    return Finding(
        f"Read by programs, and not seen: {sentences}.",
        boxes_of(changes),
        type=milder,
        changes=changes,
    )


def _sentence(change: Change) -> str:
    if change.after:
        return (
            f"page {change.page}: the field holds {quoted(change.before)},"
            f" {quoted(change.after)} is shown"
        )
    return f"page {change.page}: {quoted(change.before)}"


def _unseen(evidence: Evidence) -> list[Change]:
    """Return the text that cannot be seen and that the page does not show elsewhere."""
    changes: list[Change] = []
    for piece in evidence.once(unseen_text_of):
        letters = bare(piece.text)
        if len(letters) < tunables.LEGIBLE:
            continue
        page = evidence.pages[piece.box.page - 1]
        if letters not in _seen(evidence, page):
            changes.append(Change(page.number, piece.text, "", (piece.box,)))
    return changes


def _seen(evidence: Evidence, page: Page) -> str:
    """Return the letters of the words of a page that are not those of unseen text."""
    boxes = [piece.box for piece in evidence.once(unseen_text_of)]
    words = []
    for word in page.words:
        if not any(box.contains_centre_of(word.box) for box in boxes):
            words.append(word.text)
    return bare("".join(words))


def _is_fact(text: str) -> bool:
    if is_of_the_form(text):
        return False
    digits = sum(map(str.isdigit, text))
    return digits >= tunables.DIGITS or bool(split_legal_form(text)[1])


def _unlike_fields(evidence: Evidence) -> tuple[list[tuple[Change, bool]], bool]:
    """Return the fields that show other words than they hold, each with whether it is one of an XFA
    form, and whether one could not be read.

    An XFA form holds its values a second time, and its program draws the looks from those. The names
    of its fields stay when another program takes that part away.
    """
    changes: list[tuple[Change, bool]] = []
    unread = False
    looks = evidence.once(field_looks_of)
    for widget, box, visible in looks:
        if not bare(visible) or _is_shown(widget, visible):
            continue
        # Where fields overlap, the words of one stand in the place of the other.
        values = [other.value for other, place, _ in looks if place.overlap(box) > 0]
        if _are_words_of(values, visible):
            continue
        if is_of_the_form(widget.value):
            continue
        # The letters of a look may be encoded so that no program can read them. OCR can.
        reading = read_at(evidence, box)
        if reading is None:
            unread = True
        elif reading.confidence >= tunables.SURE_READING:
            likeness = fuzz.ratio(bare(reading.text), bare(widget.value))
            if likeness < tunables.SAME_SNIPPET:
                change = Change(box.page, widget.value, visible, (box,))
                changes.append((change, bool(OF_XFA.search(widget.name))))
    return changes, unread


def _is_shown(widget: Widget, visible: str) -> bool:
    """Whether the look shows the value, perhaps as a script of the form writes it."""
    if _are_alike(widget.value, visible):
        return True
    return widget.formatted and _may_be_written_so(widget.value, visible)


def _may_be_written_so(value: str, visible: str) -> bool:
    """Whether a script of the form may write the value so: a date in words, an amount with separators."""
    if value.isdigit() and visible.isdigit() and len(value) >= tunables.MIN_DIGITS:
        return False
    digits = sorted(filter(str.isdigit, value))
    digits_shown = sorted(filter(str.isdigit, visible))
    if not digits and not digits_shown:
        return not split_legal_form(value)[1]
    if len(digits) < tunables.MIN_DIGITS or len(digits) != len(digits_shown):
        return True
    return digits == digits_shown


def _are_words_of(values: Sequence[str], visible: str) -> bool:
    letters = bare("".join(values))
    return all(bare(word) in letters for word in visible.split())


def _are_alike(value: str, visible: str) -> bool:
    """Whether the look shows the value, or a part of it where the field is too small."""
    letters = bare(value)
    shown_letters = bare(visible)
    if shown_letters in letters or letters in shown_letters:
        return True
    # The letters of such words may be in the file in the order in which they are drawn.
    if not is_right_to_left(value):
        return False
    return Counter(letters) == Counter(shown_letters)
