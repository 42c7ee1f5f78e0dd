"""What somebody tries who wants in: each of these was possible once."""

from __future__ import annotations

import json
import re
import socket
from datetime import timedelta
from threading import Event

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from compliance.identity import accounts, invitations
from reviews.access import roles
from reviews.models import CaseEvent
from tests.compliance.identity.test_accounts import (
    NEW,
    PASSWORD,
    add_app,
    code,
    log_in,
    set_password,
)
from tests.factories import make_user

pytestmark = pytest.mark.django_db
MOMENT = 1_800_000_000


def pending(name: str = "ana") -> Client:
    """A browser that has typed the password, and is asked for the second factor."""
    browser = Client()
    assert log_in(browser, name)["Location"].startswith("/account/2fa/authenticate/")
    return browser


def test_codes_of_the_second_factor_cannot_be_tried_one_after_the_other(client):
    make_user("ana")
    with time_machine.travel(MOMENT, tick=False) as clock:
        log_in(client)
        secret = add_app(client)
        clock.shift(timedelta(seconds=90))
        page = "/account/2fa/authenticate/"
        statuses = []
        for number in range(7):
            # Another browser and another address each time.
            data = {"code": f"{number:06}"}
            answer = pending().post(page, data, REMOTE_ADDR=f"198.51.100.{number}")
            statuses.append(answer.status_code)
        assert statuses == [200] * 5 + [429] * 2
        assert int(answer["Retry-After"]) > 0
        # The right one is not looked at either.
        assert pending().post(page, {"code": code(secret)}).status_code == 429
        clock.shift(timedelta(minutes=5))
        assert pending().post(page, {"code": code(secret)}).status_code == 302


def test_codes_are_limited_for_a_day_too(client):
    make_user("ana")
    with time_machine.travel(MOMENT, tick=False) as clock:
        log_in(client)
        secret = add_app(client)
        refused = 0
        for _ in range(10):
            clock.shift(timedelta(minutes=5, seconds=1))
            for _ in range(5):
                browser = pending()
                data = {"code": "000000"}
                answer = browser.post("/account/2fa/authenticate/", data)
                refused += answer.status_code == 429
        assert refused == 20
        data = {"code": code(secret)}
        assert pending().post("/account/2fa/authenticate/", data).status_code == 429


def test_a_stranger_does_not_use_up_the_codes_of_another(client):
    """A login by passkey names an account without a password."""
    user = make_user("ana")
    with time_machine.travel(MOMENT, tick=False) as clock:
        log_in(client)
        secret = add_app(client)
        clock.shift(timedelta(seconds=90))
        credential = {"response": {"userHandle": "MQ"}, "id": "x", "type": "public-key"}
        for _ in range(20):
            data = {"credential": json.dumps(credential)}
            Client().post("/account/2fa/webauthn/login/", data)
        data = {"code": code(secret)}
        assert pending().post("/account/2fa/authenticate/", data).status_code == 302
        assert user.pk


def test_pages_of_webhooks_need_the_second_factor_too(client, settings):
    settings.SECOND_FACTOR_ROLES = frozenset({"administrator"})
    make_user("ada", role=roles.ADMINISTRATOR, is_staff=True)
    log_in(client, "ada")
    for address in (
        "/webhooks/",
        "/webhooks/received/1/",
        "/webhooks/received/1/replay/",
    ):
        assert client.get(address)["Location"] == "/account/2fa/", address


def test_a_superuser_needs_the_second_factor_of_any_role(client, settings):
    settings.SECOND_FACTOR_ROLES = frozenset({"senior"})
    User.objects.create_superuser("root", password=PASSWORD)
    log_in(client, "root")
    assert client.get("/admin/")["Location"] == "/account/2fa/"


@pytest.mark.parametrize(
    "address", ["/webhooks/", "/hub/", "/admin/", "/", "/queue/rows/"]
)
def test_a_login_that_is_not_used_ends_on_all_pages(client, address):
    with time_machine.travel(MOMENT, tick=False) as clock:
        User.objects.create_superuser("root", password=PASSWORD)
        log_in(client, "root")
        clock.shift(timedelta(minutes=61))
        page = client.get(address, headers={"HX-Request": "true"})
        assert "_auth_user_id" not in client.session, page


def test_many_addresses_do_not_guess_the_password_of_one_account(client, settings):
    settings.LOGIN_ACCOUNT_TRIES = 10
    make_user("ana")
    item = Client()
    assert log_in(item).status_code == 302
    item.post("/logout/")
    statuses = []
    for number in range(12):
        data = {"login": "ana", "password": "wrong"}
        answer = Client().post("/login/", data, REMOTE_ADDR=f"198.51.100.{number}")
        statuses.append(answer.status_code)
    assert statuses == [200] * 10 + [429] * 2
    data = {"login": "ana", "password": PASSWORD}
    stranger = Client().post("/login/", data, REMOTE_ADDR="203.0.113.7")
    assert stranger.status_code == 429
    # The person's own browser is known: nobody locks it out.
    assert log_in(item).status_code == 302
    # It is known for this person alone.
    make_user("bo")
    for number in range(10):
        data = {"login": "bo", "password": "wrong"}
        Client().post("/login/", data, REMOTE_ADDR=f"198.51.100.{number}")
    item.post("/logout/")
    assert log_in(item, "bo").status_code == 429


def test_a_wrong_password_of_nobody_costs_the_same_and_leaves_a_line(client):
    make_user("ana")
    log_in(client, password="wrong")
    counts = []
    for name in ("ana", "nobody"):
        with CaptureQueriesContext(connection) as queries:
            log_in(client, name, "wrong")
        counts.append(len(queries))
    assert counts[0] == counts[1]
    rows = CaseEvent.objects.filter(what="sign_in_failed").order_by("pk")
    assert [row.data["user_id"] for row in rows][1:] == [User.objects.get().pk, None]


def test_the_old_password_is_tried_as_often_as_at_the_login(client, settings):
    settings.LOGIN_TRIES = 3
    make_user("ana")
    log_in(client)
    data = {"oldpassword": "wrong", "password1": NEW, "password2": NEW}
    page = "/account/password/change/"
    statuses = [client.post(page, data).status_code for _ in range(4)]
    assert statuses == [200, 200, 200, 429]
    assert page in settings.LOGIN_PAGES


def test_the_page_of_a_forgotten_password_does_not_wait_for_the_mail_server(settings):
    """Else its time would tell which addresses exist."""
    settings.MAIL_IN_BACKGROUND = True
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    make_user("ana", email="ana@example.com")
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(30)
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.getsockname()
        data = {"email": "ana@example.com"}
        # The mail server says nothing before the page has answered.
        page = Client().post("/account/password/reset/", data)
        assert page.status_code == 302
        peer, _ = server.accept()
        peer.close()


def test_any_fault_of_a_mail_in_the_background_is_logged(settings, caplog):
    settings.MAIL_IN_BACKGROUND = True
    done = Event()

    def send() -> None:
        done.set()
        raise ValueError("ana@example.com")

    accounts.in_background(send)
    assert done.wait(30)
    # The thread sends one mail after the other: the next one begins after the line of the first.
    following = Event()
    accounts.in_background(following.set)
    assert following.wait(30)
    assert "A mail was not sent (ValueError)." in caplog.text
    assert "ana@example.com" not in caplog.text


def test_the_link_of_a_forgotten_password_ends_after_an_hour(client):
    user = make_user("ana", email="ana@example.com")
    with time_machine.travel(MOMENT, tick=False) as clock:
        link = invitations.link(user).partition("/account/")[2]
        clock.shift(timedelta(minutes=61))
        path, _, key = link.partition("#")
        page = Client().post(f"/account/{path}", {"link": key}, follow=True)
        assert page.status_code == 200
        assert "password1" not in page.content.decode()
        # Who is invited and never had a password has three days.
        bo = User.objects.create_user("bo", email="bo@example.com")
        link = invitations.link(bo).partition("/account/")[2]
        clock.shift(timedelta(days=2))
        assert set_password(Client(), f"/account/{link}").status_code == 302


@pytest.mark.parametrize(
    "credential", ["[]", "7", "{}", '{"id": 1}', '{"id": "x", "rawId": {}}', "{"]
)
def test_a_credential_of_any_shape_is_a_wrong_one(client, credential):
    data = {"credential": credential}
    page = client.post("/account/2fa/webauthn/login/", data)
    assert page["Location"] == "/login/"
    make_user("ana")
    log_in(client)
    page = client.post("/account/2fa/webauthn/add/", {"name": "x", **data})
    assert page.status_code == 200


def test_a_passkey_must_verify_its_person(client):
    make_user("ana")
    page = client.get(
        "/account/2fa/webauthn/login/", headers={"Accept": "application/json"}
    )
    options = page.json()["request_options"]["publicKey"]
    assert options["userVerification"] == "required"
    log_in(client)
    # As a second factor as well: else its challenge could be answered at the login without a password.
    page = client.get("/account/2fa/webauthn/add/").content.decode()
    assert "preferred" not in page
    assert re.search(r"userVerification[^a-z]+required", page)


def test_administrators_set_no_passwords(client):
    make_user("ada", role=roles.ADMINISTRATOR, is_staff=True)
    bo = make_user("bo")
    log_in(client, "ada")
    address = f"/admin/auth/user/{bo.pk}/password/"
    data = {"usable_password": "true", "password1": NEW, "password2": NEW}
    assert client.post(address, data).status_code in {403, 404}
    assert log_in(Client(), "bo").status_code == 302
    data = {
        "username": "cy",
        "email": "cy@example.com",
        "password1": NEW,
        "password2": NEW,
    }
    assert client.post("/admin/auth/user/add/", data).status_code == 302
    assert not User.objects.get(username="cy").has_usable_password()


def test_the_admin_shows_no_tables_of_the_login_that_would_go_around_it():
    names = {
        f"{model._meta.app_label}.{model.__name__}" for model in admin.site._registry
    }
    assert not names & {
        "account.EmailAddress",
        "mfa.Authenticator",
        "socialaccount.SocialAccount",
        "socialaccount.SocialApp",
        "socialaccount.SocialToken",
        "usersessions.UserSession",
    }


class TestReset:
    """Who has lost all second factors is helped by somebody else, and that is a line."""

    @pytest.fixture
    def ada(self, client):
        user = make_user("ada", role=roles.ADMINISTRATOR, is_staff=True)
        log_in(client, "ada")
        return user

    def reset(self, client, person) -> str:
        data = {"action": "reset_factors", "_selected_action": [person.pk]}
        page = client.post("/admin/auth/user/", data, follow=True)
        return page.content.decode()

    def test_an_administrator_resets_the_factors_of_another(self, client, ada):
        make_user("bo")
        browser = Client()
        log_in(browser, "bo")
        add_app(browser)
        bo = User.objects.get(username="bo")
        self.reset(client, bo)
        assert not Authenticator.objects.filter(user=bo).exists()
        # The sessions that these factors had opened end.
        assert browser.get("/").status_code == 302
        line = CaseEvent.objects.get(what="second_factors_reset")
        assert (line.user, line.data["user_id"]) == (ada, bo.pk)

    def test_nobody_resets_their_own(self, client, ada):
        add_app(client)
        assert "not your own" in self.reset(client, ada)
        assert Authenticator.objects.filter(user=ada).exists()

    def test_no_administrator_resets_those_of_a_superuser(self, client, ada):
        root = make_user("root", is_superuser=True)
        Authenticator.objects.create(user=root, type="totp", data={})
        self.reset(client, root)
        assert Authenticator.objects.filter(user=root).exists()


def test_an_administrator_ends_all_sessions_of_a_person(client):
    ada = make_user("ada", role=roles.ADMINISTRATOR, is_staff=True)
    log_in(client, "ada")
    bo = make_user("bo")
    browser = Client()
    log_in(browser, "bo")
    assert browser.get("/").status_code == 200
    data = {"action": "end_sessions", "_selected_action": [bo.pk]}
    client.post("/admin/auth/user/", data)
    assert browser.get("/").status_code == 302
    assert CaseEvent.objects.get(what="sessions_ended").user == ada


class TestSingleSignOnOnly:
    @pytest.fixture(autouse=True)
    def only(self, settings):
        settings.SINGLE_SIGN_ON_ONLY = True
        settings.OIDC_ISSUER = "http://localhost:9"
        settings.EMAIL_HOST = "mail.example"

    def test_no_password_opens_the_door(self, client):
        make_user("ana", email="ana@example.com")
        page = client.get("/login/").content.decode()
        assert 'name="password"' not in page
        assert "/account/sso/company/login/" in page
        assert log_in(client).status_code == 200
        assert "_auth_user_id" not in client.session

    @pytest.mark.parametrize(
        "path",
        [
            "password/reset/",
            "password/change/",
            "password/set/",
            "2fa/webauthn/login/",
            "password/reset/key/1-abc-def/",
        ],
    )
    def test_all_other_ways_in_are_closed(self, client, path):
        client.force_login(make_user("ana"))
        assert client.post(f"/account/{path}").status_code == 404


class TestStepUp:
    @pytest.mark.parametrize(
        "address",
        [
            "/hub/accounts/1/keys/",
            "/hub/accounts/1/switch/",
            "/hub/accounts/1/limits/",
            "/hub/deliveries/send-again/",
            "/hub/deliveries/7d0f3c1e-1111-4222-8333-9d5c1e0a7b21/send-again/",
            "/hub/agents/1/",
            "/hub/keys/1/revoke/",
            "/hub/secrets/1/sign-now/",
            "/hub/secrets/1/end/",
            "/hub/lists/ofac/release/1/",
            "/hub/lists/ofac/fetch/",
            "/hub/quarantine/1/",
            "/scans/1/",
            "/risk/1/live/",
            "/procedures/kyb/1/live/",
            "/decision-policy/1/live/",
            "/decision-policy/on/",
            "/screening-quality/1/live/",
            "/organisation/",
            "/privacy/holds/1/lift/",
            "/connections/1/untimed/",
            "/settings/four-eyes-rules/new/",
            "/settings/teams/1/remove/",
            "/tokens/1/revoke/",
            "/admin/reviews/foureyesrule/add/",
            "/admin/auth/user/1/change/",
            "/account/password/set/",
        ],
    )
    def test_changes_need_a_recent_login(self, client, settings, address):
        settings.STEP_UP_MINUTES = 30
        with time_machine.travel(MOMENT, tick=False) as clock:
            User.objects.create_superuser("root", password=PASSWORD)
            log_in(client, "root")
            clock.shift(timedelta(minutes=31))
            answer = client.post(address, {})
            assert answer.status_code == 302
            assert answer["Location"].startswith("/account/reauthenticate/")

    @pytest.mark.parametrize(
        "address",
        [
            "/screening-quality/labels.csv",
            "/period-report/file.csv",
            "/reports/?case=1",
            "/cases/1/evidence/",
            "/tokens/",
        ],
    )
    def test_exports_need_a_recent_login(self, client, settings, address):
        settings.STEP_UP_MINUTES = 30
        with time_machine.travel(MOMENT, tick=False) as clock:
            User.objects.create_superuser("root", password=PASSWORD)
            log_in(client, "root")
            clock.shift(timedelta(minutes=31))
            answer = client.get(address)
            assert answer.status_code == 302
            assert answer["Location"].startswith("/account/reauthenticate/")
