# ruff: noqa: RUF001 (digits of other scripts)
"""Dates of other calendars, and forms of dates of two languages."""

from __future__ import annotations

from datetime import date

import pytest

from checks.fields.dates import find_dates


def days(text):
    return [fact.value for fact in find_dates(text, "DMY")]


@pytest.mark.parametrize(
    "text",
    [
        "วันที่ 8 ตุลาคม 2569",
        "วันที่ ๘ ตุลาคม พ.ศ. ๒๕๖๙",
        "วันที่ 8 ต.ค. 69",
        "วันที่ 08/10/2569",
        "วันที่ 8 ตุลาคม 2026",
        "8 במאי 2026 8 באוקטובר 2026",
        "दिनांक 8 अक्टूबर 2026",
        "८ अक्टूबर, २०२६",
        "8 تشرين الأول 2026",
        "8 اكتوبر 2026",
        "تاریخ صدور ۱۴۰۵/۰۷/۱۶",
        "۱۶ مهر ۱۴۰۵ تاریخ پرداخت",
        "8 OCT/OCT 2026",
        "08 OCT/OKT 26",
        "8 OCT 26 - 9 Nov 2026",
        "08OCT2026",
        "8η Οκτωβρίου 2026",
        "8 tháng 10, 2026",
        "令和八年十月八日",
        "R8年10月8日",
        "二〇二六年十月八日",
        "8 ოქტომბერი 2026",
    ],
)
def test_a_date_in_the_form_of_its_country(text):
    assert date(2026, 10, 8) in days(text)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("یکم فروردین: ۱۳۹۹/۰۱/۰۱", date(2020, 3, 20)),
        ("پایان سال ۱۴۰۳/۱۲/۳۰", date(2025, 3, 20)),
        ("گزارش ۱۴۰۴/۰۱/۰۱", date(2025, 3, 21)),
        ("چاپ ۱۳۵۷/۱۱/۲۲", date(1979, 2, 11)),
    ],
)
def test_years_of_the_sun_have_their_leap_years(text, day):
    assert days(text) == [day]


@pytest.mark.parametrize(
    "text",
    [
        "15/09/1447 هـ",
        "1447/09/15 هـ",
        "۱۴۰۳/۱۳/۰۱ ماه",
        "پایان سال ۱۴۰۴/۱۲/۳۰",
        "08/10/2569",
        "วันที่ 8 ต.ค. 26",
        "3 may 12 people",
        "from 1 mar 26 cars",
        "ISO 5 Jan 10:30",
    ],
)
def test_what_may_be_another_day_is_no_date(text):
    assert not any(days(text))
