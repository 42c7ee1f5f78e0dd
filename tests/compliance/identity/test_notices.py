"""Mails to a person about their own login."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client

from compliance.identity import people
from tests.compliance.identity.test_accounts import NEW, PASSWORD, add_app
from tests.factories import make_user

# Mails are sent when the change is committed.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def mails(settings):
    settings.EMAIL_HOST = "mail.example"
    return mail.outbox


@pytest.fixture
def ana():
    return make_user("ana", email="ana@example.com")


def log_in(client, password: str = PASSWORD, browser: str = "Firefox on a desk"):
    form = {"login": "ana", "password": password}
    return client.post("/login/", form, headers={"User-Agent": browser})


def first_lines(mails) -> list[str]:
    return [message.body.splitlines()[0] for message in mails]


def test_a_login_from_an_unknown_browser_is_told_once(client, mails, ana):
    log_in(client)
    assert first_lines(mails) == [
        "Your account was used from a browser that has not used it before."
    ]
    assert mails[0].to == ["ana@example.com"]
    assert "Firefox on a desk" in mails[0].body
    assert "127.0.0.1" in mails[0].body
    client.post("/logout/")
    log_in(client)
    assert len(mails) == 1
    log_in(Client())
    assert len(mails) == 2


def test_the_first_login_sets_the_language_of_mails(mails, ana):
    german = Client(headers={"Accept-Language": "de-AT, en;q=0.5"})
    log_in(german)
    other = Client(headers={"Accept-Language": "fr"})
    log_in(other)
    assert first_lines(mails)[1].startswith("Ihr Konto wurde von einem Browser")
    # Answers of absent people would go to the desk.
    assert {message.extra_headers["Auto-Submitted"] for message in mails} == {
        "auto-generated"
    }
    # The language of the browser is a choice, too.
    ana.refresh_from_db()
    ana.locale_preference.language = ""
    ana.locale_preference.save()
    log_in(Client(headers={"Accept-Language": "es"}))
    ana.refresh_from_db()
    assert ana.locale_preference.language == ""


def test_a_browser_cannot_write_the_mail(client, mails, ana):
    log_in(client, browser="x" * 5000)
    assert len(mails[0].body) < 600


def test_a_wrong_password_is_no_reason_for_a_mail(client, mails, ana):
    log_in(client, password="wrong")
    assert not mails


def test_a_wrong_code_after_the_right_password_is_told(client, mails, ana):
    log_in(client)
    add_app(client)
    mails.clear()
    other = Client()
    log_in(other)
    other.post("/account/2fa/authenticate/", {"code": "000000"})
    assert first_lines(mails) == [
        "Somebody typed your password, and then a wrong code of the second factor."
    ]


def test_a_changed_password_is_told(client, mails, ana):
    log_in(client)
    mails.clear()
    form = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    client.post("/account/password/change/", form)
    assert first_lines(mails) == ["Your password was changed."]


def test_both_addresses_hear_of_a_change(mails, ana):
    ana.email = "mallory@example.com"
    ana.save()
    assert [message.to for message in mails] == [
        ["ana@example.com"],
        ["mallory@example.com"],
    ]
    User.objects.get(pk=ana.pk).save()
    assert len(mails) == 2


def test_factors_that_are_added_and_removed_are_told(client, mails, ana):
    log_in(client)
    mails.clear()
    # One mail each, although recovery codes come and go with the app.
    add_app(client)
    assert first_lines(mails) == ["A second factor was added to your account."]
    mails.clear()
    client.post("/account/2fa/totp/deactivate/")
    assert first_lines(mails) == ["A second factor was removed from your account."]
    add_app(client)
    mails.clear()
    people.reset_factors(ana)
    assert first_lines(mails) == [
        "An administrator removed all second factors of your account."
    ]


def test_without_a_mail_server_nothing_is_sent(client, ana):
    log_in(client)
    assert not mail.outbox
