"""An address whose parts have each a label of their own, as forms of tax authorities have it."""

from __future__ import annotations

from collections.abc import Sequence

from checks.fields import tunables
from checks.fields.addresses.postal import Address
from checks.fields.extracted import ExtractedValue
from checks.fields.labels.pairs import Pair
from checks.text.words import Span

STREET = ("street", "locality")
PARTS = (*STREET, "city", "state", "postcode")


def address_of_parts(
    pairs: Sequence[Pair], country: str
) -> ExtractedValue[Address] | None:
    """The first address of labelled parts. Its postal code, and a street or a town, must be among them."""
    parts: dict[str, list[str]] = {}
    spans: list[Span] = []
    for pair in pairs:
        if pair.field not in PARTS:
            continue
        # A second postal code begins another address.
        if pair.field == "postcode" and "postcode" in parts:
            break
        value = " ".join(pair.value.split()).strip(" ,;")
        if value and (pair.sure or not pair.weak):
            parts.setdefault(pair.field, []).append(value)
            spans.append(pair.span)
    code = parts.get("postcode", [""])[0]
    if not any(map(str.isdigit, code)) or not ("street" in parts or "city" in parts):
        return None
    street = ", ".join(part for field in STREET for part in parts.get(field, ()))
    city = parts.get("city", [""])[0]
    state = parts.get("state", [""])[0]
    code = code if len(code) <= tunables.CODE_LETTERS else code.split()[0]
    address = Address(street or city, None, city, state, country, code)
    span = Span(spans[0].start, spans[0].end)
    return ExtractedValue(address, span, "from the labels of its parts", 0.85)
