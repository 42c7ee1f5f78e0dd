"""Whether OCR read the words of a value clearly: a picture that is read again has to give the same words.

One engine may misread a letter in every size, so that agreement alone is no proof. A word of which it was not
sure, and one with letters that no language joins so, is not clear either.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from checks.evidence import Evidence
from checks.extraction import tunables
from checks.fields.names.companies import folded
from checks.text.words import Span, Text, Word

# What an engine without the letters of a language reads for them: “Giirtel”, “facturaci6n”, “StraRe”, “I'Abbaye”,
# “o.o.” as “0.0.”, and marks of a logo or a stamp.
MISREAD = re.compile(
    r"[^\W\d_]ii|ii[^\W\d_]|[a-zà-ÿ]\d[a-zà-ÿ]|[a-zà-ÿ]{3}[A-Z](?:[a-zà-ÿ]|$)|\bI['\u2019]|\bI(?=[bcdfghjkpqtvwxz]{2})|\b0\.0\b|[|{}<>~©®«»\\_=]"
)


def is_clear(evidence: Evidence, text: Text, span: Span, value: str | None) -> bool:
    """Whether the words of a span were read clearly. Words of a file that states them always are.

    Only words of the value itself count: a bad reading beside it does no harm. Without a value all count.
    """
    words = []
    for word in text.words(span):
        is_of_value = value is None or word.text.strip(".,;:()") in value
        has_letters = any(map(str.isalnum, word.text))
        if word.source == "OCR" and has_letters and is_of_value:
            words.append(word)
    return all(_is_clear_line(evidence, line) for line in _lines(words))


def _is_clear_line(evidence: Evidence, words: Sequence[Word]) -> bool:
    sure = min(word.confidence for word in words)
    if sure < tunables.CLEAR:
        return False
    line = " ".join(word.text for word in words)
    if MISREAD.search(line):
        return False
    is_sure = sure >= tunables.SURE
    is_read_again = False
    for reading in evidence.read_again(words):
        is_read_again = True
        # A word of which the first reading was sure may be cut badly once. Each reading takes its time.
        if (_key(reading) == _key(line)) is is_sure:
            return is_sure
    return not (is_read_again and is_sure)


def _key(line: str) -> str:
    return folded(line)


def _lines(words: Sequence[Word]) -> list[list[Word]]:
    """Return the words that stand beside each other on one row, without wide gaps."""
    lines: list[list[Word]] = []
    for word in words:
        if lines and _is_next(lines[-1][-1], word):
            lines[-1].append(word)
        else:
            lines.append([word])
    return lines


def _is_next(before: Word, word: Word) -> bool:
    first, second = before.box, word.box
    if first.page != second.page or first.shared_rows(second) < tunables.SHARED:
        return False
    gap = second.x0 - first.x1
    return -first.height < gap < tunables.GAP * first.height
