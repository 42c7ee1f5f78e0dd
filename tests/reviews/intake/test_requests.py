"""The applicant is asked by a link, answers without an account, and the case comes back."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.timezone import now

from reviews.intake import cases, information_requests
from reviews.jobs import completion
from reviews.models import Case, CaseEvent, InformationRequest
from reviews.pages.intake.open_links import RATE
from reviews.tasks import REQUESTS
from tests.reviews.applicant_links import open_link
from tests.reviews.rows import decide, one_person, open_case, someone

pytestmark = pytest.mark.django_db
PDF = b"%PDF-1.7\n%%EOF\n"


@pytest.fixture
def case():
    result = open_case()
    decide(result, someone("analyst"), "request", kinds=["incorporation_documents"])
    return Case.objects.get()


@pytest.fixture
def address(case) -> str:
    return information_requests.address(case.requests.get())


@pytest.fixture
def link(client, address) -> str:
    return open_link(client, address)


def file(content: bytes = PDF, name: str = "certificate.pdf") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)


def test_a_request_has_the_case_wait(case):
    answer = case.requests.get()
    assert (case.status, answer.status, answer.message) == (
        "waiting", "open", "Please send the certificate.",
    )  # fmt: skip
    assert timedelta(days=13) < answer.expires_at - now() <= timedelta(days=14)


def test_the_page_shows_what_is_asked_and_nothing_of_the_case(client, link):
    text = client.get(link).content.decode()
    assert "Please send the certificate." in text
    assert "Incorporation document" in text
    assert "Ownership document" not in text
    for secret in ("Northwind", "C-10428", "Sanctions"):
        assert secret not in text


def test_what_the_applicant_sends_is_checked_and_the_case_comes_back(
    client, link, case
):
    answer = client.post(
        link, {"incorporation_documents": file(), "text": "Here it is."}
    )
    assert answer.status_code == 303
    assert "has arrived" in client.get(link).content.decode()
    case.refresh_from_db()
    assert case.status == "checking"
    assert case.documents.get().file_name == "certificate.pdf"
    assert case.jobs.count() == 2
    line = case.events.get(what="information_received")
    assert line.actor == CaseEvent.Actor.APPLICANT
    assert line.details["said"] == "Here it is."
    assert line.details["documents"][0]["sha256"] == case.documents.get().sha256


def test_words_alone_bring_the_case_back_to_the_queue(client, link, case):
    client.post(link, {"text": "There is none."})
    case.refresh_from_db()
    assert case.status == "to_review"
    assert case.requests.get().answer == "There is none."


@pytest.mark.parametrize(
    "payload",
    [
        {},
        {"text": "  "},
        {"incorporation_documents": file(b"MZ\x90", "virus.exe")},
        {"incorporation_documents": file(b"")},
        {"ein_documents": file()},  # nobody asked for this kind
    ],
)
def test_what_cannot_be_taken_is_said_and_changes_nothing(client, link, case, payload):
    answer = client.post(link, payload)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()
    case.refresh_from_db()
    assert case.status == "waiting"
    assert not case.documents.exists()


def test_a_link_works_once(client, link, case):
    client.post(link, {"text": "One."})
    client.post(link, {"text": "Two."})
    assert case.requests.get().answer == "One."


def test_a_link_ends_and_the_case_comes_back(
    client, address, case, time_machine, work_off
):
    time_machine.move_to(now() + timedelta(days=15), tick=False)
    link = open_link(client, address)
    assert client.get(link).status_code == 410
    answer = client.post(link, {"text": "It comes late.", "shown": '{"text": ""}'})
    assert answer.status_code == 410
    # It can be copied. What the page sent by itself is not among it.
    assert answer.content.decode().count('class="unsaved"') == 1
    assert "It comes late." in answer.content.decode()
    answer = case.requests.get()
    information_requests.expire(answer)
    information_requests.expire(answer)
    case.refresh_from_db()
    assert (case.status, case.requests.get().status) == ("to_review", "expired")
    assert case.events.filter(what="request_expired").count() == 1


def test_a_request_is_due_when_it_expires(case, work_off):
    work_off()
    assert case.requests.get().status == "open"
    case.requests.update(due_at=now())
    work_off()
    assert case.requests.get().status == "expired"


def test_too_many_tries_wait(client, link):
    for _ in range(RATE):
        assert client.post("/requests/open/", {"link": "x.1"}).status_code == 422
    answer = client.post("/requests/open/", {"link": "x.1"})
    assert (answer.status_code, answer["Retry-After"]) == (429, "600")
    assert client.get("/requests/open/").status_code == 200
    # Applicants may share an address: who has a link is counted by it.
    for _ in range(RATE):
        assert client.get(link).status_code == 200
    answer = client.get(link)
    assert (answer.status_code, answer["Retry-After"]) == (429, "600")


def test_waiting_can_be_stopped(client, link, case, address):
    client.force_login(someone("analyst", "bob"))
    assert address in client.get(f"/cases/{case.pk}/").content.decode()
    client.post(f"/cases/{case.pk}/withdraw-request/")
    case.refresh_from_db()
    assert (case.status, case.requests.get().status) == ("to_review", "withdrawn")
    assert client.get(link).status_code == 410


def test_a_decision_ends_what_was_asked_though_the_checks_ran_again(client, link, case):
    one_person()
    case.move(Case.Status.CHECKING)
    case.move(Case.Status.TO_REVIEW)
    decide(case, someone("senior"), "reject")
    assert client.get(link).status_code == 410
    answer = case.requests.get()
    information_requests.expire(answer)
    case.refresh_from_db()
    assert (case.status, answer.status) == ("decided", "withdrawn")


def test_an_answer_is_kept_though_the_checks_run_again(client, link, case):
    case.move(Case.Status.CHECKING)
    client.post(link, {"incorporation_documents": file()})
    case.refresh_from_db()
    assert case.status == "checking"
    assert case.documents.count() == 1
    assert case.events.filter(what="information_received").exists()


def asked_twice(case: Case) -> Case:
    """The checks ran again while the applicant was asked, and somebody asks a second time."""
    analyst = User.objects.get(username="analyst")
    cases.run_again(case, actor=None)
    completion.complete(case.jobs.latest("created_at"), recommendation="Approve")
    decide(case, analyst, "request", kinds=["incorporation_documents"], days=30)
    case.refresh_from_db()
    assert case.status == "waiting"
    return case


def test_the_end_of_an_earlier_link_does_not_end_the_wait_for_the_later_one(case):
    case = asked_twice(case)
    later, earlier = case.requests.all()
    assert earlier.expires_at < later.expires_at
    InformationRequest.objects.filter(pk=earlier.pk).update(due_at=now())
    REQUESTS.drain()
    earlier.refresh_from_db()
    case.refresh_from_db()
    assert (earlier.status, case.status) == ("expired", "waiting")


def test_to_stop_waiting_ends_all_links(client, case):
    case = asked_twice(case)
    client.force_login(User.objects.get(username="analyst"))
    client.post(f"/cases/{case.pk}/withdraw-request/")
    case.refresh_from_db()
    statuses = set(case.requests.values_list("status", flat=True))
    assert (statuses, case.status) == ({"withdrawn"}, "to_review")
