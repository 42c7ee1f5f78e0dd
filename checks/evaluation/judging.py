"""Compares a value that was read with the true one: right, wrong, unsure or missing."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from checks.evaluation.labels import Labelled
from checks.extraction.tool import plain
from checks.fields.jurisdictions import by_code
from checks.fields.names.company_comparison import compare_names
from checks.fields.names.forms_of_address import person_of
from checks.fields.registration_numbers import compact
from checks.text.folding import folded
from checks.wire import JsonObject

Verdict = Literal["right", "wrong", "unsure", "missing", "rightly empty"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """The result for one field.

    `read` and `truth` are texts for a person; `kind` is that of the label.
    """

    file: str
    kind: str
    field: str
    verdict: Verdict
    read: str
    truth: str


# The members of an extraction for each field. The first with a value counts.
MEMBERS: Mapping[str, Sequence[str]] = {
    "name": ("business_name", "full_name", "name", "holder_name"),
    "number": ("business_registration_number", "ein", "tax_number"),
    "date": ("incorporation_date", "date"),
    "jurisdiction": ("jurisdiction",),
    "address": ("business_address", "address"),
    "issuer": ("issuer",),
    "total": ("total",),
}


def judge(document: Labelled, data: JsonObject) -> list[Judgement]:
    """Compare each field whose truth is known with the value of the extraction."""
    judgements = []
    for field, truth in document.truth.items():
        read, is_unsure = _read(data, field)
        judgements.append(
            Judgement(
                document.path.name,
                document.kind,
                field,
                _verdict(field, truth, read, is_unsure=is_unsure),
                "; ".join(read),
                "; ".join(truth),
            )
        )
    return judgements


def _read(data: JsonObject, field: str) -> tuple[list[str], bool]:
    unsure = data.get("unsure") or ()
    for member in MEMBERS[field]:
        if member in unsure:
            return _candidates(data, member), True
        value = data.get(member)
        if value:
            return _texts(value), False
    return [], False


def _candidates(data: JsonObject, member: str) -> list[str]:
    evidence = (data.get("evidence") or {}).get(member) or {}
    return [str(candidate["value"]) for candidate in evidence.get("candidates") or ()]


def _texts(value: object) -> list[str]:
    if isinstance(value, list):
        return [str(plain(item)) for item in value]
    return [str(plain(value))]


def _verdict(
    field: str, truth: Sequence[str], read: Sequence[str], *, is_unsure: bool
) -> Verdict:
    # An unsure field has candidates and no value, so it is neither right nor wrong.
    if is_unsure:
        return "unsure"
    # The document states no value: any value that was read is wrong.
    if not truth:
        return "wrong" if read else "rightly empty"
    if not read:
        return "missing"
    if COMPARE[field](truth, read):
        return "right"
    return "wrong"


def _name(truth: Sequence[str], read: Sequence[str]) -> bool:
    """Whether the name is right.

    A document may state several spellings, and one of them is enough. A form of address is no part of a name.
    """
    for name in truth:
        pairs = ((name, read[0]), (person_of(name, None), person_of(read[0], None)))
        if any(compare_names(*pair).state == "equal" for pair in pairs):
            return True
    return False


def _numbers(truth: Sequence[str], read: Sequence[str]) -> bool:
    return set(map(compact, truth)) <= set(map(compact, read))


def _date(truth: Sequence[str], read: Sequence[str]) -> bool:
    return read[0] in truth


def _jurisdiction(truth: Sequence[str], read: Sequence[str]) -> bool:
    """Whether the code or name is right.

    If the truth is a country, any part of it is right, too.
    """
    names = {folded(text) for text in truth}
    for place in by_code().values():
        if str(place) == read[0]:
            own = (place.code, place.name, place.country, place.country_code)
            return any(folded(text) in names for text in own)
    return folded(read[0]) in names


def _address(truth: Sequence[str], read: Sequence[str]) -> bool:
    """Whether the address is right.

    A label may be a part of it, such as the street or the postal code.
    """
    place = folded(read[0])
    return all(folded(part) in place for part in truth)


def _total(truth: Sequence[str], read: Sequence[str]) -> bool:
    """Whether the number is the same, and the currency if both state one, as in `EUR 131.48`."""
    return any(
        _amount(total) == _amount(read[0])
        and (
            _currency(total) == _currency(read[0])
            or "" in map(_currency, (total, read[0]))
        )
        for total in truth
    )


def _amount(text: str) -> Decimal | None:
    digits = re.sub(r"[^\d.]", "", text)
    return Decimal(digits) if digits.strip(".") else None


def _currency(text: str) -> str:
    code = re.search(r"[A-Z]{3}", text)
    return code[0] if code else ""


COMPARE: Mapping[str, Callable[[Sequence[str], Sequence[str]], bool]] = {
    "name": _name,
    "number": _numbers,
    "date": _date,
    "jurisdiction": _jurisdiction,
    "address": _address,
    "issuer": _name,
    "total": _total,
}
