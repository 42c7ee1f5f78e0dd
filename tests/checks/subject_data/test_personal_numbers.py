# ruff: noqa: RUF001 - letters of other scripts that look like Latin ones are its subject
"""What personal numbers say of their holders, and shares in the notations of many languages."""

from __future__ import annotations

from datetime import date

import pytest

from checks import registry
from checks.base import Evidence
from checks.data_check import percentage

NUMBERS = [
    ("BE", "85.07.30-033 28", "1985-07-30", "M"),
    ("BG", "7523169263", "1875-03-16", "M"),
    ("CN", "360426199101010071", "1991-01-01", "M"),
    ("CU", "91021527775", "1991-02-15", "F"),
    ("CZ", "7103192745", "1971-03-19", "M"),
    ("DK", "211062-5629", "1862-10-21", "M"),
    ("EE", "36805280109", "1968-05-28", "M"),
    ("FI", "131052-308T", "1952-10-13", "F"),
    ("FI", "131052A308T", "2052-10-13", "F"),
    ("FR", "2 95 10 99 126 111 93", "", "F"),
    ("GR", "01013099997", "1930-01-01", "M"),
    ("ID", "3171011708450001", "1945-08-17", "M"),
    ("ID", "3171015708450001", "1945-08-17", "F"),
    ("IS", "120174-3399", "1974-01-12", ""),
    ("IT", "RCCMNL83S18D969H", "1983-11-18", "M"),
    ("KR", "971013-1019901", "1997-10-13", "M"),
    ("LT", "33309240064", "1933-09-24", "M"),
    ("LV", "161175-19997", "1975-11-16", ""),
    ("MX", "BOXW310820HNERXN09", "1931-08-20", "M"),
    ("MY", "770305-02-1235", "1977-03-05", "M"),
    ("NO", "15108695088", "1986-10-15", "F"),
    ("PK", "34201-0891231-8", "", "F"),
    ("PL", "44051401359", "1944-05-14", "M"),
    ("RO", "1630615123457", "1963-06-15", "M"),
    ("SE", "811228-9874", "1981-12-28", "M"),
    ("SI", "0101006500006", "2006-01-01", "M"),
    ("SK", "710319/2745", "1971-03-19", "M"),
    ("ZA", "7503305044089", "1975-03-30", "M"),
]


def verdict(country: str, number: str, **attested: str) -> str:
    card = {
        "document_number": number,
        "issuing_country": country,
        "document_type": "identity card",
    }
    attested = {name: value for name, value in attested.items() if value}
    everything = {"government_id_verification_data": {"id_data": card}, **attested}
    check = registry.get("kyc.government_id_number")
    return (
        check.tools[0]
        .run(Evidence(attested=everything, today=date(2026, 11, 21)))
        .verdict
    )


@pytest.mark.parametrize(("country", "number", "born", "sex"), NUMBERS)
def test_a_number_that_agrees(country, number, born, sex):
    assert verdict(country, number, date_of_birth=born, sex=sex) == "pass"


@pytest.mark.parametrize(
    ("country", "number", "born"), [row[:3] for row in NUMBERS if row[2]]
)
def test_another_date_of_birth(country, number, born):
    day = "11" if born.endswith("12") else "12"
    assert verdict(country, number, date_of_birth=f"{born[:-2]}{day}") == "fail"


@pytest.mark.parametrize(
    ("country", "number", "sex"), [(*row[:2], row[3]) for row in NUMBERS if row[3]]
)
def test_another_sex(country, number, sex):
    other = "F" if sex == "M" else "M"
    assert verdict(country, number, sex=other) == "review"


def test_a_korean_number_without_a_check_digit_is_no_forgery():
    assert verdict("KR", "971013-1019902") == "inconclusive"


@pytest.mark.parametrize(
    ("written", "share"),
    [
        ("٢٥٪", 25), ("٢٥٫٥٪", 25.5), ("۲۵٪", 25), ("२५%", 25), ("２５％", 25), ("%25", 25), ("% 33,33", 33.33),
        ("yüzde 25", 25), ("25 pct.", 25), ("25 prosenttia", 25), ("25 százalék", 25), ("25 процентов", 25), ("25 per cento", 25),
        ("25 パーセント", 25), ("25 persen", 25), ("25 %.", 25),
    ],
)  # fmt: skip
def test_a_share_in_another_notation(written, share):
    assert percentage(written) == share


def test_a_fraction_behind_a_number():
    assert percentage("33⅓ %") == pytest.approx(100 / 3)


@pytest.mark.parametrize("written", ["25-50 %", "> 25 %", "25 shares", "-5", "5e1"])
def test_no_single_share(written):
    assert percentage(written) is None
