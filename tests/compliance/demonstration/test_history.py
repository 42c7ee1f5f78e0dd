"""The past of the demonstration: cases that people decided, as the desk would have stored them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils.timezone import now

from agenthub.models import AgentJob
from compliance.demonstration import preparation
from compliance.operation import health
from compliance.work import tallies
from reviews.audit import trail
from reviews.models import Case, CaseEvent, Decision, Job, Notification
from reviews.queue import dashboard

pytestmark = [pytest.mark.django_db, pytest.mark.sweep]

DAYS = 14


@pytest.fixture
def demonstration(settings, tmp_path):
    settings.VAR_DIR = tmp_path
    settings.MEDIA_ROOT = tmp_path / "documents"
    return preparation.prepare(DAYS)


def test_the_last_days_look_as_if_people_had_worked(demonstration):
    decided = Case.objects.filter(status=Case.Status.DECIDED)
    recent = decided.filter(created_at__gte=now() - timedelta(days=DAYS))
    assert recent.count() >= DAYS
    # The checks of each ran in the hub, and ended before somebody decided.
    assert not decided.exclude(jobs__status=Job.Status.COMPLETE).exists()
    # A case of the last hours may still wait for a decision, which depends on the time of day.
    with_results = Job.objects.filter(status=Job.Status.COMPLETE)
    assert AgentJob.objects.count() == with_results.count() >= decided.count()
    for decision in Decision.objects.select_related("case"):
        assert decision.case.created_at < decision.made_at < now()
        assert decision.recommendation
    assert Decision.objects.filter(second_by__username="sven").exists()
    assert not Notification.objects.filter(kind="second", read_at=None).exists()

    figures = dashboard.of(User.objects.get(username="ana"), 28)
    assert {"ana", "mara", "tomas"} <= figures.people.keys()
    assert figures.checks
    assert sum(bool(share) for share in figures.buckets) > 2
    # What is done in the past is no work of this day, and what it left is not late.
    assert not tallies.Tally.objects.exists()
    assert health.work() == "ok"


def test_its_trail_is_in_the_order_of_time_and_holds(demonstration):
    lines = CaseEvent.objects.exclude(case=None).order_by("id")
    moments = list(lines.values_list("at", flat=True))
    assert moments == sorted(moments)
    trail.seal_all()
    assert list(trail.verify()) == []


def test_no_days_leave_out_the_weeks(settings, tmp_path):
    settings.VAR_DIR = tmp_path
    settings.MEDIA_ROOT = tmp_path / "documents"
    preparation.prepare(0)

    customers = Case.objects.exclude(status=Case.Status.CHECKING)
    assert customers.count() == 9  # one of long ago, and eight who are or seem listed
