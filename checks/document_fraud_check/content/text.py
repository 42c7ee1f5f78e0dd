"""Indicators from the words of a document and from how they are stored in the file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import islice

from checks.base import IndicatorType
from checks.data import table
from checks.document_fraud_check import tunables
from checks.document_fraud_check.content.balances import (
    A_DAY,
    broken_balance,
    thousands_before,
    words_of,
)
from checks.document_fraud_check.rules import Finding, IndicatorResult, indicator
from checks.evidence import Evidence, name_pages
from checks.fields.general import type_of
from checks.text.characters import has_letter, only_digits
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
# 1,234.56 and 1.234,56: the last sign stands before the cents.
AMOUNT = re.compile(
    r"^([-\u2212(]?[$€£₹₺₽]?\s?[-\u2212]?)(\d{1,3}(?:,\d{3})+(?=\.)|\d{1,3}(?:[.'\u2019]\d{3})+(?=[.,])|\d+)[.,](\d{2})\)?[€£₺₽]?(?:CR|(DR))?$"
)
# What may stand behind an amount: a sign or a code of a currency.
CURRENCY = re.compile(
    r"[A-Z]{3}|[$€£₹₺₽]|zł|kr\.?|kč|ft|lei|\u0440\u0443\u0431\.?|tl", re.IGNORECASE
)
# The label of a line, and the sign with which its amount counts. The total itself is last, with
# sign 0.
Part = tuple[re.Pattern[str], int]
# opening + added - taken = closing, and net + tax = gross
SUMS: tuple[tuple[tuple[str, int], ...], ...] = (
    (("opening", 1), ("added", 1), ("taken", -1), ("closing", 0)),
    (("net", 1), ("tax", 1), ("gross", 0)),
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


@cache
def _sums() -> tuple[tuple[Part, ...], ...]:
    sums: list[tuple[Part, ...]] = []
    for kinds in SUMS:
        parts = []
        for kind, sign in kinds:
            label = re.compile(rf"^(?:{words_of(kind)})(?!\w)", re.IGNORECASE)
            parts.append((label, sign))
        sums.append(tuple(parts))
    return tuple(sums)


@indicator("RISK", "content")
def amounts_inconsistent(evidence: Evidence) -> IndicatorResult:
    """The amounts do not add up.

    The opening balance, what came in and what went out do not give the closing balance, or the
    net amount and the tax not the total. Whoever changes one amount tends to forget the others.

    On a statement, a balance that does not follow from the one before it counts as well, where nearly
    all others follow.

    Found: lines that begin with such a label and end with one amount, each label exactly once, and
    no other line with an amount among them: a discount or a fee would belong to the sum. Only the
    text of the file is used, never what OCR read.

    Innocent explanations: a further amount (a discount, rounding) that belongs to the sum and stands
    elsewhere. Add up the lines yourself.
    """
    lines: list[Line] = []
    for page in evidence.pages:
        lines.extend(filter(_is_written, page.lines))
    for parts in _sums():
        labelled = _labelled_lines(lines, parts)
        # All parts must be there exactly once, and nothing else with an amount between them.
        # Otherwise the sum is not known.
        if not labelled or _has_other_parts(lines, labelled):
            continue
        start, *movements, stated = [_amount(line) or 0.0 for line in labelled]
        moved = 0.0
        for amount, (_, sign) in zip(movements, parts[1:-1], strict=True):
            # The label tells whether it is taken. Some print a minus as well.
            moved += sign * abs(amount)
        due = start + moved
        # All amounts of a credit note have a minus.
        unsigned = abs(start) + moved
        # Where the prices have the tax in them, the total is the same as before it.
        if len(parts) == len(SUMS[-1]) and abs(start - stated) <= tunables.CENT:
            continue
        # A cent of tolerance for rounding.
        if min(abs(due - stated), abs(unsigned - abs(stated))) > tunables.CENT:
            return Finding(
                f"The amounts give {due:,.2f} and the document says {stated:,.2f}.",
                [line.box for line in labelled],
                "; ".join(line.text for line in labelled),
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


def _labelled_lines(lines: Sequence[Line], parts: Sequence[Part]) -> list[Line]:
    """Return the line of each part of a sum, or none if one is missing, ambiguous or without an
    amount.
    """
    labelled: list[Line] = []
    for label, _ in parts:
        # “Total HT” is the net amount, though “Total” may be the gross one.
        candidates = [
            line for line in lines if line not in labelled and label.search(line.text)
        ]
        # If two lines have the label, it is not known which belongs to the sum.
        if len(candidates) != 1 or _amount(candidates[0]) is None:
            return []
        # “Tax 20 100.00” may be 20 100.00 or 100.00.
        if _thousands(candidates[0]):
            return []
        labelled.append(candidates[0])
    return labelled


def _thousands(line: Line) -> Sequence[Word]:
    """Return the words before the amount of a line that may be its thousands."""
    last = len(line.words) - 1
    if CURRENCY.fullmatch(line.words[last].text):
        last -= 1
    return thousands_before(line, last)


def _has_other_parts(lines: Sequence[Line], parts: Sequence[Line]) -> bool:
    """Whether another labelled amount stands between the parts of a sum: a discount, a fee, a
    payment.

    Lines that begin with a day are single transactions, which are already in the sums.
    """
    places = [lines.index(part) for part in parts]
    for line in lines[min(places) : max(places)]:
        if line in parts or A_DAY.search(line.text):
            continue
        if _amount(line) is not None:
            return True
    return False


def _amount(line: Line) -> float | None:
    """Return the amount at the end of a line if it is the only one. Below zero if it is marked so."""
    words = list(line.words)
    if len(words) > 1 and CURRENCY.fullmatch(words[-1].text):
        words.pop()
    matches = []
    for word in words:
        match = AMOUNT.match(word.text)
        if match:
            matches.append(match)
    # A line with several amounts is a row of a table.
    if len(matches) != 1 or not AMOUNT.match(words[-1].text):
        return None
    before, whole, cents, debit = matches[0].groups()
    amount = float(f"{only_digits(whole)}.{cents}")
    return -amount if debit or before.strip("$€£₹₺₽ ") else amount
