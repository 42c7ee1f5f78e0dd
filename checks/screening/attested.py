"""From self-attested data to whom to screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from checks import countries
from checks.data_check import id_data, mapping, text, texts
from checks.screening.records import Identifier, IdentifierType, Subject


def person(attested: Mapping[str, Any]) -> Subject:
    """A person by the attested names and by those on the government ID."""
    card = id_data(attested)
    names = [
        _joined(attested, "first_name", "middle_name", "last_name"),
        _joined(attested, "first_name", "last_name"),
        _joined(card, "first_name", "middle_names", "last_name"),
        *texts(attested.get("aliases")),
    ]
    nations = [*texts(attested.get("country_of_nationality")), text(card.get("issuing_country"))]
    address = mapping(attested.get("address"))
    homes = [text(attested.get("country_of_residence")), text(address.get("country_code")),
             text(address.get("country"))]  # fmt: skip
    return Subject(
        names=list(dict.fromkeys(name for name in names if name)),
        schema="Person",
        birth_date=text(attested.get("date_of_birth")) or text(card.get("date_of_birth")),
        nationalities=_codes(nations),
        countries=_codes(homes),
        gender=_gender(text(attested.get("sex"))),
        identifiers=_documents(card),
        birth_place=text(attested.get("place_of_birth")),
    )


def business(attested: Mapping[str, Any]) -> Subject:
    """A business by all its names and numbers."""
    names = [name for key in ("business_name", "registered_business_name", "former_names",
                              "trading_names") for name in texts(attested.get(key))]  # fmt: skip
    places = [
        text(mapping(attested.get(key)).get(part))
        for key in ("address_of_incorporation", "address_of_operation")
        for part in ("country_code", "country")
    ]
    numbers: list[tuple[IdentifierType, str]] = [("tax", text(attested.get("tin_number")))]
    numbers += [
        ("registration", one) for one in texts(attested.get("business_registration_number"))
    ]
    numbers += [("lei", text(attested.get("lei"))), ("imo", text(attested.get("imo_number")))]
    return Subject(
        names=list(dict.fromkeys(names)),
        schema="Organization",
        countries=_codes(places),
        identifiers=[Identifier(kind, value) for kind, value in numbers if value],
    )


def _joined(said: Mapping[str, Any], *keys: str) -> str:
    return " ".join(part for key in keys for part in texts(said.get(key)))


def _codes(said: list[str]) -> list[str]:
    return list(dict.fromkeys(code for one in said if (code := countries.code(one))))


def _gender(said: str) -> str:
    first = said[:1].casefold()
    return first if first in {"m", "f"} else ""


def _documents(card: Mapping[str, Any]) -> list[Identifier]:
    number, kind = text(card.get("document_number")), text(card.get("document_type")).casefold()
    if not number:
        return []
    known: IdentifierType = "passport" if "passport" in kind else "national_id"
    return [Identifier(known, number, countries.code(text(card.get("issuing_country"))))]
