"""The facts by which a case is known again, each in one form for all ways to write it."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import phonenumbers

from checks.data_check import id_data, mapping, text, texts
from checks.screening.matching import blocking_keys
from checks.screening.matching.names import parse
from checks.subject_data.contact import FREE, home_of, registered
from papers import countries

FEWEST = 4  # letters and digits: a shorter number tells nobody apart


@dataclass(frozen=True, slots=True)
class Fact:
    """`value` is the one form. One that only nominates says nothing alone: names are then compared."""

    kind: str
    label: str
    value: str
    nominates: bool = False
    subject: Literal["person", "business"] = "business"

    @property
    def mark(self) -> str:
        """A word that is the same in another case, and tells nothing of the fact."""
        text = f"{self.subject}:{self.kind}:{self.value}"
        return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]


def of_person(attested: Mapping[str, Any]) -> list[Fact]:
    """Of a person: the number of the ID, e-mail address, telephone number, date of birth."""
    card = id_data(attested)
    number = _packed(text(card.get("document_number")))
    country = countries.code(text(card.get("issuing_country")))
    facts = [
        Fact(
            "id",
            "number of the ID",
            f"{country}{number}" if len(number) >= FEWEST else "",
        ),
        Fact("email", "e-mail address", text(attested.get("email")).casefold()),
        Fact("phone", "telephone number", _phone(attested, "phone")),
    ]
    born = text(attested.get("date_of_birth")) or text(card.get("date_of_birth"))
    if person_name(attested):
        facts.append(Fact("born", "date of birth", born, nominates=True))
    return [replace(fact, subject="person") for fact in facts if fact.value]


def of_business(attested: Mapping[str, Any]) -> list[Fact]:
    """Of a business: its numbers, website, telephone number, e-mail address, addresses, and the
    keys of its names."""
    country = country_of(attested)
    registrations = map(_packed, texts(attested.get("business_registration_number")))
    site = registered(text(attested.get("website")))
    facts = [
        *(Fact("registration", "registration number", f"{country}{number}")
          for number in registrations if len(number) >= FEWEST),
        Fact("tax", "tax number", _packed(text(attested.get("tin_number")))),
        Fact("lei", "LEI", _packed(text(attested.get("lei")))),
        Fact("domain", "website", "" if site in FREE else site),
        Fact("phone", "telephone number", _phone(attested, "contact_phone_number")),
        Fact("email", "e-mail address", text(attested.get("contact_email_address")).casefold()),
        *of_places(attested),
        *_keys(attested),
    ]  # fmt: skip
    return list(dict.fromkeys(fact for fact in facts if fact.value))


def of_places(attested: Mapping[str, Any]) -> list[Fact]:
    """The places of a business; that two share one is compared in full by who asks."""
    addresses = (
        attested.get(key)
        for key in ("address_of_incorporation", "address_of_operation")
    )
    places = dict.fromkeys(place_of(mapping(address)) for address in addresses)
    return [
        Fact("place", "address", place, nominates=True) for place in places if place
    ]


def place_of(address: Mapping[str, Any]) -> str:
    """Country, postal code (of the US its first five digits) and number of the house.

    Without a postal code the city takes its place. Empty where that is too little to go by.
    """
    code = countries.code(
        text(address.get("country_code")) or text(address.get("country"))
    )
    postal = _packed(text(address.get("postal_code")))
    area = (postal[:5] if code == "US" else postal) or _packed(
        text(address.get("city"))
    )
    number = re.search(r"\d+", text(address.get("street_1")))
    if code and area and number:
        return f"{code}|{area}|{number[0].lstrip('0')}"
    return ""


def person_name(attested: Mapping[str, Any]) -> str:
    return " ".join(
        texts(attested.get("first_name")) + texts(attested.get("last_name"))
    )


def business_names(attested: Mapping[str, Any]) -> list[str]:
    names = texts(attested.get("business_name")) + texts(
        attested.get("registered_business_name")
    )
    return list(dict.fromkeys(names))


def country_of(attested: Mapping[str, Any]) -> str:
    """Where the business is incorporated, or else where it operates."""
    for key in ("address_of_incorporation", "address_of_operation"):
        address = mapping(attested.get(key))
        if code := countries.code(
            text(address.get("country_code")) or text(address.get("country"))
        ):
            return code
    return ""


def _keys(attested: Mapping[str, Any]) -> Iterator[Fact]:
    for name in business_names(attested):
        for key in blocking_keys.of_name(parse(name[:200], person=False)):
            yield Fact("name", "name", str(key), nominates=True)


def _phone(attested: Mapping[str, Any], key: str) -> str:
    value = text(attested.get(key)) or text(attested.get("phone"))
    try:
        number = phonenumbers.parse(value, home_of(attested) or None)
    except phonenumbers.NumberParseException:
        return ""
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


def _packed(value: str) -> str:
    plain = unicodedata.normalize("NFKC", value).upper()
    return "".join(filter(str.isalnum, plain))
