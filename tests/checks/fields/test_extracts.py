"""Extracts and certificates whose layout tells what a value is: captions, columns, rows, letters drawn late."""

from __future__ import annotations

import io
from datetime import date

import pytest
from reportlab.pdfgen.canvas import Canvas

from checks import data as tables
from checks.fields.dates import find_dates
from checks.fields.layout.label_cells import labels
from checks.fields.registration_numbers import find_registration_numbers
from tests.checks.documents import evidence_of, extraction_of, make_pdf

WIDTH, HEIGHT = 612, 792


def pdf_of_cells(*rows: tuple[tuple[int, str], ...]) -> bytes:
    """Each row has its cells at places across the page, in points."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(WIDTH, HEIGHT), invariant=1)
    canvas.setFont("Helvetica", 10)
    for number, row in enumerate(rows):
        for x, words in row:
            canvas.drawString(x, HEIGHT - 72 - 16 * number, words)
    canvas.save()
    return buffer.getvalue()


def cells(*rows: str) -> bytes:
    """Rows of two columns, parted by a bar."""
    places = (72, 300)
    return pdf_of_cells(
        *(tuple(zip(places, row.split("|"), strict=False)) for row in rows)
    )


def test_a_row_of_a_table_with_a_comma_too_many_is_refused(monkeypatch, tmp_path):
    (tmp_path / "broken.csv").write_text("field,labels\nname,a|b, c|d\n")
    monkeypatch.setattr(tables, "files", lambda _: tmp_path)
    with pytest.raises(ValueError, match="too many cells"):
        tables.table("broken")


@pytest.mark.parametrize(
    ("label", "field"),
    [
        ("immatriculation au rcs numero", "number"),
        ("date de debut", "date"),
        ("numero dentreprise", "number"),
        ("denominacion de la sociedad", "name"),
    ],
)
def test_labels_behind_a_comma_are_known(label, field):
    assert labels()[label] == field


def test_captions_below_their_values():
    data = extraction_of(
        make_pdf(
            "Certificate of Incorporation\nCanada Business Corporations Act\nMaple Ridge Aerials Inc.\n"
            "Corporate name / Dénomination sociale\n1187654-3\nCorporation number / Numéro de société\n"
            "I HEREBY CERTIFY that the above-named corporation is incorporated under the Canada Business Corporations Act.\n"
            "2020-01-23\nDate of Incorporation (YYYY-MM-DD)"
        )
    )
    assert data["business_name"] == "Maple Ridge Aerials Inc."
    assert data["business_registration_number"] == ["1187654-3"]
    assert data["incorporation_date"] == "2020-01-23"


def test_of_two_addresses_side_by_side_the_office_is_the_companys():
    data = extraction_of(
        cells(
            "Certificate of Confirmation",
            "Companies and Intellectual Property Commission",
            "Registration Number|2018 / 345678 / 07",
            "Enterprise Name|KAROO WIND SERVICES (PTY) LTD",
            "POSTAL ADDRESS|ADDRESS OF REGISTERED OFFICE",
            "PO BOX 12|22 CHURCH STREET",
            "GRAAFF-REINET|GRAAFF-REINET",
            "6280|6280",
            "DIRECTORS|AUDITORS",
        )
    )
    assert "22 CHURCH STREET" in str(data["business_address"])
    assert "2018/345678/07" in data["business_registration_number"]


def test_a_street_beside_a_label_is_its_value():
    data = extraction_of(
        cells(
            "REGISTRO MERCANTIL DE ZARAGOZA",
            "Denominación:|TALLERES DEL EBRO, SOCIEDAD LIMITADA",
            "Domicilio Social:|CALLE BILBAO 7",
            "|ZARAGOZA 50004",
            "C.I.F.:|B99123456",
            "Inicio de Operaciones:|18/11/2009",
        )
    )
    assert data["business_address"]["street_1"].startswith("CALLE BILBAO 7")
    assert data["business_registration_number"] == ["B99123456"]
    assert data["incorporation_date"] == "2009-11-18"


def test_an_address_on_the_line_of_the_name_is_the_companys():
    data = extraction_of(
        make_pdf(
            "MINISTRY OF CORPORATE AFFAIRS\nCertificate of Incorporation\n"
            "I hereby certify that JALMAHAL FOUNDATION is incorporated on this day under the Companies Act, 2013\n"
            "Registrar of Companies\n\n"
            "JALMAHAL FOUNDATION FLAT NO 20 SECTOR 22, DWARKA, New Delhi, Delhi, India, 110075"
        )
    )
    assert data["business_address"]["postal_code"] == "110075"
    assert data["business_address"]["street_1"].startswith("FLAT NO 20")


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("Firmenbuch FN 345678 x", "FN345678X"),
        ("No. PVT-8LUAB2Z", "PVT-8LUAB2Z"),
        ("inscrita no CNPJ 12.345.678/0001-95", "12.345.678/0001-95"),
        ("CHE-112.233.445", "CHE-112.233.445"),
        ("Numer KRS: 0000654321", "0000654321"),
    ],
)
def test_numbers_in_the_form_of_one_register(words, number):
    [result] = find_registration_numbers(evidence_of(make_pdf(words)).text)
    assert result.value.number == number


def test_zeros_alone_are_no_number():
    words = "Company number: 00000000"
    assert find_registration_numbers(evidence_of(make_pdf(words)).text) == []


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("1er juillet 2015", date(2015, 7, 1)),
        ("5 grudnia 2016", date(2016, 12, 5)),
        ("10. prosince 2015", date(2015, 12, 10)),
        # The same word is another month in Polish and in Croatian.
        ("5 listopada 2016", date(2016, 11, 5)),
        ("5. listopada 2016.", date(2016, 10, 5)),
        ("3 augusti 2019", date(2019, 8, 3)),
    ],
)
def test_months_of_further_languages(words, day):
    [result] = find_dates(words, "")
    assert result.value == day


def test_letters_that_are_drawn_behind_their_line_stand_in_their_words():
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(WIDTH, HEIGHT), invariant=1)
    canvas.setFont("Helvetica", 12)
    x, gap = 72.0, canvas.stringWidth("ü", "Helvetica", 12)
    begin, end = "Verein Rust Z", "richsee in Kanton Zug"
    canvas.drawString(x, 700, begin)
    middle = x + canvas.stringWidth(begin, "Helvetica", 12)
    canvas.drawString(middle + gap, 700, end)
    canvas.setFont("Times-Roman", 12)
    canvas.drawString(middle, 700, "ü")
    canvas.save()
    text = evidence_of(buffer.getvalue()).text.value
    assert text.startswith("Verein Rust Zürichsee in Kanton Zug")
