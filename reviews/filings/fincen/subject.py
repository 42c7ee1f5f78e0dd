"""The subject of a report as a party of FinCEN's form.

Facts come from the attested data. Anything that was not attested is marked as unknown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.etree.ElementTree import Element

from papers import countries, sexes
from reviews import results
from reviews.filings import days
from reviews.filings.fincen import codes
from reviews.filings.fincen.elements import YES, Elements, plain
from reviews.filings.fincen.facts import OTHER, Facts
from reviews.models import OF_ID, Case, Kind

# Members of the attested data that may hold a tax number, the most specific first.
TAX_NUMBERS = ("tin_number", "tax_id", "tin", "ein", "ssn")
GENDERS = {"f": "FemaleGenderIndicator", "m": "MaleGenderIndicator"}
_NINE_DIGITS = re.compile(r"[0-9]{9}")
Data = Mapping[str, object]


def add(
    elements: Elements, activity: Element, case: Case, facts: Facts, tin: str
) -> None:
    """Add the subject to the activity.

    `tin` is the tax number of the institution that the subject's relationship refers to.
    """
    data = _mapping(case.self_attested_data)
    is_person = _is_person(case)
    party = elements.group(activity, "Party", _indicators(case, data, facts))
    elements.group(party, "PartyName", _name(case, data))
    # The legal name is first, other names follow.
    for alias in _aliases(case, data):
        members = {"PartyNameTypeCode": "DBA", "RawPartyFullName": alias}
        elements.group(party, "PartyName", members)
    elements.group(party, "Address", _address(case, data))
    phone = _first(data, "phone", "contact_phone_number")
    # The form accepts only digits.
    digits = re.sub(r"[^0-9]", "", phone)
    if digits:
        elements.group(party, "PhoneNumber", {"PhoneNumberText": digits})
    country = case.country or _country(_first(data, "country_of_nationality"))
    elements.group(party, "PartyIdentification", _tax_number(case, data, country))
    if is_person:
        elements.group(party, "PartyIdentification", _identity_paper(data))
    business = _first(data, "title" if is_person else "industry")
    if business:
        members = {"OccupationBusinessText": business}
        elements.group(party, "PartyOccupationBusiness", members)
    _add_electronic(elements, party, data)
    elements.group(party, "PartyAssociation", _association(facts, tin))


def cut(case: Case, facts: Facts) -> list[str]:
    """The attested values of the subject that are too long for the form, in full length."""
    elements = Elements("Activity")
    add(elements, elements.root, case, facts, "")
    return elements.cut


def _indicators(case: Case, data: Data, facts: Facts) -> dict[str, str]:
    members = {
        "ActivityPartyTypeCode": codes.SUBJECT,
        # The desk does not record bank accounts.
        "NoKnownAccountInvolvedIndicator": YES,
    }
    if facts.role:
        members[codes.ROLES[facts.role]] = YES
    if not _is_person(case):
        members["PartyAsEntityOrganizationIndicator"] = YES
        return members
    birth = days.accepted(_first(data, "date_of_birth"))
    if birth:
        members["IndividualBirthDateText"] = f"{birth:%Y%m%d}"
    else:
        members["BirthDateUnknownIndicator"] = YES
    gender = GENDERS.get(sexes.letter(_first(data, "sex")), "UnknownGenderIndicator")
    members[gender] = YES
    return members


def _name(case: Case, data: Data) -> dict[str, str]:
    members = {"PartyNameTypeCode": "L"}
    is_person = _is_person(case)
    if is_person:
        name = _first(data, "last_name")
    else:
        name = _first(data, "registered_business_name", "business_name")
    # The form expects a single name as the last name.
    last = name or plain(case.subject)
    if last:
        members["RawEntityIndividualLastName"] = last
    else:
        members["EntityLastNameUnknownIndicator"] = YES
    if not is_person:
        return members
    first = _first(data, "first_name") if name else ""
    if first:
        members["RawIndividualFirstName"] = first
    else:
        members["FirstNameUnknownIndicator"] = YES
    members["RawIndividualMiddleName"] = _first(data, "middle_name")
    members["RawIndividualNameSuffixText"] = _first(data, "name_suffix")
    return members


def _aliases(case: Case, data: Data) -> list[str]:
    """The name that a business uses, if it differs from the registered one."""
    registered = _first(data, "registered_business_name")
    used = _first(data, "business_name")
    if _is_person(case) or not registered or not used or used == registered:
        return []
    return [used]


def _address(case: Case, data: Data) -> dict[str, str]:
    """Each part of the address as attested; a missing part is marked as unknown."""
    if _is_person(case):
        value = _mapping(data.get("address"))
    else:
        value = _mapping(data.get("address_of_operation"))
        value = value or _mapping(data.get("address_of_incorporation"))
    # The form has a single line for the street.
    street = " ".join([_first(value, "street_1"), _first(value, "street_2")]).strip()
    country = _country(_first(value, "country_code"))
    # Each key: the element for the value, the element that says it is unknown.
    parts = {
        ("RawStreetAddress1Text", "StreetAddressUnknownIndicator"): street,
        ("RawCityText", "CityUnknownIndicator"): _first(value, "city"),
        ("RawCountryCodeText", "CountryCodeUnknownIndicator"): country,
        ("RawZIPCode", "ZIPCodeUnknownIndicator"): _zip(_first(value, "postal_code")),
    }
    if country in codes.WITH_STATES:
        state = _state(_first(value, "state"), country)
        parts["RawStateCodeText", "StateCodeUnknownIndicator"] = state
    members = {}
    for (known, unknown), text in parts.items():
        if text:
            members[known] = text
        else:
            members[unknown] = YES
    return members


def _zip(text: str) -> str:
    """The code without punctuation; "" if it is too long for the form."""
    code = re.sub(r"[^0-9A-Za-z]", "", text).upper()
    return code if len(code) <= 9 else ""


def _state(text: str, country: str) -> str:
    if country == "US":
        text = codes.US_STATES.get(text.lower(), text)
    if re.fullmatch(r"[A-Za-z]{2,3}", text):
        return text.upper()
    return ""


def _tax_number(case: Case, data: Data, country: str) -> dict[str, str]:
    number = _first(data, *TAX_NUMBERS)
    # Numbers are attested with dashes and spaces.
    bare = re.sub(r"[^0-9A-Za-z]", "", number)
    if not bare:
        return {"TINUnknownIndicator": YES}
    # Only a US number of nine digits is an SSN or EIN. Any other number counts as foreign.
    kind = codes.FOREIGN
    if country == "US" and _NINE_DIGITS.fullmatch(bare):
        kind = codes.SSN if _is_person(case) else codes.EIN
    return {
        "PartyIdentificationNumberText": bare,
        "PartyIdentificationTypeCode": kind,
    }


def _identity_paper(data: Data) -> dict[str, str]:
    paper: Data = data
    for member in OF_ID:
        paper = _mapping(paper.get(member))
    number = _first(paper, "document_number")
    label = _first(paper, "document_type")
    if not number or not label:
        return {"IdentificationPresentUnknownIndicator": YES}
    members = {
        "PartyIdentificationNumberText": number,
        "OtherIssuerCountryText": _country(_first(paper, "issuing_country")),
    }
    # The type of document is free text, so it is matched by words.
    words = label.lower()
    # "driv" matches "driving licence" and "driver's license".
    if "passport" in words:
        members["PartyIdentificationTypeCode"] = codes.PASSPORT
    elif "driv" in words:
        members["PartyIdentificationTypeCode"] = codes.LICENCE
    else:
        members["PartyIdentificationTypeCode"] = codes.OTHER_ID
        members["OtherPartyIdentificationTypeText"] = label
    return members


def _add_electronic(elements: Elements, party: Element, data: Data) -> None:
    for kind, text in (
        ("E", _first(data, "email", "contact_email_address")),
        ("U", _first(data, "website")),
    ):
        if text:
            members = {
                "ElectronicAddressText": text,
                "ElectronicAddressTypeCode": kind,
            }
            elements.group(party, "ElectronicAddress", members)


def _association(facts: Facts, tin: str) -> dict[str, str]:
    if not facts.relationship:
        return {}
    members = {
        codes.RELATIONSHIPS[facts.relationship]: YES,
        "SubjectRelationshipFinancialInstitutionTINText": tin,
    }
    if facts.relationship == OTHER:
        members["OtherPartyAssociationTypeText"] = facts.other_relationship
    return members


def _is_person(case: Case) -> bool:
    return case.kind == Kind.KYC


def _mapping(value: object) -> Data:
    if isinstance(value, Mapping):
        return value
    return {}


def _first(data: Data, *members: str) -> str:
    """The first of these members with a text. For a list, its first item counts."""
    for member in members:
        value = data.get(member)
        if isinstance(value, list):
            value = value[0] if value else None
        text = plain(results.text(value))
        if text:
            return text
    return ""


def _country(text: str) -> str:
    return countries.code(text)
