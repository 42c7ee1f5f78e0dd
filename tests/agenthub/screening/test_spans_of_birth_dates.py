"""Lists give a date of birth as a span of years in many forms."""

from __future__ import annotations

import pytest

from agenthub.screening.formats.base import dates
from checks.screening import corroboration
from checks.screening.policy import DEFAULT
from checks.screening.records import Entity, ListedName, Subject


def stand(listed: str, born: str) -> str:
    entity = Entity("1", "Person", [ListedName("Ann Lee")], birth_dates=dates(listed))
    fact = corroboration.birth_date(
        Subject(["Ann Lee"], birth_date=born), entity, DEFAULT
    )
    assert fact is not None
    return fact.stand


@pytest.mark.parametrize(
    "listed",
    [
        "1960 to 1965",
        "1960-1965",
        "1960-65",
        "1960 & 1965",
        "1960-01-01 to 1965-12-31",
        "1960-01-01/1965-12-31",
        "between 01 Jan 1960 and 31 Dec 1965",
        "1960 - 1965 (approximately)",
        "1960s",
    ],
)
def test_a_date_within_the_span_agrees_and_one_far_outside_does_not(listed):
    assert stand(listed, "1963-05-04") == "corroborates"
    assert stand(listed, "1960-01-01") == "corroborates"
    assert stand(listed, "1965-12-31") == "corroborates"
    assert stand(listed, "1985-05-04") == "contradicts"
    assert stand(listed, "1940-05-04") == "contradicts"


def test_a_span_of_a_generation_only_contradicts():
    assert stand("1940 to 1970", "1955-05-04") == "close"
    assert stand("1940 to 1970", "1995-05-04") == "contradicts"


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("1957-08", "1957-08"),
        ("1957-08-12", "1957-08-12"),
        ("1957-08-12 00:00:00", "1957-08-12"),
        ("1957-08-12T00:00:00", "1957-08-12"),
        ("2001-12", "2001-12"),
    ],
)
def test_a_single_date_is_no_span(text, date):
    assert [birth.date for birth in dates(text)] == [date]
