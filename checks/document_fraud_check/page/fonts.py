"""Indicators from the fonts of words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from checks.document_fraud_check.rules import Finding, IndicatorResult, indicator
from checks.evidence import Evidence
from checks.text.words import Line, Word

PAGES = 6
MIN_LETTERS = 150
# The text behind a scan was written by OCR, which guesses at fonts.
SCAN = 0.5
SUBSET = re.compile(r"^[A-Z]{6}\+")
STYLES = re.compile(
    r"(?:PSMT|PS|MT|Bold|Italic|Oblique|Medium|Regular|SemiBold|Semi|Demi|Light|Black|Narrow"
    r"|Condensed|Roman|BT|Std|Pro|It|Bd)+$"
)
SYMBOLS = re.compile(
    r"symbol|wingding|dingbat|barcode|code ?39|emoji|math|^cm[a-z]{1,4}\d|stix",
    re.IGNORECASE,
)


def family(font: str) -> str:
    """`ABCDEF+Arial-BoldMT` and `ArialMT` are both `arial`."""
    name = re.split(r"[-,]", SUBSET.sub("", font))[0]
    return (STYLES.sub("", name) or name).lower().replace(" ", "")


def _letters(evidence: Evidence) -> Counter[str]:
    counted: Counter[str] = Counter()
    for page in evidence.pages[:PAGES]:
        for word in page.words:
            if word.font:
                counted[family(word.font)] += len(word.text)
    return counted


def _is_rare(count: int, total: int) -> bool:
    return count <= max(25, 0.02 * total)


@indicator("RISK", "fonts")
def font_outlier(evidence: Evidence) -> IndicatorResult:
    """A word is set in another font than its line.

    A font family that the document hardly uses stands inside a line of its usual font, as where
    a word was replaced with a program that lacks the font of the document.

    Found: the font of each word, against those of its neighbours in the line and of the document
    as a whole. Bold and italic faces of one family are one font; symbols and the text behind scans
    do not count. Where no such word holds a digit, it is an INFO: amounts, dates and numbers are
    what is worth changing.

    Innocent explanations: a form that a machine filled in; a name in a script that the usual font
    lacks.
    """
    counted = _letters(evidence)
    total = sum(counted.values())
    if total < MIN_LETTERS:
        return None
    usual = {name for name, count in counted.items() if count >= 0.12 * total}
    rare = {name for name, count in counted.items() if _is_rare(count, total)} - usual
    strangers = [
        word
        for page in evidence.pages[:PAGES]
        if page.image_share < SCAN
        for line in page.lines
        for word in _strangers(line, rare, usual)
    ]
    if not strangers:
        return None
    description = ", ".join(
        f"“{word.text}” ({family(word.font)})" for word in strangers[:3]
    )
    return Finding(
        f"Words in a font that their line does not use: {description}.",
        [w.box for w in strangers],
        "\n".join(f"{word.text} {word.font}" for word in strangers),
        type=None
        if any(map(str.isdigit, "".join(word.text for word in strangers)))
        else "INFO",
    )


def _strangers(line: Line, rare: set[str], usual: set[str]) -> Iterator[Word]:
    for index, word in enumerate(line.words):
        name = family(word.font)
        if (
            name not in rare
            or SYMBOLS.search(name)
            or sum(map(str.isalnum, word.text)) < 2
        ):
            continue
        near = []
        for i in (index - 1, index + 1):
            if 0 <= i < len(line.words):
                near.append(line.words[i])
        touching = []
        for n in near:
            if _gap(word, n) < 1.5 * word.box.height:
                touching.append(n)
        if touching and all(family(n.font) in usual for n in touching):
            yield word


def _gap(word: Word, other: Word) -> float:
    return max(word.box.x0 - other.box.x1, other.box.x0 - word.box.x1)


@indicator("RISK", "fonts")
def font_rare_unembedded(evidence: Evidence) -> IndicatorResult:
    """A few words use a font that the file does not contain.

    Nearly all of the text uses fonts that are embedded in the file, and a few words a stock font
    that is not: programs for typing on a PDF add text in that way.

    Found: for each word, whether the file contains its font; words of fonts that it does not
    contain must be few.

    Innocent explanations: a reference number, a date or a page number that an office's program
    put on a finished document.
    """
    words = []
    for page in evidence.pages[:PAGES]:
        for word in page.words:
            if word.font:
                words.append(word)
    total = sum(len(word.text) for word in words)
    loose = [word for word in words if not word.embedded]
    count = sum(len(word.text) for word in loose)
    if total < MIN_LETTERS or not loose or not _is_rare(count, total):
        return None
    quote = " ".join(word.text for word in loose)[:120]
    fonts = ", ".join(sorted({word.font for word in loose}))
    return Finding(
        f"“{quote}” is set in {fonts}, which is not embedded.", [w.box for w in loose]
    )
