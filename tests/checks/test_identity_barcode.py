"""The barcode on the back of a licence: read from a picture, parsed, held against what was said."""

from __future__ import annotations

import io
from datetime import date

import numpy as np
import pytest
import zxingcpp
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from checks import engine, registry
from checks.base import Examined
from checks.identity_barcode import aamva

TODAY = date(2026, 11, 21)
HEAD = "@\n\x1e\rANSI 636000100002DL00410200ZV02410008"
CARD = {
    "DAQ": "T64235789", "DCS": "SAMPLE", "DDE": "N", "DAC": "MICHAEL", "DDF": "N", "DAD": "JOHN",
    "DBB": "06061986", "DBA": "12102030", "DBD": "06062019", "DBC": "1",
    "DAG": "2300 WEST BROAD STREET", "DAI": "RICHMOND", "DAJ": "VA", "DAK": "232690000  ",
    "DCG": "USA",
}  # fmt: skip
ADDRESS = {
    "street_1": "2300 West Broad St", "city": "Richmond", "state": "VA", "country_code": "US",
    "postal_code": "23269",
}  # fmt: skip
PERSON = {
    "first_name": "Michael", "last_name": "Sample", "date_of_birth": "1986-06-06", "sex": "M",
    "address": ADDRESS,
}  # fmt: skip
FRONT = {
    "document_type": "driver's license", "issuing_country": "US", "document_number": "T64235789",
    "expiration_date": "2030-12-10", "back_image_url": "https://a.example/b",
}  # fmt: skip


def content(*, head: str = HEAD, tail: str = "\rZVZVA01\r", **changes: str) -> str:
    card = CARD | changes
    body = "\n".join(f"{name}{value}" for name, value in card.items() if value)
    return f"{head}DL{body}{tail}"


def picture(
    text: str, *, scale: int = 3, turned: float = 0, kind: str = "PDF417"
) -> bytes:
    """A barcode on a grey card, as a camera may see it."""
    code = zxingcpp.create_barcode(text, zxingcpp.barcode_format_from_str(kind))
    result = Image.fromarray(
        np.array(zxingcpp.write_barcode_to_image(code, scale=scale))
    )
    card = Image.new("L", (result.width + 300, result.height + 300), 225)
    card.paste(result, (150, 150))
    out = io.BytesIO()
    card.rotate(turned, expand=True, fillcolor=225).convert("RGB").save(
        out, "JPEG", quality=80
    )
    return out.getvalue()


def look(file: bytes, attested=PERSON, card=FRONT):
    data = attested | {"government_id_verification_data": {"id_data": card}}
    check = registry.get("kyc.government_id_barcode")
    [document] = check.documents_of(data)
    outcomes = dict(
        engine.examine(
            check.id, file=file, file_name="", attested=data, document=document
        )
    )
    return engine.conclude(check.id, [Examined(document, outcomes)], data)


def rows(result):
    value = result["payload"]["barcode_check"]["rows"]
    return {row["label"]: row["state"] for row in value}


def test_a_barcode_that_says_the_same_passes():
    result = look(picture(content()))
    assert (result["verdict"], result["passed"]) == ("pass", True), result[
        "explanation"
    ]
    assert set(rows(result).values()) == {"pass", "info"}
    assert len(rows(result)) >= 8
    fields = result["payload"]["barcode_check"]["fields"]
    assert (fields["date_of_birth"], fields["document_number"]) == (
        "1986-06-06",
        "T64235789",
    )
    assert fields["address"]["postal_code"] == "23269"


@pytest.mark.parametrize("turned", [2, 90, 180])
def test_a_photograph_need_not_be_straight(turned):
    assert look(picture(content(), turned=turned))["verdict"] == "pass"


@pytest.mark.parametrize(
    ("changes", "verdict", "label"),
    [
        ({"DBB": "06061987"}, "fail", "Attested date of birth"),
        ({"DAQ": "T64235788"}, "fail", "Front number"),
        ({"DBA": "12102031"}, "fail", "Front expiry"),
        ({"DCS": "KOWALSKA", "DAC": "ANNA", "DAD": "MARIA"}, "fail", "Attested name"),
        ({"DCG": "CAN"}, "fail", "Front country"),
        ({"DBD": "06062029"}, "fail", "Issued"),
        ({"DBD": "06061980"}, "fail", "Issued"),
        ({"DBC": "2"}, "review", "Attested sex"),
        ({"DAG": "9 OCEAN DRIVE", "DAI": "MIAMI", "DAK": "331390000"}, "review", "Attested address"),
        ({"DAQ": ""}, "review", "Complete"),
        ({"DCG": "USA\nDBB01011990"}, "review", "Contradiction"),
    ],
)  # fmt: skip
def test_what_a_barcode_says_otherwise_shows(changes, verdict, label):
    result = look(picture(content(**changes)))
    assert result["verdict"] == verdict
    assert rows(result)[label] == verdict
    assert result["alerts"]


def test_an_expired_card_fails_by_its_barcode_alone():
    result = look(
        picture(content(DBA="12102019")), card={"back_image_url": "https://a.example/b"}
    )
    assert (result["verdict"], rows(result)["Expires"]) == ("fail", "fail")


def test_what_cannot_be_told_is_not_passed():
    blank = picture(content(), scale=3, kind="QRCode")
    us, other = (
        FRONT,
        {"back_image_url": "https://a.example/b", "issuing_country": "PL"},
    )
    assert look(blank, card=us)["verdict"] == "inconclusive"
    assert look(blank, card=other)["verdict"] == "not_applicable"
    assert look(picture("HELLO WORLD, NO CARD AT ALL"))["verdict"] == "inconclusive"
    assert look(b"%PDF-not")["verdict"] == "inconclusive"
    nothing = {"back_image_url": "https://a.example/b"}
    result = look(picture(content()), attested={}, card=nothing)
    assert (result["verdict"], result["passed"]) == ("inconclusive", False)
    check = registry.get("kyc.government_id_barcode")
    assert check.documents_of(PERSON) == []
    assert check.conclude([], PERSON).verdict == "not_applicable"


def test_the_versions_of_the_standard_are_read():
    first = aamva.read(
        b"@\n\x1e\rANSI 6360000102DL00390187ZV02260032DLDAAPUBLIC,JOHN,Q\nDAQ123-45-678\n"
        b"DBB19751201\nDBA20281201\nDBC1\r"
    )
    assert first is not None
    assert (first.name, first.birth_date, first.version) == (
        "JOHN Q PUBLIC", date(1975, 12, 1), 1,
    )  # fmt: skip
    canada = aamva.read(
        content(
            DCG="CAN",
            DBB="19860606",
            DAK="H2X 1Y4",
            DAJ="QC",
            DAC="",
            DAD="",
            DCT="A,B C",
        ).encode()
    )
    assert canada is not None
    assert (canada.birth_date, canada.address["postal_code"]) == (
        date(1986, 6, 6),
        "H2X 1Y4",
    )
    assert canada.given_names == "A B C"


@pytest.mark.parametrize(
    ("first", "middle", "given_names"),
    [
        ("JOANN", "ANN", "JOANN ANN"), ("JO,ANN", "ANN", "JO ANN"), ("JO ANN LEE", "ANN", "JO ANN LEE"),
        ("JO", "", "JO"), ("", "ANN", "ANN"),
    ],
)  # fmt: skip
def test_a_middle_name_is_left_out_only_where_it_is_repeated(
    first, middle, given_names
):
    record = aamva.read(content(DAC=first, DAD=middle, DCT="").encode())
    assert record is not None
    assert record.given_names == given_names


@pytest.mark.parametrize(
    "text", ["13131999", "00000000", "ABCDEFGH", "1206198", "२०१९०१०१", "99999999"]
)
def test_no_date_is_made_up(text):
    assert aamva.day(text) is None


@given(st.binary(max_size=300))
def test_no_content_breaks_the_reader(junk):
    for result in (junk, HEAD.encode() + b"DLDAQ" + junk, b"@ANSI 63600010" + junk):
        record = aamva.read(result)
        if record:
            assert record.name.isprintable()
            assert all(len(value) <= 120 for value in record.elements.values())
            _ = record.address, record.birth_date, record.missing


def test_a_flood_of_elements_is_cut():
    many = "\n".join(
        f"D{a}{b}x" for a in "ABCDEFGHIJ" for b in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    )
    record = aamva.read(f"{HEAD}DL{many}".encode())
    assert record is not None
    assert len(record.elements) <= 100
