"""Whether a change altered a fact: the text that was legible before, compared with the text now.

Words of a template, page numbers, and repeated words are no facts: hiding them changes nothing that
the document says. Any other legible text counts as a fact.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

from checks.base import Change
from checks.data import table
from checks.document_fraud_check import tunables
from checks.text.characters import count_letters_and_digits, has_digit

# Only lines, crosses or zeros in the place of a value.
FILLER = re.compile(r"^[\W_xX0#]+$")
# Date formats that forms print, in several languages: DD/MM/YYYY, jj.mm.aaaa.
DATE_FORM = re.compile(r"^[DMYJATGdmyjatg\s./-]{4,12}$")
BRACKETED = re.compile(r"^\W*[\[{<«]|^\W*[$%][{(\w]|[\]}>»]\W*$")
PAGE_NUMBER = re.compile(
    r"^\W*(?:page|pag\.?|p\.|seite|página|folio)\W*\d{1,4}(?:\W*(?:of|/|de|von|sur)\W*\d{1,4})?\W*$",
    re.IGNORECASE,
)
# Without the word “page” it is a page number only at the edge of a page. Elsewhere 3/64 is a house
# number or a share.
BARE_PAGE_NUMBER = re.compile(
    r"^\W*(?:[1-9]\d{0,3}\W*(?:of|/|de|von|sur)\W*[1-9]\d{0,3}|-\W*\d{1,4}\W*-)\W*$",
    re.IGNORECASE,
)
# A number with its separators and what may be its sign: 10,000.00, 12/31/2019, -5, (5.00) and 5.00-.
WHOLE_NUMBER = re.compile(
    r"(?P<before>(?<![\w.,])[-\u2212\u2013(][$\u20ac\u00a3]?)?(?P<digits>\d(?:[\d.,/'\u2019-]*\d)?)(?P<behind>[-\u2212)](?!\w))?"
)
# A number whose last sign stands before its decimals: 1,234.56, 1.234,56 and 1.5, but not 1.234.
DECIMAL = re.compile(r"(\d{1,3}(?:[.,'\u2019]\d{3})+|\d+)[.,](\d{1,2})")
MINUS = "\u2212\u2013-"
# A minus in a text without gaps: “Total-5”, but not 1-5.
MINUS_BEFORE = re.compile(rf"(?<!\d)[{MINUS}](?=[$\u20ac\u00a3]?\d)")

# What is neither a letter nor a digit, and does not stand between two digits.
NOT_IN_NUMBER = re.compile(r"(?<!\d)[\W_]|[\W_](?!\d)")


def alters(change: Change) -> bool:
    """Whether something that the document says was replaced or removed."""
    if count_letters_and_digits(change.before) < tunables.LEGIBLE:
        return False
    if says_the_same(change.before, change.after) or is_of_the_form(change.before):
        return False
    return not _renumbers(change)


def _renumbers(change: Change) -> bool:
    """Whether a page number at the edge of the page was removed or replaced by another one."""
    # Without a place it cannot be known whether this is at the edge of a page.
    if not change.boxes or not BARE_PAGE_NUMBER.search(change.before):
        return False
    for box in change.boxes:
        if box.y1 > tunables.PAGE_EDGE and box.y0 < 1 - tunables.PAGE_EDGE:
            return False
    if not change.after.strip():
        return True
    return bool(BARE_PAGE_NUMBER.search(change.after))


def says_the_same(before: str, after: str) -> bool:
    """Whether all the text is still legible, possibly in another order or with other words
    added.
    """
    if not bare(before) or _is_written_anew(before, after):
        return True
    # Numbers are compared first, as whole numbers: without separators, 10,000 would be found in
    # 100,000.
    if _numbers(before) - _numbers(after):
        return False
    # The same letters in a row, or the same words in another order: a program may write a line anew
    # with other gaps.
    return bare(before) in bare(after) or not _words(before) - _words(after)


def is_of_the_form(text: str) -> bool:
    """Whether the text belongs to a template: a placeholder, a label, an instruction, a page
    number.
    """
    # First the fixed forms: fillers, date formats, page numbers.
    stripped = text.strip()
    for pattern in (FILLER, DATE_FORM, PAGE_NUMBER):
        if pattern.search(stripped):
            return True
    # Text with a digit may be a value, whatever the words are.
    if has_digit(stripped):
        return False
    words = re.findall(r"[^\W\d_][^\W\d_'-]*", stripped)
    # A label is short. Many words are a sentence, which may state a fact.
    if len(words) > tunables.LABEL_WORDS:
        return False
    # “[Name]”, “<date>” and “Name:” are written like placeholders and labels.
    if BRACKETED.search(stripped) or stripped.endswith(":"):
        return True
    return bool(words) and all(map(_is_label, words))


@cache
def _labels() -> frozenset[str]:
    """Return the words of labels and instructions on forms. Text that has only such words is no fact."""
    words: set[str] = set()
    for row in table("form_words"):
        if row["kind"] == "label":
            words.update(map(str.casefold, row["words"].split("|")))
    return frozenset(words)


@cache
def _labels_that_are_cut() -> frozenset[str]:
    """Return the English labels: other languages make words of their endings, as of names."""
    for row in table("form_words"):
        if row["kind"] == "label" and row["language"] == "en":
            return frozenset(row["words"].split("|"))
    return frozenset()


def _is_label(word: str) -> bool:
    """Whether this is a word of labels, or the part of one that a shape leaves uncovered."""
    # The capital of the Turkish i has a dot, which would stay behind as a sign of its own.
    folded = word.replace("\u0130", "i").casefold()
    singular = folded.removesuffix("'s").removesuffix("s")
    if folded in _labels() or singular in _labels():
        return True
    # A shape may cover a label only in part. Very short remains fit too many labels.
    if len(folded) < tunables.SHORTEST_PART:
        return False
    for label in _labels_that_are_cut():
        if len(label) < tunables.SHORTEST_CUT_LABEL:
            continue
        if label.startswith(folded) or label.endswith(folded):
            return True
    return False


def bare(text: str) -> str:
    """Return only the letters and digits, ignoring case."""
    return re.sub(r"[\W_]", "", text).casefold()


def _without_gaps(text: str) -> str:
    """Return the letters and digits in a row, with the separators within numbers: a program may draw
    a line without its spaces, and NB1 1AA is then NB11AA.
    """
    return NOT_IN_NUMBER.sub("", "".join(text.split())).casefold()


def _is_written_anew(before: str, after: str) -> bool:
    """Whether the texts differ in gaps alone, and no number has got another sign."""
    if _without_gaps(before) != _without_gaps(after):
        return False
    return _negative("".join(before.split())) == _negative("".join(after.split()))


def _negative(text: str) -> int:
    """Return how many numbers of a text without gaps have a minus, or stand in brackets as amounts below
    zero do.
    """
    behind = 0
    for number in WHOLE_NUMBER.finditer(text):
        behind += _is_negative(number) and (number["before"] or "(").startswith("(")
    return len(MINUS_BEFORE.findall(text)) + behind


def _is_negative(number: re.Match[str]) -> bool:
    before, behind = number["before"] or "", number["behind"] or ""
    is_amount = bool(DECIMAL.fullmatch(number["digits"]))
    if before.startswith("("):
        return is_amount and behind == ")"
    # “-5-” is the number of a page.
    is_behind = bool(behind) and behind in MINUS
    if before:
        return not is_behind
    return is_amount and is_behind


def _numbers(text: str) -> Counter[str]:
    """Return whole numbers with their decimals and signs, so that 10,000 is not found in 100,000, and
    neither is 1.5 in 15, or -5 in 5.
    """
    numbers: Counter[str] = Counter()
    for match in WHOLE_NUMBER.finditer(text):
        decimal = DECIMAL.fullmatch(match["digits"])
        plain = bare(match["digits"])
        if decimal:
            plain = f"{bare(decimal[1])}.{decimal[2]}"
        sign = "-" if _is_negative(match) else ""
        numbers[sign + plain] += 1
    return numbers


def _words(text: str) -> Counter[str]:
    return Counter(filter(None, map(bare, text.split())))
