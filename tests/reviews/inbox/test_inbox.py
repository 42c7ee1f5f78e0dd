"""People hear of what concerns them: once, only of cases that they may see, never of their own acts."""

from __future__ import annotations

import re

import pytest
from django.core.files.base import ContentFile

from reviews.decisions import decisions
from reviews.inbox import notifications
from reviews.intake import information_requests
from reviews.models import FourEyesRule, Notification, Team
from reviews.people import assignment, notes
from tests.reviews.api.calling import Caller
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
    # The note stands there, and not beside the findings.
    assert answer["Location"] == f"/cases/{case.pk}/?tab=activity"
    assert "@sven again." in words(client, answer["Location"])
    assert "Inbox, 0 unread" in client.get("/").content.decode()
    client.post(f"/inbox/{row.pk}/unread/")
    assert notifications.unread_count(sven) == 1
    client.post("/inbox/read/")
    assert notifications.unread_count(sven) == 0
    notes.add(case, actor=ana, text="@sven and again.")
    assert notifications.unread_count(sven) == 1


def test_a_mention_is_told_in_capital_letters_and_one_of_nobody_is_named(client):
    case, ana, sven = open_case(), someone("analyst"), someone("senior", "sven")
    client.force_login(ana)
    answer = client.post(f"/cases/{case.pk}/notes/", {"text": "@Sven, see @svne."})
    assert kinds(sven) == ["mention"]
    assert "Nobody was told by these names: @svne." in words(client, answer["Location"])
    note = case.notes.get()
    client.post(f"/notes/{note.pk}/", {"text": "@Sven, see the page."})
    assert "Nobody was told" not in words(client, answer["Location"])


def test_an_answer_leads_to_where_it_stands(client):
    one_person()
    case, ana = open_case(), someone("analyst")
    decide(case, ana, "request", kinds=["ein_documents"])
    information_requests.answer(case.requests.get(), files=[], text="It follows.")
    client.force_login(ana)
    answer = client.post(f"/inbox/{Notification.objects.get().pk}/open/")
    assert "It follows." in words(client, answer["Location"])


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


def unread(user) -> list[str]:
    return [row.kind for row in notifications.inbox(user).filter(read_at=None)]


def test_what_one_senior_settles_is_not_unread_for_another():
    one_person()
    FourEyesRule.objects.create(name="Always", condition="always")
    case, ana = open_case(), someone("analyst")
    sven, mia = someone("senior", "sven"), someone("senior", "mia")
    proposal = decide(case, ana)
    assert (unread(sven), unread(mia)) == (["second"], ["second"])

    case.refresh_from_db()
    decisions.second(
        proposal, actor=sven, agrees=False, note="Why?", revision=case.revision
    )
    assert (unread(sven), unread(mia), unread(ana)) == ([], [], ["sent_back"])

    case.refresh_from_db()
    decide(case, ana, "escalate")
    assert (unread(ana), unread(sven), unread(mia)) == (
        [], ["escalated"], ["escalated"],
    )  # fmt: skip

    case.refresh_from_db()
    decide(case, sven, "reject")
    assert "escalated" not in unread(sven) + unread(mia)


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


def test_a_message_that_came_after_the_page_stays_unread(client):
    ana, sven = someone("analyst", "ana"), someone("senior", "sven")
    case = open_case()
    notes.add(case, actor=ana, text="@sven look")
    client.force_login(sven)
    page = client.get("/inbox/").content.decode()
    [newest] = re.findall(r'name="newest" value="(\d+)" form="all-read"', page)
    assignment.assign(case, sven, actor=ana)
    client.post("/inbox/read/", {"newest": newest})
    unread = notifications.inbox(sven).filter(read_at=None)
    assert [row.kind for row in unread] == ["assigned"]


def test_a_line_of_somebody_else_is_hidden(client):
    case, ana = open_case(), someone("analyst")
    someone("senior", "sven")
    notes.add(case, actor=ana, text="@sven look.")
    client.force_login(ana)
    row = Notification.objects.get()
    for act in ("open", "unread"):
        assert client.post(f"/inbox/{row.pk}/{act}/").status_code == 404


def test_the_second_approval_is_asked_of_the_person_who_was_chosen(client):
    one_person()
    FourEyesRule.objects.create(name="Always", condition="always")
    case, ana = open_case(), someone("analyst")
    sven, siri = someone("senior", "sven"), someone("senior", "siri")
    client.force_login(ana)
    page = words(client, f"/cases/{case.pk}/?decide=approve")
    assert "siri" in page
    data = {
        "outcome": "approve",
        "reasons": ["A02"],
        "rationale": "Fine.",
        "revision": case.revision,
        "second": "siri",
    }
    refused = client.post(f"/cases/{case.pk}/decide/", {**data, "second": "analyst"})
    assert refused.status_code == 422
    assert "analyst cannot be the second person." in refused.content.decode()
    client.post(f"/cases/{case.pk}/decide/", data)
    assert (kinds(siri), kinds(sven)) == (["second"], [])
    line = case.events.get(what="proposed")
    assert line.details["asked"] == ["siri"]
    case.refresh_from_db()
    proposal = case.decisions.get()
    decisions.second(proposal, actor=sven, agrees=True, note="", revision=case.revision)
    case.refresh_from_db()
    assert case.status == "decided", "somebody else may be there sooner"


def test_an_assignee_is_picked_from_people_who_may(client):
    case, ana = open_case(), someone("analyst", "ana")
    someone("senior", "sven")
    someone("auditor", "otto")
    client.force_login(ana)
    for address in (f"/cases/{case.pk}/people/", "/queue/people/"):
        page = client.get(address).content.decode()
        assert 'value="sven"' in page
        assert 'value="me"' in page
        assert "otto" not in page
    assert (
        f"/cases/{case.pk}/people/" in client.get(f"/cases/{case.pk}/").content.decode()
    )
    assert "/queue/people/" in client.get("/?view=all").content.decode()


def test_people_of_other_teams_are_not_offered(client):
    case, ana = open_case(), someone("analyst", "ana")
    stranger = someone("senior", "stranger")
    other = Team.objects.create(name="Other")
    other.members.add(stranger)
    team = Team.objects.create(name="Ours")
    team.members.add(ana)
    team.connections.add(case.connection)
    client.force_login(ana)
    for address in (f"/cases/{case.pk}/people/", "/queue/people/"):
        page = client.get(address).content.decode()
        assert "ana" in page
        assert "stranger" not in page


def test_the_badge_of_an_open_page_is_asked_for(client):
    case, ana, sven = open_case(), someone("analyst"), someone("senior", "sven")
    client.force_login(sven)
    assert 'hx-get="/inbox/badge/"' in client.get("/").content.decode()
    notes.add(case, actor=ana, text="@sven look")
    badge = client.get("/inbox/badge/").content.decode()
    assert "Inbox, 1 unread" in badge
    assert 'hx-trigger="every 30s"' in badge


def test_the_inbox_over_rest():
    case, ana, sven = open_case(), someone("analyst"), someone("senior", "sven")
    notes.add(case, actor=ana, text="@sven look")
    assignment.assign(case, sven, actor=ana)
    caller = Caller(sven)
    newest, oldest = caller.get("/inbox").json()["items"]
    assert (newest["kind"], oldest["kind"]) == ("assigned", "mention")
    assert (oldest["case_id"], oldest["reference"]) == (case.pk, case.reference)
    read = caller.post("/inbox/read", {"ids": [oldest["id"], 10**9]})
    assert read.json() == {"count": 1}
    [left] = caller.get("/inbox?unread=true").json()["items"]
    assert left["kind"] == "assigned"
    assert caller.post("/inbox/read", {}).json() == {"count": 1}
    assert Caller(ana).get("/inbox").json()["items"] == []
