"""An analyst hears once that a case is due soon, and once that it is overdue."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils.timezone import now

from reviews.inbox import notifications
from reviews.models import Case, DueWatch, FourEyesRule, Team
from reviews.people import assignment
from reviews.tasks import DUE_WATCH
from tests.factories import make_case
from tests.reviews.rows import decide, one_person, open_case, someone

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture
def ana():
    return someone("analyst", "ana")


@pytest.fixture
def case(ana):
    result = open_case()
    assignment.assign(result, ana, actor=ana)
    Case.objects.update(created_at=now() - 24 * HOUR)
    return result


def watch(**changes: object) -> None:
    Case.objects.update(**changes)
    DueWatch.objects.update(due_at=now(), leased_until=None)
    DUE_WATCH.drain()


def kinds(user) -> list[str]:
    return [row.kind for row in notifications.inbox(user)]


def test_due_soon_and_overdue_are_told_once_each(ana, case):
    watch(due_at=now() + 2 * HOUR)
    assert kinds(ana) == []
    soon = now() + HOUR / 2
    watch(due_at=soon)
    watch(due_at=soon)
    assert kinds(ana) == ["due_soon"]
    notifications.mark_all_read(ana)
    watch(due_at=soon)
    assert kinds(ana) == ["due_soon"]
    past = now() - HOUR / 60
    watch(due_at=past)
    notifications.mark_all_read(ana)
    watch(due_at=past)
    assert kinds(ana) == ["overdue", "due_soon"]


def unread(user) -> list[str]:
    return [row.kind for row in notifications.inbox(user).filter(read_at=None)]


def test_overdue_takes_the_place_of_due_soon(ana, case):
    watch(due_at=now() + HOUR / 2)
    assert unread(ana) == ["due_soon"]
    # A mail in the morning would say of both that they are so.
    watch(due_at=now() - HOUR / 60)
    assert unread(ana) == ["overdue"]


def test_messages_to_the_analyst_end_when_another_has_the_case(ana, case):
    boss, ben = someone("senior", "boss"), someone("analyst", "ben")
    assignment.assign(case, ben, actor=ana)
    assert unread(ben) == ["assigned"]
    watch(due_at=now() - HOUR / 60)
    case.refresh_from_db()
    assignment.assign(case, boss, actor=ana)
    assert unread(ben) == []
    assert unread(boss) == ["assigned"]
    # A decision ends it, too: nobody has to look at the case any more.
    one_person()
    decide(case, ana, "reject")
    assert unread(boss) == []


def test_a_new_due_time_is_told_again(ana, case):
    watch(due_at=now() - 2 * HOUR)
    notifications.mark_all_read(ana)
    watch(due_at=now() + 2 * HOUR)
    watch(due_at=now())
    assert kinds(ana) == ["overdue", "overdue"]


def test_nobody_hears_of_cases_that_wait_for_nobody_here(ana, case):
    one_person()
    case.refresh_from_db()
    decide(case, ana)
    watch(due_at=now() - HOUR)
    assert kinds(ana) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"analyst": None},
        {"snoozed_until": now() + 300 * 24 * HOUR},
        {"status": "checking"},
        {"status": "waiting"},
    ],
)
def test_what_is_of_nobody_or_sleeps_is_not_told(ana, case, changes):
    watch(due_at=now() - HOUR, **changes)
    assert kinds(ana) == []


def test_seniors_hear_of_a_case_that_is_nobodys(ana, case):
    sven, maya = someone("senior", "sven"), someone("senior", "maya")
    other = make_case(case.connection, reference="other", status="to_review")
    watch(analyst=None, due_at=now() + HOUR / 2, created_at=now() - 24 * HOUR)
    # One line each, until it is read: the queue shows the other case.
    assert kinds(sven) == kinds(maya) == ["due_soon"]
    assert kinds(ana) == []
    notifications.mark_all_read(sven)
    watch()
    assert kinds(sven) == ["due_soon", "due_soon"]
    assert {row.case_id for row in notifications.inbox(sven)} == {case.pk, other.pk}
    assert kinds(maya) == ["due_soon"]
    notifications.mark_all_read(sven)
    watch()
    watch(due_at=now() - HOUR / 60)
    assert kinds(sven)[0] == "overdue"
    old = someone("senior", "old")
    watch(due_at=now() - 48 * HOUR)
    assert kinds(old) == []


def test_who_was_asked_hears_that_a_case_is_due(ana, case):
    sven, maya = someone("senior", "sven"), someone("senior", "maya")
    FourEyesRule.objects.create(name="All", condition="always", outcome="reject")
    case.refresh_from_db()
    assert decide(case, ana, "reject", second="sven").status == "proposed"
    for user in (ana, sven, maya):
        notifications.mark_all_read(user)
    soon = now() + HOUR / 2
    watch(due_at=soon)
    watch(due_at=soon)
    # The analyst can do nothing about it, and nobody asked maya.
    assert kinds(sven) == ["due_soon", "second"]
    assert kinds(ana) == kinds(maya) == []
    past = now() - HOUR / 60
    watch(due_at=past)
    notifications.mark_all_read(sven)
    watch(due_at=past)
    assert kinds(sven) == ["overdue", "due_soon", "second"]


def test_seniors_hear_that_an_escalated_case_is_overdue(ana, case):
    sven, maya = someone("senior", "sven"), someone("senior", "maya")
    past = now() - HOUR
    watch(due_at=past)
    assert kinds(ana) == ["overdue"]
    case.refresh_from_db()
    decide(case, ana, "escalate", reasons=["E01"])
    watch(due_at=past)
    assert kinds(sven) == kinds(maya) == ["overdue", "escalated"]
    assert kinds(ana) == ["overdue"]
    # Who has taken it hears of a new due time alone.
    notifications.mark_all_read(maya)
    notifications.mark_all_read(sven)
    case.refresh_from_db()
    assignment.assign(case, sven, actor=sven)
    watch(due_at=now())
    assert kinds(sven)[0] == "overdue"
    assert kinds(sven).count("overdue") == 2
    assert kinds(maya).count("overdue") == 1


def test_the_roles_that_hear_are_a_setting(case, settings):
    sven = someone("senior", "sven")
    settings.DUE_ROLES = frozenset()
    watch(analyst=None, due_at=now() - HOUR / 60)
    assert kinds(sven) == []


def test_with_an_sla_of_less_than_an_hour_a_new_case_is_not_due_soon(ana, case):
    watch(created_at=now(), due_at=now() + HOUR / 2)
    assert kinds(ana) == []


def test_it_looks_again_within_the_minute(case):
    watch()
    row = DueWatch.objects.get()
    assert row.due_at is not None
    assert timedelta(0) < row.due_at - now() <= timedelta(minutes=1)


@pytest.mark.parametrize("departure", ["deactivated", "role", "team"])
def test_the_cases_of_who_has_left_go_back_to_the_queue(ana, case, departure):
    ben = someone("analyst", "ben")
    decided = make_case(case.connection, reference="decided", status="decided")
    Case.objects.filter(pk=decided.pk).update(analyst=ana)
    watch()
    case.refresh_from_db()
    assert case.analyst == ana
    if departure == "deactivated":
        User.objects.filter(pk=ana.pk).update(is_active=False)
    elif departure == "role":
        ana.groups.clear()
    else:
        Team.objects.create(name="Others").connections.add(case.connection)
        ben.teams.add(Team.objects.get())
    watch()
    case.refresh_from_db()
    assert case.analyst is None
    line = case.events.get(what="put_back")
    assert (line.user, line.actor) == (None, "system")
    assert line.details == {"person": "ana"}
    # Whose a decided case was is part of its history.
    decided.refresh_from_db()
    assert decided.analyst == ana
    # The next one who asks for work gets it.
    assert assignment.claim_next(ben) == case


def test_all_who_may_agree_hear_of_a_case_whose_second_person_has_left(ana, case):
    sven, maya = someone("senior", "sven"), someone("senior", "maya")
    FourEyesRule.objects.create(name="All", condition="always", outcome="reject")
    case.refresh_from_db()
    decide(case, ana, "reject", second="sven")
    User.objects.filter(pk=sven.pk).update(is_active=False)
    watch(due_at=now() + HOUR / 2)
    assert kinds(maya) == ["due_soon", "second"]
    assert kinds(ana) == []


@pytest.mark.parametrize("departure", ["deactivated", "role"])
def test_a_second_person_who_leaves_is_replaced_long_before_the_case_is_due(
    ana, case, departure
):
    sven, maya = someone("senior", "sven"), someone("senior", "maya")
    FourEyesRule.objects.create(name="All", condition="always", outcome="reject")
    case.refresh_from_db()
    decide(case, ana, "reject", second="sven")
    watch()
    assert (kinds(sven), kinds(maya)) == (["second"], [])
    if departure == "deactivated":
        User.objects.filter(pk=sven.pk).update(is_active=False)
    else:
        sven.groups.clear()
    watch()
    assert kinds(maya) == ["second"]
    # Once, also after it was read.
    notifications.mark_all_read(maya)
    watch()
    assert kinds(maya) == ["second"]
    assert kinds(ana) == []
