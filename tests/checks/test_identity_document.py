"""Passports by their machine-readable zone: digits, expiry, and what was attested."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from functools import cache

import numpy as np
import pytest
from PIL import Image

from checks import engine, readers, registry
from checks.base import Examined
from checks.evidence import Evidence
from checks.identity_document import extraction
from checks.identity_document import mrz as zone
from checks.readers.extras import has_second_engine
from checks.readers.ocr.zone_characters import CHARACTERS
from checks.readers.ocr.zone_lines import ZoneLine
from checks.samples.passports import draw_passport
from checks.subject_data import mrz
from tests.checks.documents import TODAY, make_pdf, zone_pdf

pytestmark = pytest.mark.usefixtures("at_noon")

CHECK = "kyc.identity_document_verification"
EXTRACTION = "kyc.identity_document_extraction_tool"
DOCUMENT = {"type": "Document", "url": "https://files.example/front.png"}
# The examples of ICAO 9303, parts 4 to 7.
TD3 = [
    "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<",
    "L898902C36UTO7408122F1204159ZE184226B<<<<<10",
]
TD1 = ["I<UTOD231458907<<<<<<<<<<<<<<<", "7408122F1204159UTO<<<<<<<<<<<6", "ERIKSSON<<ANNA<MARIA<<<<<<<<<<"]  # fmt: skip


@cache
def passport(*, years: int = 4, tamper: bool = False):
    return draw_passport(7, expires=date(TODAY.year + years, 5, 4), tamper=tamper)


def results_of(content, attested):
    arguments = {"file": content, "file_name": "front.png", "document": DOCUMENT}
    results = dict(engine.examine(CHECK, attested=attested, **arguments))
    result = engine.conclude(CHECK, [Examined(DOCUMENT, results)], attested)
    return results[EXTRACTION], result


def test_a_sound_passport_of_the_person_passes():
    content, attested = passport()

    tool, text = results_of(content, attested)

    data = tool["payload"]["extraction_data"]
    assert (tool["verdict"], text["verdict"]) == ("pass", "pass")
    assert text["payload"]["verified_date_of_birth"] == attested["date_of_birth"]
    assert data["name"].title() == f"{attested['first_name']} {attested['last_name']}"
    assert all(digit["holds"] for digit in data["check_digits"])
    states = {one["label"]: one["state"] for one in data["comparisons"]}
    assert states["Number of the document"] == states["Name"] == "equal"
    # At its place: two lines at the foot of the page, and not the part that was searched.
    box = data["evidence"]["document_number"]["boxes"][0]
    assert 0.5 < box["y0"] < box["y1"] <= 1
    assert box["y1"] - box["y0"] < 0.2


def test_a_changed_digit_breaks_its_check_digit_and_is_not_given_as_read():
    content, attested = passport(tamper=True)

    tool, text = results_of(content, attested)

    data = tool["payload"]["extraction_data"]
    assert text["verdict"] == "review"
    assert data["date_of_birth"] is None
    assert "birth" in {
        digit["field"] for digit in data["check_digits"] if not digit["holds"]
    }
    assert "Wrong check digit of date of birth" in tool["explanation"]


def test_an_expired_passport_fails_and_says_since_when():
    content, attested = passport(years=-2)

    tool, text = results_of(content, attested)

    assert (tool["verdict"], text["verdict"], text["passed"]) == ("fail", "fail", False)
    assert text["explanation"].startswith(
        "The identity document has expired. It expired on "
    )
    assert text["payload"]["valid_documents"] == []


def test_the_passport_of_somebody_else_is_for_a_person_to_look_at():
    content, attested = passport()
    other = attested | {"date_of_birth": "1991-01-09", "last_name": "Somebody"}

    tool, text = results_of(content, other)

    compared = tool["payload"]["extraction_data"]["comparisons"]
    assert text["verdict"] == "review"
    assert {one["label"] for one in compared if one["state"] == "differs"} == {"Name", "Date of birth"}  # fmt: skip


def test_a_side_without_a_zone_is_not_held_against_the_card():
    front = make_pdf("IDENTITY CARD\nThe front of a card with a name on it")
    tool, text = results_of(front, {})

    assert (text["verdict"], text["passed"]) == ("inconclusive", False)
    assert text["explanation"].startswith("No machine-readable zone could be read")
    assert tool["verdict"] == "not_applicable"
    assert "no machine-readable zone" in tool["explanation"]


def test_both_sides_are_taken_from_where_the_interface_has_them():
    check = registry.get(CHECK)
    card = {
        "front_image_url": "https://a.example/f",
        "back_image_url": "https://a.example/b",
    }

    result = check.documents_of({"government_id_verification_data": {"id_data": card}})

    assert [one["url"] for one in result] == list(card.values())
    assert check.documents_of({}) == check.documents_of(
        {"government_id_verification_data": None}
    )
    assert list(check.documents_of({})) == []


@pytest.mark.parametrize("lines", [TD3, TD1], ids=["TD3", "TD1"])
def test_zones_of_the_standard(lines):
    read = zone._read(lines, 1, zone.WHOLE, date(2012, 1, 1))

    assert read
    assert not read.broken
    assert read.zone.surname == "ERIKSSON"
    assert read.zone.expiry_date == date(2012, 4, 15)


def test_a_letter_in_the_number_is_mended_only_where_all_digits_hold_then():
    misread = [TD3[0], TD3[1].replace("L898902C3", "L8989O2C3")]
    wrong = [TD3[0], TD3[1].replace("L898902C3", "L898702C3")]

    mended, broken = (
        zone._read(text, 1, zone.WHOLE, TODAY) for text in (misread, wrong)
    )

    assert mended
    assert (mended.zone.fields["number"], mended.mended) == ("L898902C3", ["number"])
    assert broken
    assert "number" in {digit.field for digit in broken.broken}


def test_filler_that_was_misread_is_no_name():
    rows = [TD3[0].replace("MARIA<<<<<<<<<<", "MARIA<<<KK<KKKK"), TD3[1]]

    read = zone._read(rows, 1, zone.WHOLE, TODAY)

    assert read
    assert read.zone.given_names == "ANNA MARIA"


def test_a_picture_without_print_has_no_zone():
    blank = np.full((400, 600, 3), 255, np.uint8)

    assert not any(
        "<" in line for read in readers.read_zones(blank) for line in read.lines
    )
    assert zone.zone_of(Evidence(b"", today=TODAY - timedelta(days=1))) is None


def facts_of(first: str, second: str = TD3[1], today: date = date(2012, 1, 1)):
    read = zone._read([first, second], 1, zone.WHOLE, today, "Tesseract")
    assert read
    return extraction._facts(read, today), extraction._complaints(read)


@pytest.mark.parametrize(
    "names", ["ERIKSSON<<ANNAXMARIAX", "ERIKSSON<<ANNA<MAR1A", "ERIKSSSSON<<ANNA"]
)
def test_what_cannot_be_a_name_is_not_given(names):
    facts, complaints = facts_of(f"P<UTO{names}".ljust(44, "<"))

    assert (facts["name"].wire, facts["first_name"].wire) == (None, None)
    assert any("name could not be read" in text for text in complaints)


@pytest.mark.parametrize(
    ("output", "values", "surname"),
    [
        ("EL<AMRANI<<MOHAMED<EL<AMINE", "MOHAMED EL AMINE", "EL AMRANI"),
        ("PARK<<HYE<SE", "HYE SE", "PARK"),
        ("SMITH<<JOHN<III", "JOHN III", "SMITH"),
        ("ERIKSSON<<ANNA<KKKKKKK", "ANNA", "ERIKSSON"),
        ("ERIKSSON<<ANNA<<<L<<S", "ANNA", "ERIKSSON"),
    ],
)
def test_short_words_behind_a_name_are_names_and_filler_is_not(output, values, surname):
    facts, complaints = facts_of(f"P<UTO{output}".ljust(44, "<"))

    assert (facts["first_name"].wire, facts["last_name"].wire) == (values, surname)
    assert not complaints


def number_line(number: str) -> str:
    """The second line of a passport with this number in the place of the right one."""
    parts = ["510188520", "740812", "120415", "<" * 14]
    number_, born, expires, optional = (part + mrz.digit_of(part) for part in parts)
    end = mrz.digit_of(number_ + born + expires + optional)
    return f"{number}{number_[9:]}UTO{born}F{expires}{optional}{end}"


def test_a_number_that_could_be_mended_in_several_ways_is_not():
    facts, complaints = facts_of(TD3[0], number_line("570188520"))

    assert (
        facts_of(TD3[0], number_line("510188520"))[0]["document_number"].wire
        == "510188520"
    )
    assert facts["document_number"].wire is None
    assert any(text.startswith("Wrong check digit of number") for text in complaints)


def test_a_date_of_birth_that_is_none_is_told():
    second = "L898902C36UTO7413322F1204159ZE184226B<<<<<10"
    second = second[:19] + mrz.digit_of("741332") + second[20:]

    facts, complaints = facts_of(TD3[0], second)

    assert facts["date_of_birth"].wire is None
    assert "Its date of birth could not be read." in complaints


@pytest.mark.skipif(has_second_engine(), reason="a second engine reads the name, too")
def test_a_name_that_may_be_misread_is_not_compared_and_says_so():
    content, attested = passport()
    other = attested | {"last_name": f"{attested['last_name'][:-2]}xq"}

    tool, text = results_of(content, other)

    row = next(
        r
        for r in tool["payload"]["extraction_data"]["comparisons"]
        if r["label"] == "Name"
    )
    assert row["state"] == "cannot_compare"
    assert (text["verdict"], text["passed"]) == ("inconclusive", False)
    assert "Not compared: Name (read by one engine only" in text["explanation"]
    assert text["payload"]["verified_name"] is None
    assert results_of(content, attested)[1]["payload"]["verified_name"]


@pytest.mark.parametrize("name", ["FELIX<MAX", "XAVIER", "BEATRIX", "ALEXANDER"])
def test_names_with_an_x_are_names(name):
    facts, complaints = facts_of(f"P<UTOERIKSSON<<{name}".ljust(44, "<"))

    assert facts["first_name"].wire == name.replace("<", " ")
    assert not any("name" in text for text in complaints)


def test_a_name_that_one_engine_read_is_unsure():
    facts, _ = facts_of(TD3[0])

    assert facts["name"].extracted
    assert facts["name"].extracted.confidence < 0.5
    assert "unsure" in facts["name"].how or "unsure" in facts["name"].extracted.how


# Eleni is cut off: the line has no room for the rest.
LONG = "P<UTOPAPADOPOULOU<<ALEXANDRA<KONSTANTINA<ELE"


def test_a_name_that_fills_the_zone_may_be_longer_and_is_unsure():
    person = {
        "first_name": "Alexandra Konstantina Eleni",
        "last_name": "Papadopoulou",
    }
    [read] = zone._of_cells([cells_of(LONG), cells_of(TD3[1])], 1, TODAY)
    assert read.names_agree  # its letters are certain

    tool, _ = results_of(zone_pdf(LONG, TD3[1]), person)

    data = tool["payload"]["extraction_data"]
    assert data["mrz"][0] == LONG
    assert "name" in data["unsure"]
    assert "cut off" in tool["explanation"]
    [row] = [row for row in data["comparisons"] if row["label"] == "Name"]
    assert row["state"] == "close"


@pytest.mark.parametrize(
    ("first_name", "state"),
    [
        ("Alexandra Konstantina", "equal"),
        ("Alexandra K. Eleni", "cannot_compare"),
        ("Maria Alexandra Konstantina Eleni", "close"),
        ("Dimitrios", "differs"),
    ],
)
def test_a_name_that_is_cut_off_is_compared_as_far_as_it_goes(first_name, state):
    [read] = zone._of_cells([cells_of(LONG), cells_of(TD3[1])], 1, TODAY)
    unsure = replace(read, names_agree=False)
    facts = extraction._facts(unsure, TODAY)
    person = {"first_name": first_name, "last_name": "Papadopoulou"}

    [name, *_] = extraction._comparisons(facts, person, unsure)

    assert (name.field, name.state) == ("name", state)


@pytest.mark.parametrize(
    ("attested", "state"),
    [("BAA000589", "equal"), ("99999999R", "equal"), ("99999998R", "differs")],
)
def test_a_personal_number_in_the_optional_data_is_the_number_of_the_card(
    attested, state
):
    """People write the number of the DNI, and not that of the plastic, where an ID is asked for."""
    lines = ["IDESPBAA000589599999999R<<<<<<", "8001014F3006287ESP<<<<<<<<<<<", "GARCIA<GIL<<ANA<<<<<<<<<<<<<<<"]  # fmt: skip
    of = lines[0][5:] + lines[1][:7] + lines[1][8:15] + lines[1][18:29]
    lines[1] += mrz.digit_of(of)
    read = zone._read(lines, 1, zone.WHOLE, TODAY, "Tesseract")
    assert read
    assert not read.broken
    card = {"id_data": {"document_number": attested}}
    person = {"government_id_verification_data": card}

    rows = extraction._comparisons(extraction._facts(read, TODAY), person, read)

    [number] = [row for row in rows if row.field == "document_number"]
    assert number.state == state


@pytest.mark.parametrize(
    ("field", "attested", "state"),
    [
        ("nationality", {"country_of_nationality": "GB"}, "equal"),
        ("nationality", {"country_of_nationality": "United Kingdom"}, "equal"),
        ("nationality", {"country_of_nationality": "US / GB"}, "equal"),
        ("nationality", {"country_of_nationality": ["US", "GB"]}, "equal"),
        ("nationality", {"country_of_nationality": "FR"}, "differs"),
        # A word for the people is no country, and does not contradict the zone.
        ("nationality", {"country_of_nationality": "British"}, "cannot_compare"),
        ("sex", {"sex": "female"}, "equal"),
        ("sex", {"sex": "männlich"}, "differs"),
        ("sex", {"sex": "divers"}, "cannot_compare"),
    ],
)
def test_nationality_and_sex_are_compared_by_their_meaning(field, attested, state):
    lines = [TD3[0], TD3[1].replace("UTO", "GBR")]
    read = zone._read(lines, 1, zone.WHOLE, date(2012, 1, 1), "Tesseract")
    assert read

    rows = extraction._comparisons(extraction._facts(read, TODAY), attested, read)

    [row] = [row for row in rows if row.field == field]
    assert row.state == state


def test_sex_and_countries_are_given_only_where_the_standard_knows_them():
    second = TD3[1].replace("UTO7408122F", "UT07408122E")

    facts, _ = facts_of(TD3[0].replace("UTOERIK", "QQQERIK"), second)

    assert (facts["sex"].wire, facts["issuing_country"].wire) == (None, None)
    assert facts_of(TD3[0])[0]["sex"].wire == "F"


def test_the_sentence_says_what_check_digits_do_not_cover():
    content, attested = passport()

    text = results_of(content, attested)[0]["explanation"]

    assert "All" not in text
    assert "None covers the name, sex or countries." in text


def cells_of(text: str, doubt: str = "") -> ZoneLine:
    """A line of cells of which each is as good as certain, but for those of `doubt`."""
    rows = []
    for character in text:
        row = np.full(len(CHARACTERS), -12.0)
        row[CHARACTERS.index(character)] = -0.001
        if character in doubt:
            row[CHARACTERS.index(character)] = -0.6
            row[CHARACTERS.index("H")] = -0.9
        rows.append(row)
    return ZoneLine(np.array(rows), (0.1, 0.8, 0.9, 0.84), 6.0)


def test_a_letter_that_is_not_sure_makes_the_names_unsure():
    sure = [cells_of(line) for line in TD3]
    doubted = [cells_of(TD3[0], doubt="M"), cells_of(TD3[1])]

    zones: list[zone.ReadZone] = []
    for lines in (sure, doubted):
        zones += zone._of_cells(lines, 1, TODAY)

    assert [read.zone.surname for read in zones] == ["ERIKSSON", "ERIKSSON"]
    assert [read.names_agree for read in zones] == [True, False]


def test_in_each_cell_stands_what_the_standard_allows_there():
    first = cells_of(TD3[0].replace("O", "0"))
    second = cells_of(TD3[1].replace("7408122", "74O8I22"))

    read = next(zone._of_cells([first, second], 1, TODAY))

    assert read.zone.surname.startswith("ERIKSS")
    assert "0" not in read.lines[0]
    assert read.lines[1][13:20].isdigit()


@pytest.mark.parametrize("angle", [0, 90, 180, 270, 11])
def test_a_zone_is_found_at_every_angle(angle):
    content, attested = passport()
    page = Image.fromarray(readers.draw_page(content, 1, dpi=200))
    turned = page.rotate(angle, expand=True, fillcolor=(120, 110, 100))

    rows: list[zone.ReadZone] = []
    for lines in readers.read_cells(np.asarray(turned)):
        rows += zone._of_cells(lines, 1, TODAY)

    births = {str(read.zone.birth_date) for read in rows}
    assert attested["date_of_birth"] in births
