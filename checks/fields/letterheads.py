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
    start = text.value.rfind("\n", 0, span.start) + 1
    end = text.value.find("\n", span.end)
    end = len(text.value) if end < 0 else end
    before = text.value[start : span.start]
    if not BETWEEN.search(text.value[start:end]):
        above = text.value.rfind("\n", 0, max(start - 1, 0)) + 1
        line_above = text.value[above : max(start - 1, 0)]
        # Only a number that begins the line, or is alone with its label, goes on from above.
        is_rest = len(before) <= tunables.LABEL_OF_REST
        if not (is_rest and BETWEEN.search(line_above) and GOES_ON.search(line_above)):
            return False
        start = above
    head = BETWEEN.split(text.value[start : span.start])
    tail = BETWEEN.split(text.value[span.end : end])
    beside = [*head[:-1], *tail[1:]]
    # The first part of the line may have the name of the office before its address.
    return any(CONTACT.search(part.strip()) for part in beside)


def stands_beside_contact(text: Text, span: Span) -> bool:
    """Whether the line has a telephone, a postal code and the like besides the passage."""
    start = text.value.rfind("\n", 0, span.start) + 1
    end = text.value.find("\n", span.end)
    end = len(text.value) if end < 0 else end
    before, behind = text.value[start : span.start], text.value[span.end : end]
    return bool(CONTACT.search(before) or CONTACT.search(behind))


def is_address_of_issuer(text: Text, span: Span) -> bool:
    """Whether an address of a letter or bill stands in a line of particulars, beside a telephone, a tax number and the like."""
    start = text.value.rfind("\n", 0, span.start) + 1
    end = text.value.find("\n", span.end)
    end = len(text.value) if end < 0 else end
    parts = BETWEEN.split(
        f"{text.value[start : span.start]}\0{text.value[span.end : end]}"
    )
    beside = [part.strip() for part in parts if "\0" not in part]
    return any(CONTACT.search(part) or OF_TAX.search(part) for part in beside)


def is_small_print(text: Text, span: Span, other: Span) -> bool:
    """Whether the passage is printed clearly smaller than the other one. Both must have digits of one kind."""
    own, height = _height(text, span), _height(text, other)
    return 0 < own < tunables.SMALL_PRINT * height


def _height(text: Text, span: Span) -> float:
    """Return the height of the digits; 0 where every word has a character that is higher or lower than those."""
    heights = [word.box.height for word in text.words(span) if PLAIN.fullmatch(word.text)]  # fmt: skip
    return max(heights, default=0.0)
