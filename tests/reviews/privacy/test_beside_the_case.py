"""What names a subject and belongs to no case: look-ups, views of the queue, and invitations."""

from __future__ import annotations

import pytest
from django.core.management import call_command

from reviews.applicants import invitations
from reviews.audit import trail
from reviews.models import (
    Case,
    CaseEvent,
    Erasure,
    LookUp,
    RequestMail,
    SavedView,
)
from reviews.privacy import erasures
from reviews.tasks import ERASURES
from tests.factories import make_agent, make_case, make_connection, make_user
from tests.reviews.privacy.test_privacy import decided

pytestmark = pytest.mark.django_db
NAME = "Xanthippe Quorlbeck"


@pytest.fixture
def case() -> Case:
    return decided(make_connection(), subject=NAME)


def erase(case: Case) -> Erasure:
    case.make_searchable()
    erasures.plan(case, actor=make_user("adm", role="administrator"), reason="12")
    ERASURES.drain()
    return Erasure.objects.get()


def look_up(case: Case, name: str) -> LookUp:
    row = LookUp.objects.create(
        connection=case.connection,
        by=make_user(f"by{LookUp.objects.count()}"),
        query={"name": name},
        answer={},
        hit_count=0,
    )
    trail.record(None, "looked_up", {"look_up": row.pk}, about=[row])
    return row


def names() -> list[str]:
    return [row.query["name"] for row in LookUp.objects.order_by("pk")]


def test_look_ups_of_no_case_for_the_same_name_go(case):
    for name in (NAME, "QUORLBECK  xanthippe", "Quorlbeck", "Amy Quorlbeck"):
        look_up(case, name)
    erasure = erase(case)
    # The others may be about another person.
    assert names() == ["Quorlbeck", "Amy Quorlbeck"]
    assert erasure.counts["reviews.LookUp"] == 2
    call_command("audit_verify")


def test_look_ups_stay_while_another_case_has_the_name(case):
    other = make_case(case.connection, subject=NAME, reference="other")
    other.make_searchable()
    look_up(case, NAME)
    erase(case)
    assert names() == [NAME]


@pytest.mark.parametrize(
    ("name", "query", "left"),
    [
        ("Mrs Quorlbeck", "view=all&q=Quorlbeck", ("[erased]", "view=all")),
        ("My own", "view=all&q=Quorlbeck", ("My own", "view=all")),
        ("Mrs Quorlbeck", "view=all", ("[erased]", "view=all")),
        ("About xanthippe quorlbeck", "view=all", ("[erased]", "view=all")),
        ("Late ones", "view=late", ("Late ones", "view=late")),
    ],
)
def test_a_view_of_the_queue_keeps_no_name_of_the_subject(case, name, query, left):
    Case.objects.update(kind="kyc")
    owner = make_user("ana")
    SavedView.objects.create(owner=owner, name=name, query=query)
    erase(case)
    view = SavedView.objects.get()
    assert (view.name, view.query) == left


def test_a_word_of_a_company_in_a_view_is_not_its_name():
    case = decided(make_connection(), subject="Northwind Trading Ltd")
    SavedView.objects.create(
        owner=make_user("ana"), name="Trading companies", query="kind=kyb"
    )
    erase(case)
    view = SavedView.objects.get()
    assert (view.name, view.query) == ("Trading companies", "kind=kyb")


@pytest.mark.parametrize("ends_by", ["time", "person"])
def test_an_invitation_that_leads_to_no_case_keeps_no_address(ends_by, settings):
    settings.EMAIL_HOST = "mail.example"
    ana = make_user("ana")
    agent = make_agent(make_connection())
    invitation = invitations.create(
        agent, actor=ana, email="xq@example.com", message="Dear Ms Quorlbeck"
    )
    assert RequestMail.objects.get().address == "xq@example.com"
    if ends_by == "time":
        invitations.expire(invitation)
    else:
        invitations.withdraw(invitation, actor=ana)
    invitation.refresh_from_db()
    assert invitation.message == ""
    assert RequestMail.objects.get().address == "[erased]"
    assert CaseEvent.objects.filter(what__startswith="invitation_").count() == 2
    call_command("audit_verify")
