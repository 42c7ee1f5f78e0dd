"""The sentence over a check of documents names the rows that differ, and its verdict follows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import Any

import pytest

from checks import engine, samples
from checks.base import Examined
from checks.comparisons import DIFFERENT
from checks.samples.passports import draw_passport
from tests.checks.documents import TODAY, make_pdf

pytestmark = pytest.mark.usefixtures("at_noon")

ELSEWHERE = {
    "type": "Address", "street_1": "800 Ocean Drive", "city": "Miami", "state": "FL",
    "country_code": "US", "postal_code": "33139",
}  # fmt: skip
PASSPORT_LABELS = {"first_name": "Name", "date_of_birth": "Date of birth"}


@dataclass(frozen=True)
class Paper:
    """A document that agrees with its data, and for each row the data that differ."""

    check_id: str
    content: bytes
    attested: dict[str, Any]
    differing: dict[str, dict[str, Any]]


def incorporation() -> Paper:
    sample = samples.good_certificate()
    return Paper(
        "kyb.incorporation_document_verification",
        sample.content,
        sample.attested,
        {
            "Registered business name": {
                "registered_business_name": "Quite Another Corp."
            },
            "Date of incorporation": {"incorporation_date": "1999-05-17"},
            "Registration number": {"business_registration_number": "1111111"},
            "Address of incorporation": {
                "address_of_incorporation": ELSEWHERE | {"state": "DE"}
            },
            "Jurisdiction": {
                "address_of_incorporation": ELSEWHERE | {"country_code": "FR"}
            },
        },
    )


def ein_letter() -> Paper:
    sample = samples.ein_letter()
    return Paper(
        "kyb.ein_document_verification",
        sample.content,
        sample.attested,
        {
            "EIN": {"tin_number": "12-0000001"},
            "Address of incorporation": {"address_of_incorporation": ELSEWHERE},
        },
    )


def proof_of_address() -> Paper:
    sample = samples.utility_bill(dated=TODAY - timedelta(days=20))
    return Paper(
        "kyb.proof_of_address_verification",
        sample.content,
        {key: value for key, value in sample.attested.items() if key != "address_of_operation"},
        {
            "Registered business name": {
                "registered_business_name": "Quite Another Corp.", "business_name": "Quite Another",
            },
            "Address of incorporation": {"address_of_incorporation": ELSEWHERE},
        },
    )  # fmt: skip


def ownership() -> Paper:
    sample = samples.register_of_members()
    partner = sample.attested["partners"][0]
    name = partner["name"] if isinstance(partner, dict) else partner
    return Paper(
        "kyb.business_ownership_verification_tool",
        sample.content,
        sample.attested,
        {"Partner Nobody Known": {"partners": [{"name": "Nobody Known"}]},
         f"Partner {name}": {"partners": [{"name": name, "percentage": 1.5}]}},
    )  # fmt: skip


def source_of_funds() -> Paper:
    content = make_pdf(
        "LOAN AGREEMENT\nThis loan agreement is made between the lender and the borrower.\n"
        "Borrower: Halcyon Foods Ltd\nPrincipal amount: USD 250,000.00\n"
        "The borrower shall repay the loan with interest.\nDated 4 May 2026"
    )
    return Paper(
        "kyb.source_of_funds_document_check",
        content,
        {"business_name": "Halcyon Foods Ltd"},
        {},
    )


def identity() -> Paper:
    content, attested = draw_passport(7, expires=date(TODAY.year + 4, 5, 4))
    return Paper(
        "kyc.identity_document_verification",
        content,
        attested,
        {
            "Name": {"first_name": "Somebody", "last_name": "Else"},
            "Date of birth": {"date_of_birth": "1991-01-09"},
        },
    )


PAPERS = {
    paper.__name__: cache(paper)
    for paper in (
        incorporation,
        ein_letter,
        proof_of_address,
        ownership,
        source_of_funds,
        identity,
    )
}
DIFFERING = [
    (kind, label)
    for kind, paper in PAPERS.items()
    if kind
    != "identity"  # its labels are listed, so that no picture is drawn at import
    for label in paper().differing
] + [("identity", label) for label in PASSPORT_LABELS.values()]


def results_of(
    paper: Paper, attested: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    outcomes = dict(
        engine.examine(
            paper.check_id,
            file=paper.content,
            file_name="paper.pdf",
            attested=attested,
            document={"type": "Document", "file_name": "paper.pdf"},
        )
    )
    return outcomes, engine.conclude(paper.check_id, [Examined({}, outcomes)], attested)


def rows_of(said: dict[str, Any]) -> list[dict[str, Any]]:
    documents = (
        said["payload"]["valid_documents"] + said["payload"]["invalid_documents"]
    )
    return [row for one in documents for row in one["extraction_data"]["comparisons"]]


@pytest.mark.parametrize("kind", PAPERS)
def test_a_document_that_agrees_says_so(kind):
    paper = PAPERS[kind]()

    _, text = results_of(paper, paper.attested)

    states = {row["state"] for row in rows_of(text)}
    assert text["verdict"] == "pass", text["explanation"]
    assert not states & DIFFERENT
    assert ("agrees with the data" in text["explanation"]) == (
        states <= {"equal", "not_attested"} and "equal" in states
    )


@pytest.mark.parametrize("kind", PAPERS)
def test_the_answer_is_a_line_of_text(kind):
    paper = PAPERS[kind]()

    _, text = results_of(paper, paper.attested)

    assert not set("{}[]") & set(text["answer"])
    if kind == "proof_of_address":
        address = paper.attested["address_of_incorporation"]
        assert text["answer"].startswith(f"{address['street_1']}, ")
        assert text["answer"].endswith(address["postal_code"])


@pytest.mark.sweep
@pytest.mark.parametrize(("kind", "label"), DIFFERING)
def test_a_row_that_differs_is_named_and_nothing_passes(kind, label):
    paper = PAPERS[kind]()
    attested = paper.attested | paper.differing[label]

    outcomes, text = results_of(paper, attested)

    assert label in {row["label"] for row in rows_of(text) if row["state"] == "differs"}
    assert (text["verdict"], text["passed"]) == ("review", False)
    sentence = next(
        s for s in text["explanation"].split(". ") if "Differs from the data" in s
    )
    assert label in sentence
    assert "agree" not in text["explanation"]
    extraction = next(
        r for tool, r in outcomes.items() if "extraction_data" in r["payload"]
    )
    assert (extraction["verdict"], extraction["passed"]) == ("review", False)
    for outcome in outcomes.values():
        sections = (
            outcome["payload"].get("visual_inspection", {}).get("visual_analysis", {})
        )
        for section in sections.values():
            if f"{label} differs" in str(section.get("analysis")):
                assert section["passed"] is False


@pytest.mark.parametrize("kind", ["source_of_funds", "proof_of_address"])
def test_a_document_for_somebody_else_is_for_a_person(kind):
    paper = PAPERS[kind]()
    attested = {"business_name": "Quite Another Corp."}

    _, text = results_of(paper, attested)

    assert text["verdict"] in {"review", "inconclusive"}
    assert "agree" not in text["explanation"]


def test_an_edited_place_is_altered_whatever_the_data_say():
    sample = samples.edited_certificate()
    paper = Paper(
        "kyb.incorporation_document_verification", sample.content, sample.attested, {}
    )

    outcomes, text = results_of(paper, paper.attested)

    [row] = [row for row in rows_of(text) if row["state"] == "altered"]
    value = outcomes["document_fraud_check"]["payload"]["fraud_verification_data"]
    places = [
        (box["page"], round(box["y0"], 2))
        for sign in value["verification_data"]
        for one in sign["changes"]
        for box in one["boxes"]
    ]
    assert text["verdict"] == "fail"
    assert row["label"] in text["explanation"]
    assert any((box["page"], round(box["y0"], 2)) in places for box in row["boxes"])
