"""Indicators from the words of a document and from how they are stored in the file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import islice

from checks.base import IndicatorType
from checks.data import table
from checks.document_fraud_check import tunables
from checks.document_fraud_check.content.balances import broken_balance
from checks.document_fraud_check.content.sums import broken_sum
from checks.document_fraud_check.rules import Finding, IndicatorResult, indicator
from checks.evidence import Evidence, name_pages
from checks.fields.general import type_of
from checks.text.characters import has_letter
from checks.text.phrases import Pattern, Phrase
from checks.text.words import (
    Line,
    Page,
    Span,
    Word,
)

Matches = list[re.Match[str]]
# Wordings in which a document calls itself a sample.
SAMPLES = (
    Phrase(
        r"\b(?:this|it) is (?:only |just )?an? (?:sample|specimen|mock-?up|fictitious)\b(?! of (?:the|our|your|its|their)\b)"
        # A text may call one of its parts so.
        r"(?! (?:paragraph|sentence|phrase|text|heading|footnote|figure|table|program|script|code|output|query)\b)"
        r"|\bnot a real document\b"
    ),
    # Alone on a line, as a title or a watermark.
    re.compile(
        r"^[ \t]*SAMPLE(?: (?:CERTIFICATE|DOCUMENT|COPY|ONLY|STATEMENT|BILL))?[ \t]*$",
        re.MULTILINE | re.IGNORECASE,
    ),
)


@cache
def _samples() -> tuple[Pattern, ...]:
    """The wordings of SAMPLES, and those of other languages."""
    words = "|".join(map(re.escape, _words_of("alone")))
    alone = re.compile(rf"^[ \t]*(?:{words})[ \t]*$", re.MULTILINE)
    return (*SAMPLES, alone)


@cache
def _named() -> tuple[Pattern, ...]:
    """The placeholders of PLACEHOLDERS, and those of other languages."""
    words = "|".join(_words_of("named"))
    return (*PLACEHOLDERS, Phrase(rf"(?<!\w)(?:{words})(?!\w)"))


def _words_of(kind: str) -> list[str]:
    for row in table("sample_words"):
        if row["kind"] == kind:
            return row["words"].split("|")
    raise LookupError(kind)


# Filler text for layouts without content.
BLIND_TEXT = Phrase(r"\blorem ipsum\b")
# A genuine document may have one of these: an instruction, or a street with this name.
PLACEHOLDERS = (
    Phrase(
        r"\[(?:insert|your|company|name|date|address)\b[^\]=\n]{0,40}\]|\bsample company name\b"
    ),
    re.compile(r"^[ \t]*(?:CUSTOMER NAME|COMPANY NAME HERE)[ \t]*$", re.MULTILINE),
    Phrase(r"\b123 main (?:street|st)\b"),
)
# What a manual shows on its examples: filler text, and what is to be replaced.
FILLER = re.compile(r"lorem\s|\[(?!insert|your)", re.IGNORECASE)
# These are placeholders if they stand alone. A sentence may mention them.
NAMED_PLACEHOLDERS = (
    Phrase(r"\bplaceholder\b"),
    Phrase(r"\b(?:this|it) is an? sample\b"),
    Phrase(r"\bsample (?:certificate|document|copy|only|statement|bill|form)\b"),
)
# The terms of genuine documents have several of these, so that no number of them makes a template.
MENTIONED = (
    # Banks keep the specimen signatures of who may sign.
    Phrase(r"\bspecimen\b(?! signatures?\b)"),
    Phrase(r"\bfor illustration(?: purposes)? only\b"),
    Phrase(r"\bnot a (?:legal|valid) document\b"),
    Phrase(r"\byour company name\b"),
)
SAMPLE_TITLE = re.compile(r"^\s*(?:sample|specimen|template)\b", re.IGNORECASE)


@indicator("RISK", "content", strong=True)
def placeholder_or_sample(evidence: Evidence) -> IndicatorResult:
    """The document is a sample or holds placeholders.

    It says so itself (“This is a sample”, SAMPLE on a line of its own), or shows three or more of
    the words, names and addresses that templates are filled with. One or two of these are a weak
    sign: forms quote examples, and there are streets that are called so. So are words that stand in
    the terms of genuine documents, as “specimen” and “for illustration only”, however many. Where
    all of them stand in sentences, it is an INFO: a manual speaks of placeholders and has none.
    “Lorem ipsum” is a strong sign in a document that reads as one of a kind that is submitted. In
    any other text it is an INFO, as is what stands in brackets to be replaced.

    Found: such words in the text and in the title of the file.

    Innocent explanations: a genuine form whose instructions quote an example. Read the place.
    """
    # A title such as “Sample invoice” in the metadata is a hint even if the page has no such word.
    title = evidence.metadata.title
    is_titled = bool(SAMPLE_TITLE.match(title))
    text = evidence.text.value
    samples = _first_matches(_samples(), text)
    blind = _first_matches((BLIND_TEXT,), text)
    placeholders, mentioned, in_prose = _placeholders(text)
    telling = [*samples, *blind, *placeholders, *mentioned]
    if not telling and not in_prose:
        if not is_titled:
            return None
        description = "The title of the file says that it is a sample."
        return Finding(description, raw=title, strong=False)
    milder: IndicatorType | None = "INFO"
    if telling or is_titled:
        milder = None
    is_template = len(placeholders) + is_titled >= tunables.MIN_PLACEHOLDERS
    # Filler text is a strong sign only if the document claims to be a real kind of document. A manual about pages
    # and letters shows them filled.
    poses_as_kind = evidence.once(type_of) is not None
    is_strong = bool(samples) or is_template or (bool(blind) and poses_as_kind)
    is_filler = not is_titled and all(map(FILLER.match, map(_matched, telling)))
    if is_filler and not is_strong and not poses_as_kind:
        milder = "INFO"
    words: dict[str, None] = {}
    boxes = []
    for match in (*telling, *in_prose):
        words[" ".join(match[0].split())] = None
        boxes.extend(evidence.text.boxes(Span(*match.span())))
    quotes = ", ".join(f"“{quote}”" for quote in list(words)[: tunables.MOST_QUOTED])
    return Finding(
        f"It holds the words {quotes}.",
        boxes,
        "\n".join(words),
        strong=is_strong,
        type=milder,
    )


def _matched(match: re.Match[str]) -> str:
    return match[0]


def _placeholders(text: str) -> tuple[Matches, Matches, Matches]:
    """Return placeholders, words that may be placeholders, and those of both within sentences."""
    placeholders = _first_matches(_named(), text)
    mentioned: Matches = []
    in_prose: Matches = []
    for patterns, alone in (
        (NAMED_PLACEHOLDERS, placeholders),
        (MENTIONED, mentioned),
    ):
        for match in _first_matches(patterns, text):
            if _is_in_prose(match):
                in_prose.append(match)
            else:
                alone.append(match)
    return placeholders, mentioned, in_prose


def _first_matches(patterns: Sequence[Pattern], text: str) -> Matches:
    """Return one match of each pattern: the first outside a sentence, else the first."""
    matches = []
    for pattern in patterns:
        places = list(islice(pattern.finditer(text), tunables.PLACES_OF_WORDS))
        if not places:
            continue
        alone = (match for match in places if not _is_in_prose(match))
        matches.append(next(alone, places[0]))
    return matches


def _is_in_prose(match: re.Match[str]) -> bool:
    """Whether the line of the match continues like a sentence."""
    start = match.string.rfind("\n", 0, match.start()) + 1
    line = (
        match.string[start : match.end()]
        + match.string[match.end() :].partition("\n")[0]
    )
    words = []
    for word in line.split():
        if has_letter(word):
            words.append(word)
    return len(words) > tunables.WORDS_OF_PROSE


@indicator("INFO", "origin")
def image_only_document(evidence: Evidence) -> IndicatorResult:
    """The document is a scan or a photograph.

    No page has text of its own. Editing shows in a scan less than in a file that was written by
    a program.

    Found: no page holds more than a few letters of text.

    Innocent explanations: this is how most people send what they have on paper. It tells what
    could not be looked at.
    """
    # Blank pages, such as the back of a scanned sheet, say nothing.
    filled = [page for page in evidence.pages if not page.is_blank]
    if not filled:
        return None
    for page in filled:
        if page.has_text_layer or not _is_pictured(page):
            return None
    return Finding("Every page is a picture without a text layer.")


@indicator("INFO", "origin")
def drawn_letters(evidence: Evidence) -> IndicatorResult:
    """The letters are drawn as shapes.

    Pages have no text of their own, and no picture of them either: each letter is a shape, as
    programs draw it that turn fonts into outlines. What stands there was read as from a picture.

    Found: pages without pictures of what OCR reads on them, with as many drawings as words, and
    hardly any letters of text.

    Innocent explanations: programs for printing and for design do that, so that a document looks
    alike wherever it is opened.
    """
    numbers = []
    for page in evidence.pages:
        if page.has_text_layer or _is_pictured(page):
            continue
        # Each letter is at least one drawing, so there must be at least as many drawings as words.
        if page.objects >= len(_words_by_ocr(page)) >= tunables.MIN_READ:
            numbers.append(page.number)
    if not numbers:
        return None
    pages = name_pages(numbers)
    return Finding(f"The letters are drawn as shapes, without text: {pages}.")


def _is_pictured(page: Page) -> bool:
    """Whether a picture fills the page, in one piece or in strips, or has all the words that OCR
    reads.
    """
    if max(page.ground, page.image_share) >= tunables.SCAN:
        return True
    words = _words_by_ocr(page)
    for word in words:
        if not any(image.contains_centre_of(word.box) for image in page.images):
            return False
    return bool(words)


def _words_by_ocr(page: Page) -> list[Word]:
    return [word for word in page.words if word.source == "OCR"]


@indicator("RISK", "content")
def amounts_inconsistent(evidence: Evidence) -> IndicatorResult:
    """The amounts do not add up.

    The opening balance, what came in and what went out do not give the closing balance, or the
    net amount and the tax not the total. Whoever changes one amount tends to forget the others.

    On a statement, a balance that does not follow from the one before it counts as well, where nearly
    all others follow.

    Found: lines that begin with such a label, in thirteen languages, and end with one amount, each label
    exactly once, and no other line with an amount among them: a discount or a fee would belong to the
    sum. Where a number may be a rate or the thousands of its amount, both count. Only the text of the
    file is used, never what OCR read.

    Innocent explanations: a further amount (a discount, rounding) that belongs to the sum and stands
    elsewhere. Add up the lines yourself.
    """
    lines: list[Line] = []
    for page in evidence.pages:
        lines.extend(filter(_is_written, page.lines))
    wrong = broken_sum(lines)
    if wrong:
        return Finding(
            f"The amounts give {wrong.due:,.2f} and the document says {wrong.stated:,.2f}.",
            [line.box for line in wrong.lines],
            "; ".join(line.text for line in wrong.lines),
        )
    broken = broken_balance(lines)
    if broken:
        due = broken.due / 100
        stated = broken.stated / 100
        return Finding(
            f"The amounts give {due:,.2f} and the document says {stated:,.2f}.",
            broken.boxes,
            broken.text,
        )
    return None


def _is_written(line: Line) -> bool:
    return all(word.source == "text layer" for word in line.words)
