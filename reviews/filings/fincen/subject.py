"""The subject of a report as a party of FinCEN's form.

Facts come from the attested data. Anything that was not attested is marked as unknown, and so is
a value that the form does not take: reviews.filings.fincen.unfit lists those.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
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
    data = mapping(case.self_attested_data)
    is_person = _is_person(case)
    party = elements.group(activity, "Party", _indicators(case, data, facts))
    elements.group(party, "PartyName", _name(case, data))
    # The legal name is first, other names follow.
    for alias in _aliases(case, data):
        members = {"PartyNameTypeCode": "DBA", "RawPartyFullName": alias}
        elements.group(party, "PartyName", members)
    elements.group(party, "Address", _address(case, data))
    phone = first(data, "phone", "contact_phone_number")
    number = digits(phone)
    if number:
        elements.group(party, "PhoneNumber", {"PhoneNumberText": number})
    code = case.country or country(first(data, "country_of_nationality"))
    elements.group(party, "PartyIdentification", _tax_number(case, data, code))
    if is_person:
        elements.group(party, "PartyIdentification", _identity_paper(data))
    business = first(data, "title" if is_person else "industry")
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
    birth = birth_day(data)
    if birth:
        members["IndividualBirthDateText"] = f"{birth:%Y%m%d}"
    else:
        members["BirthDateUnknownIndicator"] = YES
    members[gender(data) or "UnknownGenderIndicator"] = YES
    return members


def birth_day(data: Data) -> date | None:
    return days.accepted(first(data, "date_of_birth"))


def gender(data: Data) -> str:
    """The element of the attested sex; "" if the form has none for it."""
    return GENDERS.get(sexes.letter(first(data, "sex")), "")


def _name(case: Case, data: Data) -> dict[str, str]:
    members = {"PartyNameTypeCode": "L"}
    is_person = _is_person(case)
    if is_person:
        name = first(data, "last_name")
    else:
        name = first(data, "registered_business_name", "business_name")
    # The form expects a single name as the last name.
    last = name or plain(case.subject)
    if last:
        members["RawEntityIndividualLastName"] = last
    else:
        members["EntityLastNameUnknownIndicator"] = YES
    if not is_person:
        return members
    given = first(data, "first_name") if name else ""
    if given:
        members["RawIndividualFirstName"] = given
    else:
        members["FirstNameUnknownIndicator"] = YES
    members["RawIndividualMiddleName"] = first(data, "middle_name")
    members["RawIndividualNameSuffixText"] = first(data, "name_suffix")
    return members


def _aliases(case: Case, data: Data) -> list[str]:
    """The name that a business uses, if it differs from the registered one."""
    registered = first(data, "registered_business_name")
    used = first(data, "business_name")
    if _is_person(case) or not registered or not used or used == registered:
        return []
    return [used]


def _address(case: Case, data: Data) -> dict[str, str]:
    """Each part of the address as attested; a missing part is marked as unknown."""
    value = place(case, data)
    # The form has a single line for the street.
    street = first(value, "street_1")
    unit = first(value, "street_2")
    street = f"{street} {unit}".strip()
    code = country(first(value, "country_code"))
    # Each key: the element for the value, the element that says it is unknown.
    parts = {
        ("RawStreetAddress1Text", "StreetAddressUnknownIndicator"): street,
        ("RawCityText", "CityUnknownIndicator"): first(value, "city"),
        ("RawCountryCodeText", "CountryCodeUnknownIndicator"): code,
        ("RawZIPCode", "ZIPCodeUnknownIndicator"): zip_code(
            first(value, "postal_code")
        ),
    }
    if code in codes.WITH_STATES:
        region = state(first(value, "state"), code)
        parts["RawStateCodeText", "StateCodeUnknownIndicator"] = region
    members = {}
    for (known, unknown), text in parts.items():
        if text:
            members[known] = text
        else:
            members[unknown] = YES
    return members


def place(case: Case, data: Data) -> Data:
    """The address of the subject that the form takes: it has room for one."""
    if _is_person(case):
        return mapping(data.get("address"))
    in_use = mapping(data.get("address_of_operation"))
    return in_use or mapping(data.get("address_of_incorporation"))


def digits(phone: str) -> str:
    """The form accepts only digits."""
    return re.sub(r"[^0-9]", "", phone)


def bare(number: str) -> str:
    """A tax number is attested with dashes and spaces, which the form refuses."""
    return re.sub(r"[^0-9A-Za-z]", "", number)


def zip_code(text: str) -> str:
    """The code without punctuation; "" if it is too long for the form."""
    code = bare(text).upper()
    return code if len(code) <= 9 else ""


def state(text: str, country: str) -> str:
    """The code of a state as attested; "" if the form has none for it."""
    if country not in codes.WITH_STATES:
        return ""
    if country == "US":
        text = codes.US_STATES.get(text.lower(), text)
    if re.fullmatch(r"[A-Za-z]{2,3}", text):
        return text.upper()
    return ""


def _tax_number(case: Case, data: Data, country: str) -> dict[str, str]:
    number = first(data, *TAX_NUMBERS)
    plain_number = bare(number)
    if not plain_number:
        return {"TINUnknownIndicator": YES}
    # Only a US number of nine digits is an SSN or EIN. Any other number counts as foreign.
    kind = codes.FOREIGN
    if country == "US" and _NINE_DIGITS.fullmatch(plain_number):
        kind = codes.SSN if _is_person(case) else codes.EIN
    return {
        "PartyIdentificationNumberText": plain_number,
        "PartyIdentificationTypeCode": kind,
    }


def paper(data: Data) -> Data:
    """The data of the identity document."""
    for member in OF_ID:
        data = mapping(data.get(member))
    return data


def _identity_paper(data: Data) -> dict[str, str]:
    stated = paper(data)
    number = first(stated, "document_number")
    label = first(stated, "document_type")
    if not number or not label:
        return {"IdentificationPresentUnknownIndicator": YES}
    members = {
        "PartyIdentificationNumberText": number,
        "OtherIssuerCountryText": country(first(stated, "issuing_country")),
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
        ("E", first(data, "email", "contact_email_address")),
        ("U", first(data, "website")),
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


def mapping(value: object) -> Data:
    if isinstance(value, Mapping):
        return value
    return {}


def first(data: Data, *members: str) -> str:
    """The first of these members with a text. For a list, its first item counts."""
    for member in members:
        value = data.get(member)
        if isinstance(value, list):
            value = value[0] if value else None
        text = plain(results.text(value))
        if text:
            return text
    return ""


def country(text: str) -> str:
    return countries.code(text)
