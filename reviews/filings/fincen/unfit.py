"""Attested values of the subject that FinCEN's form does not take.

In the file their place is empty, or the form's own indicator says "unknown". That is not true of a
value that was attested, so a person states it in the narrative.
"""

from __future__ import annotations

from collections.abc import Iterator

from papers import countries
from reviews import results
from reviews.filings.fincen import subject
from reviews.filings.fincen.elements import plain
from reviews.filings.fincen.facts import Facts
from reviews.models import Case, Kind
from reviews.results.reading import label

# Name of an attested member, and its value.
Row = tuple[str, str]
# Members that may be lists. The form takes the first value.
_LISTS = (
    "first_name",
    "middle_name",
    "last_name",
    "registered_business_name",
    "business_name",
    "website",
    "email",
    "contact_email_address",
    "phone",
    "contact_phone_number",
    *subject.TAX_NUMBERS,
)


def values(case: Case) -> list[Row]:
    """(English label, value) of each attested value that the file does not have."""
    data = subject.mapping(case.self_attested_data)
    rows = [*_of_address(case, data), *_of_numbers(data), *_further(data)]
    if case.kind == Kind.KYC:
        rows += [*_of_person(data), *_of_paper(data)]
    named: list[Row] = []
    for name, value in rows:
        if value:
            named.append((label(name), value))
    return list(dict.fromkeys(named))


def outside(case: Case, stated: Facts, narrative: str) -> list[Row]:
    """The values that stand neither in the file nor in the narrative. The label is "" for a value
    of which the file has the beginning.
    """
    text = plain(narrative).casefold()
    rows = [*values(case)]
    for value in subject.cut(case, stated):
        rows.append(("", value))
    return [row for row in rows if plain(row[1]).casefold() not in text]


def _of_person(data: subject.Data) -> Iterator[Row]:
    if not subject.birth_day(data):
        yield "date_of_birth", subject.first(data, "date_of_birth")
    if not subject.gender(data):
        yield "sex", subject.first(data, "sex")


def _of_paper(data: subject.Data) -> Iterator[Row]:
    paper = subject.paper(data)
    number = subject.first(paper, "document_number")
    kind = subject.first(paper, "document_type")
    issuer = subject.first(paper, "issuing_country")
    # The form has a number and its kind, or neither.
    is_left_out = not number or not kind
    if is_left_out:
        yield "document_number", number
        yield "document_type", kind
    if is_left_out or not countries.code(issuer):
        yield "issuing_country", issuer


def _of_address(case: Case, data: subject.Data) -> Iterator[Row]:
    place = subject.place(case, data)
    attested = subject.first(place, "country_code")
    code = countries.code(attested)
    if not code:
        yield "country", attested
    region = subject.first(place, "state")
    if not subject.state(region, code):
        yield "state", region
    postal_code = subject.first(place, "postal_code")
    if not subject.zip_code(postal_code):
        yield "postal_code", postal_code
    # The form has room for one address.
    other = subject.mapping(data.get("address_of_incorporation"))
    if case.kind == Kind.KYB and other != place:
        yield "address_of_incorporation", plain(results.text(other))


def _of_numbers(data: subject.Data) -> Iterator[Row]:
    phone = subject.first(data, "phone", "contact_phone_number")
    if not subject.digits(phone):
        yield "phone", phone
    number = subject.first(data, *subject.TAX_NUMBERS)
    if not subject.bare(number):
        yield "tax_number", number


def _further(data: subject.Data) -> Iterator[Row]:
    """The values of a list behind the first one."""
    for name in _LISTS:
        value = data.get(name)
        if isinstance(value, list):
            for item in value[1:]:
                yield name, plain(results.text(item))
