"""Dates, names, numbers and addresses in their corners."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checks.fields import jurisdictions
from checks.fields.addresses.comparison import compare_addresses
from checks.fields.addresses.postal import Address, find_addresses
from checks.fields.dates import MONTH_NAMES, find_dates, number_in_words
from checks.fields.document_types import classify
from checks.fields.jurisdictions import find_jurisdiction
from checks.fields.names.companies import find_names
from checks.fields.names.company_comparison import compare_names
from checks.fields.registration_numbers import compact, find_registration_numbers
from checks.incorporation_document.fields import IncorporationFields
from checks.incorporation_document.names import without_entry_number
from checks.text.words import Line, Page, Text, Word
from papers.geometry import Box
from tests.checks.documents import evidence_of, extraction_of, make_pdf


def text_of(words: str):
    return evidence_of(make_pdf(words)).text


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("on the SEVENTEENTH day of JUNE TWO THOUSAND TWENTY FIVE", "2025-06-17"),
        ("the seventh day of June, 2025", "2025-06-07"),
        ("TWENTY-NINTH DAY OF MARCH, A.D. 2023", "2023-03-29"),
        (
            "this 3rd day of March in the year of our Lord nineteen hundred and eighty-four",
            "1984-03-03",
        ),
        ("first day of May, twenty twenty-one", "2021-05-01"),
        ("27th July 2010", "2010-07-27"),
        ("July 27, 2010", "2010-07-27"),
        ("12-Mar-2020", "2020-03-12"),
        ("2020-03-12", "2020-03-12"),
        ("2020/3/12", "2020-03-12"),
        ("25/01/2022", "2022-01-25"),
        ("03.04.2018", "2018-04-03"),
        ("3. März 2020", "2020-03-03"),
        ("3 de marzo de 2020", "2020-03-03"),
        ("1er", None),
        ("2020年3月4日", "2020-03-04"),
        ("12 out 2026", "2026-10-12"),
        ("5. dez. 2024", "2024-12-05"),
        ("3 de ene. de 2025", "2025-01-03"),
        ("7-okt-2019", "2019-10-07"),
        ("29-Sep-20", "2020-09-29"),
        ("3 Oct 41.20", None),
        ("3-Oct-41.20", None),
        ("31 June 2020", None),
        ("1.2.3.2020", None),
        ("555-12-2020", None),
        ("Companies Act 2006", None),
    ],
)
def test_a_written_date(output, expected):
    rows = [item.value for item in find_dates(output)]

    assert rows == ([date.fromisoformat(expected)] if expected else [])


@pytest.mark.parametrize(
    ("words", "year"),
    [("25.12.45", 1945), ("25.12.25", 2025), ("28.11.26", 2026), ("30.11.26", 1926), ("25.12.2045", 2045),
     ("25-Dec-45", 1945), ("25-Dec-25", 2025)],
)  # fmt: skip
def test_a_year_of_two_digits_is_not_after_the_last_possible_day(words, year):
    [fact] = find_dates(words, "DMY", date(2026, 11, 29))
    assert fact.value is not None
    assert fact.value.year == year


def test_day_and_month_that_could_be_either_way_round_are_not_guessed():
    [unsure] = find_dates("03/04/2020")
    [british] = find_dates("03/04/2020", "DMY")
    [american] = find_dates("03/04/2020", "MDY")
    [same] = find_dates("04/04/2020")

    assert unsure.value is None
    assert (british.value, american.value) == (date(2020, 4, 3), date(2020, 3, 4))
    assert same.value == date(2020, 4, 4)


def test_a_day_of_the_week_and_an_expiry_do_not_hide_the_date_of_registration():
    text = """Certificate of Registration
        Registration number 4471902
        Date of registration Friday 9th December 2016
        Expiry date of registration
        (unless revoked)
        Monday 9th December 2019"""
    fields = IncorporationFields(evidence_of(make_pdf(text)))
    for result in (fields.incorporation_date, fields.document_date):
        assert result is not None
        assert result.value == date(2016, 12, 9)


def test_a_company_of_1945_is_not_of_the_future():
    text = """State of Delaware
        Certificate of Incorporation
        Corvane Milling, Inc. was incorporated on 12/25/45 under the laws of Delaware."""
    data = extraction_of(make_pdf(text))
    assert data["incorporation_date"] == "1945-12-25"


def test_an_ambiguous_date_leaves_the_field_empty_and_says_why():
    data = extraction_of(
        make_pdf("Certificate of Incorporation\nIncorporation date: 03/04/2020")
    )

    assert data["incorporation_date"] is None
    assert "order of day and month" in data["evidence"]["incorporation_date"]["how"]


@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)))
def test_any_day_is_read_back(day):
    month = MONTH_NAMES[day.month - 1].split()[0].title()
    for output in (
        f"{day.day} {month} {day.year}",
        f"{month} {day.day}, {day.year}",
        f"the {day.day}th day of {month}, A.D. {day.year}",
        day.isoformat(),
        f"{day:%d.%m.%Y}",
    ):
        assert [result.value for result in find_dates(f"dated {output} at noon")] == [
            day
        ]


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("two thousand twenty-three", 2023),
        ("two thousand and five", 2005),
        ("nineteen hundred and ninety-nine", 1999),
        ("nineteen eighty-four", 1984),
        ("twenty twenty", 2020),
        ("twenty-ninth", 29),
        ("seventeen", 17),
        ("one thousand nine hundred eighty", 1980),
    ],
)
def test_numbers_in_words(words, number):
    assert number_in_words(words) == number


@pytest.mark.parametrize(
    ("attested", "extracted", "state"),
    [
        ("Acme Ltd", "ACME LIMITED", "equal"),
        ("Acme, Inc.", "Acme Incorporated", "equal"),
        ("The Acme Company", "ACME CO.", "equal"),
        ("Müller & Söhne GmbH", "Muller and Sohne GmbH", "equal"),
        ("Acme", "Acme LLC", "equal"),
        ("L.M. Data Ltd", "LM Data Limited", "equal"),
        ("Acme Ltd", "Acme LLC", "close"),
        ("Acme Trading Ltd", "Acme Trdaing Ltd", "close"),
        ("Acme Ltd", "Apex Ltd", "differs"),
        ("Acme Holdings Ltd", "Acme Robotics Ltd", "differs"),
        ("北京公司", "上海公司", "differs"),
    ],
)
def test_names_that_are_the_same_and_names_that_are_not(attested, extracted, state):
    assert compare_names(attested, extracted).state == state


@pytest.mark.parametrize(
    "words",
    [
        "Certificate of Incorporation\nof a\nPrivate Limited Company",
        "I hereby certify that the attached is a true copy",
        "hereby certifies that a Certificate of Formation for the above named company",
        "The name of the corporation is ____________.",
        "Company name:\nCompany number:",
        "ARTICLES OF INCORPORATION\nPage 2 of 4",
        "Name of the company: Delaware",
    ],
)
def test_furniture_of_a_form_is_no_name(words):
    assert find_names(text_of(words)) == []


def test_a_number_needs_its_label():
    text = text_of("Document hash 9360227721a8\nTelephone 0114 2750079\nzip 936022772")

    assert find_registration_numbers(text) == []


def test_wrong_check_digits_are_told_apart_from_right_ones():
    right = find_registration_numbers(
        text_of("Employer Identification Number: 41-3001586")
    )
    wrong = find_registration_numbers(text_of("GSTIN 08DVBPR7915G1Z8"))

    assert [(n.value.number, n.value.valid) for n in right] == [("41-3001586", True)]
    assert [n.value.valid for n in wrong] == [False]


def test_numbers_are_compared_without_their_dress():
    assert compact("No. 07-327 424".removeprefix("No. ")) == compact("7327424")
    assert compact("SC612345") != compact("612345")


@pytest.mark.parametrize(
    ("lines", "role", "expected"),
    [
        (
            "The registered office of the company is\n12 Larch Lane, Suite 4, Dover, DE 19901.",
            "registered_office",
            Address("12 Larch Lane", "Suite 4", "Dover", "DE", "US", "19901"),
        ),
        (
            "Principal place of business:\n1082 Stonegate Road\nHall Green\nBirmingham\nB28 8AD",
            "principal_office",
            Address(
                "1082 Stonegate Road", "Hall Green", "Birmingham", "", "GB", "B28 8AD"
            ),
        ),
        (
            "initial agent for service of process is:\nDana Example\n1697 Via Alta\nSan Dimas, CA 91773",
            "registered_agent",
            Address("1697 Via Alta", None, "San Dimas", "CA", "US", "91773"),
        ),
        (
            "Mailing address: P.O. Box 2508, Cincinnati, Ohio 45201",
            "mailing_address",
            Address("P.O. Box 2508", None, "Cincinnati", "OH", "US", "45201"),
        ),
        (
            "Mailing Address as per record:\nNEEM TREE PRIVATE LIMITED\nFlat- C/6, Peepal Park, "
            "Pune- 411033, Maharashtra",
            "mailing_address",
            Address("Flat- C/6", "Peepal Park", "Pune", "Maharashtra", "IN", "411033"),
        ),
    ],
)
def test_an_address_and_its_role(lines, role, expected):
    [result] = find_addresses(text_of(lines))

    assert (result.value.role, result.value.address) == (role, expected)


def test_two_addresses_do_not_run_into_each_other():
    result = find_addresses(
        text_of("P.O. Box 25, Cincinnati, OH 45201\n1530 Paseo St, San Dimas, CA 91773")
    )

    assert [str(item.value.address) for item in result] == [
        "P.O. Box 25, Cincinnati, OH 45201",
        "1530 Paseo St, San Dimas, CA 91773",
    ]


def test_the_address_of_an_agent_is_not_that_of_the_company():
    data = extraction_of(
        make_pdf(
            "The name of the registered agent is Dana, 9 Elm Street, Dover, DE 19901"
        )
    )

    assert data["business_address"] is None
    assert list(data["all_extracted_addresses"]) == ["registered_agent"]


@pytest.mark.parametrize(
    ("other", "state"),
    [
        (Address("12 LARCH LANE", "STE 4", "DOVER", "DE", "US", "19901-1234"), "equal"),
        (
            Address("12 Larch Lane, Suite 4", None, "Dover", "DE", "US", "19902"),
            "close",
        ),
        (Address("800 Ocean Drive", None, "Miami", "FL", "US", "33139"), "differs"),
    ],
)
def test_addresses_are_compared_by_street_and_code(other, state):
    own = Address("12 Larch Lane", "Suite 4", "Dover", "DE", "US", "19901")

    assert compare_addresses(own, other)[0] == state


@pytest.mark.parametrize(
    ("own", "other", "state"),
    [
        (Address("12 Harbour Road", postal_code="CT1 2XX"), Address("12 Harbour Rd.", postal_code="CT12XX"), "equal"),
        (Address("Hauptstraße 5", city="München"), Address("Hauptstr. 5", city="MUNCHEN"), "equal"),
        (Address("350 Fifth Avenue"), Address("350 5th Ave"), "equal"),
        (Address("ul. Długa 1 m. 5", city="Gdańsk"), Address("Dluga 1/5", city="Gdansk"), "equal"),
        (Address("Bahnhofstrasse 45", postal_code="8001"), Address("Bahnhofstr. 45", postal_code="CH-8001"), "equal"),
        (Address("12 Harbour Road"), Address("14 Harbour Road"), "differs"),
        (Address("Hauptstraße 5"), Address("Hauptstraße 55"), "differs"),
        (Address("Flat 3, 12 Harbour Road"), Address("12 Harbour Road", "Flat 5"), "differs"),
        (Address("100 Main Street Apt 4B"), Address("100 Main Street Apt 4D"), "differs"),
        (Address("Hauptstraße 5"), Address("Hauptstraße 5a"), "differs"),
        (Address("Hauptstraße 5 A"), Address("Hauptstr. 5a"), "equal"),
        (Address("12 East Main Street"), Address("12 E Main St"), "equal"),
        (Address("Flat 3, 12 Harbour Road"), Address("12 Harbour Road"), "close"),
        (Address("12 Harbour Road"), Address("Harbour Road"), "close"),
        (Address("1 High Street", city="Oxford"), Address("1 High Road", city="Oxford"), "close"),
        (Address("12 Harbour Road"), Address("PO Box 12, Harbour Road"), "close"),
        (Address("1 Paulista", postal_code="01310-100"), Address("1 Paulista", postal_code="01310-999"), "close"),
    ],
)  # fmt: skip
def test_another_house_is_another_address(own, other, state):
    assert compare_addresses(own, other)[0] == state
    assert compare_addresses(other, own)[0] == state


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("5. 3. 2024", date(2024, 3, 5)),
        ("2024. 03. 05.", date(2024, 3, 5)),
        ("5.III.2024", date(2024, 3, 5)),
        ("12 XI 2024", date(2024, 11, 12)),
        ("«05» марта 2024 года", date(2024, 3, 5)),
        ("5 березня 2024 року", date(2024, 3, 5)),
        ("5. јула 2024", date(2024, 7, 5)),
        ("5. janúar 2024", date(2024, 1, 5)),
        ("5 de març de 2024", date(2024, 3, 5)),
        ("5 de setiembre de 2024", date(2024, 9, 5)),
        ("5. studenog 2024.", date(2024, 11, 5)),
        ("5 \u039c\u0391\u03a1\u03a4\u0399\u039f\u03a5 2024", date(2024, 3, 5)),
        ("中華民國113年3月5日", date(2024, 3, 5)),
    ],
)
def test_dates_in_the_forms_of_many_countries(written, day):
    [found] = find_dates(f"Date: {written}")

    assert found.value == day


@pytest.mark.parametrize(
    "written",
    # Numbers of paragraphs and versions, a month that there is not, and years of other calendars.
    ["3. 5. 3. 2024", "5. 3. 2024. 1", "5.XIII.2024", "5 V 2024", "5. 13. 2024", "1402/12/15", "05/03/2567"],
)  # fmt: skip
def test_no_dates(written):
    assert not find_dates(written)


@pytest.mark.parametrize(
    ("own", "other", "state"),
    [
        # One form in full, short, before the name, behind it, and without a space.
        ("SARL Dupont", "DUPONT S.A.R.L.", "equal"),
        ("UAB Gintaras", "Gintaras, UAB", "equal"),
        ("Oy Saima Ab", "Saima Oy", "equal"),
        ("S.C. Carpați S.R.L.", "Carpati SRL", "equal"),
        ("Kvark ApS", "Kvark Anpartsselskab", "equal"),
        ("Kovo a.s.", "Kovo, akciová společnost", "equal"),
        ("Duna Zrt.", "Duna Zártkörűen Működő Részvénytársaság", "equal"),
        ("ООО «Ромашка»", "Общество с ограниченной ответственностью «Ромашка»", "equal"),  # noqa: RUF001
        ("トヨタ自動車", "トヨタ自動車株式会社", "equal"),
        ("㈱日立", "日立株式会社", "equal"),
        ("삼성전자 주식회사", "(주)삼성전자", "equal"),
        ("Nordlicht SE", "Nordlicht Societas Europaea", "equal"),
        ("Harbour Foods Co., Ltd.", "Harbour Foods Company Limited", "equal"),
        # Two forms are two companies.
        ("Nordlicht GmbH", "Nordlicht GmbH & Co. KG", "close"),
        ("Nordlicht GmbH", "Nordlicht UG (haftungsbeschränkt)", "close"),
        ("Kaya A.Ş.", "Kaya Ltd. Şti.", "close"),
        ("Duna Kft.", "Duna Zrt.", "close"),
        ("Kvark A/S", "Kvark ApS", "close"),
        ("株式会社日立", "合同会社日立", "close"),
        # The first word may be a form, or a word of the name.
        ("AS Roma", "Roma", "close"),
        ("Co Op Ltd", "Op Ltd", "close"),
        ("Limited Edition Ltd", "Edition Ltd", "differs"),
        # Companies of a project differ in their number alone.
        ("Windpark Nord 3 GmbH & Co. KG", "Windpark Nord 4 GmbH & Co. KG", "differs"),
        ("Solar Alpha SPV 101 LLC", "Solar Alpha SPV 102 LLC", "differs"),
        ("Acme Real Estate Fund III", "Acme Real Estate Fund IV", "differs"),
        ("Open 24/7 Ltd", "OPEN 24 7 LIMITED", "equal"),
    ],
)  # fmt: skip
def test_forms_and_numbers_of_companies(own, other, state):
    assert compare_names(own, other).state == state
    assert compare_names(other, own).state == state


@pytest.mark.parametrize(
    ("attested", "other", "state"),
    [
        ("Müller & Söhne GmbH", "Mueller und Soehne G.m.b.H.", "equal"),
        ("Café Zürich AG", "Cafe Zuerich AG", "equal"),
        ("ООО Ромашка", "OOO Romashka", "close"),  # noqa: RUF001
        ("Nordic Foods Ltd", "Nordic Woods Ltd", "differs"),
        ("ООО Ромашка", "Beryoza Ltd", "differs"),  # noqa: RUF001
    ],
)
def test_names_of_companies_in_other_spellings(attested, other, state):
    assert compare_names(attested, other).state == state


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("GELİR İDARESİ BAŞKANLIĞI", "TR"),
        ("GELIR\nIDARESI BASKANLIGI", "TR"),
        ("GRAND-DUCHE DE LUXEMBOURG", "LU"),
        ("Κυπριακη Δημοκρατια", "CY"),
    ],
)
def test_a_phrase_is_found_in_capitals_and_without_accents(words, code):
    word = Word(words, Box(1, 0.1, 0.1, 0.9, 0.2))
    found = find_jurisdiction(Text([Page(1, 595, 842, (Line((word,)),))]))

    assert found is not None
    assert found.value.code == code


def test_patterns_of_phrases_that_a_text_cannot_have_are_not_compiled(monkeypatch):
    """To compile all of them took a tenth of a second in each process that reads a document."""
    jurisdictions._wordings.cache_clear()
    try:
        find_jurisdiction(text_of("Existing under the laws of the State of Delaware"))
        compiled = [
            wording
            for wording in jurisdictions._wordings()
            if wording.word and "compiled" in vars(wording.pattern)
        ]
        assert len(compiled) < 100
    finally:
        jurisdictions._wordings.cache_clear()


def test_a_place_in_a_name_is_no_jurisdiction():
    assert (
        find_jurisdiction(
            text_of("Certificate of Incorporation of Bermuda Capital LLC")
        )
        is None
    )
    assert find_jurisdiction(text_of("Delaware Street Bakery, 4 Nevada Road")) is None


def test_too_few_words_are_no_kind_of_document():
    assert (
        classify(text_of("Dear Sirs, please find enclosed the requested papers."))
        is None
    )


@pytest.mark.parametrize(
    ("words", "name"),
    [
        # The third entry of an extract has two lines.
        (
            "1 Tauern Moser KG\n3 Zirben Holz KG\n3 Hauptplatz 18, Rennweg\n4 Beteiligungen OG",
            "Zirben Holz KG",
        ),
        # A number that belongs to the name, beside houses with other numbers.
        (
            "3 Zirben Holz KG\n18 Mill Lane York\n27 Hill Road York\n41 Bay Street York",
            "3 Zirben Holz KG",
        ),
    ],
)
def test_the_number_of_an_entry_is_no_part_of_a_name(words, name):
    assert without_entry_number(text_of(words), "3 Zirben Holz KG") == name
