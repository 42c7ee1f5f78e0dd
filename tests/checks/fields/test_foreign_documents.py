"""Documents of other countries than those whose wordings came first, drawn here in their words."""

from __future__ import annotations

from datetime import date

import pytest

from checks.business_ownership.owners import find_owners
from checks.engine import examine
from checks.fields.addresses.postal import find_addresses
from checks.fields.names.companies import clean
from checks.incorporation_document.fields import IncorporationFields
from tests.checks.documents import evidence_of, extraction_of, make_pdf, results_of

VISUAL = "kyb.visual_verification_v3"
POWER_BILL = """Stadtwerke Musterau GmbH · Bahnhofstr. 5 · 72070 Tübingen
Herrn
Jonas Reinhardt
Wilhelmstraße 48
72074 Tübingen


Kundennummer 40182773
Rechnungsdatum 03.11.2026
Stromrechnung für den Zeitraum 01.10.2025 - 30.09.2026
Verbrauch 2.314 kWh
Rechnungsbetrag 816,12 €"""
LETTER = """Thornbury Bank plc

15 October 2026


Mr Idris Kellaway
9 Harbour Terrace
Whitehaven
CA28 7LY


We confirm that our records show the address above.
Account name: Mr I Kellaway
Sort code: 20-45-77"""
REGISTER = """Amtsgericht München Handelsregister Abteilung B HRB 271845
a) Firma b) Sitz c) Gegenstand
1
a) Isarwerk Systeme GmbH
b) München
Geschäftsanschrift: Lindwurmstraße 114, 80337 München
Gesellschaft mit beschränkter Haftung
Tag der letzten Eintragung: 22.11.2023"""


def proof_of(words: str) -> dict[str, object]:
    [extraction, *_] = examine(
        "kyc.proof_of_address_verification", file=make_pdf(words), file_name="", attested={}, document={}
    )  # fmt: skip
    data: dict[str, object] = extraction[1]["payload"]["extraction_data"]
    return data


def test_a_german_bill_is_of_whom_it_is_sent_to_and_not_of_who_sends_it():
    data = proof_of(POWER_BILL)

    assert (data["holder_name"], data["date"]) == ("Jonas Reinhardt", "2026-11-03")
    assert data["proof_of_address_type"] == "UTILITY_BILL"
    address = data["address"]
    assert address == {
        "type": "Address", "street_1": "Wilhelmstraße 48", "street_2": None, "city": "Tübingen",
        "state": "", "country_code": "DE", "postal_code": "72074",
    }  # fmt: skip


def test_the_date_of_a_letter_needs_no_label():
    assert proof_of(LETTER)["date"] == date(2026, 10, 15).isoformat()


@pytest.mark.parametrize(
    ("line", "street", "code", "country"),
    [
        (
            "Adresse du siège 8 Rue des Capucins 69001 Lyon",
            "8 Rue des Capucins",
            "69001",
            "FR",
        ),
        ("Calle Mayor 14, 28013 Madrid", "Calle Mayor 14", "28013", "ES"),
        ("Via Garibaldi 21\n20121 Milano", "Via Garibaldi 21", "20121", "IT"),
        ("Keizersgracht 12\n1015 CJ Amsterdam", "Keizersgracht 12", "1015 CJ", "NL"),
        ("Rua Augusta 31\n1100-048 Lisboa", "Rua Augusta 31", "1100-048", "PT"),
        # Austria and Switzerland write both alike.
        ("Bahnhofstrasse 7\n8001 Zürich", "Bahnhofstrasse 7", "8001", ""),
    ],
)
def test_a_postal_code_before_its_town(line, street, code, country):
    [result] = find_addresses(evidence_of(make_pdf(line)).text)

    address = result.value.address
    assert (address.street_1, address.postal_code, address.country_code) == (
        street,
        code,
        country,
    )


@pytest.mark.parametrize(
    "line", ["Total units 4500, 12345 Widgets", "Order 5, 10000 Pieces"]
)
def test_numbers_and_words_are_no_address(line):
    assert find_addresses(evidence_of(make_pdf(line)).text) == []


def test_an_extract_of_a_register_needs_no_seal_and_its_last_entry_is_not_its_first():
    results = results_of(make_pdf(REGISTER))
    data = extraction_of(make_pdf(REGISTER))

    assert data["document_type"] == "register_extract"
    assert (data["business_name"], data["incorporation_date"]) == (
        "Isarwerk Systeme GmbH",
        None,
    )
    assert data["business_registration_number"] == ["HRB271845"]
    inspection = results[VISUAL]["payload"]["visual_inspection"]
    assert inspection["visual_analysis"]["seal_verification"]["passed"] is not False


def test_a_name_between_two_languages():
    data = extraction_of(
        make_pdf(
            "No. 3129457\nCERTIFICATE OF INCORPORATION\nI hereby certify that\n"
            "HARROWGATE TRADING (ASIA) LIMITED\n--\nis this day incorporated in Hong Kong\n"
            "under the Companies Ordinance (Chapter 622).\nIssued on 15 March 2022.\n"
            "Registrar of Companies"
        )
    )

    assert data["business_name"] == "HARROWGATE TRADING (ASIA) LIMITED"
    assert data["business_registration_number"] == ["3129457"]


def test_the_label_of_a_number_takes_no_legal_form_away():
    assert (
        clean("Saltmere Holdings Ltd Company number 11882734")
        == "Saltmere Holdings Ltd"
    )


WRAPPED = """REGISTER OF MEMBERS
Company: Saltmere Holdings Ltd
Name Address Number of shares Percentage
Marta Eklund 4 Mill Lane, Leeds
LS1 4AB Ordinary 550 55%
Ravi
Deshpande
11 Park Row,
Bristol BS1 5LJ Ordinary 300 30%
Northgate Ventures LP 80 Cheapside,
London EC2V 6DZ Ordinary 150 15%"""


def test_the_town_of_an_owner_is_no_owner():
    owners = [
        result.value for result in find_owners(evidence_of(make_pdf(WRAPPED)).text)
    ]

    assert [(owner.name, owner.percent) for owner in owners] == [
        ("Marta Eklund", 55.0), ("Ravi Deshpande", 30.0), ("Northgate Ventures LP", 15.0),
    ]  # fmt: skip


def test_the_government_in_the_head_decides_between_countries_of_one_language():
    """“Registre national des entreprises” is the name of a register in France, too."""
    evidence = evidence_of(
        make_pdf(
            "République Tunisienne\nRegistre national des entreprises\n"
            "EXTRAIT DU REGISTRE NATIONAL DES ENTREPRISES\nIdentifiant unique 1622448K"
        )
    )

    place = IncorporationFields(evidence).jurisdiction

    assert place
    assert place.value.code == "TN"
