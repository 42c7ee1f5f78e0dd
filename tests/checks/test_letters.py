"""EIN letters, proofs of address, documents of ownership and of the source of funds."""

from __future__ import annotations

import io
from datetime import date, timedelta

import pikepdf
import pypdfium2 as pdfium
import pytest

from checks import engine, samples
from checks.base import Examined
from checks.evidence import Evidence
from checks.registry import get
from checks.samples.scanning import scan
from papers.words import words_of
from tests.checks.documents import TODAY, make_pdf

pytestmark = pytest.mark.usefixtures("at_noon")

EIN = "kyb.ein_document_verification"
ADDRESS = "kyb.proof_of_address_verification"
PERSON = "kyc.proof_of_address_verification"
OWNERS = "kyb.business_ownership_verification_tool"
FUNDS = "kyb.source_of_funds_document_check"
LETTER = samples.ein_letter()


def bill(days: int = 20, **options):
    return samples.utility_bill(dated=TODAY - timedelta(days=days), **options)


def extract(check_id, content, attested=None, **arguments):
    evidence = Evidence(
        content, "letter.pdf", attested=attested or {}, arguments=arguments
    )
    return get(check_id).tools[0].run(evidence)


def data_of(outcome):
    return outcome.payload["extraction_data"]


def state_of(outcome, field):
    return next(
        c["state"] for c in data_of(outcome)["comparisons"] if c["field"] == field
    )


def conclude(check_id, sample, **arguments):
    outcomes = dict(
        engine.examine(
            check_id,
            file=sample.content,
            file_name=sample.file_name,
            attested=sample.attested,
            document={"type": "Document"},
            arguments=arguments,
        )
    )
    return engine.conclude(check_id, [Examined({}, outcomes)], sample.attested)


def test_an_ein_letter_shows_the_number_the_business_and_the_address():
    outcome = extract(EIN, LETTER.content, LETTER.attested)

    data = data_of(outcome)
    assert outcome.verdict == "pass"
    assert data["ein"] == LETTER.attested["tin_number"]
    assert data["business_registration_number"] == [LETTER.attested["tin_number"]]
    assert data["business_name"] == LETTER.attested["registered_business_name"].upper()
    attested = LETTER.attested["address_of_incorporation"]
    assert data["business_address"]["postal_code"] == attested["postal_code"]
    assert data["notice_type"] == "CP 575 A"
    assert {c["state"] for c in data["comparisons"]} <= {"equal", "close"}
    assert all(c["how"] for c in data["comparisons"])
    [box] = data["evidence"]["ein"]["boxes"]
    assert 0.5 < box["x0"] < box["x1"] < 0.75


def test_every_member_of_the_interface_is_there_for_every_kind():
    interface = {
        "is_valid_document",
        "analysis",
        "summary",
        "date",
        "alerts",
        "business_name",
        "all_business_names",
        "incorporation_date",
        "business_address",
        "all_extracted_addresses",
        "business_activity",
        "jurisdiction",
        "business_registration_number",
    }
    for check_id in (EIN, ADDRESS, PERSON, OWNERS, FUNDS):
        for content in (LETTER.content, b"nothing"):
            assert interface <= data_of(extract(check_id, content)).keys()


def test_another_ein_than_the_attested_one_goes_to_a_person():
    outcome = extract(
        EIN, LETTER.content, LETTER.attested | {"tin_number": "47-1234567"}
    )

    assert outcome.verdict == "review"
    assert state_of(outcome, "tin_number") == "differs"
    assert "other digits" in outcome.explanation


def test_a_number_with_a_prefix_that_is_not_assigned_is_no_ein():
    outcome = extract(
        EIN,
        make_pdf(
            "INTERNAL REVENUE SERVICE CP 575\nEmployer Identification Number: 07-1234567"
        ),
    )

    assert data_of(outcome)["ein"] is None
    assert "07-1234567 has a prefix that the IRS does not assign" in outcome.explanation


def test_a_certificate_is_no_ein_letter():
    outcome = extract(EIN, samples.good_certificate().content)

    assert data_of(outcome)["is_valid_document"] is False
    assert "not recognised as a letter of the IRS" in data_of(outcome)["analysis"]


def test_an_ein_letter_that_was_faxed_is_read():
    outcome = extract(
        EIN, scan(LETTER.content, seed=9, created=date(2024, 3, 1)), LETTER.attested
    )

    assert outcome.verdict == "pass"
    assert data_of(outcome)["ein"] == LETTER.attested["tin_number"]
    assert data_of(outcome)["evidence"]["ein"]["source"] == "OCR"


def test_the_whole_check_of_an_ein_letter_passes():
    result = conclude(EIN, LETTER)

    assert result["verdict"] == "pass"
    assert result["payload"]["verified_ein"] == LETTER.attested["tin_number"]
    assert len(result["payload"]["valid_documents"]) == 1


def test_a_recent_bill_proves_the_address():
    sample = bill()

    outcome = extract(ADDRESS, sample.content, sample.attested)

    data = data_of(outcome)
    assert outcome.verdict == "pass"
    assert data["holder_name"] == sample.attested["registered_business_name"]
    assert (data["proof_of_address_type"], data["age_in_days"]) == ("UTILITY_BILL", 20)
    assert data["date"] == (TODAY - timedelta(days=20)).isoformat()
    assert state_of(outcome, "address_of_operation") == "equal"


@pytest.mark.parametrize(
    ("days", "arguments", "verdict"),
    [
        (90, {}, "pass"),
        (91, {}, "review"),
        (91, {"validity_period": 180}, "pass"),
        (40, {"validity_period": "30"}, "review"),
        (40, {"validity_period": "soon"}, "pass"),
        (-2, {}, "review"),
    ],
)
def test_the_age_of_a_proof_of_address_is_counted_in_days(days, arguments, verdict):
    sample = bill(days)

    assert (
        extract(ADDRESS, sample.content, sample.attested, **arguments).verdict
        == verdict
    )


def test_a_proof_of_address_that_is_too_old_says_its_age_and_the_limit():
    sample = bill(200)

    result = conclude(ADDRESS, sample)

    assert result["verdict"] == "review"
    assert result["payload"]["valid_documents"] == []
    [document] = result["payload"]["invalid_documents"]
    assert (
        "It is 200 days old. Limit: 90 days."
        in (document["extraction_data"]["analysis"])
    )


def test_only_accepted_kinds_count():
    sample = bill()

    outcome = extract(
        ADDRESS, sample.content, sample.attested, accepted_documents=["BANK_STATEMENT"]
    )

    assert outcome.verdict == "review"
    assert (
        "not recognised as an accepted kind of document (bank statement)"
        in outcome.explanation
    )


def test_the_bill_of_somebody_else_goes_to_a_person():
    sample = bill()

    attested = sample.attested | {
        "registered_business_name": "Wetherby Anchor Ltd",
        "business_name": "Wetherby Anchor",
    }
    outcome = extract(ADDRESS, sample.content, attested)

    assert outcome.verdict == "review"
    assert state_of(outcome, "registered_business_name") == "differs"


STATEMENT = f"""Northern Quay Bank
Statement of account
Statement date: {TODAY - timedelta(days=9):%d %B %Y}
Account holder: Mrs Marguerite A. Oyelaran
Flat 4, 18 Alder Row
Leeds
LS1 4DY
Opening balance  GBP 1,204.00
Closing balance  GBP 1,900.50
Sort code 20-00-00"""
PERSON_DATA = {
    "first_name": "Marguerite",
    "last_name": "Oyelaran",
    "address": {
        "street_1": "Flat 4, 18 Alder Row",
        "city": "Leeds",
        "postal_code": "LS1 4DY",
        "country_code": "GB",
    },
}


def test_a_person_is_found_by_first_and_last_name():
    outcome = extract(PERSON, make_pdf(STATEMENT), PERSON_DATA)

    assert outcome.verdict == "pass", outcome.explanation
    assert (state_of(outcome, "name"), state_of(outcome, "address")) == (
        "equal",
        "equal",
    )
    assert data_of(outcome)["address"]["postal_code"] == "LS1 4DY"


def test_the_owners_are_listed_with_their_shares_and_places():
    sample = samples.register_of_members()

    outcome = extract(OWNERS, sample.content, sample.attested)

    data = data_of(outcome)
    assert outcome.verdict == "pass", outcome.explanation
    assert [(o["name"], o["percentage"]) for o in data["owners"]] == [
        (partner["name"], partner["percentage"])
        for partner in sample.attested["partners"]
    ]
    assert data["total_percentage"] == 100
    assert all(owner["boxes"] for owner in data["owners"])
    assert {c["state"] for c in data["comparisons"]} <= {"equal", "close"}


@pytest.mark.parametrize(
    ("words", "owners", "complaint"),
    [
        (
            "CAPITALIZATION TABLE of Halcyon Foods, Inc.\nShareholder Number of shares\n"
            "1. Ada Marsh Common 4,000,000\n2. Ben Oduya Common 6,000,000\nTotal 10,000,000",
            [("Ada Marsh", 40.0), ("Ben Oduya", 60.0)],
            "",
        ),
        (
            "REGISTER OF MEMBERS\nAda Marsh 60 %\nBen Oduya 60 %",
            [("Ada Marsh", 60.0), ("Ben Oduya", 60.0)],
            "add up to 120 %, more than 100 %",
        ),
        (
            "REGISTER OF MEMBERS\nAda Marsh 60 %\nBen Oduya 20 %",
            [("Ada Marsh", 60.0), ("Ben Oduya", 20.0)],
            "add up to 80 %, not to 100 %",
        ),
        (
            "DECLARATION OF BENEFICIAL OWNERS\nShareholders of 25 % or more:\nAda Marsh 60 %",
            [("Ada Marsh", 60.0)],
            "",
        ),
        (
            "REGISTER OF MEMBERS\nVAT at 20 % is added",
            [],
            "No owner with a share was found",
        ),
        (
            "SCHEDULE OF MEMBERS of Halcyon Foods LLC\nBen Oduya owns 100% of the units.",
            [("Ben Oduya", 100.0)],
            "",
        ),
        # Shares of two classes: the owner has both.
        (
            "REGISTER OF MEMBERS of Halcyon Foods Ltd\nAda Marsh Ordinary A 20 %\n"
            "Ben Oduya Ordinary A 50 %\nAda Marsh Ordinary B 30 %",
            [("Ada Marsh", 50.0), ("Ben Oduya", 50.0)],
            "",
        ),
        (
            "CAPITALIZATION TABLE of Halcyon Foods, Inc.\nShareholder Number of shares\n"
            "Ada Marsh Common 400\nBen Oduya Common 300\nAda Marsh Preferred 300\nTotal 1,000",
            [("Ada Marsh", 70.0), ("Ben Oduya", 30.0)],
            "",
        ),
        # A list that is repeated is no second class.
        (
            "REGISTER OF MEMBERS of Halcyon Foods Ltd\nAda Marsh 40 %\nBen Oduya 60 %\n"
            "Ada Marsh 40 %\nBen Oduya 60 %",
            [("Ada Marsh", 40.0), ("Ben Oduya", 60.0)],
            "",
        ),
        # A row that is not read is missing from the shares that the table states.
        (
            "CAPITALIZATION TABLE of Halcyon Foods, Inc.\nShareholder Number of shares\n"
            "Ada Marsh Common 600\nOduya 400\nTotal 1,000",
            [("Ada Marsh", 60.0)],
            "add up to 60 %, not to 100 %",
        ),
        # A sentence about another company does not hide the table.
        (
            "REGISTER OF BENEFICIAL OWNERS of Halcyon Foods Ltd\nMarsh Holdings owns 12% of Quarry Ltd.\n"
            "Ada Marsh 40 %\nBen Oduya 60 %",
            [("Ada Marsh", 40.0), ("Ben Oduya", 60.0)],
            "",
        ),
    ],
)
def test_shares_are_read_and_must_add_up(words, owners, complaint):
    outcome = extract(OWNERS, make_pdf(words))

    read = [
        (owner["name"], owner["percentage"]) for owner in data_of(outcome)["owners"]
    ]
    assert read == owners
    assert (
        (complaint in outcome.explanation) if complaint else outcome.verdict == "pass"
    )


def test_a_partner_who_is_not_listed_goes_to_a_person():
    sample = samples.register_of_members()
    partners = [
        *sample.attested["partners"],
        {"name": "Sybil Ansbach", "percentage": 5},
    ]

    outcome = extract(OWNERS, sample.content, sample.attested | {"partners": partners})

    assert outcome.verdict == "review"
    assert "not among the owners" in outcome.explanation


@pytest.mark.parametrize(
    ("partner", "state"),
    [
        ("Ben Oduya", "equal"),
        ("Ben Oduya, 60 %", "equal"),
        ("Ben Oduya (60%)", "equal"),
        ("Ben Oduya, 50-75 %", "equal"),
        ("Ben Oduya, 20 %", "differs"),
        ("Sybil Ansbach, 60 %", "differs"),
        ("Ben Oduya 3/5", "equal"),
        ("Ben Oduya, 1/3", "differs"),
        ("Ben Oduya (40/60)", "equal"),
    ],
)
def test_a_partner_of_the_form_has_the_share_in_the_line(partner, state):
    """The form of a business offers this way of writing, and the desk reads it."""
    words = "REGISTER OF MEMBERS\nAda Marsh 40 %\nBen Oduya 60 %"

    outcome = extract(OWNERS, make_pdf(words), {"partners": [partner]})

    [row] = [c for c in data_of(outcome)["comparisons"] if c["field"] == "partners"]
    assert row["state"] == state


@pytest.mark.parametrize(
    ("owners", "states"),
    [
        ([{"type": "person", "name": "Ben Oduya", "percentage": "60 %"}], ["equal"]),
        ([{"first_name": "Ben", "last_name": "Oduya", "share": "3/5"}], ["equal"]),
        ([{"name": "Ben Oduya", "percentage": "1/3"}], ["differs"]),
        ([{"name": "Ben Oduya", "percentage": "25-50 %"}], ["equal"]),
        ([{"type": "company", "business_name": "Sybil Ansbach Ltd"}], ["differs"]),
        # Shares of two classes.
        ([{"name": "Ben Oduya", "percentage": 30}] * 2, ["equal"]),
        ([{"percentage": 30}, "Ada Marsh, 40 %"], ["equal"]),
    ],
)
def test_the_owners_of_the_rows_of_the_form_are_compared(owners, states):
    words = "REGISTER OF MEMBERS\nAda Marsh 40 %\nBen Oduya 60 %"

    outcome = extract(OWNERS, make_pdf(words), {"owners": owners})

    rows = [c for c in data_of(outcome)["comparisons"] if c["field"] == "owners"]
    assert [row["state"] for row in rows] == states
    assert all(row["label"].startswith("Owner ") for row in rows)
    assert outcome.verdict == ("review" if "differs" in states else "pass")


@pytest.mark.parametrize(
    ("share", "verdict"), [(5, "pass"), (30, "review"), ("", "review")]
)
def test_a_small_owner_may_miss_in_a_list_of_large_ones(share, verdict):
    words = "BENEFICIAL OWNERSHIP DECLARATION of Halcyon Foods LLC\nBen Oduya 60 %"
    owners = [{"name": "Sybil Ansbach", "percentage": share}]

    outcome = extract(OWNERS, make_pdf(words), {"owners": owners})

    assert outcome.verdict == verdict, outcome.explanation


@pytest.mark.parametrize("share", ["52.5", "52,5 %", 52.5])
def test_a_partner_with_another_share_is_told_however_it_is_written(share):
    words = (
        "SCHEDULE OF MEMBERS of Halcyon Foods LLC\nBen Oduya owns 100% of the units."
    )
    partners = [{"name": "Ben Oduya", "percentage": share}]

    outcome = extract(OWNERS, make_pdf(words), {"partners": partners})

    assert "attested with 52.5 %, listed with 100 %" in outcome.explanation


def test_an_agreement_of_sale_shows_where_money_comes_from():
    words = """PURCHASE AND SALE AGREEMENT
    made on 4 May 2023 between the Seller, Halcyon Foods, Inc., and the Buyer.
    The purchase price is USD 1,250,000.00, payable at closing."""

    outcome = extract(FUNDS, make_pdf(words), {"business_name": "Halcyon Foods"})

    data = data_of(outcome)
    assert outcome.verdict == "pass", outcome.explanation
    assert (data["source_of_funds"], data["amount"]) == ("sale", "USD 1250000.00")
    assert (data["party_name"], data["date"]) == ("Halcyon Foods", "2023-05-04")


@pytest.mark.parametrize(
    ("price", "amount"),
    [
        ("€ 1.250.000,00", "EUR 1250000.00"),
        ("1.250.000,00 EUR", "EUR 1250000.00"),
        ("EUR 50.000", "EUR 50000.00"),
        ("CHF 1'250'000.00", "CHF 1250000.00"),
        ("INR 12,50,000.00", "INR 1250000.00"),
        ("A$ 1,250,000.00", "AUD 1250000.00"),
        # Of which country's dollars nothing is known.
        ("$1,250,000.00", "1250000.00"),
        ("USD 3 million", "USD 3000000.00"),
        ("USD 3.5 million", "USD 3500000.00"),
        ("USD 100K", "USD 100000.00"),
        ("INR 2.5 crore", "INR 25000000.00"),
        ("KWD 1,884.755", "KWD 1884.755"),
        ("KWD 85,000", "KWD 85000.000"),
        # It may be a thousand or a million, or a quantity.
        ("EUR 3 mil", None),
        ("USD 1,234.567", None),
        ("GBP 3 m", None),
    ],
)
def test_an_amount_is_read_in_the_format_of_its_country(price, amount):
    words = f"""PURCHASE AND SALE AGREEMENT
    made on 4 May 2023 between the Seller, Halcyon Foods, Inc., and the Buyer.
    The purchase price is {price}, payable at closing."""

    outcome = extract(FUNDS, make_pdf(words), {"business_name": "Halcyon Foods"})

    assert data_of(outcome)["amount"] == amount


def test_a_dollar_is_that_of_the_country_of_the_document():
    words = """PURCHASE AND SALE AGREEMENT
    made on 4 May 2023 between the Seller, Halcyon Foods, Inc., and the Buyer.
    The purchase price is $1,250,000.00, payable at closing.
    This agreement is governed by the laws of the State of Delaware."""

    outcome = extract(FUNDS, make_pdf(words), {"business_name": "Halcyon Foods"})

    assert data_of(outcome)["amount"] == "USD 1250000.00"


def test_a_certificate_shows_no_source_of_funds():
    assert extract(FUNDS, samples.good_certificate().content).verdict == "review"


@pytest.mark.parametrize("check_id", [EIN, ADDRESS, PERSON, OWNERS, FUNDS])
def test_what_cannot_be_read_is_inconclusive_and_says_why(check_id):
    with pikepdf.open(io.BytesIO(LETTER.content)) as pdf:
        locked = io.BytesIO()
        pdf.save(locked, encryption=pikepdf.Encryption(user="u", owner="o"))

    outcome = extract(check_id, locked.getvalue())

    assert outcome.verdict == "inconclusive"
    assert "password" in data_of(outcome)["analysis"]


def test_without_documents_a_check_does_not_apply():
    for check_id in (EIN, ADDRESS, PERSON, OWNERS, FUNDS):
        assert engine.conclude(check_id, [], {})["verdict"] == "not_applicable"


@pytest.mark.parametrize(
    "day", [date(2026, 1, 31), date(2026, 9, 28), date(2026, 12, 9)]
)
def test_the_text_of_a_sample_ends_on_its_page(day):
    """A bill of the demonstration ran over the edge of the paper, as no biller's does."""
    for seed in range(12):
        for content in (
            samples.utility_bill(seed, dated=day).content,
            samples.ein_letter(seed).content,
            samples.register_of_members(seed).content,
            samples.good_certificate(seed).content,
        ):
            with pdfium.PdfDocument(content) as document:
                for page in document:
                    for word in words_of(page):
                        assert word[1] > 0.02, word
                        assert word[3] < 0.98, word
