"""Fields behind, beside and below their labels, in forms of several countries."""

from __future__ import annotations

import io
from datetime import date

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from checks import registry
from checks.evidence import Evidence
from checks.fields.labels.pairs import find_pairs
from checks.incorporation_document.fields import IncorporationFields
from checks.text.words import Line, Page, Text, Word
from papers.geometry import Box

# Cells of a line are parted by a stroke, and set in columns of the page.
COLUMN = 190


def form(lines: str) -> bytes:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=1)
    for row, line in enumerate(lines.strip("\n").split("\n")):
        for column, cell in enumerate(line.strip().split("|")):
            canvas.setFont("Helvetica", 10)
            canvas.drawString(60 + COLUMN * column, 780 - 18 * row, cell.strip())
    canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def fields_of(lines: str) -> IncorporationFields:
    return IncorporationFields(Evidence(form(lines), "form.pdf"))


# Invented values in the forms of registers and tax offices.
FORMS = {
    "france": (
        """Extrait Kbis
        EXTRAIT D'IMMATRICULATION PRINCIPALE AU REGISTRE DU COMMERCE
        Immatriculation au RCS, numéro | 552 100 554 R.C.S. Rennes
        Date d'immatriculation | 12/03/2019
        Dénomination ou raison sociale | PORTMER ATELIERS
        Forme juridique | Société par actions simplifiée
        Adresse du siège | 14 Rue des Tanneurs 35000 Rennes""",
        ("PORTMER ATELIERS", "552100554", "2019-03-12", "France", "35000"),
    ),
    "brazil": (
        """REPÚBLICA FEDERATIVA DO BRASIL
        CADASTRO NACIONAL DA PESSOA JURÍDICA
        NÚMERO DE INSCRIÇÃO | DATA DE ABERTURA
        11.222.333/0001-81 | 05/06/2017
        NOME EMPRESARIAL
        ALDEIA VERDE COMERCIO LTDA
        LOGRADOURO | NÚMERO
        RUA DAS PALMEIRAS | 210
        CEP | BAIRRO/DISTRITO | MUNICÍPIO
        04567-010 | CENTRO | SAO PAULO""",
        (
            "ALDEIA VERDE COMERCIO LTDA",
            "11.222.333/0001-81",
            "2017-06-05",
            "Brazil",
            "04567-010",
        ),
    ),
    "netherlands": (
        """Uittreksel Handelsregister Kamer van Koophandel
        KvK-nummer | 12345678
        Statutaire naam | Zandpoort Techniek B.V.
        Datum akte van oprichting | 04-02-2016
        Bezoekadres | Havenkade 12, 3011 AB Rotterdam""",
        (
            "Zandpoort Techniek B.V.",
            "12345678",
            "2016-02-04",
            "Netherlands",
            "3011 AB",
        ),
    ),
    "italy": (
        """Camera di Commercio - Registro Imprese
        VISURA ORDINARIA SOCIETA' DI CAPITALE
        Denominazione: FONTANA ALTA S.R.L.
        Codice fiscale e n. iscrizione al registro imprese: 01234567897
        Data atto di costituzione: 22/11/2015
        Indirizzo Sede legale: VIA ROMA 8, 20121 MILANO""",
        ("FONTANA ALTA S.R.L.", "01234567897", "2015-11-22", "Italy", "20121"),
    ),
    "estonia": (
        """Business register of the Republic of Estonia
        Registry card
        Business name: Metsakivi Holding OÜ
        Registry code: 12345678
        Date of registration: 14.05.2018
        Address: Pärnu mnt 15, 10141 Tallinn""",
        ("Metsakivi Holding OÜ", "12345678", "2018-05-14", "Estonia", "10141"),
    ),
    "singapore": (
        """ACCOUNTING AND CORPORATE REGULATORY AUTHORITY
        Business Profile (Company) of ORCHID QUAY PTE. LTD.
        Name of Company | : ORCHID QUAY PTE. LTD.
        UEN | : 201912345K
        Incorporation Date | : 11 Mar 2019
        Registered Office Address | : 10 ANSON ROAD #12-01
        | INTERNATIONAL PLAZA SINGAPORE (079903)""",
        ("ORCHID QUAY PTE. LTD.", "201912345K", "2019-03-11", "Singapore", "079903"),
    ),
    "mexico": (
        """CÉDULA DE IDENTIFICACIÓN FISCAL
        SERVICIO DE ADMINISTRACIÓN TRIBUTARIA
        RFC: | AAB150612XY3
        Denominación/Razón Social: | ARENAS BLANCAS
        Régimen Capital: | SOCIEDAD ANONIMA DE CAPITAL VARIABLE
        Fecha inicio de operaciones: | 12/06/2015
        Código Postal: | 06700 | Tipo de Vialidad: | CALLE
        Nombre de Vialidad: | DURANGO | Número Exterior: | 245
        Nombre de la Colonia: | ROMA NORTE""",
        ("ARENAS BLANCAS", "AAB150612XY3", "2015-06-12", "Mexico", "06700"),
    ),
    "germany": (
        """Handelsregister B des Amtsgerichts Musterau
        Nummer der Firma: HRB 123456
        Firma: Lindental Werkzeug GmbH
        Geschäftsanschrift: Lange Straße 4, 70173 Stuttgart
        Tag der ersten Eintragung: 03.07.2014""",
        ("Lindental Werkzeug GmbH", "HRB123456", "2014-07-03", "Germany", "70173"),
    ),
}


@pytest.mark.parametrize("country", FORMS)
def test_the_fields_of_a_form_are_read_by_their_labels(country):
    lines, (name, number, day, place, code) = FORMS[country]

    fields = fields_of(lines)

    assert [value.value for value in fields.names][:1] == [name]
    assert number in [value.value.number for value in fields.numbers]
    assert fields.incorporation_date is not None
    assert fields.incorporation_date.value.isoformat() == day
    assert fields.jurisdiction is not None
    assert fields.jurisdiction.value.country == place
    assert fields.business_address is not None
    assert fields.business_address.value.address.postal_code == code


def test_a_label_within_a_sentence_labels_nothing():
    lines = """Articles of association
    Name and seat of the association are fixed by the members.
    The address of the company may be changed by resolution 1234567."""
    fields = fields_of(lines)

    assert not fields.names
    assert fields.business_address is None


def test_two_labelled_names_are_candidates_and_no_name():
    lines = """Certificate of incorporation
    Company name: Alder Works Limited
    Registered name: Birch Works Limited"""

    reading = fields_of(lines).name_reading

    assert reading.values == ()
    assert {item.value for item in reading.candidates} == {
        "Alder Works Limited",
        "Birch Works Limited",
    }


def test_an_unsure_name_is_shown_with_what_it_may_be():
    lines = """Certificate of incorporation
    Company name: Alder Works Limited
    Registered name: Birch Works Limited"""
    evidence = Evidence(form(lines), "form.pdf", {"business_name": "Alder Works Ltd"})
    tool = registry.get("kyb.incorporation_document_verification").tools[0]

    outcome = tool.run(evidence)

    data = outcome.payload["extraction_data"]
    assert data["business_name"] is None
    assert data["unsure"] == ["business_name"]
    values = [one["value"] for one in data["evidence"]["business_name"]["candidates"]]
    assert values == ["Alder Works Limited", "Birch Works Limited"]
    [row] = [c for c in data["comparisons"] if c["field"] == "business_name"]
    assert row["state"] == "cannot_compare"
    assert row["how"].startswith("unsure: “Alder Works Limited”")
    assert len(row["boxes"]) == 2
    assert outcome.verdict == "review"


def test_a_number_of_another_party_is_not_the_companys():
    lines = """Articles of incorporation
    The name of the corporation is Heather Fields Inc.
    On dissolution the assets are distributed to the Meadow Trust, EIN 52-1693387."""

    reading = fields_of(lines).number_reading

    assert reading.values == ()
    assert [item.value.number for item in reading.candidates] == ["52-1693387"]


def test_a_number_without_a_label_is_read_below_the_title_of_a_certificate():
    lines = """CERTIFICATE OF INCORPORATION
    HARBOUR CHOIR INCORPORATED
    2704239
    HARBOUR CHOIR INCORPORATED is incorporated under
    the Incorporated Societies Act 1908 this 15th day of May 2018."""

    fields = fields_of(lines)

    assert [value.value.number for value in fields.numbers] == ["2704239"]
    assert fields.jurisdiction is not None
    assert fields.jurisdiction.value.code == "NZ"


def test_an_order_of_a_tax_office_is_a_registration():
    lines = """FORM NO. 10AC
    Order for provisional approval
    1 | PAN | ABCDE1234F
    2 | Name | KAVERI LITERACY
    | | FOUNDATION
    2b | Address
    | Flat/Door/Building | Flat 12
    | Road/Street/Post Office | Temple Road
    | Town/City/District | MYSURU
    | Pin Code/Zip Code | 570001
    5 | Unique Registration Number | ABCDE1234FF20241
    7 | Date of provisional approval | 02-04-2024
    provisions of the Income Tax Act, 1961."""
    check = registry.get("kyb.ein_document_verification")

    outcome = check.tools[0].run(Evidence(form(lines), "order.pdf"))

    data = outcome.payload["extraction_data"]
    assert data["document_type"] == "tax_registration"
    assert data["is_valid_document"] is True
    assert data["business_name"] == "KAVERI LITERACY FOUNDATION"
    assert "ABCDE1234FF20241" in data["business_registration_number"]
    assert data["date"] == "2024-04-02"
    assert data["jurisdiction"] == "India"
    assert data["business_address"]["postal_code"] == "570001"


def test_the_number_of_an_order_is_read_without_its_usual_label():
    lines = """FORM NO. 10AC
    Order for provisional approval
    1 | PAN | ABCDE1234F
    2 | Name | KAVERI LITERACY
    | | FOUNDATION
    5 | Number of this order | ABCDE1234FF20241
    7 | Date of provisional approval | 02-04-2024
    provisions of the Income Tax Act, 1961."""
    check = registry.get("kyb.ein_document_verification")

    outcome = check.tools[0].run(Evidence(form(lines), "order.pdf"))

    data = outcome.payload["extraction_data"]
    assert data["business_registration_number"] == ["ABCDE1234F", "ABCDE1234FF20241"]


def test_the_work_of_a_page_of_labels_is_bounded():
    lines = "\n".join(f"Name: Company {row} Limited" for row in range(40))
    text = Evidence(form(lines), "form.pdf").text

    assert len(find_pairs(text)) == 40


def test_an_address_below_the_name_of_the_company_is_its_own():
    lines = """Certificate of Incorporation
    I hereby certify that NILGIRI SEEDS PRIVATE LIMITED is incorporated on this
    Sixth day of September Two thousand eighteen under the Companies Act, 2013.
    The Corporate Identity Number of the company is U01400TZ2018PTC030911.
    NILGIRI SEEDS PRIVATE LIMITED
    4/16/2, EAST STREET, NEAR THE TEMPLE, COIMBATORE, Tamil Nadu, India,
    641407"""

    address = fields_of(lines).business_address

    assert address is not None
    assert address.value.address.street_1 == "4/16/2"
    assert address.value.address.postal_code == "641407"


FORM = (
    ("Name of premises", "Jal Bhavan"),
    ("Road or street", "Tilak Road"),
    ("Town or district", "PUNE"),
    ("Registration number", "4188420"),
    ("Date of registration", "04-04-2022"),
    ("Name of company", "SAHYADRI DAIRY LIMITED"),
    ("Country", "INDIA"),
)


def tilted(rise: float) -> Text:
    """A form as OCR reads it on a photograph: each row rises, from its label to its value, by `rise` of the page."""
    lines = []
    for row, (label, value) in enumerate(FORM):
        y = 0.2 + 0.016 * row
        at_left = Box(1, 0.2, y, 0.35, y + 0.011)
        at_right = Box(1, 0.6, y - rise, 0.75, y - rise + 0.011)
        words = (
            Word(label, at_left, source="OCR", confidence=0.9),
            Word(value, at_right, source="OCR", confidence=0.9),
        )
        lines.append(Line(words))
    return Text([Page(1, 595, 842, tuple(lines))])


@pytest.mark.parametrize("rise", [-0.018, 0.0, 0.012, 0.018])
def test_the_value_of_a_label_is_on_its_own_row_where_the_rows_rise(rise):
    read = {pair.label: pair.value for pair in find_pairs(tilted(rise))}

    assert read["registration number"] == "4188420"
    assert read["date of registration"] == "04-04-2022"
    assert read["name of company"] == "SAHYADRI DAIRY LIMITED"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("12/05/45", "1945-05-12"),
        ("12-May-45", "1945-05-12"),
        ("12/05/19", "2019-05-12"),
    ],
)
def test_a_labelled_day_with_a_short_year_is_not_in_the_future(written, expected):
    fields = IncorporationFields(
        Evidence(
            form(
                f"""
                Registo Comercial | Certidão permanente
                Firma | REMOS DO TUA, LDA
                Matrícula | 500 118 844
                Data da constituição | {written}
                Sede | Rua do Cais 4, 5370-010 Mirandela
                """
            ),
            today=date(2026, 11, 29),
        )
    )

    assert fields.incorporation_date
    assert fields.incorporation_date.value == date.fromisoformat(expected)


def test_a_tax_number_is_not_given_where_a_row_has_one_of_a_register():
    """The label of the register is in no table, so only a person can tell."""
    fields = IncorporationFields(
        Evidence(
            form(
                """
                Registre du commerce | Extrait du registre du commerce
                Dénomination | ATLAS FROID SARL
                Forme juridique | Société à responsabilité limitée
                Immatriculé sous le numéro interne | 418223
                Identifiant fiscal | 26118844
                Siège social | 27 Boulevard Moulay Slimane, Casablanca
                """
            )
        )
    )

    assert fields.kind == "register_extract"
    assert [number.value.number for number in fields.numbers] == []
    candidates = [number.value.number for number in fields.number_reading.candidates]
    assert set(candidates) == {"418223", "26118844"}


def test_letters_and_strokes_before_a_number_belong_to_it():
    fields = IncorporationFields(
        Evidence(
            form(
                """
                Ministry of Trade | Commercial registration certificate
                Name of company | SIDAMA COFFEE EXPORT PRIVATE LIMITED COMPANY
                Principal registration no. | MT/AA/2/0044182/2011
                Taxpayer identification no. | 0058841177
                Date of registration | 17 January 2019
                """
            )
        )
    )

    assert fields.numbers[0].value.number == "MT/AA/2/0044182/2011"


def test_a_label_in_brackets_behind_its_short_form():
    pairs = find_pairs(
        Evidence(form("FME (Folio mercantil electrónico) | 2018044128")).text
    )

    assert [(pair.field, pair.value) for pair in pairs] == [("number", "2018044128")]
