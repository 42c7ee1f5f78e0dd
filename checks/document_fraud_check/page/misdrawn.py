"""Whether a page shows the words that the file states.

The letters that a program reads are not those that are drawn: a font can draw another letter than its
table says, and a file can state other words for a part of a page.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rapidfuzz import fuzz

from checks.base import Change
from checks.document_fraud_check import tunables
from checks.document_fraud_check.alterations import bare, is_of_the_form
from checks.document_fraud_check.facts import (
    read_at,
    recognised_lines,
    unseen_text_of,
)
from checks.document_fraud_check.page.spelling import form_of, other_words
from checks.document_fraud_check.rules import (
    Finding,
    IndicatorResult,
    Unchecked,
    boxes_of,
    indicator,
)
from checks.evidence import Evidence
from checks.fields.names.companies import split_legal_form
from checks.text.words import Line, Word
from papers.geometry import Box, enclosing

if TYPE_CHECKING:
    from checks.readers.ocr.snippets import Snippet

# OCR knows these letters. What it reads for those of other scripts says nothing.
LATIN = re.compile(r"[^\W\d_]", re.ASCII)
NUMBER = re.compile(r"\d(?:[\d.,/' -]*\d)?")
# Letters that OCR reads for digits.
DIGITS_FOR = str.maketrans("oilzsb", "011258")
# Where a file does not bring a font, another one is drawn. This machine has such for Latin letters alone.
WITHOUT_SUBSTITUTE = re.compile("[\u0250-\u02af\u0370-\u1dff\u2c00-\ufaff]")
NOT_DRAWN = "what the page shows: the file lacks a font, which other machines may have"


@indicator("RISK", "text layer")
def text_unlike_page(evidence: Evidence) -> IndicatorResult:
    """The page shows other words than the file states.

    A program reads the text of a file, and people see the drawing of its page. Here the file states a
    number, a name or a date, and another one is drawn at its place: by a font that draws other letters
    than its table says, or by words that the file gives in place of the drawn ones. What was read from
    the file is then not what the page shows, so that a person has to compare both.

    Found: the lines of the first pages with attested data, names of companies or numbers are drawn, and
    read with OCR in two sizes. Both readings are sure, agree, and differ from the text in a number or in a
    whole word. In a line with attested data a single letter or digit counts, too, where three sizes agree. Only
    Latin letters and digits are compared, and not those that OCR takes for one another, such as O and 0.
    Attested data in a print that nobody can read counts, too. Not checked is text in a font that neither
    the file nor this machine has.

    Innocent explanations: a program that writes a faulty table for a font; letters so ornate
    that OCR misreads them in every size.
    """
    if evidence.kind != "pdf" or evidence.problem:
        return None
    misdrawn = evidence.once(_misdrawn)
    lacking = evidence.once(_fonts_without_substitute)
    changes = [change for words, change in misdrawn if not _is_in(words, lacking)]
    if not changes:
        return Unchecked(NOT_DRAWN) if misdrawn else None
    sentences = "; ".join(map(_sentence, changes[: tunables.MOST_QUOTED]))
    return Finding(
        f"What is seen differs from the text behind it: {sentences}.",
        boxes_of(changes),
        changes=changes,
    )


def misdrawn_at(evidence: Evidence, boxes: Sequence[Box]) -> Iterator[Change]:
    """Yield the words of the file at these places where the page shows others."""
    for box in boxes:
        if not 1 <= box.page <= len(evidence.pages):
            continue
        for line in evidence.pages[box.page - 1].lines:
            for around in _stretches(line, evidence):
                words = [word for word in around if box.contains_centre_of(word.box)]
                if not any(map(_has_letters, words)):
                    continue
                change = (
                    _too_small(evidence, words)
                    or _compared(evidence, words, around)
                    or _spelt_otherwise(evidence, words, around)
                )
                if change:
                    yield change


def _has_letters(word: Word) -> bool:
    """Whether the word has letters or digits. A dash or a rule is low and says nothing."""
    return any(char.isalnum() for char in word.text)


def _sentence(change: Change) -> str:
    drawing = f"“{change.after}”" if change.after else "nothing"
    return f"page {change.page}: {drawing} is seen, the text has “{change.before}”"


def _fonts_without_substitute(evidence: Evidence) -> frozenset[str]:
    """Return the fonts that the file does not bring, and that this machine cannot draw.

    A Chinese or Japanese file often relies on the fonts of its reader. Its page is then drawn with gaps here,
    which says nothing about the file.
    """
    fonts = set()
    for page in evidence.pages:
        for line in page.lines:
            for word in line.words:
                if not word.embedded and WITHOUT_SUBSTITUTE.search(word.text):
                    fonts.add(word.font)
    return frozenset(fonts)


def _is_in(words: Sequence[Word], fonts: Collection[str]) -> bool:
    return any(word.font in fonts and not word.embedded for word in words)


def _misdrawn(evidence: Evidence) -> list[tuple[Sequence[Word], Change]]:
    """Return the stretches of words that the page shows otherwise, each with what it shows."""
    with_attested, others = _lines_of_facts(evidence)
    changes: list[tuple[Sequence[Word], Change]] = []
    for words in with_attested:
        # Figures have small numbers. A small line counts only for what is compared, and so does one letter.
        change = _too_small(evidence, words) or _spelt_otherwise(evidence, words, words)
        if change:
            changes.append((words, change))
    for words in [*with_attested, *others][: tunables.LINES_READ]:
        if change := _compared(evidence, words, words):
            changes.append((words, change))
    return changes


def _lines_of_facts(
    evidence: Evidence,
) -> tuple[list[Sequence[Word]], list[Sequence[Word]]]:
    """Return the stretches of words with attested data, and others that may state a fact."""
    attested = set(_values_of(evidence.attested))
    with_attested: list[Sequence[Word]] = []
    others: list[Sequence[Word]] = []
    for page in evidence.pages[: tunables.MAX_PAGES]:
        for line in page.lines:
            for words in _stretches(line, evidence):
                text = " ".join(word.text for word in words)
                letters = bare(text)
                if any(value in letters for value in attested):
                    with_attested.append(words)
                elif _is_fact(text):
                    others.append(words)
    return with_attested, others


def _values_of(attested: object) -> Iterator[str]:
    if isinstance(attested, Mapping):
        for value in attested.values():
            yield from _values_of(value)
    elif isinstance(attested, (list, tuple)):
        for value in attested:
            yield from _values_of(value)
    elif isinstance(attested, str):
        letters = bare(attested)
        if len(letters) >= tunables.SHORTEST_SHOWN:
            yield letters


def _stretches(line: Line, evidence: Evidence) -> Iterator[Sequence[Word]]:
    """Yield the words of a line that the file states, without the wide gaps of a table.

    Words that cannot be seen and state no fact are left out: `facts_unseen` reports them.
    """
    stretch: list[Word] = []
    for word in line.words:
        if word.source != "text layer" or not word.box.area:
            continue
        if _is_unseen(evidence, word):
            continue
        if stretch and word.box.x0 - stretch[-1].box.x1 > tunables.TABLE_GAP:
            yield stretch
            stretch = []
        stretch.append(word)
    if stretch:
        yield stretch


def _is_unseen(evidence: Evidence, word: Word) -> bool:
    for piece in evidence.once(unseen_text_of):
        # Something may lie over a number, in a form within forms, that shows another one.
        if _is_fact(piece.text):
            continue
        if piece.box.contains_centre_of(word.box) and word.text in piece.text:
            return True
    return False


def _is_fact(text: str) -> bool:
    if is_of_the_form(text):
        return False
    digits = sum(map(str.isdigit, text))
    return digits >= tunables.DIGITS or bool(split_legal_form(text)[1])


def _too_small(evidence: Evidence, words: Sequence[Word]) -> Change | None:
    """Return the words as not shown if they are too small to be read by people."""
    box = enclosing(word.box for word in words)
    height = box.height * evidence.pages[box.page - 1].height
    if height >= tunables.TOO_SMALL or evidence.pages[box.page - 1].is_picture:
        return None
    return Change(box.page, " ".join(word.text for word in words), "", (box,))


def _compared(
    evidence: Evidence, words: Sequence[Word], around: Sequence[Word]
) -> Change | None:
    """Return the words and what the page shows in their place; None if it shows them.

    `around` are the words of their line. The line is read as a whole, because a word is read badly where
    the edge of the place cuts its neighbour.
    """
    text = " ".join(word.text for word in words)
    place = enclosing(word.box for word in around)
    readings = []
    for scale in (1, tunables.LARGER):
        reading = read_at(evidence, place, scale=scale)
        if reading is None or _shows(reading.text, text):
            return None
        if not reading.blank and not _is_sure(reading):
            return None
        readings.append(reading.text)
    first, second = readings
    if fuzz.ratio(bare(first), bare(second)) < tunables.SAME_SNIPPET:
        return None
    # The text behind a scan may stand beside its word, so that it is looked for on the whole page.
    if any(word.hidden for word in words) and _is_elsewhere(evidence, place.page, text):
        return None
    box = enclosing(word.box for word in words)
    return Change(box.page, text, first, (box,))


def _spelt_otherwise(
    evidence: Evidence, words: Sequence[Word], around: Sequence[Word]
) -> Change | None:
    """Return the first word that every size of the drawing shows otherwise, if only in one letter or digit.

    OCR often misreads a letter, so this is for the words of one value and not for whole pages.
    """
    # The text behind a scan was read by OCR itself.
    if any(word.hidden for word in around):
        return None
    place = enclosing(word.box for word in around)
    texts = [word.text for word in around]
    shown: dict[int, str] = {}
    for scale in (1, tunables.LARGER, tunables.LARGEST):
        reading = read_at(evidence, place, scale=scale)
        if reading is None:
            return None
        others = other_words(reading, texts)
        if scale == 1:
            shown = {i: other for i, other in others.items() if around[i] in words}
        # What is misread differs from one size to the next.
        shown = {
            i: other
            for i, other in shown.items()
            if form_of(others.get(i, "")) == form_of(other)
        }
        if not shown:
            return None
    index, other = next(iter(shown.items()))
    return Change(place.page, texts[index], other, (around[index].box,))


def _is_sure(reading: Snippet) -> bool:
    least = min((sure for _, sure in reading.words), default=0.0)
    return reading.confidence >= tunables.SURE and least >= tunables.SURE_READING


def _is_elsewhere(evidence: Evidence, number: int, text: str) -> bool:
    lines = recognised_lines(evidence, number)
    if isinstance(lines, str):
        return True
    return _shows(" ".join(line.text for line in lines), text)


def _shows(reading: str, text: str) -> bool:
    """Whether the reading has the numbers and the words of the text."""
    plain = _plain(reading)
    as_digits = plain.translate(DIGITS_FOR)
    for number in NUMBER.findall(text):
        digits = bare(number)
        if len(digits) >= tunables.DIGITS and not _has_number(as_digits, digits):
            return False
    for word in re.findall(r"[^\W\d_]+", text):
        letters = _plain(word)
        if len(letters) < tunables.SHORTEST_SHOWN or not LATIN.match(letters):
            continue
        if fuzz.partial_ratio(letters, plain) < tunables.ALIKE:
            return False
    return True


def _has_number(reading: str, digits: str) -> bool:
    if digits in reading:
        return True
    best = fuzz.partial_ratio_alignment(digits, reading)
    if best is None:
        return False
    place = reading[best.dest_start : best.dest_end]
    if len(place) != len(digits):
        return False
    return sum(a != b for a, b in zip(place, digits, strict=True)) <= 1


def _plain(text: str) -> str:
    """Return the letters and digits without case and accents."""
    decomposed = unicodedata.normalize("NFKD", text)
    return bare("".join(c for c in decomposed if not unicodedata.combining(c)))
