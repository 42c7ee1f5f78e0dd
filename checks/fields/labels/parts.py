"""An address whose parts each have a label of their own, as on forms of tax authorities."""

from __future__ import annotations

import re
from collections.abc import Sequence

from checks.fields import tunables
from checks.fields.addresses.postal import Address
from checks.fields.extracted import ExtractedValue
from checks.fields.labels.pairs import Pair
from checks.text.characters import has_digit
from checks.text.words import Span

STREET = ("street", "locality")
HOUSE = frozenset({"numero", "number", "no", "nr", "hausnummer", "huisnummer"})
POSTCODE = re.compile(
    r"(?=[^\n]*\d)(?:[A-Z]{1,2} ?- ?)?[\dA-Z.]{2,8}(?:[ -]\d[\dA-Z]{1,3})?(?![\w-])"
)
PARTS = (*STREET, "city", "state", "postcode")


def address_of_parts(
    pairs: Sequence[Pair], country: str
) -> ExtractedValue[Address] | None:
    """Return the first address of labelled parts, or None.

    It must have a postal code, and a street or a town.
    """
    for group in _groups(pairs):
        address = _of_group(group, country)
        if address:
            return address
    return None


def _groups(pairs: Sequence[Pair]) -> list[list[Pair]]:
    """Return the labelled parts that follow one another, with no label of another field between them.

    “Numéro” and “No.” are labels of a house, and also of a register.
    """
    groups: list[list[Pair]] = [[]]
    for pair in pairs:
        if pair.field in PARTS:
            groups[-1].append(pair)
        elif pair.sure:
            groups.append([])
    return groups


def _of_group(pairs: Sequence[Pair], country: str) -> ExtractedValue[Address] | None:
    parts: dict[str, list[str]] = {}
    spans: list[Span] = []
    has_house = False
    for pair in pairs:
        has_house = has_house or pair.label in HOUSE
        # A second postal code begins another address.
        if pair.field == "postcode" and "postcode" in parts:
            break
        value = " ".join(pair.value.split()).strip(" ,;")
        # Two labels may share a cell; its value is one part only.
        is_new = all(value not in known for known in parts.values())
        if value and is_new and (pair.sure or not pair.weak):
            parts.setdefault(pair.field, []).append(value)
            spans.append(pair.span)
    code = parts.get("postcode", [""])[0]
    if not POSTCODE.match(code):
        # A longer number is that of the next row.
        return None
    if not has_digit(code) or not ("street" in parts or "city" in parts):
        return None
    of_street: list[str] = []
    for field in STREET:
        of_street += parts.get(field, [])
    street = ", ".join(of_street)
    if has_house and not has_digit(street):
        # The number of the house has a label of its own, and was not read.
        return None
    city = parts.get("city", [""])[0]
    state = parts.get("state", [""])[0]
    # A longer value is the code with the name of the town behind it.
    code = code if len(code) <= tunables.CODE_LETTERS else code.split()[0]
    address = Address(street or city, None, city, state, country, code)
    span = Span(spans[0].start, spans[0].end)
    return ExtractedValue(address, span, "from the labels of its parts", 0.85)
