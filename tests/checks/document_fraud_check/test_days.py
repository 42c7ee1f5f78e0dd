"""Dates and the words beside them that must agree: the day of the week, the days of a period."""

from __future__ import annotations

import pytest

from checks.base import Indicator
from checks.document_fraud_check.content.days import date_contradicted
from tests.checks.documents import evidence_of, make_pdf

OF_WEEK = "the day of the week is not that of the date"
OF_PERIOD = "the number of days is not that of the period"


def result_of(text: str) -> Indicator | None:
    result = date_contradicted(evidence_of(make_pdf(f"Nordwind Handel\n{text}")))
    assert result is None or isinstance(result, Indicator)
    return result


@pytest.mark.parametrize(
    ("right", "changed"),
    [
        ("Tuesday, 14 May 2024", "Tuesday, 14 May 2023"),
        ("Tue, May 14, 2024", "Tue, May 17, 2024"),
        ("Dienstag, den 14. Mai 2024", "Dienstag, den 14. Mai 2022"),
        ("mardi 14 mai 2024", "mardi 17 mai 2024"),
        ("martes, 14 de mayo de 2024", "martes, 14 de mayo de 2021"),
        ("14 May 2024 (Tuesday)", "14 May 2023 (Tuesday)"),
    ],
)
def test_the_day_of_the_week_must_be_that_of_the_date(right, changed):
    assert result_of(f"Given on {right}.") is None
    finding = result_of(f"Given on {changed}.")

    assert finding is not None
    assert finding.type == "RISK"
    assert not finding.strong
    assert OF_WEEK in finding.description
    assert finding.boxes


@pytest.mark.parametrize(
    ("right", "changed"),
    [
        (
            "1 May 2024 to 31 May 2024 (30 days)",
            "1 May 2024 to 31 July 2024 (30 days)",
        ),
        (
            "01.05.2024 - 31.05.2024: 31 Tage",
            "01.05.2024 - 31.08.2024: 31 Tage",
        ),
    ],
)
def test_the_number_of_days_must_be_that_of_the_period(right, changed):
    assert result_of(f"Period {right}") is None
    finding = result_of(f"Period {changed}")

    assert finding is not None
    assert OF_PERIOD in finding.description


@pytest.mark.parametrize(
    "text",
    [
        "Open Monday to Friday, 14 May 2024 excepted",
        "We close on Monday. 14 May 2024 is a Tuesday.",
        "Tuesday 14/05/24",
        # The third of May, or the fifth of March, which was a Tuesday.
        "Tuesday 03/05/2024",
        "Between 1 May 2024 and 1 August 2024, 30 days of notice are given",
        "Monday\n14 May 2024",
    ],
)
def test_words_that_are_not_of_the_date_say_nothing(text):
    assert result_of(text) is None


@pytest.mark.parametrize(
    "text",
    [
        # Days of leave and of work leave weekends and holidays out.
        "Annual leave: 5 August 2024 to 16 August 2024 (10 days)",
        "Urlaub 23.12.2024 - 03.01.2025: 7 Tage",
        "Période du 01/05/2024 au 31/05/2024 : 20 jours",
        # Insurance counts a full month as 30 days, interest a year as 360.
        "SV 01.02.2023 - 28.02.2023: 30 Tage",
        "Zinsen 31.12.2022 - 31.12.2023: 360 Tage",
        "Interest 15 January 2024 to 15 November 2024: 300 days",
    ],
)
def test_days_may_be_counted_without_weekends_or_in_months_of_thirty(text):
    assert result_of(text) is None


@pytest.mark.parametrize("days", [28, 34, 12])
def test_a_number_that_no_count_gives_contradicts_the_period(days):
    finding = result_of(f"Period 1 May 2024 to 31 May 2024 ({days} days)")

    assert finding is not None
    assert OF_PERIOD in finding.description
