"""One row that cannot be worked on stops the watch of due cases for no other row, and is not hidden."""

from __future__ import annotations

import logging
import time
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils.timezone import now

from compliance.operation import queue_figures
from compliance.work import queues, tallies
from reviews.decisions.policies import looks
from reviews.inbox import notifications
from reviews.models import (
    Case,
    CaseEvent,
    Connection,
    Decision,
    Dismissal,
    DueWatch,
    Notification,
    SecondLook,
    Team,
)
from reviews.people import assignment, due_messages
from reviews.tasks import DUE_WATCH
from tests.factories import make_case, make_connection
from tests.faults import refuse_rows
from tests.reviews.decisions.test_decision_policy import put_live
from tests.reviews.queue.test_bulk_approvals import clean
from tests.reviews.rows import decide, one_person, someone

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


def watch() -> DueWatch:
    DueWatch.objects.update(due_at=now(), leased_until=None)
    DUE_WATCH.drain()
    return DueWatch.objects.get()


def kinds(user: User) -> list[str]:
    return [row.kind for row in notifications.inbox(user)]


def cases_of(*people: User) -> list[Case]:
    """A case for each of these people, in this order, due an hour ago at the latest."""
    connection = make_connection()
    cases = []
    for number, person in enumerate(people):
        case = make_case(connection, reference=f"Jane Doe {number}", status="to_review")
        assignment.assign(case, person, actor=person)
        due_at = now() - HOUR / 60 * (number + 1)
        Case.objects.filter(pk=case.pk).update(
            created_at=now() - 24 * HOUR, due_at=due_at
        )
        cases.append(case)
    return cases


def failing() -> int:
    [figures] = queue_figures.of(DUE_WATCH)
    return figures.failing


def test_a_message_that_cannot_be_written_stops_no_other_one(caplog):
    ana, ben = someone("analyst", "ana"), someone("analyst", "ben")
    of_ana, _ = cases_of(ana, ben)
    refuse_rows(Notification, "case_id", of_ana.pk)
    with caplog.at_level(logging.ERROR):
        row = watch()
    assert "overdue" in kinds(ben)
    assert "overdue" not in kinds(ana)
    # The operator sees it: in the log by its key, and on the page of the queues.
    assert f"row {of_ana.pk} failed" in caplog.text
    assert "Jane" not in caplog.messages[0]
    assert failing() == 1
    tallies.flush()
    assert queue_figures.rates(1)[due_messages.QUEUE].failed == 1
    # It looks again as usual, not after a backoff.
    assert row.due_at is not None
    assert HOUR / 120 < row.due_at - now() <= HOUR / 60


def test_the_cases_of_who_has_left_go_back_beside_one_that_cannot(caplog):
    ana = someone("analyst", "ana")
    second, first = cases_of(ana, ana)  # the longest overdue is put back first
    refuse_rows(CaseEvent, "case_id", first.pk)
    User.objects.filter(pk=ana.pk).update(is_active=False)
    watch()
    second.refresh_from_db()
    first.refresh_from_db()
    assert second.analyst is None
    assert first.analyst == ana
    assert failing() == 1


def test_a_dismissal_that_cannot_end_stops_neither_others_nor_messages():
    ana = someone("analyst", "ana")
    cases = cases_of(ana, ana)
    for case in cases:
        Dismissal.objects.create(
            case=case, key="k", title="A hit", by=ana, reason="Another person.",
            until=now() - HOUR,
        )  # fmt: skip
    refuse_rows(CaseEvent, "case_id", cases[0].pk)
    watch()
    ended = Dismissal.objects.exclude(taken_back_at=None)
    assert [row.case_id for row in ended] == [cases[1].pk]
    assert kinds(ana).count("overdue") == 2
    assert failing() == 1


def test_a_look_that_cannot_be_put_back_stops_no_other_one():
    one_person()
    ana, bea = someone("analyst", "ana"), someone("analyst", "bea")
    put_live(
        someone("rule owner", "olga"), someone("rule owner", "otto"), {"sample": 100}
    )
    desk = make_connection()
    taken = []
    for reference in ("one", "two"):
        decide(clean(desk, reference), ana, rationale="Known to the bank.")
        look = SecondLook.objects.get(case__reference=reference)
        looks.take(look, actor=bea)
        taken.append(look)
    refuse_rows(CaseEvent, "case_id", taken[0].case_id)
    User.objects.filter(pk=bea.pk).update(is_active=False)
    watch()
    statuses = SecondLook.objects.order_by("pk").values_list("status", flat=True)
    assert list(statuses) == ["taken", "open"]
    assert failing() == 1


def handed_on(connection: Connection, ana: User, reference: str) -> None:
    case = make_case(connection, reference=reference, status=Case.Status.SECOND)
    Decision.objects.create(
        case=case, outcome="reject", status="proposed", rationale="No.", made_by=ana
    )


def test_cases_that_nobody_may_act_on_do_not_keep_the_others_from_their_turn(
    monkeypatch,
):
    """Here the first two have no approver at all, and a run tells of one case."""
    monkeypatch.setattr(due_messages, "MOST", 1)
    ana, maya = someone("analyst", "ana"), someone("senior", "maya")
    lonely = make_connection("lonely")
    usual = make_connection("usual")
    for connection, reference in [(lonely, "1"), (lonely, "2"), (usual, "3")]:
        handed_on(connection, ana, reference)
    team = Team.objects.create(name="Usual")
    team.connections.add(usual)
    maya.teams.add(team)
    Team.objects.create(name="Nobody").connections.add(lonely)
    watch()
    assert kinds(maya) == ["second"]


def test_unassigned_cases_of_one_service_do_not_keep_those_of_another_from_their_turn(
    monkeypatch,
):
    """Who has not read of the first two gets no more of them, and the third is somebody else's."""
    monkeypatch.setattr(due_messages, "MOST", 1)
    maya = someone("senior", "maya")
    lonely = make_connection("lonely")
    usual = make_connection("usual")
    for connection, reference in [(lonely, "1"), (lonely, "2"), (usual, "3")]:
        make_case(connection, reference=reference, status="to_review")
    team = Team.objects.create(name="Usual")
    team.connections.add(usual)
    maya.teams.add(team)
    Team.objects.create(name="Nobody").connections.add(lonely)
    Case.objects.filter(connection=lonely).update(due_at=now() - HOUR / 30)
    Case.objects.filter(connection=usual).update(due_at=now() - HOUR / 60)
    watch()
    assert kinds(maya) == ["overdue"]


def test_rows_that_take_all_of_the_time_and_fail_leave_half_of_it_to_others(
    monkeypatch,
):
    monkeypatch.setattr(queues, "EACH_SECONDS", 0.3)
    ana = someone("analyst", "ana")
    cases = cases_of(*[ana] * 5)
    slow = {case.pk for case in cases[:4]}
    told = []

    def tell(case: Case) -> None:
        if case.pk in slow:
            time.sleep(0.1)
            raise ValueError("It cannot be told.")
        told.append(case.pk)

    rows = Case.objects.order_by("pk")
    for _run in range(40):
        queues.each(due_messages.QUEUE, rows, tell, most=4)
        if told:
            break
    assert told == [cases[4].pk]
