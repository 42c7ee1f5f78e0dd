"""Converts self-attested data into subjects to screen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from checks.data_check import id_data, issuing_country, mapping, text, texts
from checks.screening.identifiers import attested as numbers
from checks.screening.identifiers.normal_forms import IdentifierType
from checks.screening.records import Identifier, Schema, Subject
from papers import countries, sexes

# Data about a party from a form or another system. Any member may have any value.
AttestedData = Mapping[str, object]

# Members with names: of businesses only, of businesses or people, and additional names.
_OF_BUSINESS = (
    "business_name", "registered_business_name", "company_name", "registered_name",
    "entity_name", "legal_entity_name", "legal_business_name", "organization_name",
    "organisation_name", "trading_name", "trading_names", "trade_name", "dba", "dba_name",
)  # fmt: skip
_OF_EITHER = (
    "name",
    "names",
    "full_name",
    "legal_name",
    "display_name",
    "full_legal_name",
)
_OTHERS = (
    "former_names",
    "former_name",
    "previous_names",
    "aliases",
    "alias",
    "also_known_as",
)
_FIRST = ("first_name", "given_name", "given_names", "forename", "first")
_MIDDLE = ("middle_name", "middle_names", "middle")
_LAST = ("last_name", "family_name", "surname", "last")
_OF_VESSEL = ("vessel_name", "ship_name")
_IMO = ("imo", "imo_number", "imo_no", "vessel_imo", "ship_imo")
_KINDS = ("type", "kind", "entity_type", "party_type", "subject_type")
_VESSEL = re.compile(r"\b(?:vessel|ship|tanker)\b")
_BIRTH_DATES = ("date_of_birth", "birth_date", "dob")
_NATIONALITIES = (
    "country_of_nationality",
    "nationality",
    "nationalities",
    "citizenship",
)


def is_person(party: AttestedData) -> bool:
    """Whether the party has members that only people have."""
    for data in (party, mapping(party.get("name"))):
        members = _members(data)
        if _texts(members, *_FIRST) or _texts(members, *_LAST):
            return True
    return False


def is_business(party: AttestedData) -> bool:
    """Whether the party has members that only businesses or vessels have."""
    members = _members(party)
    return bool(_texts(members, *_OF_BUSINESS)) or _schema(members) == "Vessel"


def person(attested: AttestedData) -> Subject:
    """Return a person with the attested names and those of the government ID."""
    # The ID may have another spelling or a middle name, so its name is screened, too.
    card = id_data(attested)
    members = _members(attested)
    names = _names_of_person(members, _members(mapping(attested.get("name"))))
    names.append(_joined(card, "first_name", "middle_names", "last_name"))
    birth_date = text(_texts(members, *_BIRTH_DATES))
    birth_date_on_card = text(card.get("date_of_birth"))
    nations = _texts(members, *_NATIONALITIES)
    nations.append(text(card.get("issuing_country")))
    address = mapping(attested.get("address"))
    homes = [
        text(attested.get("country_of_residence")),
        text(address.get("country_code")),
        text(address.get("country")),
    ]
    return Subject(
        names=list(dict.fromkeys(filter(None, names))),
        schema="Person",
        birth_date=birth_date or birth_date_on_card,
        birth_date_on_card=birth_date_on_card,
        nationalities=_codes(nations),
        countries=_codes(homes),
        gender=sexes.letter(text(_texts(members, "sex", "gender"))),
        identifiers=[*_documents(card), *_identifiers(numbers.of_person(attested))],
        birth_place=text(attested.get("place_of_birth")),
    )


def business(attested: AttestedData) -> Subject:
    """Return a business with all its names and numbers."""
    members = _members(attested)
    names = _texts(members, *_OF_BUSINESS, *_OF_VESSEL, *_OF_EITHER, *_OTHERS)
    places: list[str] = []
    for key in ("address_of_incorporation", "address_of_operation"):
        address = mapping(attested.get(key))
        places.append(text(address.get("country_code")))
        places.append(text(address.get("country")))
    return Subject(
        names=list(dict.fromkeys(names)),
        schema=_schema(members),
        countries=_codes(places),
        identifiers=_identifiers(numbers.of_business(attested)),
    )


def _schema(members: _Members) -> Schema:
    """Return "Vessel" if names, kinds or numbers say so, else "Organization".

    A company may also have the IMO number of its vessel, so the number counts only without the name
    of a business.
    """
    kinds = " ".join(_texts(members, *_KINDS)).casefold()
    has_name = bool(_texts(members, *_OF_VESSEL))
    if has_name or _VESSEL.search(kinds):
        return "Vessel"
    if _texts(members, *_IMO) and not _texts(members, *_OF_BUSINESS):
        return "Vessel"
    return "Organization"


def _identifiers(pairs: Iterable[numbers.Number]) -> list[Identifier]:
    """Return each number once."""
    return list(dict.fromkeys(Identifier(kind, value) for kind, value in pairs))


_ONLY_HAN = re.compile("[\u3400-\u9fff]+")


def _names_of_person(party: _Members, name: _Members) -> list[str]:
    """Return the names: of their parts, with and without middle names; whole names; additional
    names.

    `name` has the members of a nested object "name".
    """
    names: list[str] = []
    for data in (party, name):
        first = text(_texts(data, *_FIRST))
        middle = text(_texts(data, *_MIDDLE))
        last = text(_texts(data, *_LAST))
        names.append(_spaced(first, middle, last))
        names.append(_spaced(first, last))
        if _ONLY_HAN.fullmatch(first) and _ONLY_HAN.fullmatch(last):
            # A form may split a Chinese name at the wrong place, so the joined name is added, too.
            names.append(last + first)
    return [*names, *_texts(party, *_OF_EITHER, *_OTHERS)]


def _spaced(*parts: str) -> str:
    return " ".join(filter(None, parts))


# Keys are names of members without underscores and capitals.
_Members = Mapping[str, object]


def _members(data: AttestedData) -> _Members:
    """Return the members by their normalised names, so that firstName and first_name are
    the same.
    """
    members: dict[str, object] = {}
    for key, value in data.items():
        members[_plain(str(key))] = value
    return members


# Cached, because forms have the same members again and again.
@lru_cache(2000)
def _plain(key: str) -> str:
    return key.replace("_", "").casefold()


def _texts(members: _Members, *keys: str) -> list[str]:
    """Return all texts of these members."""
    values: list[str] = []
    for key in keys:
        value = members.get(_plain(key))
        if value:
            values += texts(value)
    return values


def _joined(party: AttestedData, *keys: str) -> str:
    parts: list[str] = []
    for key in keys:
        parts += texts(party.get(key))
    return " ".join(parts)


def _codes(places: list[str]) -> list[str]:
    codes = map(countries.code, places)
    return list(dict.fromkeys(filter(None, codes)))


def _documents(card: AttestedData) -> list[Identifier]:
    number = text(card.get("document_number"))
    document_type = text(card.get("document_type")).casefold()
    if not number:
        return []
    kind: IdentifierType = "national_id"
    if "passport" in document_type:
        kind = "passport"
    issuer = issuing_country(card)
    return [Identifier(kind, number, issuer)]
