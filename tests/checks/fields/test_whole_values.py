"""A value is given where it is whole, and where the words about it are its own."""

from __future__ import annotations

import io
from typing import Any

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from checks.ein_document.extraction import EinDocumentExtraction
from checks.extraction.tool import Extraction
from checks.fields.dates import find_dates
from checks.fields.names.soundness import name_within
from checks.incorporation_document.extraction import IncorporationDocumentExtraction
from checks.proof_of_address.extraction import ProofOfAddressExtraction
from tests.checks.documents import evidence_of, make_pdf

ROW = 20  # points from a row of a table to the next
LINE = 12  # points from a line to the next of one cell
Tool = Extraction | IncorporationDocumentExtraction


def read(tool: Tool, content: bytes, **attested: Any) -> dict[str, Any]:
    data: dict[str, Any] = tool.run(evidence_of(content, **attested)).payload[
        "extraction_data"
    ]
    return data


def table(title: str, rows: list[tuple[str, list[str]]], *, step: int = LINE) -> bytes:
    """A page with labels on the left, and the lines of their values on the right."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=1)
    canvas.setFont("Helvetica-Bold", 14)
    canvas.drawString(60, 780, title)
    canvas.setFont("Helvetica", 10)
    y = 740
    for label, lines in rows:
        canvas.drawString(60, y, label)
        for number, line in enumerate(lines):
            canvas.drawString(260, y - step * number, line)
        y -= ROW + step * (len(lines) - 1)
    canvas.save()
    return buffer.getvalue()


def printout(name: list[str], *, step: int = LINE) -> bytes:
    return table(
        "COMPANY PRINTOUT",
        [
            ("Company Number", ["612904"]),
            ("Company Name", name),
            ("Company Type", ["DAC - Designated Activity Company"]),
            ("Registered", ["14/09/2017"]),
        ],
        step=step,
    )


@pytest.mark.parametrize(
    ("first", "rest"),
    [
        ("DROMAHAIR SEED", "MERCHANTS DESIGNATED"),
        ("Comunidad de Propietarios Edificio", "Mirador"),
        ("TURISMO ARENAL SOCIEDAD DE RESPONSABILIDAD", "LIMITADA"),
    ],
)
def test_a_name_with_a_line_of_its_cell_below_is_unsure(first, rest):
    data = read(IncorporationDocumentExtraction(), printout([first, rest]))

    assert data["business_name"] is None or rest in data["business_name"]
    if data["business_name"] is None:
        assert "business_name" in data["unsure"]
        candidates = data["evidence"]["business_name"]["candidates"]
        assert candidates[0]["value"] == f"{first} {rest}"


def test_a_name_with_the_next_row_below_is_given():
    data = read(IncorporationDocumentExtraction(), printout(["DROMAHAIR SEEDS DAC"]))

    assert data["business_name"] == "DROMAHAIR SEEDS DAC"


LETTER = """Rio Bosque Electric Cooperative, Inc.
PO Box 418, Belen, NM 87002

Statement date: October 20, 2026
Bill to
{window}
2207 ALAMEDA BLVD
ALBUQUERQUE NM 87105

Dear customer,
Total amount due $88.61"""


def window(lines: list[str]) -> bytes:
    """A letter whose window has its lines close together."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=1)
    canvas.setFont("Helvetica", 10)
    y = 780
    for line in LETTER.format(window="\n".join(lines)).split("\n"):
        canvas.drawString(60, y, line)
        y -= LINE
    canvas.save()
    return buffer.getvalue()


def test_a_holder_with_a_line_without_digits_below_is_unsure():
    tool = ProofOfAddressExtraction("kyb")

    data = read(tool, window(["COMPTOIR DES SALINES", "DISTRIBUTION"]))

    assert data["holder_name"] is None
    assert data["evidence"]["holder_name"]["candidates"][0]["value"] == (
        "COMPTOIR DES SALINES DISTRIBUTION"
    )


def test_a_holder_above_the_street_is_given():
    tool = ProofOfAddressExtraction("kyb")

    data = read(tool, window(["COMPTOIR DES SALINES"]))

    assert data["holder_name"] == "COMPTOIR DES SALINES"


def test_a_label_with_another_date_behind_it_is_not_that_of_a_date():
    content = make_pdf(
        "COMPANY SUMMARY\nTUI CREEK DAIRY LIMITED\nCompany number: 8192044\nRegistered\n"
        "NZ Limited Company\nMarch , last filed on 12 March 2026"
    )

    data = read(IncorporationDocumentExtraction(), content)

    assert data["incorporation_date"] is None


EXTRACT = [
    ("Name:", ["BANKSIA HILL SOLAR PTY LTD"]),
    ("ACN:", ["655 083 640"]),
    ("Registration date:", ["04/11/2021"]),
    ("Identification number:", ["5EBF11820"]),
]


def test_a_number_of_any_label_is_not_given_beside_one_with_right_check_digits():
    content = table("Current Company Extract", EXTRACT)

    data = read(IncorporationDocumentExtraction(), content)

    assert data["business_registration_number"] == ["655083640"]


def test_what_stands_beside_the_number_agrees_with_what_was_attested():
    content = table("Current Company Extract", EXTRACT)

    data = read(
        IncorporationDocumentExtraction(),
        content,
        business_registration_number="5EBF11820",
    )

    states = {c["field"]: c["state"] for c in data["comparisons"]}
    assert states["business_registration_number"] == "equal"


def test_one_of_several_days_is_no_date_of_a_paper_of_another_office():
    content = make_pdf(
        "ABN Lookup\nEntity name: BANKSIA HILL SOLAR PTY LTD\nActive from 04 Nov 2021\n22 May 2023\n"
        "Record extracted: 09 Nov 2026"
    )

    data = read(EinDocumentExtraction(), content)

    assert data["date"] is None


@pytest.mark.parametrize("month", ["EK\u0130M", "Ekim", "ek\u0131m"])
def test_a_month_with_another_i_is_read(month):
    (day,) = find_dates(f"9 {month} 2015", "DMY")

    assert day.value is not None
    assert day.value.isoformat() == "2015-10-09"


FRENCH = [
    ("Dénomination", ["ATELIERS DU VERDON SARL"]),
    ("Date d'immatriculation au RNE", ["13/06/2022"]),
]


def test_a_label_of_a_day_goes_on_to_the_cell_beside_it():
    content = table("EXTRAIT DU REGISTRE NATIONAL", FRENCH)

    data = read(IncorporationDocumentExtraction(), content)

    assert data["incorporation_date"] == "2022-06-13"


def columns(rows: list[list[str]], places: tuple[int, ...] = (60, 260, 430)) -> bytes:
    """A page whose rows have cells at these places."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=1)
    canvas.setFont("Helvetica", 10)
    for number, row in enumerate(rows):
        for place, cell in zip(places, row, strict=False):
            canvas.drawString(place, 760 - ROW * number, cell)
    canvas.save()
    return buffer.getvalue()


NOTA = [
    ["REGISTRO MERCANTIL DE CORUÑA. NOTA INFORMATIVA"],
    ["Denominación:", "CONSERVAS MUROS SL"],
    ["Domicilio social:", "Calle de la Virgen Blanca de los Desamparados 12, 15250 MUROS"],
    ["Duración:", "Indefinida"],
    ["C.I.F.:", "B70884416"],
]  # fmt: skip
FIRMENBUCH = [
    ["FIRMENBUCHAUSZUG"],
    ["Firma", "Murtaler Kernöl KG"],
    ["Geschäftsanschrift", "Rechtsform", "Ersteintragung"],
    ["Ölweg 12, 8480 Mureck", "Kommanditgesellschaft", "09.10.2019"],
]
KRUISPUNTBANK = [
    ["KRUISPUNTBANK VAN ONDERNEMINGEN"],
    ["Naam:", "Scheldeboord Textiel BV"],
    ["Adres van de zetel:", "Kaai 31 9200 Dendermonde Sinds 8 januari 2019"],
    ["Ondernemingsnummer:", "0718.844.234"],
]
# The number of the entry stands in a column of its own.
ENTRIES = [
    ["FIRMENBUCHAUSZUG"],
    ["FIRMA", ""],
    ["1", "Ötscherblick Seilbahntechnik GmbH"],
    ["SITZ in", ""],
    ["1", "Scheibbs"],
    ["GESCHÄFTSANSCHRIFT", ""],
    ["4", "Mariazeller Straße 102"],
    ["", "3270 Scheibbs"],
    ["KAPITAL", ""],
    ["1", "EUR 35.000"],
]


@pytest.mark.parametrize(
    ("rows", "street", "city"),
    [
        (NOTA, "Calle de la Virgen Blanca", "MUROS"),
        (FIRMENBUCH, "Ölweg 12", "Mureck"),
        (KRUISPUNTBANK, "Kaai 31", "Dendermonde"),
        (ENTRIES, "Mariazeller Straße 102", "Scheibbs"),
    ],
)
def test_an_address_has_nothing_of_the_cells_beside_or_below_it(rows, street, city):
    data = read(IncorporationDocumentExtraction(), columns(rows))

    address = data["business_address"]
    assert address["street_1"].startswith(street)
    assert address["city"] == city


CERTIFICATE = """{country}
REGISTRAR OF COMPANIES
CERTIFICATE OF INCORPORATION
{number}
I hereby certify that HARBOUR SAIL LOFT LIMITED is this day incorporated
under the Companies Act 1995 of {country}."""


@pytest.mark.parametrize(
    ("line", "whole", "part"),
    [
        ("Company Number: 1188 of 2019", "1188 of 2019", "1188"),
        ("Registration No. 25188 BC 2019", "25188 BC 2019", "25188"),
        ("Company No. 18842 IBC", "18842 IBC", "18842"),
    ],
)
def test_a_number_that_goes_on_is_unsure(line, whole, part):
    page = CERTIFICATE.format(country="GRENADA", number=line)
    data = read(IncorporationDocumentExtraction(), make_pdf(page))
    candidates = data["evidence"]["business_registration_number"]["candidates"]

    assert data["business_registration_number"] == []
    assert [item["value"] for item in candidates] == [whole, part]


@pytest.mark.parametrize(
    ("line", "number"),
    [
        # One word is one number.
        ("Company Number: 18842/B", "18842/B"),
        ("Registration No. TC.018842", "TC.018842"),
        # Other words, and days, are not of the number.
        ("Company Number: 188421 on 3 May 2019", "188421"),
        ("Company Number: 188421 IS", "188421"),
        ("Company Number: 188421 (Active)", "188421"),
    ],
)
def test_a_number_of_one_word_is_whole(line, number):
    page = CERTIFICATE.format(country="GRENADA", number=line)
    data = read(IncorporationDocumentExtraction(), make_pdf(page))

    assert data["business_registration_number"] == [number]


def test_the_form_of_the_register_says_where_a_number_ends():
    extract = """EXTRAIT KBIS
EXTRAIT D'IMMATRICULATION PRINCIPALE AU REGISTRE DU COMMERCE ET DES SOCIETES
Immatriculation au RCS, numéro 844 820 118 RCS
Dénomination ou raison sociale : MOULIN DES ALPILLES SARL"""
    data = read(IncorporationDocumentExtraction(), make_pdf(extract))

    assert data["business_registration_number"] == ["844820118"]


def test_the_number_of_a_law_is_none_of_a_company():
    page = CERTIFICATE.format(country="GRENADA", number="COMPANIES ACT NO. 35 OF 1994")
    data = read(IncorporationDocumentExtraction(), make_pdf(page))

    assert data["business_registration_number"] == []


@pytest.mark.parametrize(
    ("place", "number", "given"),
    [
        ("Texas", "803448207", ["803448207"]),
        ("Idaho", "0006488421", []),
    ],
)
def test_the_number_of_a_filing_needs_the_form_of_the_register(place, number, given):
    page = f"""Secretary of State of {place}
VIEW ENTITY
Filing Number: {number}
Name: Harbour Sail Loft LLC"""
    data = read(IncorporationDocumentExtraction(), make_pdf(page))

    assert data["document_type"] is None
    assert data["business_registration_number"] == given


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Harbour Sail Loft Limited, which", "Harbour Sail Loft Limited"),
        ("HARBOUR SAIL LOFT INC. duly executed", "HARBOUR SAIL LOFT INC."),
        # No legal form ends before the word.
        ("The Shop that Sells Bread Limited", "The Shop that Sells Bread Limited"),
    ],
)
def test_a_name_ends_where_its_sentence_goes_on(text, name):
    assert name_within(text) == name
