"""The inbox by e-mail: for those who want it, once, and with no more than the reference of a case."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from smtplib import SMTPServerDisconnected
from urllib.parse import urlsplit

import pytest
import time_machine
from django.core import mail as outbox
from django.core.mail import EmailMultiAlternatives
from django.core.mail.backends import locmem
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.timezone import now

from compliance.models import LocalePreference
from reviews.inbox import mails, notifications
from reviews.models import Case, InboxPreference, NoticeMail, Notification, Team
from reviews.people import assignment, notes
from reviews.tasks import NOTICE_MAILS
from tests.reviews.pages.case.rows import words
from tests.reviews.rows import open_case, someone

pytestmark = pytest.mark.django_db
Mail, Status = InboxPreference.Mail, NoticeMail.Status


@pytest.fixture
def ana():
    return someone("analyst", "ana")


@pytest.fixture
def sven():
    user = someone("senior", "sven")
    user.email = "sven@bank.example"
    user.first_name = "Sven"
    user.save()
    return user


@pytest.fixture
def case():
    result = open_case(subject="Secret Holdings")
    Case.objects.update(reference="C-10007")
    result.refresh_from_db()
    return result


def drain() -> None:
    NoticeMail.objects.filter(due_at__gt=now()).update(due_at=now())
    NOTICE_MAILS.drain()


def test_nothing_is_sent_to_who_did_not_ask_for_it(ana, sven, case):
    notes.add(case, actor=ana, text="@sven look")
    drain()
    assert notifications.unread_count(sven) == 1
    assert outbox.outbox == []
    assert not NoticeMail.objects.exists()


def test_lines_that_come_together_are_one_mail_with_references_alone(ana, sven, case):
    mails.choose(sven, "at_once")
    notes.add(case, actor=ana, text="@sven the passport of Jane Roe")
    assignment.assign(case, sven, actor=ana)
    NOTICE_MAILS.drain()
    assert outbox.outbox == [], "a minute has not passed"
    drain()
    drain()
    [message] = outbox.outbox
    assert message.to == ["sven@bank.example"]
    assert message.subject == "Compliance desk: 2 new messages"
    assert isinstance(message, EmailMultiAlternatives)
    [(html, kind)] = message.alternatives
    assert kind == "text/html"
    for text in (str(message.body), str(html)):
        assert "You were mentioned in a note: " in text
        assert "C-10007" in text
        for line in Notification.objects.filter(to=sven):
            assert f"/inbox/{line.pk}/open/" in text
        for secret in ("Secret", "Jane", "ana", "Northwind"):
            assert secret not in text
    assert NoticeMail.objects.get().status == Status.SENT


def test_a_mail_with_one_message_says_in_its_subject_what_happened(ana, sven, case):
    mails.choose(sven, "at_once")
    LocalePreference.objects.create(user=sven, language="de")
    assignment.assign(case, sven, actor=ana)
    drain()
    [message] = outbox.outbox
    assert message.subject == "Compliance-Desk: Ein Fall wurde Ihnen zugewiesen"


def test_the_link_of_a_mail_marks_its_line_as_read(client, ana, sven, case):
    mails.choose(sven, "at_once")
    notes.add(case, actor=ana, text="@sven the passport of Jane Roe")
    drain()
    [address] = re.findall(r"http\S+/open/", str(outbox.outbox[0].body))
    path = urlsplit(address).path
    # Who is not logged in, such as a scanner of the mail server, marks nothing.
    assert client.get(path).status_code == 302
    client.force_login(ana)
    assert client.get(path).status_code == 404
    assert notifications.unread_count(sven) == 1
    client.force_login(sven)
    answer = client.get(path)
    assert answer["Location"] == f"/cases/{case.pk}/?tab=activity"
    assert notifications.unread_count(sven) == 0


def test_what_was_read_or_is_not_to_be_seen_any_more_is_left_out(ana, sven, case):
    mails.choose(sven, "at_once")
    notes.add(case, actor=ana, text="@sven look")
    notifications.mark_all_read(sven)
    drain()
    assert NoticeMail.objects.get().status == Status.DROPPED
    notes.add(case, actor=ana, text="@sven look again")
    team = Team.objects.create(name="Other")
    team.connections.add(case.connection)
    drain()
    assert outbox.outbox == []


@pytest.mark.parametrize("change", ["off", "inactive", "no address"])
def test_who_wants_or_has_no_mail_any_more_gets_none(ana, sven, case, change):
    mails.choose(sven, "at_once")
    notes.add(case, actor=ana, text="@sven look")
    if change == "off":
        mails.choose(sven, "off")
    elif change == "inactive":
        sven.is_active = False
    else:
        sven.email = ""
    sven.save()
    drain()
    assert outbox.outbox == []


def test_a_daily_mail_waits_for_the_morning(ana, sven, case):
    mails.choose(sven, "daily")
    with time_machine.travel(datetime(2030, 1, 7, 8, 0, tzinfo=UTC), tick=False):
        notes.add(case, actor=ana, text="@sven look")
        assignment.assign(case, sven, actor=ana)
    mail = NoticeMail.objects.get()
    assert mail.due_at is not None
    assert mail.due_at.hour == mails.DAILY_HOUR
    assert mail.due_at > now()
    assert mail.lines.count() == 2
    drain()
    assert len(outbox.outbox) == 1


@pytest.mark.parametrize(
    ("zone", "moment", "expected"),
    [
        ("", "2030-01-07T08:00", "2030-01-08T07:00"),
        ("America/Los_Angeles", "2030-01-07T08:00", "2030-01-07T15:00"),
        ("Asia/Kathmandu", "2030-01-07T08:00", "2030-01-08T01:15"),
        # The night in which the clocks go forward, and the one in which they go back.
        ("Europe/Berlin", "2030-03-30T08:00", "2030-03-31T05:00"),
        ("Europe/Berlin", "2030-10-26T08:00", "2030-10-27T06:00"),
    ],
)
def test_a_daily_mail_is_sent_in_the_morning_of_the_person(
    sven, zone, moment, expected
):
    LocalePreference.objects.create(user=sven, time_zone=zone)
    at = datetime.fromisoformat(f"{moment}:00+00:00")
    due_at = mails.next_morning(at, sven)
    assert due_at.isoformat() == f"{expected}:00+00:00"


def test_a_change_of_mind_holds_for_the_mail_that_waits(ana, sven, case):
    mails.choose(sven, "daily")
    notes.add(case, actor=ana, text="@sven look")
    mails.choose(sven, "at_once")
    due_at = NoticeMail.objects.get().due_at
    assert due_at is not None
    assert due_at <= now() + mails.AT_ONCE + timedelta(seconds=5)


def test_a_line_that_comes_while_a_mail_is_sent_gets_the_next_one(
    ana, sven, case, monkeypatch
):
    mails.choose(sven, "at_once")
    notes.add(case, actor=ana, text="@sven look")
    send = locmem.EmailBackend.send_messages

    def sending(self, messages):
        monkeypatch.undo()
        assignment.assign(case, sven, actor=ana)
        return send(self, messages)

    monkeypatch.setattr(locmem.EmailBackend, "send_messages", sending)
    drain()
    drain()
    assert len(outbox.outbox) == 2
    assert "assigned" not in outbox.outbox[0].body
    assert "assigned" in outbox.outbox[1].body


def test_a_mail_server_that_is_away_is_tried_again_with_the_same_id(
    ana, sven, case, monkeypatch
):
    mails.choose(sven, "at_once")
    notes.add(case, actor=ana, text="@sven look")

    def away(self, messages):
        raise SMTPServerDisconnected("sven@bank.example")

    monkeypatch.setattr(locmem.EmailBackend, "send_messages", away)
    drain()
    mail = NoticeMail.objects.get()
    assert (mail.status, mail.failures) == (Status.SENDING, 1)
    assert "SMTPServerDisconnected" in mail.fault
    assert "sven" not in mail.fault
    monkeypatch.undo()
    drain()
    [message] = outbox.outbox
    assert str(mail.pk) in message.extra_headers["Message-ID"]
    assert NoticeMail.objects.get().status == Status.SENT


def test_it_fails_after_some_tries(ana, sven, case, monkeypatch):
    mails.choose(sven, "at_once")
    notes.add(case, actor=ana, text="@sven look")

    def away(self, messages):
        raise ConnectionRefusedError

    monkeypatch.setattr(locmem.EmailBackend, "send_messages", away)
    for _ in range(mails.TRIES):
        drain()
    assert NoticeMail.objects.get().status == Status.FAILED


def test_a_task_that_runs_twice_sends_once(ana, sven, case):
    mails.choose(sven, "at_once")
    notes.add(case, actor=ana, text="@sven look")
    row, other = NoticeMail.objects.get(), NoticeMail.objects.get()
    mails.send(row)
    mails.send(other)
    assert len(outbox.outbox) == 1


def test_a_person_chooses_on_the_page_of_the_inbox(client, sven):
    client.force_login(sven)
    page = words(client, "/inbox/")
    assert "To sven@bank.example" in page
    client.post("/inbox/mail/", {"mail": "daily"})
    assert mails.choice_of(sven) == Mail.DAILY
    client.post("/inbox/mail/", {"mail": "hourly"})
    assert mails.choice_of(sven) == Mail.DAILY


def test_without_a_mail_server_nothing_is_offered(client, ana, sven, case, settings):
    mails.choose(sven, "at_once")
    settings.EMAIL_BACKEND = mails.NO_MAIL
    notes.add(case, actor=ana, text="@sven look")
    assert not NoticeMail.objects.exists()
    client.force_login(sven)
    assert "By e-mail, too" not in words(client, "/inbox/")


def test_every_kind_has_words(ana):
    assert set(mails.WORDS) == set(Notification.Kind.values)


@pytest.mark.parametrize("template", ["mail/inbox.html", "mail/request.html"])
def test_a_mail_runs_from_right_to_left_where_only_its_body_is_shown(template):
    with translation.override("ar"):
        html = render_to_string(template, {"lines": [], "sender": "Northwind Bank"})
    _, _, body = html.partition("<body")
    assert 'lang="ar" dir="rtl"' in body
