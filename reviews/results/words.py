"""Translated labels for the names that checks and services send.

A label is made from a name of the interface, in English, and stored in English. Pages translate it
with `translated`. A label outside these sets is data and stays as it is.
"""

from __future__ import annotations

import re
from functools import lru_cache

from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_noop as _

from compliance.languages import current
from papers import countries

CHECKS = frozenset(
    {
        _("Address consistency"),
        _("Address type"),
        _("Address validation"),
        _("Adverse list screening"),
        _("Associated individuals screening"),
        _("Associated parties screening"),
        _("Authenticity verification"),
        _("Basic business profile"),
        _("Business name consistency"),
        _("Business ownership"),
        _("Business ownership extraction"),
        _("Cross referencing and consistency check"),
        _("Date of birth"),
        _("Document analysis and classification"),
        _("Document layout and content verification"),
        _("Document safety"),
        _("Duplicate business"),
        _("Duplicate subject"),
        _("EIN document"),
        _("EIN document extraction"),
        _("Email"),
        _("Enrichment comparison"),
        _("Face match"),
        _("Fraud indicators"),
        _("Government ID MRZ"),
        _("Government ID barcode"),
        _("Government ID expiry"),
        _("Government ID number"),
        _("High risk country"),
        _("High risk industry"),
        _("ID vendor result"),
        _("Identity document"),
        _("Incorporation date"),
        _("Incorporation document"),
        _("LEI"),
        _("MCC code"),
        _("Name consistency"),
        _("Name plausibility"),
        _("Ownership math"),
        _("PEP screening"),
        _("Phone"),
        _("Proof of address"),
        _("Proof of address extraction"),
        _("Registration number"),
        _("Sanctions screening"),
        _("Seal verification"),
        _("Signature verification"),
        _("Source of funds document"),
        _("Tax number"),
        _("Text extraction"),
        _("Unnamed check"),
        _("Visual inspection"),
        _("Web presence"),
    }
)
# Groups of the list of checks, and sections of the visual inspection.
HEADINGS = frozenset(
    {
        _("Attested against document"),
        _("Authenticity"),
        _("Business"),
        _("Classification"),
        _("Cross-reference"),
        _("Documents"),
        _("Layout and content"),
        _("People"),
        _("Screening"),
        _("Seal"),
        _("Signature"),
    }
)
FIELDS = frozenset(
    {
        _("Phone check"),
        _("MRZ check"),
        _("ID vendor"),
        _("Fraud verification data"),
        _("Email check"),
        _("Date of incorporation"),
        _("Date of birth check"),
        _("Address"),
        _("Address of incorporation"),
        _("Address of operation"),
        _("Age in days"),
        _("Amount"),
        _("Business activity"),
        _("Business address"),
        _("Business name"),
        _("Business names"),
        _("Business purpose"),
        _("Business registration number"),
        _("Country code"),
        _("Country of nationality"),
        _("Country of residence"),
        _("Date"),
        _("Document number"),
        _("Document type"),
        _("Duplicates"),
        _("EIN"),
        _("Expiration date"),
        _("Extraction data"),
        _("First name"),
        _("Government ID verification data"),
        _("Holder name"),
        _("ID data"),
        _("ID expiry"),
        _("ID number"),
        _("Incorporation age"),
        _("Industry risk"),
        _("Issuer"),
        _("Issuing country"),
        _("Jurisdiction"),
        _("Last name"),
        _("MRZ"),
        _("Name"),
        _("Nationality"),
        _("Notice type"),
        _("Owners"),
        _("Ownership"),
        _("Ownership percentage"),
        _("Partners"),
        _("Party name"),
        _("People screening"),
        _("Percentage"),
        _("Proof of address type"),
        _("Registered business name"),
        _("Shares"),
        _("Source of funds"),
        _("TIN number"),
        _("Total"),
        _("Total percentage"),
        _("Validity period"),
        # Where a country of a rating is attested.
        _("Address of incorporation country code"),
        _("Address of operation country code"),
        # The result of the fraud verification.
        _("High risk"),
        _("Normal"),
        _("Trusted"),
        _("Warning"),
    }
)

# Keys are the codes of kinds of documents that checks send.
DOCUMENT_KINDS = {
    "accounts": _("Accounts"),
    "articles_of_incorporation": _("Articles of incorporation"),
    "bank_statement": _("Bank statement"),
    "business_licence": _("Business licence"),
    "certificate_of_incorporation": _("Certificate of incorporation"),
    "credit_card_statement": _("Credit card statement"),
    "driver_license": _("Driver's licence"),
    "drivers_license": _("Driver's licence"),
    "driving_licence": _("Driver's licence"),
    "ein_letter": _("EIN letter"),
    "financial_statements": _("Financial statements"),
    "id_card": _("Identity card"),
    "identity_card": _("Identity card"),
    "identity_document": _("Identity document"),
    "inheritance_document": _("Inheritance document"),
    "insurance_policy": _("Insurance policy"),
    "investment_agreement": _("Investment agreement"),
    "invoice": _("Invoice"),
    "irs_determination_letter": _("IRS determination letter"),
    "lease_agreement": _("Lease agreement"),
    "loan_agreement": _("Loan agreement"),
    "mortgage_statement": _("Mortgage statement"),
    "national_id": _("Identity card"),
    "ownership_document": _("Ownership document"),
    "passport": _("Passport"),
    "payslip": _("Payslip"),
    "register_extract": _("Register extract"),
    "residence_permit": _("Residence permit"),
    "sale_agreement": _("Sale agreement"),
    "tax_document": _("Tax document"),
    "tax_registration": _("Tax registration"),
    "tenancy_agreement": _("Tenancy agreement"),
    "utility_bill": _("Utility bill"),
    "vat_invoice": _("VAT invoice"),
}

# Keys are the scripts of reviews.results.scripts.
SCRIPTS = {
    "arabic": _("Arabic script"),
    "armenian": _("Armenian script"),
    "bengali": _("Bengali script"),
    "burmese": _("Burmese script"),
    "cyrillic": _("Cyrillic script"),
    "devanagari": _("Devanagari script"),
    "ethiopic": _("Ethiopic script"),
    "georgian": _("Georgian script"),
    "greek": _("Greek script"),
    "han": _("Han characters"),
    "hangul": _("Hangul"),
    "hebrew": _("Hebrew script"),
    "kana": _("Kana"),
    "khmer": _("Khmer script"),
    "latin": _("Latin script"),
    "other": _("Other script"),
    "tamil": _("Tamil script"),
    "thai": _("Thai script"),
}
# The reasons of a decision that an installation starts with, and their hints. Reasons that an
# administrator writes stay as they are written.
REASONS = frozenset(
    {
        _("All checks passed"),
        _("Explained by a third party"),
        _("registered agent, bank"),
        _("Immaterial difference"),
        _("spelling, date ±1 day"),
        _("Covered by enhanced monitoring"),
        _("90 days"),
        _("Document forged or altered"),
        _("Attested data contradicted"),
        _("Sanctions or watchlist match"),
        _("Outside of our risk appetite"),
        _("Document missing"),
        _("Document illegible or incomplete"),
        _("Difference to be explained"),
        _("Needs a senior reviewer"),
        _("Possible reportable activity"),
    }
)
# The rules of reviews.decisions.policy that ask for a second person, and the time limits of
# reviews.people.sla, as an installation starts with them.
RULES = frozenset(
    {
        _("Against the recommendation"),
        _("A RISK indicator"),
        _("High risk of fraud"),
        _("A check was overridden or did not pass"),
        _("Approve was not recommended"),
        _("The agent says what is missing"),
        _("Nothing was examined"),
        _("Every case"),
        _("Something speaks against it"),
    }
)
# The roles of people. Groups of an installation's own stay as they are named.
ROLES = frozenset(
    {
        _("administrator"),
        _("analyst"),
        _("auditor"),
        _("hub administrator"),
        _("integrator"),
        _("rule owner"),
        _("senior"),
    }
)
# How a boolean is written.
ANSWERS = frozenset({_("yes"), _("no")})
LABELS = CHECKS | HEADINGS | FIELDS
# What an installation starts with and people may change.
# The note of the risk policy that an installation starts with (reviews.risk.policies).
FIRST_POLICY = _("The policy that an installation starts with.")
_OF_THE_DESK = REASONS | RULES | ROLES | {FIRST_POLICY}


# Rows whose value is a code of a kind of document.
ROWS_OF_KINDS = frozenset({"Document type", "Proof of address type"})


def translated(label: str) -> str:
    """A known label, or yes or no, in the language of the request; any other label unchanged."""
    if label in LABELS or label in ANSWERS or label in _OF_THE_DESK:
        return _translated(label, get_language())
    return label


# The labels are few, and the page of a case asks for some of them once a check.
@lru_cache(maxsize=4096)
def _translated(label: str, _language: str | None) -> str:
    return gettext(label)


def country_name(code: str) -> str:
    """The name of a country in the language of the request; unknown codes stay unchanged."""
    return countries.name_in(code, current())


_COUNTRY_CODES = {name: code for code, name in countries.NAMES.items()}


def country_names(names: str) -> str:
    """Names of countries, as a check of names writes them, in the language of the request."""
    if names in _COUNTRY_CODES:
        return country_name(_COUNTRY_CODES[names])
    translations = []
    for name in names.split(", "):
        code = _COUNTRY_CODES.get(name)
        translations.append(country_name(code) if code else name)
    return ", ".join(translations)


def fact_value(value: object, field: object) -> object:
    """What a fact of a hit compares, for a reader. Other services may send any value."""
    if isinstance(value, str) and field in ("country", "nationality"):
        return country_names(value)
    return value


_NO_CODE = re.compile(r"[^a-z]+")


def document_kind(code: str) -> str:
    """A kind of document in the language of the request; unknown codes stay unchanged.

    Services write proofs of address in capitals, as the interface has them: UTILITY_BILL. People
    write a kind of identity document freely: "driver's license".
    """
    letters = code.lower().replace("'", "")
    key = _NO_CODE.sub("_", letters)
    name = DOCUMENT_KINDS.get(key)
    return gettext(name) if name else code


def value_in_words(label: str, value: str) -> str:
    """The value of a row with this label. A code of a kind of document is shown in words."""
    if label in ROWS_OF_KINDS:
        return document_kind(value)
    return value


def script_name(script: str) -> str:
    """The name of a script in the language of the request; unknown scripts stay unchanged."""
    name = SCRIPTS.get(script)
    return gettext(name) if name else script
