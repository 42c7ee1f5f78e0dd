"""Who was shown what is recorded, and auditors see it."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils.timezone import localdate, now

from agenthub.jobs import lifecycle
from reviews import urls
from reviews.access import reads, roles
from reviews.filings import suspicion
from reviews.models import Announcement, LookUp, Read, Subscription
from reviews.pages.lists import read_words
from tests.factories import (
    make_agent,
    make_case,
    make_connection,
    make_event,
    make_hub,
    make_user,
)
from tests.reviews.api.calling import Caller
from tests.reviews.rows import (
    add_risky_document,
    open_case,
    someone,
    with_every_role,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_waits():
    reads._waiting.clear()
    reads._recent.clear()


def stored_reads() -> list[tuple[str, str, str, int | None]]:
    reads.flush()
    rows = Read.objects.order_by("pk")
    return list(rows.values_list("by", "kind", "item", "case"))


def test_what_a_person_is_shown_of_a_case_is_recorded(client):
    case = open_case()
    document = add_risky_document(case)
    client.force_login(make_user("ana"))
    for address in (
        f"/cases/{case.pk}/",
        f"/cases/{case.pk}/",
        f"/documents/{document.pk}/pages/1/text/",
        f"/cases/{case.pk}/report/",
    ):
        assert client.get(address).status_code == 200, address
    assert stored_reads() == [
        ("ana", "case", str(case.pk), case.pk),
        ("ana", "document", f"{document.pk}/1", case.pk),
        ("ana", "report", str(case.pk), case.pk),
    ]


def test_what_was_refused_or_is_no_case_is_not(client):
    case = open_case()
    assert client.get(f"/cases/{case.pk}/").status_code == 302
    client.force_login(make_user("ana"))
    for address in ("/procedures/", "/cases/999999/"):
        client.get(address)
    assert stored_reads() == []


def test_lists_and_searches_that_name_people_are_recorded_as_one_read_each(client):
    case = open_case()
    client.force_login(make_user("ada", role=roles.ADMINISTRATOR, is_staff=True))
    client.get("/queue/rows/")
    for address in ("/", "/?view=all", "/jobs/", "/admin/reviews/case/"):
        assert client.get(address).status_code == 200, address
    answer = client.post("/queue/search/", {"view": "all", "q": case.subject})
    client.get(answer["Location"])
    client.post("/queue/find/", {"q": case.subject[:5]})
    assert stored_reads() == [
        ("ada", "case", "list/queue", None),
        ("ada", "case", "list/jobs", None),
        ("ada", "case", "list/admin/reviews_case", None),
        ("ada", "case", "list/queue/search", None),
    ]


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("/bulk-approvals/new/", "bulk-approvals"),
        ("/batches/", "batches"),
        ("/risk/", "risk"),
        ("/decision-policy/", "decision-policy"),
        ("/screening-quality/", "screening-quality"),
        ("/period-report/", "period-report"),
    ],
)
def test_lists_that_name_people_beside_the_queue_are_recorded(client, address, name):
    open_case()
    client.force_login(with_every_role("ana"))
    assert client.get(address, follow=True).status_code == 200
    assert stored_reads() == [("ana", "case", f"list/{name}", None)]


def test_the_cases_of_an_uploaded_file_are_recorded(client):
    agent = make_agent(make_connection(), kind="kyc")
    client.force_login(make_user("ana"))
    file = SimpleUploadedFile("a.csv", b"id,first_name,last_name\nc-1,Ana,Reyes\n")
    answer = client.post("/batches/", {"agent": agent.pk, "file": file})
    page = client.get(answer["Location"])
    assert "Reyes" in page.content.decode()
    assert stored_reads() == [("ana", "case", "list/batches", None)]


def test_the_cases_that_may_be_of_the_same_subject_are_recorded(client):
    case = open_case()
    client.force_login(someone("senior", "sen"))
    page = client.get(f"/cases/{case.pk}/subject/")
    assert case.subject in page.content.decode()
    assert stored_reads() == [("sen", "case", str(case.pk), case.pk)]


def test_a_report_on_a_suspicion_that_the_interface_returns_is_recorded():
    case = open_case()
    caller = Caller(make_user("ana"))
    noticed = {"noticed_on": str(localdate())}
    made = caller.post(f"/cases/{case.pk}/suspicion-reports", noticed)
    report = made.json()
    reads.forget()
    address = f"/suspicion-reports/{report['id']}"
    sent = {"sentences": [], "revision": report["revision"]}
    answer = caller.call("patch", address, sent)
    assert answer.status_code == 200
    assert [row[1:3] for row in stored_reads()] == [("interface", address[1:])]


# What these pages show names nobody who is under review.
OTHERS = {
    "settings and people who work here": """
        account-email-open account_email account_language account_login account_logout approval-end
        approvals audit-keys colours connection-test connection-try connection-untimed connections
        error-rates inbox-all-read inbox-badge inbox-mail inbox-open inbox-unread logo organisation people
        person person-active person-email person-invite person-roles person-switch procedure-edit
        procedure-live procedure-version procedures procedures-of queue-layout queue-people
        reporting-institution risk-edit risk-following screening-quality-edit decision-policy-edit
        decision-policy-stop decision-policy-switch-on settings-row settings-row-delete settings-row-new
        settings-table token-revoke tokens view-drop view-save batch-template""",
    "answers without a page, or a page with the numbers of cases": """
        bulk case-assign case-people case-presence case-run-again case-snooze case-stop-waiting
        case-unsent document-end-links file-scan merge-undo party-back party-separate queue-next
        queue-search parties-search relation-end relation-place invitation-withdraw reports note""",
    "recorded by the view itself, or a line of the trail": """
        batch-export case-enrich look-up look-up-confirm period-file queue-act screening-labels suspicion
        suspicion-act suspicion-file suspicion-fincen-file""",
    "what the person types": "case-new case-new-check case-new-checks case-new-draft",
    "for applicants and services, who have no login": """
        apply apply-draft apply-end apply-open document-file request request-draft request-end
        request-open""",
}


def test_each_page_of_the_desk_is_recorded_or_shows_nobody():
    recorded = {*reads.PAGES, *reads.FORMS, *reads.REFUSALS, *reads.LISTS}
    others = set(" ".join(OTHERS.values()).split())
    names = {str(route.name) for route in urls.urlpatterns if route.name}
    assert names - recorded - others == set()
    assert not recorded & others


def test_an_auditor_finds_who_read_a_case(client):
    case = open_case()
    other = make_case(case.connection, reference="C-2", subject="Other Ltd")
    browser = Client()
    browser.force_login(make_user("ana"))
    browser.get(f"/cases/{case.pk}/")
    browser.get(f"/cases/{other.pk}/")
    reads.flush()
    client.force_login(someone(roles.AUDITOR))
    page = client.get("/reads/", {"case": "C-2"}).content.decode()
    assert "Other Ltd" in page
    assert case.subject not in page
    assert "ana" in page


@pytest.mark.parametrize("role", sorted(set(roles.ROLES) - {roles.AUDITOR}))
def test_nobody_but_auditors_sees_it(client, role):
    client.force_login(make_user("somebody", role=role))
    assert client.get("/reads/").status_code == 403


def test_old_notes_go(settings):
    settings.READS_DAYS = 30
    user = make_user("ana")
    for days in (1, 29, 31):
        at = now() - timedelta(days=days)
        Read.objects.create(user=user, by="ana", kind="case", item="1", at=at)
    assert reads.remove_old() == 1
    assert Read.objects.count() == 2


def test_the_interface_and_exports_are_recorded_with_their_case(client):
    case = open_case()
    Caller(make_user("bot")).get(f"/cases/{case.pk}/notes")
    # An act that changes nothing returns the case.
    snoozed = Caller(make_user("lazy")).post(
        f"/cases/{case.pk}/snooze", {"until": None}
    )
    assert snoozed.json()["subject"] == case.subject
    client.force_login(make_user("ana"))
    answer = client.post(f"/cases/{case.pk}/subject/")
    b"".join(answer.streaming_content)
    assert stored_reads() == [
        ("bot", "interface", f"cases/{case.pk}/notes", case.pk),
        ("lazy", "interface", f"cases/{case.pk}/snooze", case.pk),
        ("ana", "export", str(case.pk), case.pk),
    ]


def test_an_auditor_narrows_by_time(client):
    case = open_case()
    user = make_user("ana")
    for days in (0, 3):
        at = now() - timedelta(days=days)
        Read.objects.create(user=user, by=f"ana{days}", kind="case", case=case, at=at)
    client.force_login(someone(roles.AUDITOR))
    day = f"{now() - timedelta(days=1):%Y-%m-%d}"
    since = client.get("/reads/", {"since": day}).content.decode()
    assert "ana0" in since
    assert "ana3" not in since
    until = client.get("/reads/", {"until": day}).content.decode()
    assert "ana3" in until
    assert "ana0" not in until
    assert client.get("/reads/", {"since": "2026-02-30"}).status_code == 200


@pytest.mark.parametrize(
    ("method", "address", "status"),
    [
        # The parts of the page that its script asks for are all of it.
        ("get", "live/", 286),
        ("get", "suspicion/", 200),
        # A form that is refused shows the page again.
        ("post", "decide/", 409),
        ("post", "mark/", 422),
        ("post", "notes/", 422),
        ("post", "suspicion/", 422),
    ],
)
def test_no_other_way_to_see_a_case_is_without_a_record(
    client, method, address, status
):
    case = open_case()
    client.force_login(make_user("ana"))
    answer = getattr(client, method)(f"/cases/{case.pk}/{address}")
    assert answer.status_code == status
    page = answer.content.decode()
    assert case.subject in page or case.reference in page
    assert stored_reads() == [("ana", "case", str(case.pk), case.pk)]


def test_reports_of_several_cases_are_recorded_one_by_one(client):
    case = open_case()
    other = make_case(case.connection, reference="C-2", subject="Other Ltd")
    client.force_login(make_user("ana"))
    client.get("/reports/", {"case": [case.pk, other.pk, 999_999]})
    assert stored_reads() == [
        ("ana", "report", str(case.pk), case.pk),
        ("ana", "report", str(other.pk), other.pk),
    ]


def test_a_report_on_a_suspicion_is_recorded_with_its_case(client):
    user = make_user("ana")
    case = open_case(failing=True)
    report = suspicion.begin(case, actor=user, noticed_on=localdate())
    client.force_login(user)
    assert client.get(f"/suspicion/{report.pk}/").status_code == 200
    item = f"{case.pk}/suspicion/{report.pk}"
    assert stored_reads() == [("ana", "report", item, case.pk)]


def test_webhooks_and_look_ups_are_recorded(client):
    case = open_case()
    subscription = Subscription.objects.create(
        name="n", url="https://a.example/", secret="s"
    )
    row = Announcement.objects.create(
        subscription=subscription, case=case, event="case.created", body=b"{}"
    )
    look_up = LookUp.objects.create(
        connection=case.connection, by=make_user("bo"), query={"name": "Ek"}
    )
    event = make_event(case, job=case.jobs.get())
    unknown = make_event(case, b"[]")
    client.force_login(make_user("ana"))
    for address in (
        f"/webhooks/sent/{row.pk}/",
        f"/webhooks/received/{event.pk}/",
        f"/webhooks/received/{unknown.pk}/",
        f"/look-ups/{look_up.pk}/",
    ):
        assert client.get(address).status_code == 200, address
    assert stored_reads() == [
        ("ana", "case", f"{case.pk}/webhooks/sent/{row.pk}", case.pk),
        ("ana", "case", f"{case.pk}/webhooks/received/{event.pk}", case.pk),
        ("ana", "case", f"webhooks/received/{unknown.pk}", None),
        ("ana", "party", f"look-ups/{look_up.pk}", None),
    ]


def test_pages_of_the_hub_and_of_the_admin_are_recorded(client):
    case = open_case()
    document = add_risky_document(case)
    hub = make_hub()
    job, _ = lifecycle.create(
        agent=hub["kyb"],
        job_id=uuid.uuid4(),
        input_payload={"kyb_schema": {"id": "c", "self_attested_data": {}}},
    )
    user = make_user("root", is_staff=True, is_superuser=True)
    client.force_login(user)
    for address in (
        f"/hub/jobs/{job.pk}/",
        f"/admin/reviews/case/{case.pk}/change/",
        f"/admin/reviews/document/{document.pk}/change/",
        # It says nothing about anybody.
        f"/admin/agenthub/account/{hub['account'].pk}/change/",
    ):
        assert client.get(address).status_code == 200, address
    assert stored_reads() == [
        ("root", "job", f"hub/jobs/{job.pk}", None),
        ("root", "case", f"{case.pk}/admin", case.pk),
        ("root", "case", f"admin/reviews_document/{document.pk}", None),
    ]


@pytest.mark.parametrize(
    ("item", "words"),
    [
        ("list/hub/deliveries", "List: Deliveries of the hub"),
        ("list/queue/search", "List, searched: Queue"),
        ("list/admin/reviews_case", "List: Administration, cases"),
        ("admin/reviews_document/7", "Administration, documents: 7"),
        ("hub/deliveries/8", "Deliveries of the hub: 8"),
        ("list/admin/gone_table", "List: Administration, gone_table"),
        ("17/webhooks/3", "17/webhooks/3"),
    ],
)
def test_the_page_says_in_words_what_was_read(client, item, words):
    user = make_user("aud", role=roles.AUDITOR)
    Read.objects.create(user=user, by="aud", kind="case", item=item)
    client.force_login(user)
    assert f">{words}</td>" in client.get("/reads/").content.decode()


def test_each_list_that_is_recorded_has_words():
    assert set(reads.LISTS.values()) == set(read_words.LISTS)


@pytest.mark.django_db(transaction=True)
def test_a_note_of_a_user_who_was_deleted_meanwhile_keeps_no_other_one_from_being_written(
    client, caplog
):
    case = open_case()
    gone, ana = make_user("gone"), make_user("ana")
    for user in (gone, ana):
        client.force_login(user)
        client.get(f"/cases/{case.pk}/")
    gone.delete()
    assert ("ana", "case", str(case.pk), case.pk) in stored_reads()
    assert not Read.objects.filter(by="gone").exists()
    assert not reads._waiting
    assert "was refused by the database" in caplog.text
