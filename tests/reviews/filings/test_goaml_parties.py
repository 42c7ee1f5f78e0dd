"""The parties of a file for goAML: all that is attested of them, in the members of the form."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from reviews.access import roles
from reviews.filings import goaml
from reviews.intake.form_fields import LinesField
from reviews.intake.forms import FORMS
from reviews.parties import recording
from tests.reviews.filings.fincen_rows import approved
from tests.reviews.rows import one_person, open_case, someone

pytestmark = pytest.mark.django_db
SCHEMA = etree.XMLSchema(etree.parse(Path(__file__).parent / "goaml.xsd"))
LONG = " ".join(["Wolfeschlegelsteinhausenbergerdorff"] * 4)


@pytest.fixture(autouse=True)
def desk(settings):
    settings.GOAML_ENTITY_ID = 1234
    one_person()


def file_of(data: dict[str, Any], **values: Any) -> Any:
    case = open_case(failing=True, self_attested_data=data, **values)
    recording.record_with_line(case)
    ana, sven = someone(roles.ANALYST, "ana"), someone(roles.SENIOR, "sven")
    report = approved(case, ana, sven, "The papers differ.")
    tree = etree.fromstring(goaml.xml(report))
    SCHEMA.assertValid(tree)
    return tree


def members(element: Any) -> dict[str, str]:
    return {child.tag: child.text for child in element if child.text}


def test_owners_and_directors_are_parties_of_the_activity():
    tree = file_of(
        {
            "business_name": "Northwind",
            "registered_business_name": "Northwind Trading Ltd",
            "tin_number": "12-345",
            "website": "https://northwind.example",
            "owners": [
                {
                    "full_name": "Ann Lee",
                    "date_of_birth": "1980-01-02",
                    "nationality": "Ireland",
                    "passport_number": "P 77",
                    "ownership_percentage": 60,
                },
                {
                    "company_name": "Holding GmbH",
                    "registration_number": "HRB 9",
                    "lei": "529900T8BM49AURSDO55",
                    "share": "25-50",
                    "owners": [{"full_name": "Bo Katz", "percentage": 100}],
                },
            ],
            "directors": ["Cleo Day"],
        },
        country="GB",
    )
    parties = tree.findall(".//report_party")
    subject = members(parties[0].find("entity"))
    assert subject["name"] == "Northwind Trading Ltd"
    assert subject["commercial_name"] == "Northwind"
    assert subject["tax_number"] == "12-345"
    assert subject["url"] == "https://northwind.example"
    by_reason = {party.findtext("reason"): party for party in parties[1:]}
    ann = members(by_reason["Owner of Northwind, 60 %"].find("person"))
    assert ann["last_name"] == "Ann Lee"
    assert ann["birthdate"] == "1980-01-02T00:00:00"
    assert (ann["nationality1"], ann["passport_number"]) == ("IE", "P 77")
    holding = by_reason["Owner of Northwind, 25 % to 50 %"].find("entity")
    assert members(holding)["incorporation_number"] == "HRB 9"
    assert "lei: 529900T8BM49AURSDO55" in members(holding)["comments"]
    assert by_reason["Owner of Holding GmbH, 100 %"].find("person") is not None
    assert by_reason["Director of Northwind"].find("person") is not None
    assert len(parties) == 5


@pytest.mark.parametrize(
    ("kind", "member"),
    [("Passport", "passport_number"), ("National identity card", "id_number")],
)
def test_the_number_of_the_identity_document_is_in_the_file(kind, member):
    card = {"document_type": kind, "document_number": "X123", "issuing_country": "DE"}
    data = {
        "first_name": "Ann",
        "last_name": "Lee",
        "government_id_verification_data": {"id_data": card},
        "email": "ann@example.org",
        "phone": "+49 30 1",
    }
    tree = file_of(data, kind="kyc", subject="Ann Lee")
    person = members(tree.find(".//person"))
    assert person[member] == "X123"
    assert person["email"] == "ann@example.org"
    assert "phone: +49 30 1" in person["comments"]


def test_what_does_not_fit_stands_whole_in_the_comments():
    data = {
        "first_name": "Ann",
        "last_name": LONG,
        "date_of_birth": "about 1960",
        "country_of_nationality": "Atlantis",
        "address": {
            "street_1": f"1 {LONG}",
            "city": "Oslo",
            "country_code": "NO",
            "postal_code": "0150 Oslo sentrum",
        },
    }
    tree = file_of(data, kind="kyc", subject="Ann")
    person = members(tree.find(".//person"))
    assert person["last_name"] == LONG[:100].rstrip()
    for line in (
        f"last name: {LONG}",
        f"address: 1 {LONG}",
        "zip: 0150 Oslo sentrum",
        "birthdate: about 1960",
        "nationality1: Atlantis",
    ):
        assert line in person["comments"]


@pytest.mark.parametrize("kind", ["kyb", "kyc"])
def test_all_that_the_form_of_a_case_asks_is_in_the_file(kind):
    data: dict[str, Any] = {}
    texts: list[object] = []
    for section in FORMS[kind].sections:
        for cell in section.cells:
            *path, name = cell.name.split(".")
            # Countries are written by their codes, and the papers by their own members.
            if "country" in name or section.folded:
                continue
            texts.append(f"Value {len(texts)} end")
            place = data
            for member in path:
                place = place.setdefault(member, {})
            # Partners are parties of their own, and a list.
            is_list = isinstance(cell.field, LinesField)
            place[name] = texts[-1:] if is_list else texts[-1]
    tree = etree.tostring(file_of(data, kind=kind), encoding="unicode")
    assert [text for text in texts if text not in tree] == []


def test_all_values_of_a_list_are_in_the_file():
    tree = file_of(
        {
            "first_name": "Ann",
            "last_name": "Lee",
            "country_of_nationality": ["ID", "SG"],
            "email": ["ann@a.example", "ann@b.example"],
        },
        kind="kyc",
    )
    ann = members(tree.find(".//person"))
    assert (ann["nationality1"], ann["email"]) == ("ID", "ann@a.example")
    assert "country of nationality: SG" in ann["comments"]
    assert "email: ann@b.example" in ann["comments"]


@pytest.mark.parametrize("kind", ["kyc", "kyb"])
@pytest.mark.parametrize(
    "value",
    [
        None,
        "",
        " ",
        0,
        True,
        [],
        {},
        ["Ann", "Lee"],
        [{"a": 1}],
        {"full_name": "Ann \x00\x0b\ud800 <&> Lee"},
        "李小龍",
        "محمد",
        "x" * 5_000,
        "1899-12-31",
        "0001-01-01",
        "2020-02-30",
    ],
)
def test_data_of_any_form_give_a_valid_file(kind, value):
    names = (
        "first_name last_name middle_name date_of_birth place_of_birth email phone"
        " country_of_nationality country_of_residence address business_name tin_number"
        " registered_business_name business_registration_number incorporation_date"
        " address_of_incorporation address_of_operation website industry owners directors"
        " government_id_verification_data"
    )
    data = dict.fromkeys(names.split(), value)
    file_of(data, kind=kind, subject="Some Body")
