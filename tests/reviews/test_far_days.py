"""Days at the ends of the calendar, of a leap year, and of the change of clocks, in several zones."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.test import override_settings

from reviews.models import Read, RetentionRule
from reviews.pages.privacy import of_case
from reviews.privacy import retention
from reviews.queue import lists
from tests.factories import make_connection
from tests.reviews.api.calling import Caller
from tests.reviews.privacy.test_privacy import decided
from tests.reviews.rows import open_case, someone

pytestmark = pytest.mark.django_db
ZONES = ["UTC", "America/New_York", "Pacific/Auckland", "Pacific/Kiritimati"]
FAR_DAYS = ["0001-01-01", "9999-12-31"]


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("day", [*FAR_DAYS, "2028-02-29"])
def test_the_record_of_reads_takes_each_day(client, zone, day):
    client.force_login(someone("auditor"))
    with override_settings(TIME_ZONE=zone):
        for name in ("since", "until"):
            response = client.get("/reads/", {name: day})
            assert response.status_code == 200


def test_a_day_of_the_record_begins_and_ends_by_the_clock_of_the_zone():
    """In Berlin the 29th of March 2026 has 23 hours."""
    eva = someone("auditor", "eva")
    minute = timedelta(minutes=1)
    first = datetime(2026, 3, 28, 23, 0, tzinfo=UTC)
    last = datetime(2026, 3, 29, 21, 59, tzinfo=UTC)
    for moment in (first - minute, first, last, last + minute):
        Read.objects.create(user=eva, by="eva", kind=Read.Kind.CASE, at=moment)
    with override_settings(TIME_ZONE="Europe/Berlin"):
        rows = lists.reads(since="2026-03-29", until="2026-03-29")
        assert sorted(row.at for row in rows) == [first, last]


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("day", FAR_DAYS)
def test_a_hold_until_a_far_day_is_placed_or_refused(client, zone, day):
    client.force_login(someone("administrator"))
    case = open_case()
    with override_settings(TIME_ZONE=zone):
        sent = {"reason": "Court", "until": day}
        response = client.post(f"/cases/{case.pk}/hold/", sent)
        assert response.status_code in {303, 422, 200}
        assert client.get(f"/cases/{case.pk}/privacy/").status_code == 200


@pytest.mark.parametrize(
    ("zone", "day", "end"),
    [
        # In Beirut the clocks went back at midnight, so 23:59 came twice.
        ("Asia/Beirut", "2022-10-29", datetime(2022, 10, 29, 21, 59, 59, 999999, UTC)),
        (
            "Europe/Berlin",
            "2026-10-25",
            datetime(2026, 10, 25, 22, 59, 59, 999999, UTC),
        ),
        ("Europe/Berlin", "2026-03-29", datetime(2026, 3, 29, 21, 59, 59, 999999, UTC)),
        (
            "Australia/Lord_Howe",
            "2026-04-05",
            datetime(2026, 4, 5, 13, 29, 59, 999999, UTC),
        ),
    ],
)
def test_a_hold_lasts_to_the_end_of_its_day_when_the_clocks_change(zone, day, end):
    with override_settings(TIME_ZONE=zone):
        assert of_case._day(day) == end


def test_a_rule_may_keep_longer_than_there_are_years():
    decided(make_connection(), months=14, reference="old")
    months = datetime.now(UTC).year * 12 + 100
    rule = RetentionRule.objects.create(name="ever", months=months, is_active=True)
    assert not retention.due(rule).exists()


@pytest.mark.parametrize(
    ("end", "months", "kept", "over"),
    [
        # The 29th of February has no day in most years: the case is kept to the end of February.
        ("2024-02-29", 12, "2025-02-28", "2025-03-01"),
        ("2024-02-29", 48, "2028-02-29", "2028-03-01"),
        ("2025-08-31", 6, "2026-02-28", "2026-03-01"),
        ("2025-11-30", 3, "2026-02-28", "2026-03-01"),
        ("2026-01-31", 1, "2026-02-28", "2026-03-01"),
    ],
)
def test_no_case_goes_before_its_months_are_over(end, months, kept, over):
    ended = datetime.fromisoformat(f"{end}T12:00:00Z")
    day_before = datetime.fromisoformat(f"{kept}T11:59:00Z")
    day_after = datetime.fromisoformat(f"{over}T12:01:00Z")
    assert not ended < retention.months_before(day_before, months)
    assert ended < retention.months_before(day_after, months)


@pytest.mark.parametrize(
    "until", ["9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+14:00"]
)
def test_a_moment_outside_of_the_calendar_of_utc_is_refused(until):
    caller = Caller(someone("analyst", "eva"))
    case = open_case()
    response = caller.post(f"/cases/{case.pk}/snooze", {"until": until})
    assert response.status_code == 422
