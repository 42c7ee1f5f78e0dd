"""Indicators from text that a page states and text that it shows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from checks.base import Change
from checks.document_fraud_check.facts import recognised_lines
from checks.document_fraud_check.rules import (
    Finding,
    IndicatorResult,
    Unchecked,
    indicator,
)
from checks.evidence import Evidence
from checks.text.words import Line, Page, Word

MAX_PAGES = 3
# A picture of this share of the page is what one sees of it; the text lies behind.
SCAN = 0.5
SURE = 0.88
DIGITS = 3
MAX_MISMATCHES = 20
# A layer that has so many of the words that are to be read was read well, and fewer, badly. Of
# a page with few words neither is known.
WELL_READ, UNKNOWN, BADLY_READ = 0.9, 0.8, 0.75
MIN_WORDS, SHORTEST_WORD = 10, 4
# The text of a document that was written, and is not OCR's, has the fonts of the document.
MIN_FONTS = 2
# What OCR takes for one another in faint or coarse print.
CONFUSED = frozenset(
    frozenset(pair)
    for pair in "06 08 09 03 14 17 12 27 23 35 38 39 49 56 58 59 68 69 89 79".split()  # noqa: SIM905
)
NUMBER = re.compile(r"^\W*[A-Za-z]{0,3}\d[\d.,/:-]*[A-Za-z]{0,3}\W*$")


@dataclass(frozen=True, slots=True)
class Mismatch:
    """`sure`: no slip of OCR turns the one number into the other."""

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
    pages = [p for p in evidence.pages if _ground(p) >= SCAN and _stated(p)][:MAX_PAGES]
    mismatches: list[Mismatch] = []
    badly_read = False
    for page in pages:
        lines = recognised_lines(evidence, page.number)
        if isinstance(lines, str):
            return Unchecked(
                f"the text behind pictures against what they show: {lines}"
            )
        quality = _quality(page, lines)
        badly_read |= quality < BADLY_READ
        exact = _is_written(page)
        for mismatch in _mismatches(page, lines):
            mismatches.append(
                Mismatch(
                    mismatch.change,
                    sure=exact or (mismatch.sure and quality >= WELL_READ),
                )
            )
    if not mismatches:
        return None
    ordered = sorted(mismatches, key=lambda mismatch: not mismatch.sure)
    changes = [mismatch.change for mismatch in ordered]
    sure = ordered[0].sure
    description = "; ".join(
        f"page {c.page}: “{c.after}” is seen, the text has “{c.before}”"
        for c in changes[:3]
    )
    why = "" if sure else " The text may have been misread when it was made."
    return Finding(
        f"What is seen differs from the text behind it: {description}.{why}",
        [box for change in changes for box in change.boxes],
        "\n".join(map(str, changes)),
        type="INFO" if badly_read and not sure else None,
        strong=sure,
        changes=changes[:MAX_MISMATCHES],
    )


def _ground(page: Page) -> float:
    return max(page.ground, page.image_share)


def _stated(page: Page) -> bool:
    return page.has_text_layer and any(
        word.source == "text layer" for word in page.words
    )


def _is_written(page: Page) -> bool:
    """Is the text behind the picture the document's own, set in its fonts and not invisible?"""
    behind = [word for word in page.words if word.hidden == "behind"]
    fonts = {word.font for word in behind}
    return len(behind) > len(page.words) / 2 and len(fonts) >= MIN_FONTS


def _quality(page: Page, lines: Sequence[Line]) -> float:
    """The share of the words that are read with certainty on the picture that the layer has, too."""
    joined = "".join(
        _bare(word.text) for word in page.words if word.source == "text layer"
    )
    words = []
    for line in lines:
        for word in line.words:
            if word.confidence >= SURE and len(_bare(word.text)) >= SHORTEST_WORD:
                words.append(_bare(word.text))
    words = [word for word in words if not any(map(str.isdigit, word))]
    if len(words) < MIN_WORDS:
        return UNKNOWN
    return sum(word in joined for word in words) / len(words)


def _mismatches(page: Page, lines: Sequence[Line]) -> Iterator[Mismatch]:
    stated = [word for word in page.words if word.source == "text layer"]
    joined = "".join(_bare(word.text) for word in stated)
    for line in lines:
        for word in line.words:
            bare = _bare(word.text)
            if sum(map(str.isdigit, bare)) < DIGITS or word.confidence < SURE:
                continue
            if bare not in joined:
                there = [other for other in stated if _shares_place(word, other)]
                # Nothing behind it: a stamp, or a part of the picture that was never read.
                if any(sum(map(str.isdigit, other.text)) >= DIGITS for other in there):
                    before = " ".join(other.text for other in there)
                    change = Change(page.number, before, word.text, (word.box,))
                    yield Mismatch(change, sure=_is_another(there, word.text))


def _is_another(there: Sequence[Word], visible: str) -> bool:
    """Is this number so far from the one behind it that no misreading explains it?"""
    bare = _bare(visible)
    for other in there:
        if not (NUMBER.match(other.text) and NUMBER.match(visible)):
            continue
        was = _bare(other.text)
        if len(was) != len(bare):
            continue
        apart = []
        for pair in zip(was, bare, strict=True):
            if len(set(pair)) > 1:
                apart.append(frozenset(pair))
        return len(apart) > 1 or any(pair not in CONFUSED for pair in apart)
    return False


def _shares_place(word: Word, other: Word) -> bool:
    return word.box.overlap(other.box) > 0.3 * min(word.box.area, other.box.area)


def _bare(text: str) -> str:
    return re.sub(r"[\W_]", "", text).casefold()
