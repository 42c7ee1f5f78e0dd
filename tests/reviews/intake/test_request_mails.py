"""The link of a request is sent by e-mail: after the commit, with a reminder, and naming no case."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from django.db import connection
from django.utils.timezone import now

from compliance.http import outbox
from reviews.decisions.decisions import RefusedError
from reviews.intake import information_requests, request_mails
from reviews.models import Case, Organisation, RequestMail
from tests.reviews.rows import decide, open_case, someone

pytestmark = pytest.mark.django_db
EIN = "ein_documents"
NO_MAIL = "django.core.mail.backends.dummy.EmailBackend"
BROKEN = "django.core.mail.backends.smtp.EmailBackend"


@pytest.fixture
def case() -> Case:
    return open_case()


def ask(case: Case, **values: object) -> None:
    values = {"email": "amy@example.org", "kinds": [EIN], **values}
    decide(case, someone("analyst"), "request", **values)


def test_the_mail_names_the_sender_and_nothing_of_the_case(case, work_off):
    Organisation.objects.create(name="Fjord Bank", contact="+45 11 22", due_at=None)
    ask(case)
    assert not mail.outbox
    work_off()
    [payload] = mail.outbox
    assert payload.to == ["amy@example.org"]
    assert payload.subject == "Fjord Bank asks you for documents"
    assert payload.from_email.startswith("Fjord Bank <")
    link = information_requests.address(case.requests.get())
    assert isinstance(payload, EmailMultiAlternatives)
    alternative, kind = payload.alternatives[0]
    html = str(alternative)
    assert kind == "text/html"
    for text in (payload.body, html):
        assert link in text
        assert "+45 11 22" in text
        for secret in ("Northwind", case.reference, "certificate"):
            assert secret not in text
    row = RequestMail.objects.get()
    assert (row.status, row.due_at) == ("sent", None)
    assert case.events.filter(what="request_mailed").count() == 1
    work_off()
    assert len(mail.outbox) == 1


@pytest.mark.parametrize(
    ("contact", "address"),
    [
        ("+45 11 22, kyc@fjord.example.", ["kyc@fjord.example"]),
        ("Amy Lee <amy@fjord.example>", ["amy@fjord.example"]),
        ("+45 11 22", []),
        ("", []),
    ],
)
def test_an_answer_by_e_mail_reaches_the_contact(case, work_off, contact, address):
    Organisation.objects.create(name="Fjord Bank", contact=contact, due_at=None)
    ask(case)
    work_off()
    [message] = mail.outbox
    assert message.reply_to == address


def test_the_mails_of_a_request_are_in_the_language_that_was_chosen(case, work_off):
    Organisation.objects.create(name="Fjord Bank", due_at=None)
    ask(case, language="de", days=9, remind_days=3)
    work_off()
    RequestMail.objects.filter(kind="reminder").update(due_at=now())
    work_off()
    first, reminder = mail.outbox
    assert first.subject == "Fjord Bank bittet Sie um Dokumente"
    assert reminder.subject.startswith("Erinnerung: Fjord Bank")
    for payload in (first, reminder):
        assert isinstance(payload, EmailMultiAlternatives)
        assert 'lang="de"' in str(payload.alternatives[0][0])
        assert "Guten Tag" in payload.body


def test_a_language_that_the_desk_does_not_have_is_refused(case):
    with pytest.raises(RefusedError, match="does not have this language"):
        ask(case, language="tlh")
    assert not RequestMail.objects.exists()


def test_a_task_that_runs_twice_sends_the_same_message(case):
    ask(case)
    row = RequestMail.objects.get()
    first = request_mails._message(row)
    assert first.extra_headers == request_mails._message(row).extra_headers
    RequestMail.objects.update(claim_count=row.claim_count + 1)
    # Another worker has the row: this one notes nothing.
    request_mails.send(row)
    assert RequestMail.objects.get().status == "waiting"
    assert not case.events.filter(what="request_mailed").exists()


def test_a_reminder_comes_before_the_link_ends(case, work_off):
    ask(case, days=10, remind_days=3)
    work_off()
    assert len(mail.outbox) == 1
    reminder = RequestMail.objects.get(kind="reminder")
    expected = now() + timedelta(days=7)
    assert reminder.due_at is not None
    assert abs(reminder.due_at - expected) < timedelta(minutes=1)
    RequestMail.objects.filter(pk=reminder.pk).update(due_at=now())
    work_off()
    assert mail.outbox[1].subject.startswith("Reminder")
    assert case.events.filter(what="request_reminded").count() == 1


def test_nobody_is_reminded_of_what_was_answered_or_withdrawn(case, work_off, client):
    ask(case, remind_days=3)
    work_off()
    information_requests.withdraw(case, actor=someone("senior"))
    RequestMail.objects.filter(kind="reminder").update(due_at=now())
    work_off()
    assert len(mail.outbox) == 1
    assert RequestMail.objects.get(kind="reminder").status == "dropped"


def test_a_server_that_is_away_is_tried_again_and_then_it_is_told(
    case, settings, work_off, caplog
):
    settings.EMAIL_BACKEND = BROKEN
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    ask(case)
    for _ in range(request_mails.TRIES):
        RequestMail.objects.update(due_at=now())
        work_off()
    row = RequestMail.objects.get()
    assert (row.status, row.due_at) == ("failed", None)
    assert "did not take it" in row.fault
    assert "amy@example.org" not in caplog.text


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"email": "amy"}, "not complete"),
        ({"email": "amy@example.org\nBcc: x@example.org"}, "not complete"),
        ({"days": 3, "remind_days": 3}, "before the link ends"),
        ({"refused": {"x": "y" * 501}}, "500 characters"),
    ],
)
def test_what_cannot_be_sent_is_refused_with_words(case, values, words):
    with pytest.raises(RefusedError, match=words):
        ask(case, **values)
    assert not RequestMail.objects.exists()


def test_without_a_mail_server_the_link_is_copied(case, settings, client):
    settings.EMAIL_BACKEND = NO_MAIL
    with pytest.raises(RefusedError, match="sends no e-mail"):
        ask(case)
    client.force_login(someone("senior"))
    page = client.get(f"/cases/{case.pk}/?decide=request").content.decode()
    assert 'name="email"' not in page


def test_an_analyst_sends_the_link_later_by_the_page(case, client, work_off):
    ask(case, email="")
    work_off()
    assert not mail.outbox
    client.force_login(someone("analyst", "bob"))
    address = f"/cases/{case.pk}/send-request/"
    assert client.post(address, {"email": "no"}).status_code == 422
    assert client.post(address, {"email": "amy@example.org"}).status_code == 303
    work_off()
    assert len(mail.outbox) == 1
    assert "E-mail sent" in client.get(f"/cases/{case.pk}/").content.decode()


def test_the_next_request_goes_to_the_same_address_in_the_same_language(case, client):
    ask(case, language="de")
    information_requests.answer(case.requests.get(), files=[], text="It follows.")
    client.force_login(someone("analyst", "bob"))
    page = client.get(f"/cases/{case.pk}/?decide=request").content.decode()
    assert 'value="amy@example.org"' in page
    assert '<option value="de"' in page
    [language] = re.findall(r'<option value="(\w+)"\s+lang="\w+" selected', page)
    assert language == "de"


def test_the_form_of_a_decision_takes_the_address(case, client, work_off):
    client.force_login(someone("analyst"))
    data = {
        "outcome": "request",
        "reasons": "I01",
        "rationale": "The letter is missing.",
        "message": "Please send the letter.",
        "kinds": EIN,
        "days": "10",
        "email": "amy@example.org",
        "remind_days": "2",
        "revision": case.revision,
    }
    assert client.post(f"/cases/{case.pk}/decide/", data).status_code == 303
    work_off()
    assert [message.to for message in mail.outbox] == [["amy@example.org"]]
    assert RequestMail.objects.filter(kind="reminder").count() == 1


def test_who_does_not_answer_is_reminded_as_the_organisation_has_set(case, work_off):
    Organisation.objects.create(name="Fjord Bank", remind_days=3, due_at=None)
    ask(case, days=14)
    for _ in range(6):
        work_off()
        waiting = RequestMail.objects.filter(status="waiting")
        assert waiting.count() <= 1
        for row in waiting:
            assert row.due_at is not None
            assert abs(row.due_at - now() - timedelta(days=3)) < timedelta(minutes=1)
        waiting.update(due_at=now())
    subjects = [message.subject for message in mail.outbox]
    assert subjects == [
        "Fjord Bank asks you for documents",
        "Reminder: Fjord Bank waits for your documents",
        "Reminder: Fjord Bank waits for your documents",
    ]
    assert case.events.filter(what="request_reminded").count() == 2


def test_after_the_end_of_the_link_nobody_is_reminded(case, work_off):
    Organisation.objects.create(remind_days=3, due_at=None)
    ask(case, days=3)
    work_off()
    assert RequestMail.objects.count() == 1


def test_who_has_answered_is_not_reminded(case, work_off):
    Organisation.objects.create(remind_days=3, due_at=None)
    ask(case, days=14)
    work_off()
    case.requests.update(status="answered")
    RequestMail.objects.filter(status="waiting").update(due_at=now())
    work_off()
    assert len(mail.outbox) == 1
    assert RequestMail.objects.latest("pk").status == "dropped"


def _write_address(address: bytes) -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE reviews_requestmail SET address = %s", [address])


def test_an_address_that_somebody_wrote_into_the_database_gets_no_link(case):
    """It opens the page of the applicant, and the mail leaves only a line that one was sent."""
    ask(case)
    row = RequestMail.objects.get()
    _write_address(b"eve@example.org")
    request_mails.send(RequestMail.objects.get(pk=row.pk))
    assert not mail.outbox
    row.refresh_from_db(fields=["status", "due_at", "fault"])
    assert (row.status, row.due_at, row.fault) == (
        "failed",
        None,
        outbox.CHANGED,
    )


def test_a_changed_address_does_not_break_the_page_of_its_case(case, client):
    ask(case)
    _write_address(b"eve@example.org")
    client.force_login(User.objects.get())
    page = client.get(f"/cases/{case.pk}/")
    assert page.status_code == 200
    assert "eve@example.org" not in page.content.decode()
