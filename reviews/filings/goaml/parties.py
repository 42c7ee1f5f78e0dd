"""The parties of the activity: the subject, and who owns, controls or directs it."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from xml.etree.ElementTree import Element, SubElement

from compliance.languages import english
from reviews import results
from reviews.filings import related
from reviews.filings.fincen.subject import TAX_NUMBERS
from reviews.filings.goaml.members import (
    CITY,
    COMMENTS,
    LONG_TEXT,
    NAME,
    NUMBER,
    ZIP,
    Members,
    add,
    country_code,
    plain,
)
from reviews.filings.related import Related
from reviews.models import OF_ID, Case, Kind

# Attested members without a member of the form: they stand in the comments.
_IN_COMMENTS = (
    "name_prefix",
    "name_suffix",
    "title",
    "sex",
    "mcc_code",
    "business_purpose",
    "description",
    "customers",
    "customer_countries",
    "source_of_funds",
)
# Members that may be lists. The form takes one value, the comments the others.
_LISTS = (
    "first_name",
    "middle_name",
    "last_name",
    "country_of_nationality",
    "country_of_residence",
    "registered_business_name",
    "business_name",
    "business_registration_number",
    "industry",
    "website",
    "email",
    "contact_email_address",
    "phone",
    "contact_phone_number",
    *TAX_NUMBERS,
)
# Stands for a name that is not known: the schema requires one.
NO_NAME = "-"
# The labels of a related party that have a member of their own.
_OF_PERSON = frozenset(
    {
        "name",
        "date_of_birth",
        "place_of_birth",
        "alias",
        "passport",
        "identity_document",
        "nationality",
        "residence",
        "tax_number",
    }
)
_OF_ENTITY = frozenset(
    {
        "name",
        "trade_name",
        "registration_number",
        "website",
        "country",
        "incorporation_date",
        "tax_number",
    }
)


@english()
def add_parties(parent: Element, case: Case) -> None:
    """The subject, and who owns, controls or directs it."""
    subject = SubElement(parent, "report_party")
    if case.kind == Kind.KYC:
        _person(Members(SubElement(subject, "person")), case)
    else:
        _entity(Members(SubElement(subject, "entity")), case)
    add(subject, "reason", "The subject of the report")
    for party in related.parties(case):
        element = SubElement(parent, "report_party")
        if party.is_person:
            _related_person(Members(SubElement(element, "person")), party)
        else:
            _related_entity(Members(SubElement(element, "entity")), party)
        add(element, "reason", "; ".join(party.reasons)[:COMMENTS])


def _person(members: Members, case: Case) -> None:
    first = _text(case, "first_name")
    last = _text(case, "last_name")
    if not last:
        # With a single name, it is the last name. The schema requires both.
        first, last = NO_NAME, case.subject
    members.add("first_name", first or NO_NAME, NAME)
    members.add("middle_name", _text(case, "middle_name"), NAME)
    members.add("last_name", last, NAME)
    members.day("birthdate", _text(case, "date_of_birth"))
    members.add("birth_place", _text(case, "place_of_birth"), LONG_TEXT)
    _identity_document(members, case)
    members.country("nationality1", _text(case, "country_of_nationality"))
    members.country("residence", _text(case, "country_of_residence"))
    _addresses(members, case, "address")
    members.add("email", _any_text(case, "email", "contact_email_address"), LONG_TEXT)
    members.add("tax_number", _any_text(case, *TAX_NUMBERS), NAME)
    members.comment("phone", _any_text(case, "phone", "contact_phone_number"))
    _comment_rest(members, case)
    members.end()


def _identity_document(members: Members, case: Case) -> None:
    paper = _paper(case)
    number = results.text(paper.get("document_number"))
    issuer = results.text(paper.get("issuing_country"))
    kind = results.text(paper.get("document_type"))
    if "passport" in kind.casefold():
        members.add("passport_number", number, LONG_TEXT)
        members.country("passport_country", issuer)
    else:
        members.add("id_number", number, LONG_TEXT)
        members.comment("issuer_of_id", issuer)
        members.comment("kind_of_id", kind)


def _entity(members: Members, case: Case) -> None:
    registered = _text(case, "registered_business_name")
    used = _text(case, "business_name")
    name = registered or case.subject
    members.add("name", name, LONG_TEXT)
    if used != name:
        members.add("commercial_name", used, LONG_TEXT)
    number = _text(case, "business_registration_number")
    members.add("incorporation_number", number, NUMBER)
    members.add("business", _text(case, "industry"), LONG_TEXT)
    _addresses(members, case, "address_of_incorporation", "address_of_operation")
    members.add("email", _any_text(case, "email", "contact_email_address"), LONG_TEXT)
    members.add("url", _text(case, "website"), LONG_TEXT)
    members.country("incorporation_country_code", case.country)
    members.day("incorporation_date", _text(case, "incorporation_date"))
    members.add("tax_number", _any_text(case, *TAX_NUMBERS), NAME)
    members.comment("phone", _any_text(case, "phone", "contact_phone_number"))
    _comment_rest(members, case)
    members.end()


def _comment_rest(members: Members, case: Case) -> None:
    """What is attested of the subject and has no member of the form."""
    data = _data(case)
    for name in _IN_COMMENTS:
        members.comment(name, results.text(data.get(name)))
    for name in _LISTS:
        value = data.get(name)
        if isinstance(value, list):
            members.comment(name, results.text(value[1:]))


def _related_person(members: Members, party: Related) -> None:
    # A related person is stated with the whole name.
    members.add("first_name", NO_NAME)
    members.add("last_name", party.name, NAME)
    members.day("birthdate", party.first("date_of_birth"))
    members.add("birth_place", party.first("place_of_birth"), LONG_TEXT)
    members.add("alias", party.first("alias"), NAME)
    members.add("passport_number", party.first("passport"), LONG_TEXT)
    members.country("passport_country", party.issuers.get("passport", ""))
    members.add("id_number", party.first("identity_document"), LONG_TEXT)
    members.country("nationality1", party.first("nationality"))
    members.country("residence", party.first("residence"))
    members.add("tax_number", party.first("tax_number"), NAME)
    _comment_others(members, party, _OF_PERSON)
    members.end()


def _related_entity(members: Members, party: Related) -> None:
    members.add("name", party.name, LONG_TEXT)
    members.add("commercial_name", party.first("trade_name"), LONG_TEXT)
    members.add("incorporation_number", party.first("registration_number"), NUMBER)
    members.add("url", party.first("website"), LONG_TEXT)
    members.country("incorporation_country_code", party.first("country"))
    members.day("incorporation_date", party.first("incorporation_date"))
    members.add("tax_number", party.first("tax_number"), NAME)
    _comment_others(members, party, _OF_ENTITY)
    members.end()


def _comment_others(
    members: Members, party: Related, written: AbstractSet[str]
) -> None:
    """The values without a member: of other labels, and second ones of the same label."""
    for label, values in party.values.items():
        rest = values[1:] if label in written else values
        for value in rest:
            if value != party.name:
                members.comment(label, value)


def _addresses(members: Members, case: Case, *names: str) -> None:
    """Adds the complete addresses: street, city and country are required. Others are comments."""
    complete = []
    for name in names:
        value = _mapping(_data(case).get(name))
        if _is_complete(value):
            complete.append(value)
        else:
            members.comment(name, results.text(_data(case).get(name)))
    if not complete:
        return
    parent = SubElement(members.element, "addresses")
    for value in complete:
        _address(members, SubElement(parent, "address"), value, case.kind)


def _is_complete(value: Mapping[str, object]) -> bool:
    city = plain(results.text(value.get("city")))
    code = country_code(results.text(value.get("country_code")))
    return bool(plain(_street(value)) and city and code)


def _street(value: Mapping[str, object]) -> str:
    # The form has a single line for the street.
    lines = [results.text(value.get(name)) for name in ("street_1", "street_2")]
    return " ".join(filter(None, lines))


def _address(
    members: Members, address: Element, value: Mapping[str, object], kind: str
) -> None:
    def text(name: str) -> str:
        return results.text(value.get(name))

    add(address, "address_type", "B" if kind == Kind.KYB else "P")
    members.add("address", _street(value), NAME, parent=address)
    members.add("city", text("city"), CITY, parent=address)
    members.add("zip", text("postal_code"), ZIP, parent=address)
    add(address, "country_code", country_code(text("country_code")))
    members.add("state", text("state"), CITY, parent=address)


def _data(case: Case) -> Mapping[str, object]:
    return _mapping(case.self_attested_data)


def _mapping(value: object) -> Mapping[str, object]:
    if isinstance(value, Mapping):
        return value
    return {}


def _paper(case: Case) -> Mapping[str, object]:
    """The data of the identity document."""
    paper = _data(case)
    for member in OF_ID:
        paper = _mapping(paper.get(member))
    return paper


def _any_text(case: Case, *members: str) -> str:
    """The first of these members with a text."""
    for member in members:
        if text := _text(case, member):
            return text
    return ""


def _text(case: Case, member: str) -> str:
    value = _data(case).get(member)
    if isinstance(value, list):
        value = value[0] if value else None
    return results.text(value)
