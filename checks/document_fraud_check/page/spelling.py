"""Which words of a line OCR reads otherwise than the file states them, if only in one letter or digit."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rapidfuzz.distance import Levenshtein

from checks.document_fraud_check import tunables
from checks.text.folding import folded

if TYPE_CHECKING:
    from checks.readers.ocr.snippets import Snippet

# OCR takes these for one another.
AS_ONE = str.maketrans("ijloszbv", "1110528u")
AS_TWO = (("rn", "m"), ("uu", "w"), ("c1", "d"), ("11", "u"))

# Letters of other languages, one at a time, and what may be seen for one.
OTHER_LETTERS = re.compile(r"[^\x00-\x7f]")
ANY_LETTERS = ".{0,2}"


def other_words(reading: Snippet, words: Sequence[str]) -> Mapping[int, str]:
    """Return the words that the reading has in place of these, by their index, where it is sure of them.

    The words between two that agree stand for one another if there are as many on both sides.
    """
    stated = [form_of(word) for word in words]
    seen = [form_of(word) for word, _ in reading.words]
    others: dict[int, str] = {}
    for code in Levenshtein.opcodes(stated, seen):
        if code.tag != "replace":
            continue
        if code.src_end - code.src_start != code.dest_end - code.dest_start:
            continue
        pairs = zip(
            range(code.src_start, code.src_end),
            reading.words[code.dest_start : code.dest_end],
            strict=True,
        )
        for index, (word, sure) in pairs:
            if sure >= tunables.SURE and is_other_word(words[index], word):
                others[index] = word
    return others


def is_other_word(stated: str, seen: str) -> bool:
    """Whether two words differ in more than what OCR takes for one another.

    OCR of one language knows Latin letters only. It drops or adds a letter of a short word too easily.
    """
    first, second = form_of(stated), form_of(seen)
    if not first.isascii() or not second.isascii() or _may_be_seen(stated, second):
        return False
    shortest = min(len(first), len(second))
    return len(first) == len(second) or shortest >= tunables.SHORTEST_SHOWN


def _may_be_seen(stated: str, seen: str) -> bool:
    """Whether OCR may see this form of the word: “Matopolski” for “Małopolski”.

    For a letter that its language does not have it takes another one, or two, and is as sure.
    """
    parts = OTHER_LETTERS.split(unicodedata.normalize("NFC", stated))
    forms = [re.escape(form_of(part)) for part in parts]
    return re.fullmatch(ANY_LETTERS.join(forms), seen) is not None


def form_of(word: str) -> str:
    """Return the letters and digits of a word, with one sign for each group of look-alikes."""
    letters = folded(word).replace(" ", "").translate(AS_ONE)
    for pair, single in AS_TWO:
        letters = letters.replace(pair, single)
    return letters
