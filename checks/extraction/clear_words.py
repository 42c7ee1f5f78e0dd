"""Whether the words of a value were read clearly: a picture that is read again has to give the same words, and a
page has to show those that its file states.

One engine may misread a letter in every size, so that agreement alone is no proof. A word of which it was not
sure, and one with letters that no language joins so, is not clear either.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from checks.document_fraud_check.page.misdrawn import misdrawn_at
from checks.evidence import Evidence
from checks.extraction import tunables
from checks.extraction.altered_values import is_edited
from checks.text.folding import folded
from checks.text.words import Span, Text, Word

# What an engine without the letters of a language reads for them.
MISREADINGS = (
    # Facturación: facturaci6n.
    re.compile(r"[a-zà-ÿ]\d[a-zà-ÿ]"),
    # Straße: StraRe, StraBe.
    re.compile(r"[aeiouäöü][RB](?:e|\b)"),
    # L'Abbaye: I'Abbaye.
    re.compile(r"\bI['\u2019]"),
    # Sp. z o.o.: Sp. z 0.0.
    re.compile(r"\b0\.0\b"),
    # Straße: Stra&e. Bodø: BOD@. Ubi: UB].
    re.compile(r"[^\W\d_][&@!\]\[][a-zà-ÿ]|[^\W\d_][@\]\[]"),
    # Ilse Meier: llse Meier. HOLDING: HOlDING. McIntyre is no such word, and no particle is as long.
    re.compile(r"^l[a-zà-ÿ]{3}|[A-ZÀ-Þ]l[A-ZÀ-Þ]"),
    # S.r.l.: S.r.1. Cortiça: Corticga.
    re.compile(r"[a-z]\.1\b|[a-z]cg[aou]"),
    # Stiller: StiIler. Hill: HilI.
    re.compile(r"(?<!M)(?<!Ma)[a-zà-ÿ]Il|lI(?:[a-zà-ÿ]|\b)"),
    # Jl. Cihampelas: Ji. Cihampelas.
    re.compile(r"\bJi\. ?(?=[A-ZÀ-Þ])"),
    # Bank plc: Bank pic.
    re.compile(r"\bpic\b"),
    # Marks of a logo or a stamp.
    re.compile(r"[|{}<>~©®«»\\_=]"),
)
# Gürtel: Giirtel. Finnish and Estonian have this vowel themselves, and others that are as long.
TWO_DOTS = re.compile(r"[^\W\d_]ii|ii[^\W\d_]")
LONG_VOWEL = re.compile(r"[^\W\d_]uu|uu[^\W\d_]")


def is_clear(evidence: Evidence, text: Text, span: Span, value: str | None) -> bool:
    """Whether the words of a span were read clearly. Words that a file states are, if its page shows no others.

    Only words of the value itself count: a bad reading beside it does no harm. Without a value all count.
    """
    boxes = text.boxes(span)
    if evidence.kind == "pdf" and any(misdrawn_at(evidence, boxes)):
        # Where the file itself shows an edit, the comparison says what was there: altered.
        return is_edited(evidence, boxes)
    words = []
    for word in text.words(span):
        is_of_value = value is None or word.text.strip(".,;:()") in value
        has_letters = any(map(str.isalnum, word.text))
        if word.source == "OCR" and has_letters and is_of_value:
            words.append(word)
    has_ii = LONG_VOWEL.search(text.value) is not None
    return all(_is_clear_line(evidence, line, has_ii=has_ii) for line in _lines(words))


def _is_clear_line(evidence: Evidence, words: Sequence[Word], *, has_ii: bool) -> bool:
    """`has_ii` tells whether the language of the text has words such as Niinistö."""
    confidence = min(word.confidence for word in words)
    if confidence < tunables.CLEAR:
        return False
    line = " ".join(word.text for word in words)
    if any(pattern.search(line) for pattern in MISREADINGS):
        return False
    if TWO_DOTS.search(line) and not has_ii:
        return False
    readings = evidence.read_again(words)
    agreements = (_key(reading) == _key(line) for reading in readings)
    if confidence < tunables.SURE:
        return all(agreements)
    # A line may be cut badly once. There is none to compare where the picture is not kept.
    is_first_equal = next(agreements, True)
    return is_first_equal or any(agreements)


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
