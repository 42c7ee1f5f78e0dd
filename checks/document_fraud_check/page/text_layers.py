"""Indicators that compare the text of a page in the file with the text that is visible on it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from checks.base import Change, IndicatorType
from checks.document_fraud_check import tunables
from checks.document_fraud_check.alterations import bare
from checks.document_fraud_check.facts import recognised_lines
from checks.document_fraud_check.rules import (
    Finding,
    IndicatorResult,
    Unchecked,
    boxes_of,
    indicator,
)
from checks.evidence import Evidence
from checks.text.words import Line, Page, Word

# Pairs of digits that OCR confuses in faint or coarse print.
CONFUSED = frozenset(
    frozenset(pair)
    for pair in "06 08 09 03 14 17 12 27 23 35 38 39 49 56 58 59 68 69 89 79".split()  # noqa: SIM905
)
NUMBER = re.compile(r"^\W*[A-Za-z]{0,3}\d[\d.,/:-]*[A-Za-z]{0,3}\W*$")


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A number that differs. `sure`: no misreading by OCR explains the difference."""

    change: Change
    sure: bool


@indicator("RISK", "text layer", strong=True)
def hidden_layer_mismatch(evidence: Evidence) -> IndicatorResult:
    """A number on the page differs from the text behind it.

    The page is a picture with a layer of text that a program reads and nobody sees. A number that
    is to be seen on the picture is nowhere in that layer: the picture was changed, and the text
    that was made from it before was left as it was, or the other way round.

    The sign is strong where the layer has the numbers of the page as they were written: it is the
    document's own text, or it was read well and differs in more than OCR mistakes. One digit that
    OCR may have taken for another is a weak sign, and all mismatches of a layer that was read
    badly are an INFO.

    Found: the picture is read with OCR. Numbers of three digits and more that are read with
    certainty are looked for in the text layer, at their place and elsewhere on the page. How well
    the layer was read is told by the words of the page that it has.

    Innocent explanations: a stamp that was put on the paper after the layer was made; a mistake of
    the OCR on either side. Look at the place.
    """
    mismatches: list[Mismatch] = []
    badly_read = False
    for page in list(filter(_has_text_behind, evidence.pages))[: tunables.OCR_PAGES]:
        lines = recognised_lines(evidence, page.number)
        if isinstance(lines, str):
            return Unchecked(
                f"the text behind pictures against what they show: {lines}"
            )
        # A text layer of bad OCR differs in many places, so its quality must be known.
        quality = _quality(page, lines)
        badly_read |= quality < tunables.BADLY_READ
        # If the layer is the document's own text, any difference is an edit and no misreading.
        exact = _is_written(page)
        for mismatch in _mismatches(page, lines):
            sure = exact or (mismatch.sure and quality >= tunables.WELL_READ)
            mismatches.append(Mismatch(mismatch.change, sure=sure))
    if not mismatches:
        return None
    ordered = sorted(mismatches, key=lambda mismatch: not mismatch.sure)
    changes = [mismatch.change for mismatch in ordered]
    sure = ordered[0].sure
    description = "; ".join(map(_sentence, changes[: tunables.MOST_QUOTED]))
    if not sure:
        description += ". The text may have been misread when it was made"
    milder: IndicatorType | None = None
    if badly_read and not sure:
        milder = "INFO"
    return Finding(
        f"What is seen differs from the text behind it: {description}.",
        boxes_of(changes),
        "\n".join(map(str, changes)),
        type=milder,
        strong=sure,
        changes=changes[: tunables.MAX_MISMATCHES],
    )


def _sentence(change: Change) -> str:
    return (
        f"page {change.page}: “{change.after}” is seen, the text has “{change.before}”"
    )


def _has_text_behind(page: Page) -> bool:
    """Whether the page is a picture and the file states words for it."""
    if max(page.ground, page.image_share) < tunables.SCAN or not page.has_text_layer:
        return False
    return bool(_stated_words(page))


def _stated_words(page: Page) -> list[Word]:
    return [word for word in page.words if word.source == "text layer"]


def _is_written(page: Page) -> bool:
    """Whether the text behind the picture is that of the document, in its fonts and not
    invisible.
    """
    behind = [word for word in page.words if word.hidden == "behind"]
    fonts = {word.font for word in behind}
    return len(behind) > len(page.words) / 2 and len(fonts) >= tunables.MIN_FONTS


def _quality(page: Page, lines: Sequence[Line]) -> float:
    """Return the share of the words that OCR reads with certainty that the text layer also has."""
    layer = bare("".join(word.text for word in _stated_words(page)))
    total = matching = 0
    for word in _sure_words(lines):
        letters = bare(word.text)
        # Numbers are what is compared later, so they must not affect the quality.
        if len(letters) < tunables.SHORTEST_WORD or any(map(str.isdigit, letters)):
            continue
        total += 1
        matching += letters in layer
    # Too few words for a reliable share.
    if total < tunables.MIN_WORDS:
        return tunables.UNKNOWN
    return matching / total


def _sure_words(lines: Sequence[Line]) -> Iterator[Word]:
    for line in lines:
        for word in line.words:
            if word.confidence >= tunables.SURE:
                yield word


def _mismatches(page: Page, lines: Sequence[Line]) -> Iterator[Mismatch]:
    stated = _stated_words(page)
    layer = bare("".join(word.text for word in stated))
    for word in _sure_words(lines):
        letters = bare(word.text)
        # Only numbers are compared, because OCR confuses letters too often. A number anywhere in
        # the layer is fine.
        if not _is_number(letters) or letters in layer:
            continue
        behind = [other for other in stated if _shares_place(word, other)]
        before = " ".join(other.text for other in behind)
        # Without a number behind it, it is a stamp or a part of the picture without text.
        if not any(_is_number(other.text) for other in behind):
            continue
        change = Change(page.number, before, word.text, (word.box,))
        yield Mismatch(change, sure=_is_another(behind, word.text))


def _is_number(text: str) -> bool:
    return sum(map(str.isdigit, text)) >= tunables.DIGITS


def _is_another(behind: Sequence[Word], visible: str) -> bool:
    """Whether the number differs so much that no misreading explains it."""
    if not NUMBER.match(visible):
        return False
    after = bare(visible)
    for other in behind:
        before = bare(other.text)
        if NUMBER.match(other.text) and len(before) == len(after):
            return not _is_slip(before, after)
    return False


def _is_slip(before: str, after: str) -> bool:
    """Whether two numbers of equal length differ at most by one digit that OCR confuses."""
    differences = []
    for pair in zip(before, after, strict=True):
        if pair[0] != pair[1]:
            differences.append(frozenset(pair))
    # Two different digits are more than a misreading.
    if len(differences) > 1:
        return False
    return CONFUSED.issuperset(differences)


def _shares_place(word: Word, other: Word) -> bool:
    smaller = min(word.box.area, other.box.area)
    return word.box.overlap(other.box) > tunables.SAME_PLACE * smaller
