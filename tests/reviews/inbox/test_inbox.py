"""People hear of what concerns them: once, only of cases that they may see, never of their own acts."""

from __future__ import annotations

import pytest
from django.core.files.base import ContentFile

from reviews.decisions import decisions
from reviews.inbox import notifications
from reviews.intake import information_requests
from reviews.models import FourEyesRule, Notification, Team
from reviews.people import assignment, notes
from tests.reviews.pages.case.rows import words
from tests.reviews.rows import decide, one_person, open_case, someone

pytestmark = pytest.mark.django_db


def kinds(user) -> list[str]:
    return [row.kind for row in notifications.inbox(user)]


def test_a_mention_is_in_the_inbox_once_until_it_is_read(client):
    case, ana, sven = open_case(), someone("analyst"), someone("senior", "sven")
    note = notes.add(case, actor=ana, text="@sven, @analyst: please look.")
    notes.edit(note, actor=ana, text="@sven please look soon.")
    notes.add(case, actor=ana, text="@sven again.")
    assert (kinds(sven), kinds(ana)) == (["mention"], [])
    client.force_login(sven)
    assert "Inbox, 1 unread" in client.get("/").content.decode()
    page = words(client, "/inbox/")
    assert "mentioned you in a note" in page
    assert case.reference in page
    row = Notification.objects.get()
    answer = client.post(f"/inbox/{row.pk}/open/")
    assert answer["Location"] == f"/cases/{case.pk}/"
    assert "Inbox, 0 unread" in client.get("/").content.decode()
    client.post(f"/inbox/{row.pk}/unread/")
    assert notifications.unread_count(sven) == 1
    client.post("/inbox/read/")
    assert notifications.unread_count(sven) == 0
    notes.add(case, actor=ana, text="@sven and again.")
    assert notifications.unread_count(sven) == 1


def test_an_assignment_is_told_to_who_gets_the_case_but_not_to_who_takes_it():
    case, ana, sven = open_case(), someone("analyst"), someone("senior", "sven")
    assignment.assign(case, ana, actor=ana)
    assert kinds(ana) == []
    assignment.assign(case, sven, actor=ana)
    assert kinds(sven) == ["assigned"]


def test_seniors_hear_of_escalations():
    one_person()
    case, ana, sven = open_case(), someone("analyst"), someone("senior", "sven")
    decide(case, ana, "escalate")
    assert (kinds(sven), kinds(ana)) == (["escalated"], [])


def test_the_second_person_is_asked_and_the_first_hears_that_it_came_back():
    one_person()
    FourEyesRule.objects.create(name="Always", condition="always")
    case, ana, sven = open_case(), someone("analyst"), someone("senior", "sven")
    proposal = decide(case, ana)
    assert kinds(sven) == ["second"]
    case.refresh_from_db()
    decisions.second(
        proposal, actor=sven, agrees=False, note="Why?", revision=case.revision
    )
    assert kinds(ana) == ["sent_back"]


def test_who_asked_hears_of_the_answer_of_the_applicant():
    one_person()
    case, ana = open_case(), someone("analyst")
    decide(case, ana, "request")
    request = case.requests.get()
    file = ContentFile(b"%PDF-1.4 x", "a.pdf")
    assert information_requests.answer(
        request, files=[("incorporation", file)], text="Here."
    )
    assert kinds(ana) == ["answer"]


def test_a_line_of_a_case_that_one_may_not_see_is_neither_listed_nor_counted(client):
    case, ana, sven = open_case(), someone("analyst"), someone("senior", "sven")
    notes.add(case, actor=ana, text="@sven look.")
    team = Team.objects.create(name="Theirs")
    team.connections.add(case.connection)
    sven = type(sven).objects.get(pk=sven.pk)
    assert notifications.unread_count(sven) == 0
    client.force_login(sven)
    row = Notification.objects.get()
    assert case.reference not in words(client, "/inbox/")
    assert client.post(f"/inbox/{row.pk}/open/").status_code == 404


def test_a_line_of_somebody_else_is_hidden(client):
    case, ana = open_case(), someone("analyst")
    someone("senior", "sven")
    notes.add(case, actor=ana, text="@sven look.")
    client.force_login(ana)
    row = Notification.objects.get()
    for act in ("open", "unread"):
        assert client.post(f"/inbox/{row.pk}/{act}/").status_code == 404
