"""Indicators from the fonts of words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from checks.base import IndicatorType
from checks.document_fraud_check import tunables
from checks.document_fraud_check.rules import Finding, IndicatorResult, indicator
from checks.evidence import Evidence
from checks.text.words import Word

SUBSET = re.compile(r"^[A-Z]{6}\+")
STYLES = re.compile(
    r"(?:PSMT|PS|MT|Bold|Italic|Oblique|Medium|Regular|SemiBold|Semi|Demi|Light|Black|Narrow"
    r"|Condensed|Roman|BT|Std|Pro|It|Bd)+$"
)
SYMBOLS = re.compile(
    r"symbol|wingding|dingbat|barcode|code ?39|emoji|math|stix", re.IGNORECASE
)
# dvips and Ghostscript name a part of a font with other codes so: cmbx12~2f.
PART = re.compile(r"~[0-9a-f]{1,4}$", re.IGNORECASE)
# The fonts of TeX, each made for one size and named after it: cmr10, lmsans8, sftt1000, plcaps10, and
# those of its signs: msbm10, eufm10, rsfs10. A typeset text switches between them within a line.
# Programs for typing on a PDF do not use them.
OF_TEX = re.compile(
    r"^(?:(?:cm|ec|tc|sf|pl|cs|la|ae|vn|qx|rm)[a-z]{1,6}|lm[a-z]{2,20}"
    r"|ms[abx]m|eu[frs][bm]|rsfs|bbm|stmary|wasy)\d{1,4}$"
    # The fonts for Times and Palatino, without a size: rtxmi, txsy, pxex, txsys.
    r"|^r?[tp]x(?:b|b?(?:mi|sy|ex|r|i|sl|sc|tt|ss)[a-z]{0,2}|ptm[a-z]{1,3}|ppl[a-z]{1,3})\d{0,2}$"
)
# URLs, email addresses, and names of functions or files, which are often set in a font of their
# own.
TECHNICAL = re.compile(r"://|^www\.|@|\(\)|[a-z]\.[a-z]", re.IGNORECASE)


def family(font: str) -> str:
    """Return the family of a font: `ABCDEF+Arial-BoldMT` and `ArialMT` are both `arial`."""
    # Remove the subset tag, then the style behind a dash or comma, then a style that is part of the
    # name.
    whole = SUBSET.sub("", PART.sub("", font))
    name, *_ = re.split(r"[-,]", whole)
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

    A value that stands alone in its row is compared with the words above and below it, and a number
    also with its own digits.

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
    for page in evidence.pages[: tunables.FONT_PAGES]:
        # The text behind a scan has a font of the OCR program.
        if page.image_share < tunables.SCAN:
            strangers.extend(_strangers(page.words, rare - usual, usual))
    if not strangers:
        return None
    quotes = []
    for word in strangers[: tunables.STRANGERS_QUOTED]:
        name = _rare_digits(word, usual) or family(word.font)
        quotes.append(f"“{word.text}” ({name})")
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


def _strangers(
    words: Sequence[Word], rare: set[str], usual: set[str]
) -> Iterator[Word]:
    """Yield words in a rare font whose neighbours are all in a usual font."""
    tried = 0
    for word in words:
        if sum(map(str.isalnum, word.text)) < tunables.LEGIBLE:
            continue
        if _rare_digits(word, usual):
            yield word
            continue
        # The word must be in a rare font and all neighbours in a usual one. A heading in a rare
        # font has no usual neighbours.
        name = family(word.font)
        if name not in rare or is_of_typesetting(name):
            continue
        tried += 1
        # A page with so many words in rare fonts is set in many fonts.
        if tried > tunables.MAX_TRIED or len(words) > tunables.MAX_WORDS:
            return
        fonts = _fonts_beside(word, words)
        # Words that stand alone may be a heading or a stamp; a value in a column is neither.
        if not fonts and is_value(word.text):
            fonts = _fonts_above_and_below(word, words)
        if fonts and fonts <= usual:
            yield word


def _rare_digits(word: Word, usual: set[str]) -> str:
    """Return the font of some digits of a number whose other digits are in a usual font, or ""."""
    if not word.digit_fonts or not is_value(word.text):
        return ""
    names = [family(font) for font in word.digit_fonts]
    if any(map(is_of_typesetting, names)):
        return ""
    others = [name for name in names if name not in usual]
    if len(others) == 1 and len(set(names)) == 2:
        return others[0]
    return ""


def is_of_typesetting(name: str) -> bool:
    """Whether this is a family of symbols, or of TeX."""
    return bool(SYMBOLS.search(name) or OF_TEX.search(name))


def _fonts_beside(word: Word, words: Sequence[Word]) -> set[str]:
    """Return the font families of the nearest words before and after a word in its row.

    The order of the words in the file does not matter: a word that was typed on a finished page
    is at its end.
    """
    nearest: dict[bool, tuple[float, str]] = {}
    for other in words:
        if other is word or not _share_row(word, other):
            continue
        gap = word.box.gap_across(other.box)
        is_before = other.box.x0 < word.box.x0
        reach = tunables.BESIDE * word.box.height
        # Words in one font, set apart, are a line of their own: a code, or a serial number.
        if family(other.font) == family(word.font):
            reach *= 2
        if gap < reach:
            candidate = (gap, family(other.font))
            nearest[is_before] = min(nearest.get(is_before, candidate), candidate)
    return {name for _, name in nearest.values()}


def _fonts_above_and_below(word: Word, words: Sequence[Word]) -> set[str]:
    """Return the font families of the nearest words above and below; empty if there are not both."""
    nearest: dict[bool, tuple[float, str]] = {}
    for other in words:
        if other is word or not _share_column(word, other) or _share_row(word, other):
            continue
        distance = word.box.gap_down(other.box)
        is_above = other.box.y0 < word.box.y0
        if distance < tunables.NEAR_LINES * word.box.height:
            candidate = (distance, family(other.font))
            nearest[is_above] = min(nearest.get(is_above, candidate), candidate)
    if len(nearest) < 2:
        return set()
    return {name for _, name in nearest.values()}


def _share_row(word: Word, other: Word) -> bool:
    # A watermark or a stamp across the page is far higher than the rows that it crosses.
    low, high = sorted((word.box.height, other.box.height))
    if high > tunables.ROW_HEIGHTS * low:
        return False
    return word.box.shared_rows(other.box) >= tunables.SAME_ROW


def _share_column(word: Word, other: Word) -> bool:
    return word.box.x0 < other.box.x1 and other.box.x0 < word.box.x1


@indicator("RISK", "fonts")
def font_rare_unembedded(evidence: Evidence) -> IndicatorResult:
    """A few words use a font that the file does not contain.

    Nearly all of the text uses fonts that are embedded in the file, and a few words a stock font
    that is not: programs for typing on a PDF add text in that way.

    Where none of these words stands in a row or a column of the text, it is an INFO: a stamp at the
    edge of a page has only its own words as neighbours.

    Found: for each word, whether the file contains its font; words of fonts that it does not
    contain must be few.

    Innocent explanations: a reference number, a date or a page number that an office's program
    put on a finished document.
    """
    unembedded = []
    within = False
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
                # If there are more, the fonts are not rare, and the neighbours do not matter.
                if len(unembedded) <= tunables.FEW_LETTERS:
                    within |= _is_within_text(word, page.words)
    if total < tunables.MIN_LETTERS or not unembedded or not _is_rare(count, total):
        return None
    quote = " ".join(word.text for word in unembedded)[:120]
    fonts = ", ".join(sorted({word.font for word in unembedded}))
    boxes = [word.box for word in unembedded]
    return Finding(
        f"“{quote}” is set in {fonts}, which is not embedded.",
        boxes,
        type=None if within else "INFO",
    )


def _is_within_text(word: Word, words: Sequence[Word]) -> bool:
    """Whether words of other fonts stand beside the word, or above and below a value."""
    name = family(word.font)
    beside = _fonts_beside(word, words)
    if beside:
        return beside != {name}
    if not is_value(word.text):
        return False
    # The lines of a stamp have only each other as neighbours.
    column = _fonts_above_and_below(word, words)
    return bool(column) and name not in column
