"""Zones of many countries: centuries of dates, cards without an end, long numbers, old French cards."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

from checks.evidence import Evidence
from checks.identity_document import extraction
from checks.identity_document import mrz as zone
from checks.readers.ocr.zone_characters import CHARACTERS
from checks.readers.ocr.zone_lines import ZoneLine
from checks.subject_data import mrz

TODAY = date(2026, 11, 25)
# The example of the French ministry of the interior.
OLD_FRENCH = ["IDFRABERTHIER<<<<<<<<<<<<<<<<<<<<<<<", "8806923102858CORINNE<<<<<<<6512068F6"]  # fmt: skip


def passport(issuer: str, born: str, expires: str) -> list[str]:
    """The zone of a passport, of which the digits are right."""
    first = f"P<{issuer}SPECIMEN<<ANNA".ljust(44, "<")
    number, born, expires, optional = (
        part + mrz.digit_of(part) for part in ("X1234567<", born, expires, "<" * 14)
    )
    end = mrz.digit_of(number + born + expires + optional)
    return [first, f"{number}{issuer}{born}F{expires}{optional}{end}"]


def card(issuer: str, born: str, expires: str, number: str = "AB1234567") -> list[str]:
    """The zone of an identity card, of which the digits are right."""
    if len(number) > 9:
        rest = number[9:] + mrz.digit_of(number)
        first = f"I<{issuer}{number[:9]}<{rest}".ljust(30, "<")
    else:
        padded = number.ljust(9, "<")
        first = f"I<{issuer}{padded}{mrz.digit_of(padded)}".ljust(30, "<")
    born += mrz.digit_of(born)
    expires += mrz.digit_of(expires)
    second = f"{born}F{expires}{issuer}".ljust(29, "<")
    end = mrz.digit_of(first[5:] + born + expires + second[18:])
    return [first, second + end, "SPECIMEN<<ANNA".ljust(30, "<")]


def read(lines: list[str], today: date = TODAY) -> zone.ReadZone:
    result = zone._read(lines, 1, zone.WHOLE, today, "Tesseract")
    assert result
    return result


@pytest.mark.parametrize(
    ("issuer", "born", "expires", "birth", "expiry"),
    [
        ("DEU", "640812", "301031", "1964-08-12", "2030-10-31"),
        ("D<<", "261201", "310101", "1926-12-01", "2031-01-01"),
        ("FRA", "260101", "310101", "2026-01-01", "2031-01-01"),
        ("GBR", "061103", "980101", "1906-11-03", "1998-01-01"),
        ("USA", "000229", "350505", "2000-02-29", "2035-05-05"),
        ("TWN", "350101", "980104", "1935-01-01", "1998-01-04"),
        ("BEL", "500101", "560101", "1950-01-01", "2056-01-01"),
        ("IND", "991231", "290101", "1999-12-31", "2029-01-01"),
        ("AUS", "840607", "190321", "1984-06-07", "2019-03-21"),
        ("BRA", "271231", "271231", "1927-12-31", "2027-12-31"),
    ],
)
def test_dates_are_in_the_century_in_which_they_can_be(
    issuer, born, expires, birth, expiry
):
    result = read(passport(issuer, born, expires))

    assert not result.broken
    assert (str(result.zone.birth_date), str(result.zone.expiry_date)) == (
        birth,
        expiry,
    )


def test_an_expiry_with_a_wrong_digit_does_not_move_the_date_of_birth():
    lines = passport("UTO", "060812", "300415")
    lines[1] = lines[1][:21] + "000415" + lines[1][27:]

    result = read(lines)

    assert "expiry" in {digit.field for digit in result.broken}
    assert result.zone.birth_date == date(2006, 8, 12)


def test_a_spanish_card_of_an_old_person_never_expires():
    forever = read(card("ESP", "480303", "990101"))
    young = read(card("ESP", "780303", "990101"))
    other = read(card("PRT", "480303", "990101"))

    assert forever.zone.expiry_date == mrz.FOREVER
    facts = extraction._facts(forever, TODAY)
    assert facts["expiration_date"].wire == "9999-01-01"
    assert not extraction._expired(forever, Evidence(b"", today=TODAY))
    assert young.zone.expiry_date == other.zone.expiry_date == date(1999, 1, 1)
    plain = extraction._plain
    assert plain("expiration_date", "9999-12-31") == plain(
        "expiration_date", "9999-01-01"
    )


@pytest.mark.parametrize(
    ("issuer", "number"),
    [
        ("BEL", "590448000680"),
        ("PRT", "007666667ZZ7"),
        ("UTO", "D23145890734"),
    ],
)
def test_a_long_number_is_read_as_a_whole(issuer, number):
    first = card(issuer, "800101", "310101", number)

    result = read(first)

    assert not result.broken
    assert result.zone.fields["number"] == number
    assert result.zone.fields["optional"] == ""


def test_a_filler_behind_a_number_of_nine_is_no_long_number():
    result = read(card("SVN", "800101", "310101", "AB123"))

    assert result.zone.fields["number"] == "AB123"


def test_an_old_french_card_is_read_by_its_own_form():
    result = read(OLD_FRENCH, date(1996, 1, 1))

    facts = extraction._facts(result, TODAY)
    values = {key: fact.wire for key, fact in facts.items()}
    assert not result.broken
    assert values["name"] == "CORINNE BERTHIER"
    assert values["date_of_birth"] == "1965-12-06"
    assert values["document_number"] == "880692310285"
    assert (values["issuing_country"], values["nationality"], values["sex"]) == ("FRA", "FRA", "F")  # fmt: skip
    assert values["expiration_date"] is None
    assert not [text for text in extraction._complaints(result) if "expiry" in text]
    assert "It was issued in 1988-06; its zone states no date of expiry." in (
        extraction._notes(result, is_sure=True)
    )


@pytest.mark.parametrize(
    ("today", "count"), [(date(2003, 6, 30), 0), (date(2003, 7, 1), 1)]
)
def test_an_old_french_card_has_expired_once_its_longest_validity_is_over(today, count):
    expired = extraction._expired(read(OLD_FRENCH, today), Evidence(b"", today=today))

    assert len(expired) == count


def test_several_given_names_of_an_old_french_card_are_several():
    outcome = "JEAN<<MARIE<<P".ljust(14, "<")
    number = "040692310285" + mrz.digit_of("040692310285")
    born = "800812" + mrz.digit_of("800812")
    second = f"{number}{outcome}{born}M"
    second += mrz.digit_of(OLD_FRENCH[0] + second)

    result = read([OLD_FRENCH[0], second])

    assert not result.broken
    assert result.zone.given_names == "JEAN MARIE P"


def test_the_zone_reader_knows_the_old_french_form():
    lines = []
    for text in OLD_FRENCH:
        rows = np.full((len(text), len(CHARACTERS)), -12.0)
        for place, character in enumerate(text):
            rows[place, CHARACTERS.index(character)] = -0.001
        lines.append(ZoneLine(rows, (0.1, 0.8, 0.9, 0.84), 6.0))

    result = next(zone._of_cells(lines, 1, TODAY))

    assert list(result.lines) == OLD_FRENCH
    assert result.names_agree


def test_a_day_of_birth_in_a_zone_may_be_of_another_century():
    key = "date_of_birth"
    assert extraction._is_same(key, "1925-08-12", "2025-08-12")
    assert not extraction._is_same(key, "1925-08-13", "2025-08-12")
    assert not extraction._is_same("expiration_date", "1925-08-12", "2025-08-12")
