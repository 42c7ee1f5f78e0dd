"""Indicators from the fonts of words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from checks.base import IndicatorType
from checks.document_fraud_check import tunables
from checks.document_fraud_check.rules import Finding, IndicatorResult, indicator
from checks.evidence import Evidence
from checks.text.words import Line, Word

SUBSET = re.compile(r"^[A-Z]{6}\+")
STYLES = re.compile(
    r"(?:PSMT|PS|MT|Bold|Italic|Oblique|Medium|Regular|SemiBold|Semi|Demi|Light|Black|Narrow"
    r"|Condensed|Roman|BT|Std|Pro|It|Bd)+$"
)
SYMBOLS = re.compile(
    r"symbol|wingding|dingbat|barcode|code ?39|emoji|math|stix", re.IGNORECASE
)
# The fonts of TeX, each made for one size and named after it: cmr10, lmsans8, sftt1000, plcaps10. A
# typeset text switches between them within a line. Programs for typing on a PDF do not use them.
OF_TEX = re.compile(
    r"^(?:(?:cm|ec|tc|sf|pl|cs|la|ae|vn|qx|rm)[a-z]{1,6}|lm[a-z]{2,20})\d{1,4}$"
)
# URLs, email addresses, and names of functions or files, which are often set in a font of their
# own.
TECHNICAL = re.compile(r"://|^www\.|@|\(\)|[a-z]\.[a-z]", re.IGNORECASE)


def family(font: str) -> str:
    """Return the family of a font: `ABCDEF+Arial-BoldMT` and `ArialMT` are both `arial`."""
    # Remove the subset tag, then the style behind a dash or comma, then a style that is part of the
    # name.
    name = re.split(r"[-,]", SUBSET.sub("", font))[0]
    return (STYLES.sub("", name) or name).lower().replace(" ", "")


def _letters(evidence: Evidence) -> Counter[str]:
    counted: Counter[str] = Counter()
    for page in evidence.pages[: tunables.FONT_PAGES]:
        for word in page.words:
            if word.font:
                counted[family(word.font)] += len(word.text)
    return counted


def _is_rare(count: int, total: int) -> bool:
    return count <= max(tunables.FEW_LETTERS, tunables.RARE * total)


@indicator("RISK", "fonts")
def font_outlier(evidence: Evidence) -> IndicatorResult:
    """A word is set in another font than its line.

    A font family that the document hardly uses stands inside a line of its usual font, as where
    a word was replaced with a program that lacks the font of the document.

    Found: the font of each word, against those of its neighbours in the line and of the document
    as a whole. Bold and italic faces of one family are one font; symbols, the fonts of TeX and the
    text behind scans do not count. Where no such word is a value, with digits for most of what it
    holds, it is an INFO: amounts, dates and numbers are what is worth changing.

    Innocent explanations: a form that a machine filled in; a name in a script that the usual font
    lacks.
    """
    counted = _letters(evidence)
    total = sum(counted.values())
    if total < tunables.MIN_LETTERS:
        return None
    # A font is usual or rare by its share of letters. Fonts in between, such as that of headings,
    # are ignored.
    usual = {name for name, count in counted.items() if count >= tunables.USUAL * total}
    rare = {name for name, count in counted.items() if _is_rare(count, total)}
    strangers: list[Word] = []
    for line in _written_lines(evidence):
        strangers.extend(_strangers(line, rare - usual, usual))
    if not strangers:
        return None
    quotes = []
    for word in strangers[: tunables.STRANGERS_QUOTED]:
        quotes.append(f"“{word.text}” ({family(word.font)})")
    raw = "\n".join(f"{word.text} {word.font}" for word in strangers)
    milder: IndicatorType | None = "INFO"
    if any(is_value(word.text) for word in strangers):
        milder = None
    return Finding(
        f"Words in a font that their line does not use: {', '.join(quotes)}.",
        [word.box for word in strangers],
        raw,
        type=milder,
    )


def is_value(text: str) -> bool:
    """Whether the text is an amount, a date or a number."""
    digits = sum(map(str.isdigit, text))
    legible = sum(map(str.isalnum, text))
    if TECHNICAL.search(text):
        return False
    return digits >= tunables.OF_VALUE * legible


def _written_lines(evidence: Evidence) -> Iterator[Line]:
    for page in evidence.pages[: tunables.FONT_PAGES]:
        # The text behind a scan has a font of the OCR program.
        if page.image_share < tunables.SCAN:
            yield from page.lines


def _strangers(line: Line, rare: set[str], usual: set[str]) -> Iterator[Word]:
    """Yield words in a rare font whose neighbours are all in a usual font."""
    for index, word in enumerate(line.words):
        name = family(word.font)
        # The word must be in a rare font and all neighbours in a usual one. A heading in a rare
        # font has no usual neighbours.
        if name not in rare or is_of_typesetting(name):
            continue
        if sum(map(str.isalnum, word.text)) < tunables.LEGIBLE:
            continue
        fonts = _fonts_beside(line, index)
        if fonts and fonts <= usual:
            yield word


def is_of_typesetting(name: str) -> bool:
    """Whether this is a family of symbols, or of TeX."""
    return bool(SYMBOLS.search(name) or OF_TEX.search(name))


def _fonts_beside(line: Line, index: int) -> set[str]:
    """Return the font families of the words directly before and after a word."""
    word = line.words[index]
    before = line.words[max(0, index - 1) : index]
    behind = line.words[index + 1 : index + 2]
    fonts = set()
    for neighbour in (*before, *behind):
        if _gap(word, neighbour) < tunables.BESIDE * word.box.height:
            fonts.add(family(neighbour.font))
    return fonts


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
    unembedded = []
    total = count = 0
    for page in evidence.pages[: tunables.FONT_PAGES]:
        for word in page.words:
            if not word.font:
                continue
            total += len(word.text)
            # Symbols are often taken from standard fonts that need no embedding.
            if not word.embedded and not SYMBOLS.search(word.font):
                unembedded.append(word)
                count += len(word.text)
    if total < tunables.MIN_LETTERS or not unembedded or not _is_rare(count, total):
        return None
    quote = " ".join(word.text for word in unembedded)[:120]
    fonts = ", ".join(sorted({word.font for word in unembedded}))
    boxes = [word.box for word in unembedded]
    return Finding(f"“{quote}” is set in {fonts}, which is not embedded.", boxes)
