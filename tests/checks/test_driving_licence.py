"""The front of a driving licence: its numbered fields, dates in the right century, the barcode behind."""

from __future__ import annotations

import io
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from PIL import Image, ImageDraw, ImageFont

from checks import engine, registry
from checks.base import Examined
from checks.driving_licence.front import alike, british_disagreement, front_of
from checks.driving_licence.reading import read_licence
from checks.evidence import Evidence
from checks.identity_document.check import IdentityDocumentCheck
from tests.checks.documents import make_pdf
from tests.checks.test_identity_barcode import CARD, FRONT, PERSON, content, picture

TODAY = date(2026, 11, 21)
BRITISH = """DRIVING LICENCE
1. MORGAN
2. SARAH
MEREDYTH
3. 11.03.1976 UNITED KINGDOM
4a. 19.01.2023 4c. DVLA
4b. 18.01.2033
5. MORGA753116SM9IJ 35
8. 122 BURNS CRESCENT EDINBURGH EH1 9GP
9. AM/A/B1/B"""
GERMAN = """FÜHRERSCHEIN BUNDESREPUBLIK DEUTSCHLAND
1. Mustermann
2. Erika
3. 12.08.64 Berlin
4a. 07.02.24 4b. 06.02.39
4c. Landratsamt Musterhausen
5. B072RRE2I55
9. AM/B/L"""
NEW_ZEALAND = """NEW ZEALAND DRIVER LICENCE
1. TAMIHANA
2. MERE AROHA
3. 09-09-1985
4a. 10-09-2021
4b. 09-09-2031
5a. DK482913
5b. 482
6. NOT A DONOR"""
AMERICAN = """VIRGINIA DRIVER'S LICENSE USA
4d DLN T64235789 9 CLASS D
3 DOB 06/06/1986
4a ISS 06/06/2019
4b EXP 12/10/2030
1 SAMPLE
2 MICHAEL JOHN
8 2300 WEST BROAD STREET
RICHMOND, VA 23269
15 SEX M 16 HGT 5-10"""


def front(text: str, today: date = TODAY) -> Any:
    return front_of(Evidence(make_pdf(text), today=today))


@pytest.mark.parametrize(
    ("text", "name", "born", "expires", "number"),
    [
        (NEW_ZEALAND, "MERE AROHA TAMIHANA", "1985-09-09", "2031-09-09", "DK482913"),
        (BRITISH, "SARAH MEREDYTH MORGAN", "1976-03-11", "2033-01-18", "MORGA753116SM9IJ"),
        (GERMAN, "Erika Mustermann", "1964-08-12", "2039-02-06", "B072RRE2I55"),
        (AMERICAN, "MICHAEL JOHN SAMPLE", "1986-06-06", "2030-12-10", "T64235789"),
    ],
)  # fmt: skip
def test_the_numbers_of_the_fields_tell_them(text, name, born, expires, number):
    read = front(text)

    assert (read.name, read.number) == (name, number)
    assert (str(read.born), str(read.expires)) == (born, expires)


@pytest.mark.parametrize(
    ("born", "issued", "expires", "read"),
    [
        ("01.02.31", "03.04.12", "02.04.27", ("1931-02-01", "2027-04-02")),
        ("01.02.05", "03.04.23", "02.04.38", ("2005-02-01", "2038-04-02")),
        ("29.02.04", "03.04.22", "28.02.72", ("2004-02-29", "2072-02-28")),
        ("01.02.98", "03.04.16", "02.04.31", ("1998-02-01", "2031-04-02")),
        ("31.02.98", "03.04.16", "02.04.31", ("None", "2031-04-02")),
    ],
)
def test_years_of_two_digits_are_in_the_right_century(born, issued, expires, read):
    lines = GERMAN.replace("12.08.64", born).replace("07.02.24", issued)
    result = front(lines.replace("06.02.39", expires))

    assert (str(result.born), str(result.expires)) == read


@pytest.mark.parametrize(
    ("change", "disagrees"),
    [
        (("", ""), ""),
        (("11.03.1976", "12.03.1976"), "date of birth"),
        (("1. MORGAN", "1. NORGAN"), "surname"),
        (("MORGA753116SM9IJ", "MORGA703116SM9IJ"), ""),
        # Mac is Mc in a number, and how it writes ö is not known.
        (("1. MORGAN\n2. SARAH\nMEREDYTH\n", "1. MACDONALD\n2. SARAH\n"), "surname"),
        (("1. MORGAN", "1. MÖRGAN"), ""),
    ],
)
def test_a_british_number_is_held_against_what_it_encodes(change, disagrees):
    result = british_disagreement(front(BRITISH.replace(*change)))

    assert disagrees in result
    assert bool(result) is bool(disagrees)


def test_mac_is_mc_in_a_british_number():
    card = BRITISH.replace("1. MORGAN", "1. MACDONALD")
    assert not british_disagreement(front(card.replace("MORGA7", "MCDON7")))
    assert not british_disagreement(front(card.replace("MORGA7", "MACDO7")))


@pytest.mark.parametrize(
    "text",
    [
        # OCR lost all numbers, or read some alone, before the values or as letters.
        "PRAWO JAZDY POLSKA\nKOWALSKA\nANNA\n21.04.1979 KIELCE\n17.02.2018\n17.02.2033\nPREZYDENT MIASTA\n44188/18/0661\nAM, B",
        "DRIVING LICENCE\n2.\nKOWALSKA\nANNA\n21.04.79 IRELAND\n17.02.18\n4b. 17.02.33\nNDLS\n441880661\nDUBLIN 11\n9.",
        "PERMISO DE CONDUCCIÓN\nLE\nKOWALSKA\nANNA\n21/04/1979 CUENCA\n17/02/2018\n4b . 17/02/2033\n16/01\n44188066-T\nAM",
    ],
)
def test_without_the_numbers_the_order_gives_candidates(text):
    evidence = Evidence(make_pdf(text), today=TODAY)

    licence = front_of(evidence)
    assert licence is not None
    reading = read_licence(evidence, licence)

    assert all(fact.wire is None for fact in reading.facts.values())
    candidates = {
        key: [one.value for one in fact.candidates]
        for key, fact in reading.facts.items()
    }
    assert candidates["name"] == ["ANNA KOWALSKA"]
    assert candidates["date_of_birth"] == ["1979-04-21"]
    assert candidates["issue_date"] == ["2018-02-17"]
    assert candidates["expiration_date"] == ["2033-02-17"]
    [number] = candidates["document_number"]
    assert number.startswith("4418")


@pytest.mark.parametrize(
    "text",
    [
        # Two lines of other names; two days; no licence.
        "DRIVING LICENCE\nMORGAN\nSARAH\nMEREDYTH\n11.03.1976 UK\n19.01.2023\n18.01.2033\n75311645",
        "DRIVING LICENCE\nMORGAN\nSARAH\n11.03.1976 UK\n18.01.2033\n75311645",
        "RENTAL AGREEMENT\nMORGAN\nSARAH\n11.03.1976 UK\n19.01.2023\n18.01.2033\n75311645",
    ],
)
def test_another_order_gives_nothing(text):
    assert front(text) is None


def test_a_text_with_numbered_lines_is_no_licence():
    assert front("1. Names\n2. Objects\n3. 11.03.1976\n4. Members\n5. Fees") is None


def results(text: str, **attested: Any) -> dict[str, Any]:
    check = IdentityDocumentCheck()
    document = {"type": "Document", "url": "https://a.example/f", "file_name": None}
    evidence = Evidence(
        make_pdf(text), attested=attested, document=document, today=TODAY
    )
    outcomes = dict(engine.examine_evidence(check.id, evidence))
    conclusion = engine.conclude(check.id, [Examined(document, outcomes)], attested)
    return dict(conclusion)


def test_a_licence_whose_holder_was_attested_is_valid():
    result = results(
        BRITISH,
        first_name="Sarah",
        middle_name="Meredyth",
        last_name="Morgan",
        date_of_birth="1976-03-11",
    )

    assert result["verdict"] == "pass", result["explanation"]


@pytest.mark.parametrize(
    ("change", "verdict", "words"),
    [
        (("18.01.2033", "18.01.2024"), "fail", "expired on 2024-01-18"),
        (("11.03.1976", "11.04.1976"), "review", "another date of birth"),
        (("1. MORGAN", "1. SMYTHE"), "review", "another surname"),
    ],
)
def test_what_is_wrong_with_a_licence_is_told(change, verdict, words):
    result = results(BRITISH.replace(*change), first_name="Sarah", last_name="Morgan")

    assert result["verdict"] == verdict
    assert words in str(result)


def beside(text: str, **changes: str) -> dict[str, Any]:
    card = FRONT | {"front_image_url": "https://a.example/f"}
    data = PERSON | {"government_id_verification_data": {"id_data": card}}
    check = registry.get("kyc.government_id_barcode")
    [document] = check.documents_of(data)
    outcomes = dict(
        engine.examine(
            check.id, file=picture(content(**changes)), file_name="", attested=data,
            document=document, beside=make_pdf(text),
        )
    )  # fmt: skip
    conclusion = engine.conclude(check.id, [Examined(document, outcomes)], data)
    return dict(conclusion)


def test_the_barcode_is_held_against_the_printed_front():
    agreeing = beside(AMERICAN)
    other = beside(AMERICAN.replace("06/06/1986", "06/08/1986"))

    printed = {
        row["label"]: row["state"]
        for row in other["payload"]["barcode_check"]["rows"]
        if row["label"].startswith("Printed")
    }
    assert agreeing["verdict"] == "pass", agreeing["explanation"]
    assert printed == {
        "Printed name": "pass", "Printed date of birth": "review",
        "Printed expiry": "pass", "Printed number": "pass",
    }  # fmt: skip
    assert other["verdict"] == "review"
    assert CARD["DBB"] == "06061986"


def test_a_picture_of_a_licence_is_read():
    card = Image.new("RGB", (1600, 1010), (236, 228, 238))
    draw = ImageDraw.Draw(card)
    face = ImageFont.load_default(46)
    for row, line in enumerate(GERMAN.split("\n")):
        draw.text((560, 60 + 100 * row), line, fill=(30, 30, 40), font=face)
    out = io.BytesIO()
    card.save(out, "JPEG", quality=90)

    evidence = Evidence(out.getvalue(), today=TODAY)
    read = front_of(evidence)

    assert read
    assert read.name == "Erika Mustermann"
    # OCR takes 0 and O, and 1 and I, for one another: the number is not given without another source.
    assert alike(read.number) == alike("B072RRE2I55")
    assert read_licence(evidence, read).facts["document_number"].wire is None
    stated = {"id_data": {"document_number": "B072RRE2I55"}}
    result = replace(evidence, attested={"government_id_verification_data": stated})
    value = read_licence(result, read).facts["document_number"].wire
    assert value == "B072RRE2I55"
    assert (str(read.born), str(read.expires)) == ("1964-08-12", "2039-02-06")


def test_given_names_in_small_letters_are_candidates_by_their_order():
    licence = front(
        "PERMIS DE CONDUIRE REPUBLIQUE FRANCAISE\nDELORME\nBérénice, Anne\n17.08.1983 (Vannes)\n"
        "4a 05.06.2023 4c. Préfecture du Morbihan\n4b 04.06.2038\n23AB44118\nAM/B1/B"
    )

    assert licence
    assert licence.by_order
    assert (licence.surname, licence.given_names) == ("DELORME", "Bérénice, Anne")
    assert str(licence.born) == "1983-08-17"
