"""Facts by which a case is recognised again, each in a normal form."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import phonenumbers

from checks.attested import tunables
from checks.attested.domains import is_free, registered
from checks.data_check import (
    country_of_address,
    id_data,
    issuing_country,
    mapping,
    text,
    texts,
)
from checks.screening.matching import blocking_keys
from checks.screening.matching.names import parse
from checks.text.characters import only_letters_and_digits
from checks.wire import JsonObject
from papers import countries

ADDRESSES = ("address_of_incorporation", "address_of_operation")


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact of a case. `value` is its normal form.

    A fact with `nominates` alone proves nothing: it only selects cases whose names are then
    compared.
    """

    kind: str
    label: str
    value: str
    nominates: bool = False
    subject: Literal["person", "business"] = "business"

    @property
    def mark(self) -> str:
        """A hash that is the same in other cases with this fact, and does not reveal the fact."""
        text = f"{self.subject}:{self.kind}:{self.value}"
        return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]


def of_person(attested: JsonObject) -> list[Fact]:
    """Return the facts of a person: number of the ID, email address, telephone number, date of
    birth.
    """
    card = id_data(attested)
    facts = []
    number = _packed(text(card.get("document_number")))
    if len(number) >= tunables.FEWEST:
        # Two countries may use the same number, so the country is part of the value.
        country = issuing_country(card)
        facts.append(Fact("id", "number of the ID", f"{country}{number}"))
    email = text(attested.get("email")).casefold()
    facts.append(Fact("email", "e-mail address", email))
    facts.append(Fact("phone", "telephone number", _phone(attested, "phone")))
    birth = text(attested.get("date_of_birth")) or text(card.get("date_of_birth"))
    # Many people share a date of birth, so it is useless without a name.
    if person_name(attested):
        facts.append(Fact("born", "date of birth", birth, nominates=True))
    return [replace(fact, subject="person") for fact in facts if fact.value]


def of_business(attested: JsonObject) -> list[Fact]:
    """Return the facts of a business: numbers, website, telephone number, email, addresses, name
    keys.
    """
    # One equal number, website, telephone number or email address links two cases. Places and names
    # only nominate.
    tax = _packed(text(attested.get("tin_number")))
    lei = _packed(text(attested.get("lei")))
    site = registered(text(attested.get("website")))
    # Millions of people share the domain of a free mail provider.
    if is_free(site):
        site = ""
    phone = _phone(attested, "contact_phone_number")
    email = text(attested.get("contact_email_address")).casefold()
    facts = [
        *_registrations(attested),
        Fact("tax", "tax number", tax),
        Fact("lei", "LEI", lei),
        Fact("domain", "website", site),
        Fact("phone", "telephone number", phone),
        Fact("email", "e-mail address", email),
        *of_places(attested),
        *_keys(attested),
    ]
    stated = [fact for fact in facts if fact.value]
    return list(dict.fromkeys(stated))


def _registrations(attested: JsonObject) -> Iterator[Fact]:
    country = country_of(attested)
    for value in texts(attested.get("business_registration_number")):
        number = _packed(value)
        if len(number) >= tunables.FEWEST:
            yield Fact("registration", "registration number", f"{country}{number}")


def of_places(attested: JsonObject) -> list[Fact]:
    """Return the places of a business.

    If two businesses share one, the caller compares the addresses in full.
    """
    places: dict[str, None] = {}
    for member in ADDRESSES:
        place = place_of(mapping(attested.get(member)))
        if place:
            places[place] = None
    return [Fact("place", "address", place, nominates=True) for place in places]


def place_of(address: JsonObject) -> str:
    """Return country, postal code (in the US its first five digits) and house number as one key.

    Without a postal code the city is used. The key is empty if too little is known.
    """
    code = country_of_address(address)
    area = _packed(text(address.get("postal_code")))
    if code == "US":
        area = area[: tunables.ZIP]
    if not area:
        area = _packed(text(address.get("city")))
    number = re.search(r"\d+", text(address.get("street_1")))
    if code and area and number:
        return f"{code}|{area}|{number[0].lstrip('0')}"
    return ""


def person_name(attested: JsonObject) -> str:
    first_names = texts(attested.get("first_name"))
    last_names = texts(attested.get("last_name"))
    return " ".join(first_names + last_names)


def business_names(attested: JsonObject) -> list[str]:
    names = texts(attested.get("business_name"))
    names += texts(attested.get("registered_business_name"))
    return list(dict.fromkeys(names))


def country_of(attested: JsonObject) -> str:
    """Return the country of incorporation, or else that of operation."""
    for member in ADDRESSES:
        code = country_of_address(mapping(attested.get(member)))
        if code:
            return code
    return ""


def _keys(attested: JsonObject) -> Iterator[Fact]:
    for name in business_names(attested):
        for key in blocking_keys.of_name(
            parse(name[: tunables.MAX_NAME], person=False)
        ):
            yield Fact("name", "name", str(key), nominates=True)


def _phone(attested: JsonObject, member: str) -> str:
    value = text(attested.get(member)) or text(attested.get("phone"))
    try:
        number = phonenumbers.parse(value, home_of(attested) or None)
    except phonenumbers.NumberParseException:
        return ""
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


def _packed(value: str) -> str:
    plain = unicodedata.normalize("NFKC", value).upper()
    return only_letters_and_digits(plain)


def home_of(attested: JsonObject) -> str:
    """The code of the country where the subject lives or is, as far as it states one; else ""."""
    values = [text(attested.get("country_of_residence"))]
    for key in ("address", "address_of_operation", "address_of_incorporation"):
        address = mapping(attested.get(key))
        values += [text(address.get("country_code")), text(address.get("country"))]
    for value in values:
        code = countries.code(value)
        if code:
            return code
    return ""
