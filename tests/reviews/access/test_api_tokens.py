"""What ends the API tokens of a person: a new password, however it is set, and a reset of factors."""

from __future__ import annotations

import pytest
from django.core import mail
from django.core.management import call_command
from django.test import Client

from compliance.identity import invitations, people
from reviews.access import api_tokens
from reviews.models import CaseEvent
from tests.compliance.identity.test_accounts import (
    NEW,
    PASSWORD,
    add_app,
    log_in,
    set_password,
)
from tests.factories import make_user

pytestmark = pytest.mark.django_db(transaction=True)
READS = ["cases:read"]


@pytest.fixture
def ana():
    return make_user("ana", email="ana@example.com")


def make_token(user, maker=None) -> str:
    _, raw = api_tokens.create(
        actor=maker or user, user=user, name="script", scopes=READS
    )
    return raw


def status(raw: str) -> int:
    headers = {"Authorization": f"Bearer {raw}"}
    return Client().get("/api/desk/v1/cases", headers=headers).status_code


def change_on_the_page(ana, monkeypatch):
    client = Client()
    log_in(client)
    form = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    client.post("/account/password/change/", form)


def open_a_link(ana, monkeypatch):
    address = invitations.link(ana)
    assert set_password(Client(), address[address.index("/account") :])


def run_the_command(ana, monkeypatch):
    monkeypatch.setattr("getpass.getpass", lambda **_: NEW)
    call_command("changepassword", "ana")


def store_the_hash(ana, monkeypatch):
    """As a proposal does that a second person approved."""
    other = make_user("other")
    other.set_password(NEW)
    ana.password = other.password
    ana.save()


@pytest.mark.parametrize(
    "set_new_password",
    [change_on_the_page, open_a_link, run_the_command, store_the_hash],
)
def test_a_new_password_ends_the_tokens_that_the_person_made(
    ana, monkeypatch, set_new_password
):
    own = make_token(ana)
    given = make_token(ana, make_user("ada", role="administrator"))
    of_another = make_token(make_user("sven"))
    assert status(own) == status(given) == 200
    set_new_password(ana, monkeypatch)
    ana.refresh_from_db()
    assert ana.check_password(NEW)
    assert status(own) == 401
    # A system got this one from an administrator.
    assert status(given) == 200
    assert status(of_another) == 200
    line = CaseEvent.objects.get(what="token_revoked")
    assert line.data["reason"] == "new password"
    assert line.data["token"] == own[: len(line.data["token"])]


def test_a_reset_of_the_second_factors_ends_them_too(ana):
    raw = make_token(ana)
    client = Client()
    log_in(client)
    add_app(client)
    assert status(raw) == 200
    people.reset_factors(ana)
    assert status(raw) == 401
    line = CaseEvent.objects.get(what="token_revoked")
    assert line.data["reason"] == "second factors reset"


def test_a_login_that_stores_the_hash_anew_ends_no_token(ana, settings):
    raw = make_token(ana)
    settings.PASSWORD_HASHERS = [
        "django.contrib.auth.hashers.PBKDF2PasswordHasher",
        *settings.PASSWORD_HASHERS,
    ]
    before = ana.password
    log_in(Client())
    ana.refresh_from_db()
    assert ana.password != before
    ana.first_name = "Ana"
    ana.save()
    assert status(raw) == 200


def test_a_mail_reports_a_new_token_and_the_end_of_those(ana, settings):
    settings.EMAIL_HOST = "mail.example"
    ada = make_user("ada", role="administrator", email="ada@example.com")
    make_token(ana, ada)
    assert sorted(message.to[0] for message in mail.outbox) == [
        "ada@example.com",
        "ana@example.com",
    ]
    mail.outbox.clear()
    make_token(ana)
    assert len(mail.outbox) == 1
    ana.set_password(NEW)
    ana.save()
    ana.set_password(PASSWORD)
    ana.save()
    first_lines = [message.body.splitlines()[0] for message in mail.outbox]
    assert first_lines == [
        "An API token was made by you or for you. If you did not expect it, tell an administrator.",
        "The API tokens that you made for yourself were revoked: your password or your second factors are new.",
    ]
