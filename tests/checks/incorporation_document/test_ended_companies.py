"""A document that says that the company has ended goes to a person, who reads what it says."""

from __future__ import annotations

import pytest

from checks import registry
from checks.base import Examined
from checks.fields.names.company_comparison import status_of
from tests.checks.documents import CHECK, FRAUD, VISUAL, make_pdf, results_of
from tests.checks.test_tax_registrations import DUTCH, read

CERTIFICATE = """CERTIFICATE OF INCORPORATION
OF A PRIVATE LIMITED COMPANY
Company No. 04412873
The Registrar of Companies for England and Wales hereby certifies that
{name}
is this day incorporated under the Companies Act 2006 as a private company.
Given at Companies House, Cardiff, on 12 March 2019
{line}"""


def outcome_of(name: str, line: str, attested: str):
    pdf = make_pdf(CERTIFICATE.format(name=name, line=line))
    data = {"business_name": attested}
    results = results_of(pdf, data, skip=(VISUAL, FRAUD))
    documents = [Examined({}, results)]
    return registry.get(CHECK).conclude(documents, data)


@pytest.mark.parametrize(
    ("name", "line", "words"),
    [
        ("ALDERNEY FIELDS LIMITED", "Company status: Dissolved", "Dissolved"),
        ("ALDERNEY FIELDS LIMITED", "The company is in liquidation.", "in liquidation"),
        ("ALDERNEY FIELDS LIMITED (IN LIQUIDATION)", "", "in liquidation"),
        ("ALDERNEY FIELDS LIMITED", "Dissolved on: 3 March 2021", "3 March 2021"),
    ],
)
def test_a_document_of_an_ended_company_asks_a_person(name, line, words):
    outcome = outcome_of(name, line, "Alderney Fields Limited")

    assert outcome.verdict == "review"
    assert "The document says of the company" in outcome.explanation
    assert words in outcome.explanation


def test_an_ended_company_asks_a_person_where_the_attested_name_says_so_too():
    name = "ALDERNEY FIELDS LIMITED (IN LIQUIDATION)"

    assert outcome_of(name, "", name).verdict == "review"


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("ALDERNEY FIELDS LIMITED", "Company status: Active"),
        ("ALDERNEY FIELDS LIMITED", "The company has not been dissolved."),
        ("ALDERNEY FIELDS LIMITED", "If the company is dissolved, the members share."),
        ("DISSOLVED OXYGEN LIMITED", ""),
        ("LIQUIDATION WORLD LIMITED", "Company status: Active"),
    ],
)
def test_words_that_say_nothing_of_an_end_ask_nobody(name, line):
    assert outcome_of(name, line, name).verdict == "pass"


def test_a_tax_registration_of_an_ended_company_asks_a_person():
    lines = DUTCH.format(number="NL539492061B01")

    data = read(f"{lines}\nStatus onderneming: ontbonden")

    assert data["is_valid_document"] is True
    assert "ontbonden" in str(data["cautions"])
    assert not read(lines)["cautions"]


@pytest.mark.parametrize(
    "name",
    [
        "Alfa GmbH i.L.",
        "Tasfiye Halinde Alfa A.Ş.",
        "Massa Falida de Alfa Ltda",
        "Alfa SARL, en liquidation judiciaire",
        "Alfa s.r.o. v likvidaci",
        "Alfa (struck off)",
    ],
)
def test_a_name_with_a_state(name):
    assert status_of(name)


@pytest.mark.parametrize(
    "name",
    [
        "Inactive Media Ltd",
        "Café Radiée",
        "In Liquidation Records Ltd",
        "Dissolved Oxygen Ltd",
        "Studio FA",
        "Under Administration Consulting GmbH",
    ],
)
def test_a_name_that_holds_such_words(name):
    assert status_of(name) == ""
