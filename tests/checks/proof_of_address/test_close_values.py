"""Names and addresses that are close: a person decides, unless the difference is only one of spelling."""

from __future__ import annotations

from datetime import timedelta

import pytest

from checks import engine, samples
from checks.base import Examined
from checks.fields.addresses.comparison import compare_addresses, may_be_another
from checks.fields.addresses.postal import Address
from checks.fields.names.company_comparison import compare_names
from checks.fields.names.people import compare_people
from tests.checks.documents import TODAY

BUSINESS = "kyb.proof_of_address_verification"
AGREES = {"equal", "close"}


@pytest.mark.parametrize(
    ("first_name", "last_name", "read", "passes"),
    [
        # Two spellings of one name.
        ("Sergei", "Kuznetsov", "SERGEY KUZNETSOV", True),
        ("Mohammed", "Al Rashid", "Mohamed Al-Rashid", True),
        ("Oleksandr", "Shevchenko", "Aleksandr Shevchenko", True),
        ("Jürgen", "Müller", "JUERGEN MUELLER", True),
        ("Ronit", "Avrahami", "רונית אברהמי", True),
        ("Sarah", "Matthews", "Sarah Mathews", True),
        ("William", "Thompson", "Mr W Thompson", True),
        # Letters that look alike in print.
        ("Charlotte", "Whitcombe", "CHARL0TTE WHITCOMBE", True),
        ("Darnell", "Whitcomb", "DARNELL WHITCORNB", True),
        ("Isabella", "Morales", "lsabella Morales", True),
        # One letter apart, and may be another member of the family.
        ("Kristian", "Nielsen", "Kristina Nielsen", False),
        ("Faizal", "Osman", "Faizah Osman", False),
        ("Xiaolin", "Chen", "CHEN XIAOLING", False),
        ("Maria", "Rossi", "Mario Rossi", False),
        ("John", "Smith", "John Smith Jr", False),
        ("John", "Smith Sr", "John Smith Jr", False),
    ],
)
def test_close_people(first_name, last_name, read, passes):
    attested = {"first_name": first_name, "last_name": last_name}

    match = compare_people(attested, read)

    assert (match.state in AGREES and not match.for_person) is passes


@pytest.mark.parametrize(
    ("attested", "read", "passes"),
    [
        ("Fernhill Ceramics Limited", "FERNHILL CERAMICS LTD", True),
        ("Northgate Capital Partners LLP", "Northgate Capita1 Partners LLP", True),
        ("Müller & Söhne GmbH", "Mueller und Soehne GmbH", True),
        ("Fernhill Ceramics Limited", "Fernhill Ceramic Limited", False),
        ("Müller Bau GmbH", "Möller Bau GmbH", False),
        ("Müller Bau GmbH", "Müller Bau GmbH & Co. KG", False),
    ],
)
def test_close_companies(attested, read, passes):
    match = compare_names(attested, read)

    assert (match.state in AGREES and not match.for_person) is passes


def place(street: str, city: str, code: str) -> Address:
    return Address(street_1=street, city=city, postal_code=code)


@pytest.mark.parametrize(
    ("attested", "read", "passes"),
    [
        (
            ("Calle Santiago 21, 3º B", "Valladolid", "47001"),
            ("CL SANTIAGO 21 3 B", "VALLADOLID", "47001"),
            True,
        ),
        (
            ("5 impasse du Lavoir", "Riom", "63200"),
            ("5 IMP DU LAVOIR", "RIOM", "63200"),
            True,
        ),
        (
            ("вул. Соборна 32, кв. 7", "Вінниця", "21050"),
            ("вул. Соборна, 32/7", "м. Вінниця", "21050"),
            True,
        ),
        (
            ("Hauptstraße 5", "Neustadt", "91413"),
            ("Hauptstraße 5", "Neustadt", "23730"),
            False,
        ),
        (
            ("12 High Street", "Leeds", "LS1 2AB"),
            ("12 High Road", "Leeds", "LS1 2AB"),
            False,
        ),
        (
            ("12 High Street", "Leeds", "LS1 2AB"),
            ("High Street", "Leeds", "LS1 2AB"),
            False,
        ),
        (
            ("5529 N Cottonwood Drive", "Wichita", "67219"),
            ("5529 S COTTONWOOD DR", "WICHITA", "67219"),
            False,
        ),
        (
            ("Østergade 31, 2. th", "Aarhus", "8000"),
            ("Østergade 31, 2. tv", "Aarhus", "8000"),
            False,
        ),
        (
            ("12 rue des Goémons", "Brest", "29200"),
            ("12 bis rue des Goémons", "Brest", "29200"),
            False,
        ),
    ],
)
def test_close_addresses(attested, read, passes):
    own, other = place(*attested), place(*read)

    state, _ = compare_addresses(own, other)

    assert (state in AGREES and not may_be_another(own, other)) is passes


@pytest.mark.usefixtures("at_noon")
@pytest.mark.parametrize(("letter", "verdict"), [("", "pass"), ("e", "review")])
def test_a_person_looks_at_a_bill_with_a_close_name(letter, verdict):
    sample = samples.utility_bill(dated=TODAY - timedelta(days=20))
    first, rest = sample.attested["registered_business_name"].split(" ", 1)
    attested = {
        "registered_business_name": f"{first}{letter} {rest}",
        "address_of_operation": sample.attested["address_of_operation"],
    }
    outcomes = dict(
        engine.examine(
            BUSINESS,
            file=sample.content,
            file_name=sample.file_name,
            attested=attested,
            document={"type": "Document"},
            arguments={},
        )
    )

    outcome = engine.conclude(BUSINESS, [Examined({}, outcomes)], attested)

    assert outcome["verdict"] == verdict
