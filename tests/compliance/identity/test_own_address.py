"""A person changes their own e-mail address: by a link to the new one, told to the old one."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import User
from django.core import mail
from django.core.mail import EmailMessage
from django.test import Client
from django.utils.timezone import now

from compliance.models import DirectoryUser
from compliance.pages.own_address import views
from reviews.models import CaseEvent
from tests.compliance.identity.test_accounts import NEW, log_in
from tests.factories import make_user

# Mails are sent on commit.
pytestmark = pytest.mark.django_db(transaction=True)

OLD_ADDRESS, NEW_ADDRESS = "ana@example.com", "ana@new.example.com"


@pytest.fixture
def mails(settings) -> list[EmailMessage]:
    settings.EMAIL_HOST = "mail.example.com"
    return mail.outbox


@pytest.fixture
def ana(client, mails) -> User:
    user = make_user("ana", email=OLD_ADDRESS)
    log_in(client)
    mails.clear()
    return user


def ask(client: Client, address: str = NEW_ADDRESS) -> str:
    """Ask for the change. Returns the page."""
    answer = client.post("/account/email/", {"email": address}, follow=True)
    return answer.content.decode()


def link_of(mails: list[EmailMessage]) -> str:
    [message] = [message for message in mails if message.to == [NEW_ADDRESS]]
    [link] = re.findall(r"http\S+#\S+", str(message.body))
    return link


def open_link(link: str, client: Client | None = None):
    return (client or Client()).post("/account/email/open/", {"link": link})


def test_the_address_changes_when_the_link_is_opened(client, mails, ana):
    EmailAddress.objects.create(user=ana, email=OLD_ADDRESS, primary=True)
    assert f"A link was sent to {NEW_ADDRESS}." in ask(client)
    ana.refresh_from_db()
    assert ana.email == OLD_ADDRESS
    # The old address hears of it before anything changes.
    [warning] = [message for message in mails if message.to == [OLD_ADDRESS]]
    assert "Somebody asked to change the e-mail address" in warning.body
    link = link_of(mails)
    mails.clear()
    # The link is opened on another device, without a login.
    answer = open_link(link)
    assert answer["Location"] == "/login/"
    ana.refresh_from_db()
    assert ana.email == NEW_ADDRESS
    assert sorted(message.to[0] for message in mails) == [OLD_ADDRESS, NEW_ADDRESS]
    assert not EmailAddress.objects.exists()
    lines = CaseEvent.objects.filter(what="setting_bound", data__what="user")
    line = lines.latest("id")
    assert (line.user, line.data["act"]) == (ana, "changed")
    assert OLD_ADDRESS not in str(line.data)
    assert NEW_ADDRESS in client.get("/account/email/").content.decode()
    # It works once.
    assert open_link(link).status_code == 422


def test_an_address_of_before_gets_no_link_for_a_password(mails, ana):
    """Whoever has that address now would set the password of somebody else."""
    EmailAddress.objects.create(user=ana, email=OLD_ADDRESS, verified=True)
    # As an administrator or a directory changes it.
    ana.email = NEW_ADDRESS
    ana.save()
    mails.clear()
    Client().post("/account/password/reset/", {"email": OLD_ADDRESS})
    assert mails == []


def test_the_own_browser_returns_to_the_page_of_the_account(client, mails, ana):
    ask(client)
    assert open_link(link_of(mails), client)["Location"] == "/account/email/"


def test_a_link_ends_after_an_hour_and_with_the_password(client, mails, ana):
    ask(client)
    link = link_of(mails)
    with time_machine.travel(now() + timedelta(minutes=61)):
        answer = open_link(link)
    assert answer.status_code == 422
    assert "This link has ended or was used." in answer.content.decode()
    ana.set_password(NEW)
    ana.save()
    assert open_link(link).status_code == 422
    assert open_link(link[:-1] + ("A" if link[-1] != "A" else "B")).status_code == 422
    assert "is not complete" in open_link("#").content.decode()
    ana.refresh_from_db()
    assert ana.email == OLD_ADDRESS


def test_the_address_of_a_colleague_is_not_taken_and_not_told(client, mails, ana):
    make_user("bo", email=NEW_ADDRESS.upper())
    assert f"A link was sent to {NEW_ADDRESS}." in ask(client)
    assert [message.to for message in mails] == [[OLD_ADDRESS]]


def test_an_address_that_was_taken_meanwhile_is_refused(client, mails, ana):
    ask(client)
    make_user("bo", email=NEW_ADDRESS)
    assert open_link(link_of(mails)).status_code == 422


def test_it_is_not_offered_to_people_whom_a_provider_or_directory_manages(
    client, mails, ana, settings
):
    ask(client)
    link = link_of(mails)
    entry = DirectoryUser.objects.create(user=ana)
    assert_not_offered(client, link)
    entry.delete()
    account = SocialAccount.objects.create(user=ana, provider="company", uid="7")
    assert_not_offered(client, link)
    account.delete()
    settings.SINGLE_SIGN_ON_ONLY = True
    assert_not_offered(client, link)
    ana.refresh_from_db()
    assert ana.email == OLD_ADDRESS


def assert_not_offered(client: Client, link: str) -> None:
    page = ask(client, "other@example.com")
    assert "where your company manages your account" in page
    assert 'name="email"' not in page
    # A link of before is refused, too.
    assert open_link(link).status_code == 422


def test_without_a_mail_server_the_page_names_who_changes_it(client, settings):
    make_user("ana")
    log_in(client)
    page = client.get("/account/email/").content.decode()
    assert "Your account has no e-mail address." in page
    assert "An administrator changes the address." in page
    assert "was sent" not in ask(client)
    settings.EMAIL_HOST = "mail.example.com"
    assert (
        "A link is sent to the new address."
        in client.get("/account/email/").content.decode()
    )


def test_it_needs_a_recent_login(client, mails, ana, settings):
    settings.STEP_UP_MINUTES = 1
    with time_machine.travel(now() + timedelta(minutes=2)):
        page = client.get("/account/email/").content.decode()
        answer = client.post("/account/email/", {"email": NEW_ADDRESS})
    # The page says so before anything is typed.
    assert "Changes on this page need a recent login." in page
    assert "reauthenticate" in answer["Location"]
    assert not mails


def test_who_asks_or_tries_too_often_waits(client, mails, ana):
    for _ in range(views.MAILS):
        ask(client)
    assert "Please wait a few minutes" in ask(client)
    for _ in range(views.LINKS):
        open_link("#")
    answer = open_link("#")
    assert (answer.status_code, answer["Retry-After"]) == (429, "600")


def test_a_faulty_address_is_named(client, mails, ana):
    assert "Enter a valid email address." in ask(client, "ana")
    assert not mails
