"""Documents, jobs and webhooks of all cases: filters, pages by key, and only what one may see."""

from __future__ import annotations

import json
import re
import uuid
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import now

from compliance.db.states import stored_values
from reviews import results
from reviews.models import Announcement, Case, CheckResult, Job, Subscription, Team
from reviews.pages.lists import listing
from reviews.queue import filters
from tests.factories import make_agent, make_case, make_connection, make_job, make_user
from tests.reviews.pages.case import payloads
from tests.reviews.pages.case.rows import (
    add_check_result,
    add_document,
    add_tool_result,
    reviewed_case,
    wire,
    words,
)
from tests.reviews.rows import decide, one_person, open_case, someone
from webhooks import pages
from webhooks.models import Event

pytestmark = pytest.mark.django_db
EVIL = "<script>alert(1)</script>"
SAME = "ab" * 32


@pytest.fixture
def analyst(client):
    client.force_login(make_user("una"))
    return client


def event(
    case: Case, job: Job | None = None, *, number: int = 0, body: bytes = b"", **values
) -> Event:
    data = {"id": job.remote_id if job else "x", "status": "complete", "n": number}
    body = body or json.dumps(data).encode()
    return Event.objects.create(
        connection=case.connection, digest=uuid.uuid4().bytes * 2, job=job, received_at=now(),
        body=body, size=len(body), headers={"X-Signature-SHA256": EVIL},
        secret=case.connection.webhook_secrets.get(), **values,
    )  # fmt: skip


def test_documents_are_listed_with_where_else_they_lie(analyst):
    case, _ = reviewed_case()
    other = make_case(case.connection, reference="C-2")
    add_document(case, name=f"{EVIL}.pdf", pages=3, sha256=SAME, size=2048)
    add_document(other, name="twin.pdf", sha256=SAME)
    add_document(other, name="alone.pdf", sha256="cd" * 32)
    html = analyst.get("/documents/").content.decode()
    assert "<script>alert" not in html
    text = words(analyst, "/documents/")
    assert (
        f"{EVIL}.pdf Incorporation document C-10428 Northwind Ltd Drawn Not checked 3 2.0"
        in text
    )
    assert "in C-2" in text
    assert "in C-10428" in text
    twins = words(analyst, f"/documents/?sha256={SAME}")
    assert "twin.pdf" in twins
    assert "alone.pdf" not in twins
    again = words(analyst, "/documents/?again=1")
    assert "twin.pdf" in again
    assert "alone.pdf" not in again
    assert "alone.pdf" in words(
        analyst, "/documents/?case=C-2&kind=incorporation_documents"
    )
    assert "No document fits" in words(analyst, "/documents/?kind=ein_documents")


def sum_up(case: Case) -> None:
    rows = list(CheckResult.objects.filter(job__case=case).order_by("id"))
    documents = list(case.documents.order_by("created_at"))
    Case.objects.filter(pk=case.pk).update(
        summary=results.summarise(case, rows, documents)
    )


def tags_of(analyst) -> list[str]:
    html = analyst.get("/documents/").content.decode()
    return [
        " ".join(words_.split())
        for words_ in re.findall(r"</svg>([^<]+)</span></td>", html)
    ]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ({"passed": True}, "Passed"),
        ({"passed": False}, "Failed"),
        ({"verdict": "inconclusive"}, "Inconclusive"),
        ({"verdict": "review"}, "To review"),
        ({}, "No verdict"),
        (None, "Not checked"),
    ],
)
def test_a_document_tells_what_the_checks_that_read_it_concluded(analyst, text, word):
    case, job = reviewed_case()
    document = add_document(case)
    add_check_result(
        job, {"passed": False}, check_id="kyb.sanctions_screening_check_v2"
    )
    if text is not None:
        listed = {"valid_documents": [{"document": wire(document)}]}
        add_check_result(
            job, {**text, "payload": listed} if text else {"odd": [wire(document)]}
        )
    sum_up(case)
    assert tags_of(analyst) == [word]


def test_of_several_checks_the_worst_counts_and_a_running_one_is_no_pass(analyst):
    case, job = reviewed_case(status=Job.Status.RUNNING)
    document = add_document(case)
    body = payloads.tool_results(
        "extraction_data", payloads.extraction(), document=wire(document), passed=True
    )
    add_tool_result(job, payloads.EXTRACTION, body, subject=document.pk.hex)
    sum_up(case)
    assert tags_of(analyst) == ["Passed"]
    Case.objects.filter(pk=case.pk).update(status=Case.Status.CHECKING)
    assert tags_of(analyst) == ["Running"]
    add_check_result(job, {"verdict": "fail"})
    sum_up(case)
    assert tags_of(analyst) == ["Failed"]
    # The same verdict as on the page of the case.
    html = analyst.get(f"/cases/{case.pk}/").content.decode()
    tab = html[html.index(f'id="tab-{document.pk.hex}"') :]
    assert "failed" in tab[: tab.index("</a>")]


@pytest.mark.parametrize(
    "summary", [{}, [], "x", {"documents": 7}, {"documents": {"x": "pass"}}]
)
def test_what_was_not_summed_up_was_not_checked(analyst, summary):
    case, _ = reviewed_case()
    add_document(case)
    changes = stored_values(case, {"summary": summary})
    Case.objects.filter(pk=case.pk).update(**changes)
    assert tags_of(analyst) == ["Not checked"]


def test_of_a_case_that_was_summed_up_otherwise_nothing_is_claimed(analyst):
    case, _ = reviewed_case()
    add_document(case)
    changes = stored_values(case, {"summary": {"checks": [["Registry", "pass"]]}})
    Case.objects.filter(pk=case.pk).update(**changes)
    assert tags_of(analyst) == ["No verdict"]


def test_documents_without_bytes_are_the_same_as_nothing(analyst):
    case, _ = reviewed_case()
    for number in range(2):
        add_document(make_case(case.connection, reference=f"E-{number}"), sha256="")
    assert "in E-" not in words(analyst, "/documents/")
    assert "No document fits" in words(analyst, "/documents/?again=1")


def test_jobs_are_listed_and_narrowed(analyst):
    case, job = reviewed_case()
    make_job(case, status="failed", error="It went away.", check_id="kyb.one")
    Job.objects.filter(pk=job.pk).update(
        ended_at=job.created_at + timedelta(seconds=12.5)
    )
    text = words(analyst, "/jobs/")
    assert "12.5 s" in text
    assert "kyb.one" in text
    assert "12.5 s" not in words(analyst, "/jobs/?status=failed")
    assert "kyb.one" not in words(analyst, f"/jobs/?scope=whole&agent={case.agent_id}")
    assert "No job fits" in words(analyst, "/jobs/?case=unknown")


def test_a_job_shows_its_checks_its_tools_and_what_was_asked(analyst):
    case, job = reviewed_case()
    changes = {"sent": {"kyb_schema": {"id": EVIL}}, "started_at": now()}
    Job.objects.filter(pk=job.pk).update(**stored_values(job, changes))
    add_tool_result(job, payloads.FRAUD, {"passed": False})
    for number, check in enumerate(("kyb.a", "kyb.b")):
        row = add_check_result(job, {"verdict": "pass"}, check_id=check)
        row.body |= {
            "created_at": f"2026-01-01T00:00:0{number}Z",
            "updated_at": f"2026-01-01T00:00:0{number + 2}Z",
        }
        row.save()
    event(case, job)
    html = analyst.get(f"/jobs/{job.pk}/").content.decode()
    assert "<script>alert" not in html
    text = words(analyst, f"/jobs/{job.pk}/")
    assert "3.0 s in all" in text
    assert text.count("2.0 s") == 2
    assert words(analyst, f"/jobs/{job.pk}/", language="de").count("2,0 s") == 2
    assert re.findall(r'<rect class="pass" x="([\d.]+)" y="\d+"\s+width="([\d.]+)"', html) == [
        ("0.0", "666.7"), ("333.3", "666.7"),
    ]  # fmt: skip
    assert "Document fraud check" in text or "Fraud" in text
    assert "job complete" in text
    assert "&lt;script&gt;" in html


def test_odd_times_of_a_service_are_left_out(analyst):
    _case, job = reviewed_case()
    for number, (start, end) in enumerate(
        [("x", "y"), (1, 2), ("2026-01-01T00:00:00", "2026-01-01T00:00:01"), ("2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z"), ("2026-99-99T00:00:00Z", None)]
    ):  # fmt: skip
        row = add_check_result(job, {}, check_id=f"kyb.{number}")
        row.body |= {"created_at": start, "updated_at": end}
        row.save()
    assert "The service gave no result of a check." in words(
        analyst, f"/jobs/{job.pk}/"
    )


def test_webhooks_are_listed_with_what_came_of_them(analyst):
    case, job = reviewed_case()
    event(case, job, status="applied")
    odd = event(
        case,
        status="ignored",
        reason="It is neither.",
        body=b'{"tool_id": "' + EVIL.encode() + b'"}',
    )
    large = event(
        case, body=b'{"tool_id": "x", "pad": "' + b"y" * pages.MAX_LIST_BYTES + b'"}'
    )
    text = words(analyst, "/webhooks/")
    assert "Applied" in text
    assert "job complete C-10428" in text
    assert "large, 65," in text
    assert (
        "<script>"
        not in analyst.get("/webhooks/").content.decode().partition("<main")[2]
    )
    ignored = words(analyst, "/webhooks/?status=ignored")
    assert "It is neither." in ignored
    assert "job complete" not in ignored
    one = words(analyst, f"/webhooks/received/{odd.pk}/")
    assert "verified, by the secret first" in one
    assert f'{{"tool_id": "{EVIL}"}}' in one
    assert "cut here" in words(analyst, f"/webhooks/received/{large.pk}/")


def announced(case: Case, **values) -> Announcement:
    to = Subscription.objects.create(
        name="ERP", url="https://erp.example/hook", secret="s"
    )
    decision = case.decisions.get()
    row = Announcement.objects.create(
        subscription=to,
        case=case,
        decision=decision,
        event="case.decided",
        url=to.url,
        body=b'{"event": "case.decided"}',
        **values,
    )
    row.attempts.create(http_status=500, response=EVIL, took_ms=3)
    return row


def test_what_the_desk_sent_is_listed_and_sent_again_by_who_may(client):
    one_person()
    case = open_case()
    decide(case, someone("senior", "maker"))
    row = announced(case, status="dead", due_at=None, tries=8)
    client.force_login(someone("analyst"))
    assert "Failed" in words(client, "/webhooks/?side=sent")
    page = words(client, f"/webhooks/sent/{row.pk}/")
    assert f"HTTP 500 {row.attempts.get().at:%Y-%m-%d %H:%M:%S} UTC 3 ms {EVIL}" in page
    assert "Send again" not in page
    assert client.post(f"/webhooks/sent/{row.pk}/again/").status_code == 403
    client.force_login(someone("administrator"))
    assert "Send again" in words(client, f"/webhooks/sent/{row.pk}/")
    assert client.post(f"/webhooks/sent/{row.pk}/again/").status_code == 302
    row.refresh_from_db()
    assert (row.status, row.tries) == ("due", 0)
    assert "No webhooks here" in words(client, "/webhooks/?side=sent&status=dead")


def test_the_receiver_still_answers_beside_the_pages(client):
    make_connection()
    assert (
        client.post(
            "/webhooks/hub/", b"{}", content_type="application/json"
        ).status_code
        == 401
    )
    assert (
        client.post(
            "/webhooks/sent/", b"{}", content_type="application/json"
        ).status_code
        == 401
    )


def test_what_is_another_teams_is_in_no_list(client):
    case, job = reviewed_case()
    document = add_document(case, name="ours.pdf", sha256=SAME)
    theirs = event(case, job)
    mine = make_case(make_connection("free"), reference="FREE")
    add_document(mine, name="mine.pdf", sha256=SAME)
    team = Team.objects.create(name="Nordics")
    team.connections.add(case.connection)
    client.force_login(someone("senior", "outsider"))
    for page in ("/documents/", f"/documents/?sha256={SAME}", "/jobs/", "/webhooks/"):
        html = client.get(page).content.decode()
        assert "C-10428" not in html, page
        assert str(document.pk) not in html, page
    assert "in C-10428" not in words(client, "/documents/")
    assert client.get(f"/jobs/{job.pk}/").status_code == 404
    assert client.get(f"/webhooks/received/{theirs.pk}/").status_code == 404


def test_raw_payloads_are_for_those_who_may(client):
    case, job = reviewed_case()
    changes = stored_values(job, {"sent": {"secret": "passport"}})
    Job.objects.filter(pk=job.pk).update(**changes)
    theirs = event(case, job)
    client.force_login(someone("integrator"))
    assert "passport" not in client.get(f"/jobs/{job.pk}/").content.decode()
    for page in (
        "/webhooks/",
        "/webhooks/?side=sent",
        f"/webhooks/received/{theirs.pk}/",
    ):
        assert client.get(page).status_code == 403, page


@pytest.mark.parametrize("address", ["/documents/", "/jobs/", "/webhooks/"])
def test_pages_follow_each_other_by_key_in_as_many_statements(
    analyst, monkeypatch, address
):
    monkeypatch.setattr(listing, "PAGE", 3)
    monkeypatch.setattr(filters, "CACHE_SECONDS", 3600)
    case_of = make_connection()
    make_agent(case_of)

    def grow(times: int) -> None:
        for number in range(times):
            case = make_case(case_of)
            add_document(case, name=f"{uuid.uuid4().hex}.pdf", sha256=SAME)
            event(case, make_job(case, status="complete"), number=number)

    def query(page: str) -> tuple[list[str], str, int]:
        analyst.get(page)
        with CaptureQueriesContext(connection) as result:
            html = analyst.get(page).content.decode()
        keys = re.findall(r'data-row href="([^"]+)"', html)
        older = re.search(r'rel="next" href="(\?[^"]+)"', html)
        return keys, older[1].replace("&amp;", "&") if older else "", len(result)

    grow(2)
    _, none, few = query(address)
    assert none == ""
    grow(6)
    rows: list[str] = []
    page = ""
    for _ in range(3):
        keys, page, count = query(address + page)
        assert count <= few
        rows += keys
    assert page == ""
    assert len(rows) == len(set(rows)) == 8


@pytest.mark.parametrize(
    "address", ["/documents/", "/jobs/", "/webhooks/", "/webhooks/?side=sent&x="]
)
@pytest.mark.parametrize("bad", ["after=x", "after=WyJ4Il0", "status=%00&case=%00", "agent=9999999999999", "sha256=%27"])  # fmt: skip
def test_what_makes_no_sense_is_no_fault(analyst, address, bad):
    reviewed_case()
    assert (
        analyst.get(f"{address}{'&' if '?' in address else '?'}{bad}").status_code
        == 200
    )
