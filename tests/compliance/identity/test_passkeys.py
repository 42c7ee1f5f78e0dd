"""Answers of passkeys that are forged, replayed, another person's, or made on another page."""

from __future__ import annotations

import copy
import json
import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from cryptography.hazmat.primitives.asymmetric import ec
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from reviews.models import CaseEvent
from tests.compliance.identity.authenticator import PRESENT, SoftwareAuthenticator
from tests.compliance.identity.test_accounts import log_in
from tests.factories import make_user

pytestmark = pytest.mark.django_db
HOST, ORIGIN = "desk.example.com", "https://desk.example.com"
ADD = "/account/2fa/webauthn/add/"
LOGIN = "/account/2fa/webauthn/login/"
SECOND = "/account/2fa/authenticate/"
# At the first, django-allauth's library would have accepted the answer: it is below the desk's host.
OTHER_ORIGINS = [
    "https://files.desk.example.com",
    "https://desk.example.com:8443",
    "http://desk.example.com",
    "https://desk.example.com.evil.example",
    "https://evil.example",
    "",
]


@pytest.fixture(autouse=True)
def address(settings) -> None:
    settings.DESK_URL = ORIGIN


def passkey(host: str = HOST, origin: str = ORIGIN) -> SoftwareAuthenticator:
    return SoftwareAuthenticator(host=host, origin=origin)


def options_in(client: Client, path: str) -> dict[str, Any]:
    page = client.get(path).content.decode()
    for text in re.findall(r'<script[^>]*application/json[^>]*>(.*?)</script>', page, re.DOTALL):  # fmt: skip
        data = json.loads(unescape(text))
        options = data.get("creation_options") or data.get("request_options")
        if options:
            return options["publicKey"]
    raise AssertionError(page)


def login_options(client: Client) -> dict[str, Any]:
    page = client.get(LOGIN, headers={"Accept": "application/json"})
    return page.json()["request_options"]["publicKey"]


def set_up(name: str = "ana", *, counts: bool = True) -> SoftwareAuthenticator:
    """A person with a passkey, which counts its answers or is of the kind that synchronises."""
    make_user(name)
    client = Client()
    log_in(client, name)
    key = passkey()
    if not counts:
        key.counter = key.step = 0
    data = {"name": "Laptop", "credential": key.create(options_in(client, ADD))}
    assert client.post(ADD, data).status_code == 302
    return key


def sign_in(client: Client, credential: str) -> bool:
    answer = client.post(LOGIN, {"credential": credential})
    return answer["Location"] == "/"


def lines(what: str) -> list[Any]:
    rows = CaseEvent.objects.filter(what=what).order_by("pk")
    return [row.data for row in rows]


def test_a_passkey_signs_in_and_the_trail_says_by_what():
    key = set_up()
    client = Client()
    assert sign_in(client, key.get(login_options(client)))
    assert client.get("/").status_code == 200
    assert [line["by"] for line in lines("signed_in")] == [["password"], ["webauthn"]]


def test_the_trail_names_both_factors_of_a_login():
    key = set_up()
    client = Client()
    log_in(client)
    credential = key.get(options_in(client, SECOND))
    assert client.post(SECOND, {"credential": credential})["Location"] == "/"
    assert lines("signed_in")[-1]["by"] == ["password", "webauthn"]


def test_the_question_of_a_second_factor_lets_no_key_in_alone():
    """A key of somebody else, without its PIN: for a second factor that is enough, beside the password."""
    with time_machine.travel(1_800_000_000, tick=False) as clock:
        stolen = set_up("ana")
        set_up("bo")
        client = Client()
        log_in(client, "bo")
        options = options_in(client, SECOND)
        # The login that was begun is over, and its question is still in the session.
        clock.shift(timedelta(minutes=16))
        client.get("/login/")
        assert not sign_in(client, stolen.get(options, flags=PRESENT))
        assert client.get("/").status_code == 302
    ana = User.objects.get(username="ana")
    assert lines("sign_in_failed") == [{"user_id": ana.pk}]


@pytest.mark.parametrize("origin", OTHER_ORIGINS)
def test_an_answer_of_another_page_opens_nothing(origin):
    key = set_up()
    key.origin = origin
    client = Client()
    assert not sign_in(client, key.get(login_options(client)))
    assert client.get("/").status_code == 302
    ana = User.objects.get()
    assert lines("sign_in_failed") == [{"user_id": ana.pk}]
    log_in(client)
    credential = key.get(options_in(client, SECOND))
    client.post(SECOND, {"credential": credential})
    assert client.get("/").status_code == 302
    assert lines("second_factor_failed") == [{"user_id": ana.pk}]


@pytest.mark.parametrize("origin", OTHER_ORIGINS)
def test_a_passkey_made_on_another_page_is_not_added(client, origin):
    make_user("ana")
    log_in(client)
    key = passkey(origin=origin)
    data = {"name": "x", "credential": key.create(options_in(client, ADD))}
    assert client.post(ADD, data).status_code == 200
    assert not Authenticator.objects.exists()


@pytest.mark.parametrize(
    "desk", ["https://Desk.Example.com", "https://desk.example.com:443/"]
)
def test_the_address_of_the_desk_may_be_written_otherwise(settings, desk):
    settings.DESK_URL = desk
    key = set_up()
    client = Client()
    assert sign_in(client, key.get(login_options(client)))


def test_a_passkey_of_another_host_is_not_added(client):
    make_user("ana")
    log_in(client)
    key = passkey(host="evil.example")
    data = {"name": "x", "credential": key.create(options_in(client, ADD))}
    assert client.post(ADD, data).status_code == 200
    assert not Authenticator.objects.exists()


def test_an_answer_works_once():
    key = set_up()
    client = Client()
    credential = key.get(login_options(client))
    # Another browser has another question.
    other = Client()
    login_options(other)
    assert not sign_in(other, credential)
    assert not sign_in(Client(), credential)
    assert sign_in(client, credential)
    client.post("/logout/")
    assert not sign_in(client, credential)
    login_options(client)
    assert not sign_in(client, credential)


def test_a_copy_of_a_key_is_noticed_by_its_counter(caplog):
    key = set_up()
    clone = copy.copy(key)
    client = Client()
    assert sign_in(client, key.get(login_options(client)))
    client.post("/logout/")
    # The copy counts from where it was made.
    assert not sign_in(client, clone.get(login_options(client)))
    assert "may have been copied" in caplog.text
    assert CaseEvent.objects.filter(what="sign_in_failed").count() == 1
    assert sign_in(client, key.get(login_options(client)))
    call_command("audit_verify")


def test_a_key_without_a_counter_is_taken_each_time():
    key = set_up(counts=False)
    client = Client()
    for _ in range(2):
        assert sign_in(client, key.get(login_options(client)))
        client.post("/logout/")


def test_the_answer_that_added_a_passkey_adds_none_again(client):
    make_user("ana")
    log_in(client)
    credential = passkey().create(options_in(client, ADD))
    assert client.post(ADD, {"name": "x", "credential": credential}).status_code == 302
    client.post(ADD, {"name": "x", "credential": credential})
    make_user("bo")
    other = Client()
    log_in(other, "bo")
    options_in(other, ADD)
    other.post(ADD, {"name": "x", "credential": credential})
    assert Authenticator.objects.filter(type="webauthn").count() == 1


def test_another_key_or_another_person_is_refused():
    key = set_up()
    of_bo = set_up("bo")
    client = Client()
    real = key.key
    key.key = ec.generate_private_key(ec.SECP256R1())
    assert not sign_in(client, key.get(login_options(client)))
    key.key = real
    # Ana's passkey says that it is Bo's: it opens neither account.
    key.handle = of_bo.handle
    assert not sign_in(client, key.get(login_options(client)))
    # Bo's passkey is no second factor of Ana.
    log_in(client)
    client.post(SECOND, {"credential": of_bo.get(options_in(client, SECOND))})
    assert client.get("/").status_code == 302


def test_an_answer_of_another_kind_or_without_its_owner_is_refused():
    key = set_up()
    client = Client()
    options = login_options(client)
    assert not sign_in(client, key.get(options, flags=PRESENT))
    assert not sign_in(client, key.get(options, kind="webauthn.create"))
    # The question to add a passkey is not answered by a login.
    browser = Client()
    log_in(browser, "ana")
    browser.post(SECOND, {"credential": key.get(options_in(browser, SECOND))})
    question = options_in(browser, ADD)
    browser.post("/logout/")
    assert not sign_in(browser, key.get(question))


@pytest.mark.parametrize(
    "text", ["9" * 5000, "[" * 5000, '{"id": ' + "9" * 5000 + "}", "5", '"x"', "{}", ""]
)
def test_what_is_no_answer_of_a_key_is_refused(text):
    client = Client()
    login_options(client)
    assert not sign_in(client, text)
    set_up()
    log_in(client)
    assert client.post(SECOND, {"credential": text}).status_code in {200, 302}
    assert client.get("/").status_code == 302


def test_somebody_who_is_deactivated_has_no_passkey():
    key = set_up()
    User.objects.update(is_active=False)
    client = Client()
    sign_in(client, key.get(login_options(client)))
    assert client.get("/").status_code == 302
    assert len(lines("signed_in")) == 1


def test_wrong_answers_of_a_second_factor_are_limited_as_codes_are():
    key = set_up()
    statuses = []
    for _ in range(7):
        client = Client()
        log_in(client)
        forged = passkey()
        forged.handle = key.handle
        credential = forged.get(options_in(client, SECOND))
        answer = client.post(SECOND, {"credential": credential})
        statuses.append(answer.status_code == 429)
    assert statuses == [False] * 5 + [True] * 2


def test_too_many_wrong_answers_to_confirm_who_one_is_lead_to_a_page_with_words():
    set_up()
    client = Client()
    client.force_login(User.objects.get())
    key_of_nobody = passkey()
    page = "/account/2fa/webauthn/reauthenticate/"
    for _ in range(6):
        key_of_nobody.handle = "x"
        credential = key_of_nobody.get(options_in(client, page))
        answer = client.post(page, {"credential": credential})
        assert answer.status_code == 302
    words = client.get("/").content.decode()
    assert "Too many tries" in words
