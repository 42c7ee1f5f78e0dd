"""Indicators from traces of the program that wrote the file."""

from __future__ import annotations

from checks.base import IndicatorType
from checks.document_fraud_check.file.metadata import SELF_MADE
from checks.document_fraud_check.rules import Finding, IndicatorResult, indicator
from checks.evidence import MAX_PAGES, Evidence
from checks.fields.general import type_of
from papers.geometry import Box


@indicator("RISK", "revisions")
def page_packed_anew(evidence: Evidence) -> IndicatorResult:
    """A page was packed by another program than what belongs to it.

    A program that writes a file packs all of its pages and fonts in one way. Who changes the text of
    a page with another program packs this page again, and leaves the others and the fonts as they are. A
    person has to look at the page.

    Found: the first bytes of the packed drawing of each page, which say how hard the program tries,
    against those of the pages that share a font with it, and of its fonts. Pages of merged files
    share none, so that they are not compared. Nothing is found where both programs pack alike, or where
    all was packed again.

    Innocent explanations: a stamp or a mark by a program that writes the whole page again. For articles and
    bylaws, which the company writes itself, it is an INFO.
    """
    if evidence.kind != "pdf" or evidence.problem:
        return None
    from checks.readers.pdf.traces.packing import pages_packed_anew

    pages = pages_packed_anew(evidence.file, max_pages=MAX_PAGES)
    if not pages:
        return None
    numbers = ", ".join(str(page.page) for page in pages)
    milder: IndicatorType | None = None
    kind = evidence.once(type_of)
    if kind and kind.value.code in SELF_MADE:
        milder = "INFO"
    if len(pages) == 1:
        description = f"Packed otherwise than what belongs to it: page {numbers}."
    else:
        description = f"Packed otherwise than what belongs to them: pages {numbers}."
    return Finding(
        description,
        raw="\n".join(f"{page.page}: {page.packing}, {page.others}" for page in pages),
        type=milder,
    )


@indicator("RISK", "fonts")
def letters_of_font_unshown(evidence: Evidence) -> IndicatorResult:
    """A font was made for other text than the file shows.

    A program that writes a file puts those letters of a font into it that the text needs, and some
    programs number them in the order in which the text needs them. Here a digit of the font stands
    nowhere in the file, or a letter does not come where its number has it, and all others fit: the text
    was changed after the font was made. A person has to compare the numbers in this font.

    Found: the letters of each font that is in the file, against those that its pages, stamps and fields
    show. Where more than a few do not fit, pages were taken out, or the font was not made for this text, and
    nothing is said. A digit that was replaced, and stands elsewhere in this font as well, is not found.

    Innocent explanations: a number that was blotted out of the file for reasons of privacy; a page that was
    taken out, if it alone had the digit.
    """
    if evidence.kind != "pdf" or evidence.problem:
        return None
    from checks.readers.pdf.traces.subsets import unshown_letters

    fonts = unshown_letters(evidence.file, max_pages=MAX_PAGES)
    if not fonts:
        return None
    quotes = ", ".join(f"“{font.letters}” ({font.name})" for font in fonts[:3])
    names = {font.name for font in fonts}
    boxes: list[Box] = []
    for page in evidence.pages:
        for word in page.words:
            if word.font in names and any(map(str.isdigit, word.text)):
                boxes.append(word.box)
    raw = "\n".join(f"{font.name} {font.letters}" for font in fonts)
    return Finding(f"Letters of a font that do not fit the text: {quotes}.", boxes, raw)
