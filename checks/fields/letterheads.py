"""Tells the particulars of whoever issues a paper from what the paper states.

Registers, offices and suppliers print their own address, telephone and number in the head or the
foot of a page, in one line or in small print. Such a number or address is never the one that the
paper is about, if the paper has another one of the kind.
"""

from __future__ import annotations

import re

from checks.fields import tunables
from checks.text.words import Span, Text

# Between the particulars of such a line. A comma is none: it also stands within an address.
BETWEEN = re.compile(r"\s*[·•|]\s*|\s+[-\u2013—]\s+")
# One of the particulars: a telephone, a page of the web, a box of the post, a postal code with its town.
CONTACT = re.compile(
    r"\b(?:tel|telefon\w*|téléphone|telefone|teléfono|phone|puh|fax|e-?mail|www|https?)\b|@"
    r"|\b(?:p\.? ?o\.? ?box|box \d|postfach|postbus|postboks|boîte postale|apartado|caixa postal)"
    r"|(?<![\w.,-])(?:[A-Z]{1,2}-)?(?:\d{4,5}|\d{3} \d{2}|\d{2}-\d{3}|\d{4}-\d{3}|\d{4} ?[A-Z]{2}) (?-i:[A-ZÀ-Þ](?:[^\W\d_]|[ '\u2019][A-ZÀ-Þ]))"
    r"|^\+?\(?\d{2,5}\)?[ /-]\d[\d -]{4,12}$",
    re.IGNORECASE,
)
# Whoever sends bills prints its tax number beside its address.
OF_TAX = re.compile(
    r"\b(?:C\.?I\.?F|N\.?I\.?F|N\.?I\.?P\.?C|P\.? ?IVA|partita iva|VAT|USt|UID|SIRET|SIREN|RCS|TVA|org\.? ?nr|CNPJ|NIP|ABN|KVK|BTW|HRB|CVR|IČO?|DIČ|ΑΦΜ)\b",
    re.IGNORECASE,
)
# The line is full, and its last part goes on below: “… · Org.nr” and the number.
GOES_ON = re.compile(r"(?:[·•|\u2013—-]|\b(?:n[.°º]?|nr|no|number|nummer)\b\.?:?|:|[^\W\d_]{3,}\.?)\s*$", re.IGNORECASE)  # fmt: skip

# Brackets, strokes and commas are higher or lower than digits.
PLAIN = re.compile(r"(?=.*\d)[\dA-IK-PR-Z.-]+")


def is_of_issuer(text: Text, span: Span) -> bool:
    """Whether the passage stands in a line of particulars: an address, a telephone and the like, with marks between.

    The line must have another of them beside the passage.
    """
    before = text.before_on_line(span)
    behind = text.behind_on_line(span)
    passage = text.value[span.start : span.end]
    if not BETWEEN.search(before + passage + behind):
        line_above = _line_above(text, span)
        is_row = BETWEEN.search(line_above) and GOES_ON.search(line_above)
        # Only a number that begins the line, or is alone with its label, goes on from above.
        if not is_row or len(before) > tunables.LABEL_OF_REST:
            return False
        before = f"{line_above}\n{before}"
    # The first part of the line may have the name of the office before its address.
    for part in _parts_beside(before, behind):
        if CONTACT.search(part.strip()):
            return True
    return False


def _line_above(text: Text, span: Span) -> str:
    end = max(text.line_start(span.start) - 1, 0)
    return text.value[text.line_start(end) : end]


def _parts_beside(before: str, behind: str) -> list[str]:
    """Return the parts of a line between marks, without the part with the passage."""
    return [*BETWEEN.split(before)[:-1], *BETWEEN.split(behind)[1:]]


def stands_beside_contact(text: Text, span: Span) -> bool:
    """Whether the line has a telephone, a postal code and the like besides the passage."""
    before = text.before_on_line(span)
    behind = text.behind_on_line(span)
    return bool(CONTACT.search(before) or CONTACT.search(behind))


def is_address_of_issuer(text: Text, span: Span) -> bool:
    """Whether an address of a letter or bill stands in a line of particulars, beside a telephone, a tax number and the like."""
    before = text.before_on_line(span)
    behind = text.behind_on_line(span)
    for part in _parts_beside(before, behind):
        if CONTACT.search(part.strip()) or OF_TAX.search(part):
            return True
    return False


def is_small_print(height: float, other: float) -> bool:
    """Whether digits of this height are printed clearly smaller than the other ones. Heights are those of
    `digit_height`.
    """
    return 0 < height < tunables.SMALL_PRINT * other


def digit_height(text: Text, span: Span) -> float:
    """Return the height of the digits; 0 where every word has a character that is higher or lower than those."""
    height = 0.0
    for word in text.words(span):
        if PLAIN.fullmatch(word.text):
            height = max(height, word.box.height)
    return height
