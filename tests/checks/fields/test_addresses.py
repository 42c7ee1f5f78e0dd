# ruff: noqa: RUF001 - addresses in other letters are part of its subject
"""Addresses and activities in the sentences of certificates, whose lines end where the page does."""

from __future__ import annotations

from textwrap import fill

import pytest

from checks.fields.addresses.postal import Address, find_addresses
from checks.fields.addresses.whole import address_of_lines
from tests.checks.documents import evidence_of, extraction_of, make_pdf

# Each as a register or a lawyer words it; the address is that of the document.
SENTENCES = {
    "delaware, county before the state": (
        "The address of the Corporation's registered office in the State of Delaware is 4410 Long "
        "Meadow Drive, Wilmington, New Castle County, Delaware 19808. The name of its registered "
        "agent at such address is Harbor Agents Company.",
        Address("4410 Long Meadow Drive", None, "Wilmington", "DE", "US", "19808"),
    ),
    "delaware, statutory form": (
        "Its registered office in the State of Delaware is to be located at 77 Old Mill Road, in the "
        "City of Dover, County of Kent, Zip Code 19901. The registered agent is Ada Marsh.",
        Address("77 Old Mill Road", None, "Dover", "DE", "US", "19901"),
    ),
    "county of, state of": (
        "The street address of the Company's principal place of business is 1200 North Harbor "
        "Boulevard, Suite 410, in the City of San Diego, County of San Diego, State of California "
        "92101, and its mailing address is the same.",
        Address(
            "1200 North Harbor Boulevard", "Suite 410", "San Diego", "CA", "US", "92101"
        ),
    ),
    "city and county": (
        "The initial street address of the corporation is located at 85 Bluxome Street, City and "
        "County of San Francisco, California 94107.",
        Address("85 Bluxome Street", None, "San Francisco", "CA", "US", "94107"),
    ),
    "new york": (
        "The office of the corporation is to be located at 350 West Forty Second Street, Apartment 12B, "
        "New York, New York 10036.",
        Address(
            "350 West Forty Second Street",
            "Apartment 12B",
            "New York",
            "NY",
            "US",
            "10036",
        ),
    ),
    "parish": (
        "The municipal address of the registered office is 901 Saint Charles Avenue, New Orleans, "
        "Parish of Orleans, Louisiana 70130.",
        Address("901 Saint Charles Avenue", None, "New Orleans", "LA", "US", "70130"),
    ),
    "county in brackets": (
        "The principal office of the limited liability company is at 16 Salt Marsh Lane, Charleston "
        "(Charleston County), South Carolina 29401.",
        Address("16 Salt Marsh Lane", None, "Charleston", "SC", "US", "29401"),
    ),
    "country before the code": (
        "The registered office of the company is situated at 2300 Red River Street, Austin, Texas, "
        "USA 78705.",
        Address("2300 Red River Street", None, "Austin", "TX", "US", "78705"),
    ),
    "england": (
        "The registered office of the company is at 12 Long Orchard Lane, Bristol BS1 4DJ.",
        Address("12 Long Orchard Lane", None, "Bristol", "", "GB", "BS1 4DJ"),
    ),
    "england, without the blank that OCR loses": (
        "The registered office of the company is at 12 Long Orchard Lane, Bristol BS14DJ.",
        Address("12 Long Orchard Lane", None, "Bristol", "", "GB", "BS1 4DJ"),
    ),
}


def read(text: str) -> Address:
    [result] = find_addresses(evidence_of(make_pdf(text)).text)
    return result.value.address


@pytest.mark.parametrize("width", range(46, 92, 3))
@pytest.mark.parametrize("wording", SENTENCES)
def test_an_address_in_a_sentence_is_the_same_wherever_its_lines_end(wording, width):
    sentence, address = SENTENCES[wording]
    lines = fill(sentence, width=width, break_on_hyphens=False)

    assert read(f"CERTIFICATE OF INCORPORATION\n{lines}") == address


@pytest.mark.parametrize(
    ("block", "address"),
    [
        (
            "Registered office:\n251 Long Meadow\nWilmington, DE 19808",
            Address("251 Long Meadow", None, "Wilmington", "DE", "US", "19808"),
        ),
        (
            "Mailing address\n800 Broadway\nSuite 12\nNew York, NY 10003",
            Address("800 Broadway", "Suite 12", "New York", "NY", "US", "10003"),
        ),
        (
            "Principal office\n14 County Road\nTroy, Rensselaer County, NY 12180",
            Address("14 County Road", None, "Troy", "NY", "US", "12180"),
        ),
    ],
)
def test_the_lines_of_a_block_are_its_parts(block, address):
    assert read(block) == address


def test_a_county_is_no_city_where_no_city_is_named():
    result = read(
        "The registered office is at 251 Long Meadow Drive, New Castle County, Delaware 19808."
    )

    assert (result.street_1, result.city, result.state) == (
        "251 Long Meadow Drive",
        "",
        "DE",
    )


ACTIVITIES = {
    "The purpose of the Corporation is to engage in any lawful act or activity for which "
    "corporations may be organized under the General Corporation Law.": "engage in any lawful act or activity for which corporations may be organized under the General Corporation Law",
    "The nature of the business or purposes to be conducted or promoted is to engage in any lawful act "
    "or activity.": "engage in any lawful act or activity",
    "The Company is organized for the purpose of operating a bakery and selling bread.": "operating a bakery and selling bread",
    "The purpose for which the corporation is organized is the repair of marine engines.": "the repair of marine engines",
    "The specific purpose of this corporation is to teach chess to adults.": "teach chess to adults",
    "The business of the Company is the wholesale of roasted coffee.": "the wholesale of roasted coffee",
    "Purposes. The Corporation shall manufacture optical lenses and sell them.": "manufacture optical lenses and sell them",
    "The principal activity of the company is software development.": "software development",
}  # fmt: skip


@pytest.mark.parametrize("width", [50, 64, 88])
@pytest.mark.parametrize("clause", ACTIVITIES)
def test_the_activity_is_read_from_the_clause_of_an_article(clause, width):
    lines = fill(clause, width=width)
    data = extraction_of(
        make_pdf(
            "ARTICLES OF INCORPORATION\nOF\nHAZELMERE LOGISTICS, INC.\nARTICLE III\n"
            f"{lines}\nARTICLE IV\nThe aggregate number of shares is ten million."
        )
    )

    assert data["business_activity"] == ACTIVITIES[clause]
    assert data["evidence"]["business_activity"]["boxes"]


def test_a_stated_activity_wins_over_any_lawful_one():
    data = extraction_of(
        make_pdf(
            "ARTICLES OF INCORPORATION\nOF\nHAZELMERE LOGISTICS, INC.\n"
            "The purpose of the corporation is to engage in any lawful act or activity.\n"
            "The specific purpose of this corporation is to teach chess to adults.\n"
        )
    )

    assert data["business_activity"] == "teach chess to adults"


def test_where_a_business_sits_is_not_what_it_does():
    data = extraction_of(
        make_pdf(
            "ARTICLES OF INCORPORATION\nOF\nHAZELMERE LOGISTICS, INC.\n"
            "The principal place of business is 14 Mill Road, Troy, New York 12180.\n"
        )
    )

    assert data["business_activity"] is None


@pytest.mark.parametrize(
    ("middle", "street", "code"),
    [
        (
            "is situated at the following address:\nMakariou III, 42, Floor 2\n3065, Limassol, Cyprus",
            "Makariou III, 42",
            "3065",
        ),
        ("is located as follows:\n8 Kennedy Avenue\n1087 Nicosia", "8 Kennedy Avenue", "1087"),
    ],
)  # fmt: skip
def test_an_office_stated_on_the_lines_below_is_read(middle, street, code):
    text = (
        "REPUBLIC OF CYPRUS\nTHE COMPANIES LAW, CAP. 113\nHE 402117\n\nCERTIFICATE OF REGISTERED OFFICE\n\n"
        "IT IS HEREBY CERTIFIED that the registered office of the company\n"
        f"AKAMAS SOLAR PARKS LIMITED\n{middle}\nDated 8 November 2023\nREGISTRAR OF COMPANIES\n"
    )

    address = extraction_of(make_pdf(text))["business_address"]

    assert address["street_1"].startswith(street)
    assert address["postal_code"] == code
    assert "2023" not in str(address)


@pytest.mark.parametrize(
    ("lines", "country", "street"),
    [
        ("гр. Смолян, п.к. 4700, ул. Перелик 4", "BG", "ул. Перелик 4"),
        ("Україна, 79000, місто Львів, вулиця Городоцька, 12", "UA", "Городоцька, 12"),
        ("Қазақстан, 010000, Астана қаласы, Достық көшесі 7", "KZ", "Достық көшесі 7"),
    ],
)  # fmt: skip
def test_a_street_behind_the_postal_code_is_kept(lines, country, street):
    address = address_of_lines(lines, country)
    assert address is not None
    assert street in address.street_1
