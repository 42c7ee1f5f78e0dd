"""What names a subject and belongs to no case: look-ups, views of the queue, and invitations."""

from __future__ import annotations

import json
from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from reviews.applicants import invitations
from reviews.audit import trail
from reviews.models import (
    Case,
    CaseEvent,
    CaseImport,
    Draft,
    Erasure,
    Invitation,
    LookUp,
    RequestMail,
    SavedView,
    SearchText,
    Tag,
)
from reviews.parties import recording
from reviews.people import notes
from reviews.privacy import erasures
from reviews.tasks import ERASURES, INVITATIONS
from tests.factories import (
    make_agent,
    make_case,
    make_connection,
    make_event,
    make_job,
    make_user,
)
from tests.reviews.pages.case import payloads
from tests.reviews.pages.case.rows import add_tool_result
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


BORN = "1957-11-23"


@pytest.mark.parametrize(
    ("query", "is_gone"),
    [
        ({"name": "Quorlbeck, X.", "date_of_birth": BORN}, True),
        ({"name": "Xanthippe Brimble", "date_of_birth": BORN}, True),
        ({"name": "Quorlbeck, X.", "date_of_birth": "1957-11-24"}, False),
        ({"name": "Ottokarine Brimble", "date_of_birth": BORN}, False),
        ({"name": "Quorlbeck, X.", "date_of_birth": None}, False),
    ],
)
def test_a_look_up_for_a_part_of_the_name_goes_if_it_has_the_date_of_birth(
    query, is_gone
):
    attested = {
        "first_name": "Xanthippe",
        "last_name": "Quorlbeck",
        "date_of_birth": BORN,
    }
    case = decided(
        make_connection(), subject=NAME, kind="kyc", self_attested_data=attested
    )
    recording.record_with_line(case)
    row = look_up(case, "")
    row.query = query
    row.save()
    erase(case)
    assert LookUp.objects.exists() is not is_gone


@pytest.mark.parametrize(
    ("typed", "is_named"),
    [
        ({"first_name": "xanthippe", "last_name": "QUORLBECK"}, True),
        ({"first_name": "Xanthippe", "last_name": "Brimble"}, False),
    ],
)
def test_a_draft_that_names_the_subject_is_said_to_remain(case, typed, is_named):
    ana = make_user("ana")
    Draft.objects.create(user=ana, kind="kyc", typed=json.dumps(typed))
    erasure = erase(case)
    assert Draft.objects.exists()
    assert any("Drafts: 1" in words for words in erasure.remains) is is_named


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


@pytest.fixture
def company() -> Case:
    """A company with a number, an address and an owner."""
    attested = {
        "business_name": "Quorlbeck Zymurgy GmbH",
        "business_registration_number": "HRB-7719433",
        "address_of_incorporation": {"street_1": "Plinkergasse 8", "city": "Vorzel"},
        "owners": [{"name": "Ottokarine Brimble", "share": 60}],
    }
    case = decided(
        make_connection(),
        subject="Quorlbeck Zymurgy GmbH",
        kind="kyb",
        self_attested_data=attested,
    )
    recording.record_with_line(case)
    return case


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("Number", "?view=all&q=HRB-7719433"),
        ("Street", "?view=all&q=Plinkergasse+8"),
        ("Town", "?view=all&q=vorzel"),
        ("Owner", "?view=all&q=Ottokarine"),
        ("Misspelt", "?view=all&q=zymurgi"),
    ],
)
def test_a_search_that_only_this_case_answered_is_taken_out_of_views(
    company, name, query
):
    SavedView.objects.create(owner=make_user("ana"), name=name, query=query)
    erase(company)
    view = SavedView.objects.get()
    assert (view.name, view.query) == (name, "?view=all")


def test_a_search_that_another_case_answers_stays(company):
    attested = {"address_of_incorporation": {"city": "Vorzel"}}
    other = make_case(
        company.connection, subject="Pear", reference="o", self_attested_data=attested
    )
    other.make_searchable()
    of_page = SearchText.objects.filter(case=other)
    of_page.update(text="a bill of vorzel")
    SavedView.objects.create(owner=make_user("ana"), name="Vorzel", query="?q=vorzel")
    erase(company)
    view = SavedView.objects.get()
    assert (view.name, view.query) == ("Vorzel", "?q=vorzel")


@pytest.mark.parametrize(
    "name",
    [
        "V HRB 7719433",
        "About Ottokarine Brimble",
        "quorlbeck zymurgy",
    ],
)
def test_the_name_of_a_view_has_no_number_and_no_party_of_the_case(company, name):
    SavedView.objects.create(owner=make_user("ana"), name=name, query="?view=all")
    erase(company)
    assert SavedView.objects.get().name == "[erased]"


def test_look_ups_of_no_case_for_its_number_its_owner_or_without_its_legal_form_go(
    company,
):
    for name in ("HRB7719433", "Ottokarine Brimble", "Zymurgy Quorlbeck", "Ottokarine"):
        look_up(company, name)
    erase(company)
    assert names() == ["Ottokarine"]
    call_command("audit_verify")


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("P-7719 4336", []),
        # Nobody looks this up for a case with a number that contains it.
        ("7719", ["7719"]),
        ("P 7719 4337", ["P 7719 4337"]),
    ],
)
def test_a_look_up_for_a_number_that_only_a_document_has_goes(case, name, left):
    row = payloads.comparison(
        "Document number", attested=None, extracted="P77194336", state="not_attested"
    )
    job = make_job(case, status="complete")
    body = payloads.tool_results("extraction_data", payloads.extraction(row))
    add_tool_result(job, payloads.EXTRACTION, body)
    look_up(case, name)
    erase(case)
    assert names() == left


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("Quorlbeck Holdings", []),
        ("Quorlbeck", ["Quorlbeck"]),
        ("Quorlbeck Zymurgy", ["Quorlbeck Zymurgy"]),
    ],
)
def test_a_look_up_without_the_legal_form_goes_where_one_own_word_is_left(name, left):
    case = decided(make_connection(), subject="Quorlbeck Holdings Inc", kind="kyb")
    look_up(case, name)
    erase(case)
    assert names() == left


def test_an_erasure_leaves_a_view_as_it_is_that_another_one_cleans(case):
    """Erasures that ran at the same time wrote back what they had read of each other's views."""
    view = SavedView.objects.create(owner=make_user("ana"), name="Late", query="")
    with CaptureQueriesContext(connection) as queries:
        erase(case)
    writes = [row["sql"] for row in queries if "UPDATE" in row["sql"]]
    assert view.name == "Late"
    assert [sql for sql in writes if SavedView._meta.db_table in sql] == []


@pytest.mark.parametrize(
    ("status", "body", "is_gone"),
    [
        ("ignored", b'{"person": {"first": "XANTHIPPE", "last": "Quorlbeck"}}', True),
        ("ignored", b'{"person": "\\u0058anthippe Quorlbeck"}', True),
        ("ignored", b'{"person": "Xanthippe Other"}', False),
        ("received", b'{"person": "Xanthippe Quorlbeck"}', False),
    ],
)
def test_a_webhook_of_no_job_that_names_the_subject_goes(case, status, body, is_gone):
    event = make_event(case, body, status=status, due_at=None)
    erase(case)
    event.refresh_from_db()
    assert (bytes(event.body) == b"") is is_gone


def test_look_ups_for_an_owner_of_another_case_stay(company):
    other = make_case(
        company.connection,
        subject="Pear Ltd",
        kind="kyb",
        reference="other",
        self_attested_data={"owners": [{"name": "Ottokarine Brimble", "share": 5}]},
    )
    recording.record_with_line(other)
    look_up(company, "Ottokarine Brimble")
    erase(company)
    assert names() == ["Ottokarine Brimble"]


def test_a_tag_that_was_taken_off_before_leaves_no_name(case, client):
    """Nor do the lines about the administrator who made it."""
    client.force_login(make_user("boss", role="administrator", is_staff=True))
    for name in (NAME, "urgent"):
        assert client.post("/admin/reviews/tag/add/", {"name": name}).status_code == 302
    ana = make_user("ana")
    notes.tag(case, NAME, actor=ana)
    notes.untag(case, NAME, actor=ana)
    erase(case)
    assert [tag.name for tag in Tag.objects.all()] == ["urgent"]
    entries = LogEntry.objects.values_list("object_repr", "change_message")
    lines = CaseEvent.objects.values_list("data", flat=True)
    assert NAME not in str([*entries, *lines])


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("Quorlbeck Zymurgy.csv", "[erased]"),
        ("zymurgy_of_march.csv", "zymurgy_of_march.csv"),
        ("hrb7719433.csv", "[erased]"),
        ("march.csv", "march.csv"),
    ],
)
def test_the_name_of_a_file_of_cases_that_names_the_subject_goes(company, name, left):
    row = CaseImport.objects.create(
        by=make_user("ana"),
        agent=make_agent(company.connection),
        status=CaseImport.Status.DONE,
        file_name=name,
        sha256="0" * 64,
    )
    erase(company)
    row.refresh_from_db()
    assert row.file_name == left


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


def test_an_invitation_that_ended_before_the_upgrade_is_emptied(settings):
    """An earlier version kept the address and the message: the migration makes such links due."""
    settings.EMAIL_HOST = "mail.example"
    ana = make_user("ana")
    agent = make_agent(make_connection())
    invitation = invitations.create(
        agent, actor=ana, email="xq@example.com", message="Dear Ms Quorlbeck"
    )
    # As that version left it: ended, and with what it was sent with.
    Invitation.objects.update(status="withdrawn", due_at=None)
    trail.record(None, "invitation_withdrawn", {}, about=[Invitation.objects.get()])
    module = import_module("reviews.migrations.0046_empty_ended_invitations")
    module.make_due(apps, connection.schema_editor())
    INVITATIONS.drain()
    invitation.refresh_from_db()
    assert (invitation.message, invitation.due_at) == ("", None)
    assert RequestMail.objects.get().address == "[erased]"
    assert CaseEvent.objects.filter(what="invitation_emptied").count() == 1
    call_command("audit_verify")
    # A second time there is nothing to do.
    module.make_due(apps, connection.schema_editor())
    INVITATIONS.drain()
    assert CaseEvent.objects.filter(what="invitation_emptied").count() == 1
