"""The sum of a bill and who sends it: given where two readings agree, else candidates."""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pypdfium2
import pytest

from checks.fields.amounts import number_of
from checks.proof_of_address.extraction import ProofOfAddressExtraction
from checks.wire import JsonObject
from tests.checks.documents import evidence_of
from tests.checks.made_texts.drawing import LATIN, MadeText, draw

HEAD = """Harbour Water Ltd | Account 4471220
Mr Alan Pike | Bill date: 4 May 2026
12 Mill Lane |
York |
YO1 7EP |
# Your water bill
"""


def read(body: str) -> JsonObject:
    document = draw(MadeText("bill", "poa-bill", {}, LATIN, (50, 340), body))
    tool = ProofOfAddressExtraction("kyc")
    data = tool.run(evidence_of(document)).payload["extraction_data"]
    # As it is sent: what is not JSON fails here.
    return dict(json.loads(json.dumps(data)))


@pytest.mark.parametrize(
    ("output", "number"),
    [
        ("1.234,56", "1234.56"),
        ("1,234.56", "1234.56"),
        ("1 234,56", "1234.56"),
        ("1'234.50", "1234.50"),
        ("1,23,456.00", "123456.00"),
        ("12,345", "12345.00"),
        ("389", "389.00"),
    ],
)
def test_sums_are_written_in_many_ways(output, number):
    assert number_of(output) == Decimal(number)


def test_a_sum_to_which_the_rows_add_up_is_given():
    data = read(
        f"{HEAD}Water | £30.10\nWaste water | £20.20\nTotal amount due | £50.30"
    )

    assert data["total"] == "GBP 50.30"
    assert "add up" in data["evidence"]["total"]["how"]
    assert data["unsure"] == []


def test_a_sum_that_one_label_alone_names_is_unsure():
    data = read(f"{HEAD}Total amount due | £50.30")

    assert data["total"] is None
    assert "total" in data["unsure"]
    candidates = data["evidence"]["total"]["candidates"]
    assert [candidate["value"] for candidate in candidates] == ["GBP 50.30"]
    assert candidates[0]["boxes"]


def test_what_is_charged_and_what_is_left_to_pay_are_two_candidates():
    rows = "Water | £30.10\nWaste water | £20.20\nTotal charges | £50.30"
    data = read(f"{HEAD}{rows}\nPayments received | -£10.00\nTotal amount due | £40.30")

    assert data["total"] is None
    values = {item["value"] for item in data["evidence"]["total"]["candidates"]}
    assert values == {"GBP 50.30", "GBP 40.30"}


def test_a_sum_without_its_taxes_is_not_the_total():
    rows = "Net | £100.00\nTotal excl. VAT | £100.00\nVAT 20% | £20.00\nInvoice total | £120.00"
    data = read(f"{HEAD}{rows}")

    assert data["total"] == "GBP 120.00"


def test_a_bank_statement_has_no_sum():
    data = read(
        "Harbour Bank plc | Statement date: 4 May 2026\nMr Alan Pike |\n12 Mill Lane |\nYork |\nYO1 7EP |\n"
        "# Bank statement\nOpening balance | £10.00\nPaid in | £20.00\nTotal | £30.00\nClosing balance | £30.00"
    )

    assert data["document_type"] == "bank_statement"
    assert data["total"] is None
    assert "total" not in data["unsure"]


def test_the_head_with_a_form_of_business_is_the_issuer():
    data = read(f"{HEAD}Total amount due | £50.30")

    assert data["issuer"] == "Harbour Water Ltd"


def test_a_head_that_nothing_else_supports_is_unsure():
    data = read(HEAD.replace("Harbour Water Ltd", "Bluefin"))

    assert data["issuer"] is None
    candidates = data["evidence"]["issuer"]["candidates"]
    assert [candidate["value"] for candidate in candidates] == ["Bluefin"]


def test_the_recipient_of_an_invoice_is_never_its_issuer():
    data = read(
        "# INVOICE\nInvoice date: 4 May 2026 |\nBill to: |\nPike Trading Ltd |\n12 Mill Lane |\nYork |\nYO1 7EP |\n"
        "Work | £100.00\nVAT | £20.00\nTotal | £120.00"
    )

    assert data["issuer"] != "Pike Trading Ltd"
    assert data["total"] == "GBP 120.00"


def test_of_two_businesses_as_likely_neither_is_the_holder():
    data = read(
        "Pike Trading Ltd |\n12 Mill Lane |\nYork |\nYO1 7EP |\n\n\nOak Tools Ltd |\n9 High Street |\nHull |\nHU1 1NQ |\n"
        "# INVOICE\nDate: 4 May 2026 |"
    )

    assert data["holder_name"] is None
    assert {"holder_name", "address"} <= set(data["unsure"])
    values = {item["value"] for item in data["evidence"]["holder_name"]["candidates"]}
    assert values == {"Pike Trading Ltd", "Oak Tools Ltd"}
    values = {item["value"] for item in data["evidence"]["address"]["candidates"]}
    assert values == {"12 Mill Lane, York, YO1 7EP", "9 High Street, Hull, HU1 1NQ"}


def test_a_period_that_ends_before_a_later_day_is_not_surely_the_date():
    data = read(
        "Harbour Water Ltd\nBilling period: 1 April 2026 to 30 April 2026\n"
        "Your meter was read on 9 May 2026 by our engineer."
    )

    assert data["date"] is None
    values = {item["value"] for item in data["evidence"]["date"]["candidates"]}
    assert values == {"2026-04-30", "2026-05-09"}


@pytest.mark.parametrize(("days", "only_unsure"), [(10, True), (400, False)])
def test_it_says_whether_unsure_fields_are_all_that_it_asks_for(days, only_unsure):
    day = datetime.now(tz=UTC).date() - timedelta(days=days)
    data = read(
        "Pike Trading Ltd |\n12 Mill Lane |\nYork |\nYO1 7EP |\n\n\nOak Tools Ltd |\n9 High Street |\nHull |\nHU1 1NQ |\n"
        f"# Electricity bill\nDate: {day:%d %B %Y} |"
    )

    assert {"holder_name", "address"} <= set(data["unsure"])
    assert data["only_unsure"] is only_unsure


def test_a_date_of_issue_whose_accent_ocr_lost_is_read():
    data = read(
        HEAD.replace("Bill date: 4 May 2026", "Fecha emision: 02/07/2026")
        + "Periodo: 01/04/2026 a 30/06/2026"
    )

    assert data["date"] == "2026-07-02"


def test_an_issuer_that_ocr_reads_once_is_unsure():
    """A letter that OCR misreads is not seen where the name does not stand twice."""
    bill = draw(MadeText("bill", "poa-bill", {}, LATIN, (50, 340), HEAD))
    picture = io.BytesIO()
    page = pypdfium2.PdfDocument(bill)[0]
    page.render(scale=200 / 72).to_pil().save(picture, "PNG", dpi=(200, 200))
    tool = ProofOfAddressExtraction("kyc")

    data = tool.run(evidence_of(picture.getvalue())).payload["extraction_data"]

    assert data["holder_name"] == "Alan Pike"
    assert data["issuer"] is None
    candidates = data["evidence"]["issuer"]["candidates"]
    assert [candidate["value"] for candidate in candidates] == ["Harbour Water Ltd"]
