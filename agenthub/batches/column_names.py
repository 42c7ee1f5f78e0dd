"""Proposes which member of self_attested_data a column of a CSV file means, by its heading alone.

A heading is compared without case, blanks and punctuation: first with the names of the members,
then with a table of synonyms. If it fits several members, all of them are proposed and none is
mapped: a wrong mapping is worse than one that a person must choose.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Literal

from agenthub.wire import Wire

Match = Literal["exact", "synonym", "ambiguous", "duplicate", "unknown"]

_ADDRESS = ("street_1", "street_2", "city", "state", "postal_code", "country_code")
# One member of each group must be mapped. Without it, no row of the file can be started.
REQUIRED: Mapping[str, Sequence[Sequence[str]]] = {
    "kyb": [("business_name", "registered_business_name", "website")],
    "kyc": [("first_name",), ("last_name",)],
}
FIELDS: Mapping[str, Sequence[str]] = {
    "kyb": (
        "id", "business_name", "registered_business_name", "website", "business_purpose",
        "description", "industry", "tin_number", "incorporation_date", "mcc_code",
        "business_registration_number", "contact_email_address", "contact_phone_number",
        *(f"address_of_incorporation.{part}" for part in _ADDRESS),
        *(f"address_of_operation.{part}" for part in _ADDRESS),
        "incorporation_documents", "business_ownership_documents", "proof_of_address_documents",
        "source_of_funds_documents", "ein_documents", "promo_marketing_documents",
    ),
    "kyc": (
        "id", "first_name", "middle_name", "last_name", "name_prefix", "name_suffix", "title",
        "date_of_birth", "sex", "email", "phone", "country_of_nationality",
        "country_of_residence", "place_of_birth", *(f"address.{part}" for part in _ADDRESS),
        "proof_of_address_documents", "source_of_funds_documents",
    ),
}  # fmt: skip
# Synonyms of a member's last part. A member of an address also matches with a synonym of the
# address before it ("registered city").
_NAMES: Mapping[str, Sequence[str]] = {
    "id": ("case id", "case", "case reference", "reference", "external id", "application id",
           "customer id", "client id"),
    "business_name": ("business", "company", "company name", "trading name", "trade name", "dba",
                      "doing business as", "merchant name", "organisation", "organization",
                      "organisation name", "organization name", "name of business", "name"),
    "registered_business_name": ("registered name", "legal name", "legal business name",
                                 "legal entity name", "official name", "company legal name"),
    "website": ("url", "web site", "web address", "website url", "homepage", "domain", "site"),
    "business_purpose": ("purpose", "purpose of business", "nature of business"),
    "description": ("business description", "company description", "about", "summary"),
    "industry": ("sector", "business sector", "line of business", "industry type"),
    "tin_number": ("tin", "ein", "tax id", "tax number", "tax identification number", "fein",
                   "employer identification number", "vat number", "vat id", "tax id number"),
    "incorporation_date": ("date of incorporation", "incorporated", "incorporated on",
                           "formation date", "date of formation", "registration date", "founded"),
    "mcc_code": ("mcc", "merchant category code", "merchant category"),
    "business_registration_number": (
        "registration number", "company number", "company registration number", "crn",
        "registry number", "entity number", "registration no", "company no", "file number"),
    "contact_email_address": ("email", "e mail", "email address", "contact email", "mail"),
    "contact_phone_number": ("phone", "telephone", "phone number", "contact phone", "tel",
                             "telephone number", "contact number"),
    "first_name": ("given name", "forename", "first", "fname", "firstname", "given names"),
    "middle_name": ("middle", "middle names", "second name", "mname", "middlename"),
    "last_name": ("surname", "family name", "last", "lname", "lastname"),
    "name_prefix": ("prefix", "salutation"),
    "name_suffix": ("suffix",),
    "date_of_birth": ("dob", "birth date", "birthdate", "birthday", "born", "date of birth"),
    "sex": ("gender",),
    "email": ("e mail", "email address", "contact email", "mail"),
    "phone": ("telephone", "phone number", "mobile", "mobile number", "tel", "contact phone"),
    "country_of_nationality": ("nationality", "citizenship", "country of citizenship"),
    "country_of_residence": ("residence", "residence country", "country of domicile"),
    "place_of_birth": ("birth place", "birthplace", "born in"),
    "street_1": ("street", "address line 1", "address 1", "street address", "address line",
                 "street 1", "line 1"),
    "street_2": ("address line 2", "address 2", "street 2", "line 2", "suite", "apartment"),
    "city": ("town", "locality"),
    "state": ("province", "region", "county", "state or province"),
    "postal_code": ("zip", "zip code", "postcode", "post code", "zipcode", "postal"),
    "country_code": ("country", "country iso", "iso country"),
    "incorporation_documents": ("incorporation document", "certificate of incorporation",
                                "articles of incorporation", "formation documents"),
    "business_ownership_documents": ("ownership documents", "ownership document", "cap table"),
    "proof_of_address_documents": ("proof of address", "address proof", "utility bill"),
    "source_of_funds_documents": ("source of funds document", "source of funds documents"),
    "ein_documents": ("ein document", "ein letter", "tax document"),
    "promo_marketing_documents": ("marketing documents", "promotional documents"),
}  # fmt: skip
# Synonyms of the addresses, as prefixes of their members.
_PLACES: Mapping[str, Sequence[str]] = {
    "address_of_incorporation": ("address of incorporation", "incorporation", "registered",
                                 "registered office", "registered address", "legal", "legal address"),
    "address_of_operation": ("address of operation", "operating", "operating address", "operation",
                             "business", "business address", "trading", "trading address",
                             "mailing", "physical", "physical address"),
    "address": ("address", "home", "home address", "residential", "residential address"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Column:
    """The proposal for one column. `field` is None if a person must choose."""

    column: str
    field: str | None
    match: Match
    candidates: Sequence[str]
    reason: str


def propose(columns: Sequence[str], kind: str) -> Wire:
    """The response of mapCsvColumns: a proposal per column, and what could not be mapped."""
    column_by_field: dict[str, str] = {}
    proposals: list[Column] = []
    for name in columns:
        proposal = _proposal(name, kind, column_by_field)
        if proposal.field:
            column_by_field[proposal.field] = name
        proposals.append(proposal)
    missing = []
    for group in REQUIRED[kind]:
        if not column_by_field.keys() & {*group}:
            missing.append(list(group))
    return {
        "case_type": kind,
        "mapping": {column: field for field, column in column_by_field.items()},
        "columns": [asdict(proposal) for proposal in proposals],
        "unmapped": [proposal.column for proposal in proposals if not proposal.field],
        "missing": missing,
        "fields": list(FIELDS[kind]),
    }


def _proposal(column: str, kind: str, column_by_field: Mapping[str, str]) -> Column:
    name = _plain(column)
    match: Match = "exact"
    fields = [field for field in FIELDS[kind] if _plain(field) == name]
    if not fields:
        match = "synonym"
        fields = [field for field in FIELDS[kind] if name in _other_names(field)]
    if not fields:
        return Column(column, None, "unknown", [], "No member has this name.")
    if len(fields) > 1:
        reason = "It may mean several members: choose one."
        return Column(column, None, "ambiguous", fields, reason)
    [field] = fields
    if field in column_by_field:
        reason = f"The column {column_by_field[field]} is mapped to {field} already."
        return Column(column, None, "duplicate", fields, reason)
    reason = "The column has the name of the member."
    if match == "synonym":
        reason = f"“{name}” is another name of {field}."
    return Column(column, field, match, fields, reason)


def _other_names(field: str) -> set[str]:
    parent, _, last = field.rpartition(".")
    names = {*_NAMES.get(last, ()), last.replace("_", " ")}
    if not parent:
        return names
    with_prefix = {f"{prefix} {name}" for prefix in _PLACES[parent] for name in names}
    return names | with_prefix


def _plain(name: str) -> str:
    """The words of a heading in lower case, separated by single blanks."""
    text = unicodedata.normalize("NFKC", name).strip()
    text = text.removeprefix("self_attested_data.")
    # Split camelCase: "companyName" → "company Name".
    text = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))
