"""From self-attested data to whom to screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from checks.data_check import id_data, mapping, text, texts
from checks.screening.records import Identifier, IdentifierType, Subject
from papers import countries

# Members that hold names: of businesses alone, of either; and further names.
_OF_BUSINESS = (
    "business_name", "registered_business_name", "company_name", "registered_name",
    "entity_name", "legal_entity_name", "legal_business_name", "organization_name",
    "organisation_name", "trading_name", "trading_names", "trade_name", "dba", "dba_name",
)  # fmt: skip
_OF_EITHER = ("name", "names", "full_name", "legal_name", "display_name", "full_legal_name")
_OTHERS = ("former_names", "former_name", "previous_names", "aliases", "alias", "also_known_as")
_FIRST = ("first_name", "given_name", "given_names", "forename", "first")
_MIDDLE = ("middle_name", "middle_names", "middle")
_LAST = ("last_name", "family_name", "surname", "last")


def is_person(said: Mapping[str, Any]) -> bool:
    """Whether members that only people have name the party."""
    parts = [said, mapping(said.get("name"))]
    return any(_any(part, *_FIRST, *_LAST) for part in parts)


def is_business(said: Mapping[str, Any]) -> bool:
    """Whether members that only businesses have name the party."""
    return bool(_any(said, *_OF_BUSINESS))


def person(attested: Mapping[str, Any]) -> Subject:
    """A person by the attested names and by those on the government ID."""
    card = id_data(attested)
    names = [
        *_names_of_person(attested),
        _joined(card, "first_name", "middle_names", "last_name"),
    ]
    nations = [
        *_any(attested, "country_of_nationality", "nationality", "nationalities", "citizenship"),
        text(card.get("issuing_country")),
    ]
    address = mapping(attested.get("address"))
    homes = [text(attested.get("country_of_residence")), text(address.get("country_code")),
             text(address.get("country"))]  # fmt: skip
    return Subject(
        names=list(dict.fromkeys(name for name in names if name)),
        schema="Person",
        birth_date=text(_any(attested, "date_of_birth", "birth_date", "dob"))
        or text(card.get("date_of_birth")),
        nationalities=_codes(nations),
        countries=_codes(homes),
        gender=_gender(text(_any(attested, "sex", "gender"))),
        identifiers=_documents(card),
        birth_place=text(attested.get("place_of_birth")),
    )


def business(attested: Mapping[str, Any]) -> Subject:
    """A business by all its names and numbers."""
    names = _any(attested, *_OF_BUSINESS, *_OF_EITHER, *_OTHERS)
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


def _names_of_person(said: Mapping[str, Any]) -> list[str]:
    """In parts, with and without the names between; whole; and further ones."""
    names = []
    for part in (said, mapping(said.get("name"))):
        first, middle, last = (_any(part, *keys)[:1] for keys in (_FIRST, _MIDDLE, _LAST))
        names += [" ".join([*first, *middle, *last]), " ".join([*first, *last])]
    return [*names, *_any(said, *_OF_EITHER, *_OTHERS)]


def _any(said: Mapping[str, Any], *keys: str) -> list[str]:
    """All texts of these members, by their names in any writing (firstName, first_name)."""
    plain = {str(key).replace("_", "").casefold(): value for key, value in said.items()}
    return [one for key in keys for one in texts(plain.get(key.replace("_", "")))]


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
