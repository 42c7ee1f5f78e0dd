"""The officer who is named on a certificate, held against who was in office at its dates."""

from __future__ import annotations

from itertools import pairwise

import pytest

from checks.data import table
from checks.document_fraud_check.tunables import OFFICERS_AS_OF
from tests.checks.documents import indicators_of, make_pdf

CERTIFICATE = """Delaware
The First State

I, {name}, SECRETARY OF STATE OF THE STATE OF DELAWARE, DO HEREBY CERTIFY
THE ATTACHED IS A TRUE AND CORRECT COPY OF THE CERTIFICATE OF INCORPORATION OF
"NORTHWIND HOLDINGS, INC.", FILED IN THIS OFFICE ON {date}.

                                   {name}, Secretary of State
"""


def finding_ids(name: str, date: str, certificate: str = CERTIFICATE) -> set[str]:
    result = indicators_of(make_pdf(certificate.format(name=name, date=date)))
    return {each for each in result if each.startswith("issuing_officer")}


@pytest.mark.parametrize(
    "name", ["JEFFREY W. BULLOCK", "Jeffrey Bullock", "Jeffrey\nW. Bullock"]
)
def test_an_officer_in_office_at_the_date_is_told(name):
    assert finding_ids(name, "the 14th day of May, A.D. 2019") == {
        "issuing_officer_plausible"
    }


def test_an_officer_of_other_years_is_told():
    assert finding_ids("Jeffrey W. Bullock", "March 5, 2004") == {
        "issuing_officer_implausible"
    }
    assert finding_ids("Harriet Smith Windsor", "March 5, 2019") == {
        "issuing_officer_implausible"
    }
    assert finding_ids("Harriet Smith Windsor", "March 5, 2004") == {
        "issuing_officer_plausible"
    }


def test_of_years_after_the_table_was_made_nothing_is_said_of_whoever_was_in_office():
    charuni = "Charuni Patibanda-Sanchez"
    assert finding_ids(charuni, f"May 5, {OFFICERS_AS_OF}") == {
        "issuing_officer_plausible"
    }
    assert finding_ids(charuni, f"May 5, {OFFICERS_AS_OF + 1}") == set()
    # Whoever had left by then had left.
    assert finding_ids("Harriet Smith Windsor", f"May 5, {OFFICERS_AS_OF + 1}") == {
        "issuing_officer_implausible"
    }


@pytest.mark.parametrize(
    "certificate",
    [
        CERTIFICATE.replace("DELAWARE", "NEVADA").replace("Delaware", "Nevada"),
        CERTIFICATE.replace("SECRETARY OF STATE OF", "FOR").replace(
            "Secretary of State", "Agent"
        ),
    ],
    ids=["another state's", "another role"],
)
def test_a_name_without_its_office_or_state_says_nothing(certificate):
    assert finding_ids("Jeffrey W. Bullock", "March 5, 2004", certificate) == set()


def test_an_unknown_officer_says_nothing():
    assert finding_ids("Jane Q. Roe", "March 5, 2004") == set()


def test_a_certificate_without_a_date_says_nothing():
    assert finding_ids("Jeffrey W. Bullock", "the day below") == set()


def test_terms_of_one_office_follow_one_another():
    rows = table("officers")
    for place in {row["place"] for row in rows}:
        terms = [row for row in rows if row["place"] == place]
        assert [row["from"] for row in terms] == sorted(row["from"] for row in terms)
        assert [bool(row["until"]) for row in terms] == [True] * (len(terms) - 1) + [
            False
        ]
        for earlier, later in pairwise(terms):
            assert int(earlier["until"]) <= int(later["from"]) + 1
