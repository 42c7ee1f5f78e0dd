"""When a value is unsure rather than given: what its rule is worth where nothing else speaks for it."""

from __future__ import annotations

import io

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from checks.text.right_to_left import letters_in_order
from tests.checks.documents import evidence_of, extraction_of, make_pdf


def _caption_page(*rows: tuple[str, str]) -> bytes:
    """A certificate: each value on a line of its own, and close below it, in small print, what it is."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=1)
    canvas.setFont("Times-Bold", 16)
    canvas.drawCentredString(297, 780, "CERTIFICATE OF REGISTRATION")
    for index, (value, caption) in enumerate(rows):
        canvas.setFont("Times-Roman", 12)
        canvas.drawCentredString(297, 720 - 46 * index, value)
        canvas.setFont("Times-Italic", 8)
        canvas.drawCentredString(297, 705 - 46 * index, caption)
    canvas.save()
    return buffer.getvalue()


def test_a_caption_in_small_print_belongs_to_the_value_above_it():
    page = _caption_page(
        ("14/03/2016", "Date of incorporation"),
        ("02/09/2019", "Date of the last change"),
        ("Silver Fern Dairies Limited", "Name of company"),
        ("7719204", "Company number"),
    )

    data = extraction_of(page)

    assert data["incorporation_date"] == "2016-03-14"
    assert data["business_name"] == "Silver Fern Dairies Limited"
    assert data["business_registration_number"] == ["7719204"]


def test_the_day_on_which_a_paper_was_given_is_unsure_where_it_has_another_day():
    data = extraction_of(
        make_pdf(
            """
            CERTIFICATE OF REGISTRATION
            We certify that Silver Fern Dairies Limited is duly registered.
            It commenced business on 2 May 2017.
            Given under my hand and seal this 4th day of November 2026.
            """
        )
    )

    assert data["incorporation_date"] is None
    assert "incorporation_date" in data["unsure"]


def test_a_labelled_day_wins_over_the_one_on_which_a_paper_was_given():
    data = extraction_of(
        make_pdf(
            """
            CERTIFICATE OF GOOD STANDING
            Name of company: Silver Fern Dairies Limited
            Registered on: 27 September 2018
            It is duly registered and in good standing.
            Given under my hand on this 4th day of November 2026.
            """
        )
    )

    assert data["incorporation_date"] != "2026-11-04"


def test_a_company_in_the_head_of_an_unknown_paper_is_unsure():
    data = extraction_of(
        make_pdf(
            """
            Hadeland Maskin AS
            Lunch menu of the week
            """
        )
    )

    assert data["business_name"] is None
    assert "business_name" in data["unsure"]


def test_an_address_that_goes_on_with_the_next_row_is_unsure():
    data = extraction_of(
        make_pdf(
            """
            EXTRACT OF THE COMMERCIAL REGISTER
            Company name: Silver Fern Dairies Limited
            Registered office:
            2 Split (Grad Split)
            Put Firula 31
            PRAVNI OBLIK:
            1 društvo s ograničenom odgovornošću
            """
        )
    )

    assert data["business_address"] is None
    assert "business_address" in data["unsure"]


def test_a_number_alone_below_the_title_comes_before_a_labelled_tax_number():
    data = extraction_of(
        make_pdf(
            """
            CS418271018
            CERTIFICATE OF INCORPORATION
            I hereby certify that SILVER FERN DAIRIES LIMITED
            is this day incorporated under the Companies Act.
            TIN: C0024418273
            """
        )
    )

    assert data["business_registration_number"][0] == "CS418271018"


@pytest.mark.parametrize("value", ["2018. gada 15. marts", "DE 2026"])
def test_a_year_is_no_number_of_a_register(value):
    data = extraction_of(
        make_pdf(f"EXTRACT OF THE COMMERCIAL REGISTER\nRegistration number: {value}")
    )

    assert data["business_registration_number"] == []


def test_letters_of_a_word_from_right_to_left_come_in_reading_order():
    # A browser gives the letters of this word from left to right: “شركة”.
    from_left = [("ة", 10.0), ("ك", 15.0), ("ر", 22.0), ("ش", 29.0)]
    in_order = list(reversed(from_left))

    assert letters_in_order(from_left) == "شركة"
    assert letters_in_order(in_order) == "شركة"
    assert letters_in_order([("A", 1.0), ("b", 2.0)]) == "Ab"


def test_a_blank_between_two_letters_a_is_kept():
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=1)
    canvas.setFont("Times-Roman", 14)
    # The gap of a blank that is set close to both letters.
    canvas.drawString(72, 700, "TITIWANGSA")
    width = canvas.stringWidth("TITIWANGSA", "Times-Roman", 14)
    canvas.drawString(72 + width + 2.3, 700, "AGRO")
    canvas.save()

    assert "TITIWANGSA AGRO" in evidence_of(buffer.getvalue()).text.value
