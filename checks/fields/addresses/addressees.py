"""To whom a letter, statement or bill is addressed: the lines above an address."""

from __future__ import annotations

import re
from dataclasses import dataclass

from checks.evidence import Evidence
from checks.fields import tunables
from checks.fields.addresses.postal import Address, find_addresses
from checks.fields.extracted import ExtractedValue
from checks.fields.names.companies import is_sentence
from checks.fields.names.soundness import is_of_labels
from checks.text.blocks import by_blocks
from checks.text.characters import count_letters
from checks.text.phrases import Phrase
from checks.text.words import (
    Span,
    Text,
)

# Words near the sender, a payment address or a contact address. Such an address is not that of the
# addressee.
OTHERS = Phrase(
    r"\b(?:internal revenue|treasury department|department of|customer (?:service|care|support)|inquir|enquir|questions"
    r"|remit|payments? (?:to|address)|pay(?:able)? to|make checks?|mail (?:your )?(?:payments?|to)|return to|write to"
    r"|contact us|head office|registered office|registered in|issued by|prepared by|sold by|landlord|lessor|insurer"
    r"|underwritten|support|p\.?o\.? box [^\n]*billing)\b"
)
LABELS = Phrase(
    r"(?:^|\n|  )(?:account (?:holder|name|owner)s?|customer(?: name)?|cardholder|policy ?holder|(?:named )?insured"
    r"|tenants?(?: name)?|lessees?|borrowers?|mortgagors?|taxpayer(?: name)?|bill(?:ed)? to|invoice to|service (?:for|to)"
    r"|prepared for|statement for|account of|employee(?: name)?|beneficiary|name)"
    r"(?:\(s\))?(?: name)? ?: ?(?P<name>[^\n:]{2,80})",
)
# The window of a letter often has the sender above it, on one line with dots or strokes between its
# parts.
SENDER = re.compile(r"[^\n]*[^\W\d_]{2}[^\n]*[·•|\u2013-]\s*$")
CARE = re.compile(
    r"^(?:%|c/o\b|attn\b|attention\b|care of\b"
    r"|(?:(?:the |die |an die )?(?:directors?|company secretary|manager|owner|occupiers?|geschäftsführung|geschäftsleitung|eheleute|ehepaar)"
    r"|herrn?|frau|familie|firma|an|monsieur|madame|señora?|signora?|de heer|mevrouw)\W*$)",
    re.IGNORECASE,
)
AFTER = re.compile(
    r"\s+(?:(?:contact (?:person|telephone)|employer identification|telephone number|dln|id ?#|accounting period|public charity)\b.*"
    r"|(?:business |personal )?(?:checking|savings|current) account\b.*|account\s+(?:no|number)\b.*|[-\u2013|]\s.*)$",
    re.IGNORECASE,
)
NO_NAME = re.compile(
    r"[:#@]|\d{3,}|\b(?:page|statement|invoice|notice|date|period|account|amount|number|balance|bill|total"
    r"|dear|phone|tel|fax|email|form|service address|mailing address|billing address|address)\b",
    re.IGNORECASE,
)


CODE_OF_SENDER = re.compile(r"\b[A-Z]{2},? {1,2}\d{5}(?:-\d{4})?\b")


@dataclass(frozen=True, slots=True)
class Addressee:
    """An address, and the name above it if one was read."""

    name: ExtractedValue[str] | None
    address: ExtractedValue[Address]


def blocks_of(evidence: Evidence) -> Text:
    """Return the words by blocks, for `Evidence.once`.

    All spans that this module returns are positions in this text, not in `Evidence.text`: a line of
    the page would mix the window with the particulars to its right.
    """
    return by_blocks(evidence.pages)


def addressees_of(evidence: Evidence) -> list[Addressee]:
    """Return the addresses to which the document may have been sent, the likeliest first."""
    text = evidence.once(blocks_of)
    addressees = []
    for place in find_addresses(text):
        if place.value.role == "registered_agent":
            continue
        end = place.span.start
        start = text.value.rfind("\f", 0, end) + 1
        before = text.value[start:end]
        near = text.value[max(0, start - 30, end - 240) : end]
        # Words before another postal code belong to the block of the sender, so that they say
        # nothing about this address.
        codes = list(CODE_OF_SENDER.finditer(near))
        if codes:
            near = near[codes[-1].end() :]
        if OTHERS.search(near) or SENDER.search(before):
            continue
        name = _name_above(text, start, before)
        address = ExtractedValue(
            place.value.address, place.span, place.how, place.confidence
        )
        addressees.append(Addressee(name, address))
    return sorted(addressees, key=lambda addressee: addressee.name is None)


def _name_above(text: Text, start: int, before: str) -> ExtractedValue[str] | None:
    """Return the topmost line directly above the address that can be a name."""
    block = before.rstrip("\n")
    lines = block.split("\n")
    name: ExtractedValue[str] | None = None
    line_start = start + len(block)
    for line in reversed(lines[-tunables.MAX_LINES :]):
        line_start -= len(line)
        # “c/o” and “Herrn” are skipped, but do not end the search: the name may stand above or
        # below them.
        if not CARE.match(line):
            rest = AFTER.sub("", line).strip(" ,;*")
            if not _can_be_name(rest):
                break
            name_start = line_start + line.find(rest)
            span = Span.of(name_start, rest)
            name = ExtractedValue(rest, span, "the lines above an address", 0.85)
        # The line feed before it.
        line_start -= 1
    return name


def _can_be_name(line: str) -> bool:
    letters = count_letters(line)
    if letters < 3 or letters <= len(line) / 2:
        return False
    if is_of_labels(line) or is_sentence(line):
        return False
    return len(line) <= 90 and not NO_NAME.search(line)


def holder_of(evidence: Evidence) -> ExtractedValue[str] | None:
    """Return whose document it is: a labelled name, else the addressee.

    Its span belongs to `blocks_of`.
    """
    text = evidence.once(blocks_of)
    for match in LABELS.finditer(text.value):
        name = AFTER.sub("", match["name"]).strip(" ,;.*")
        if _can_be_name(name):
            start = match.start("name") + match["name"].find(name)
            span = Span.of(start, name)
            return ExtractedValue(name, span, "labelled as the holder", 0.9)
    for addressee in evidence.once(addressees_of):
        if addressee.name:
            return addressee.name
    return None
