"""Indicators from text that a page states and text that it shows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from checks.base import Change
from checks.document_fraud_check.facts import seen_lines
from checks.document_fraud_check.rules import Finding, Seen, Unchecked, indicator
from checks.evidence import Evidence
from checks.text import Line, Page, Word

MAX_PAGES = 3
# A picture of this share of the page is what one sees of it; the text lies behind.
SCAN = 0.5
SURE = 0.88
DIGITS = 3
MAX_MISMATCHES = 20


@indicator("RISK", "text layer", strong=True)
def hidden_layer_mismatch(evidence: Evidence) -> Seen:
    """A number on the page differs from the text behind it.

    The page is a picture with a layer of text that a program reads and nobody sees. A number that
    is to be seen on the picture is nowhere in that layer: the picture was changed, and the text
    that was made from it before was left as it was, or the other way round.

    Found: the picture is read with OCR. Numbers of three digits and more that are read with
    certainty are looked for in the text layer, at their place and elsewhere on the page.

    Innocent explanations: a stamp that was put on the paper after the layer was made; a mistake of
    the OCR on either side. Look at the place.
    """
    pages = [p for p in evidence.pages if p.image_share >= SCAN and _stated(p)][:MAX_PAGES]
    if not pages:
        return None
    changes: list[Change] = []
    for page in pages:
        seen = seen_lines(evidence, page.number)
        if isinstance(seen, str):
            return Unchecked(f"the text behind pictures against what they show: {seen}")
        changes += _mismatches(page, seen)
    if not changes:
        return None
    said = "; ".join(
        f"page {c.page}: “{c.after}” is seen, the text has “{c.before}”" for c in changes[:3]
    )
    return Finding(
        f"What is seen differs from the text behind it: {said}.",
        [box for change in changes for box in change.boxes],
        "\n".join(map(str, changes)),
        changes=changes[:MAX_MISMATCHES],
    )


def _stated(page: Page) -> bool:
    return page.has_text_layer and any(word.source == "text layer" for word in page.words)


def _mismatches(page: Page, seen: Sequence[Line]) -> Iterator[Change]:
    stated = [word for word in page.words if word.source == "text layer"]
    joined = "".join(_bare(word.text) for word in stated)
    for line in seen:
        for word in line.words:
            bare = _bare(word.text)
            if sum(map(str.isdigit, bare)) < DIGITS or word.confidence < SURE:
                continue
            if bare not in joined:
                there = [other for other in stated if _shares_place(word, other)]
                # Nothing behind it: a stamp, or a part of the picture that was never read.
                if any(sum(map(str.isdigit, other.text)) >= DIGITS for other in there):
                    yield Change(
                        page.number, " ".join(o.text for o in there), word.text, (word.box,)
                    )


def _shares_place(word: Word, other: Word) -> bool:
    return word.box.overlap(other.box) > 0.3 * min(word.box.area, other.box.area)


def _bare(text: str) -> str:
    return re.sub(r"[\W_]", "", text).casefold()
