"""Codes of apps and of recovery, and links: used twice, used at once, seen by others, and in the trail."""

from __future__ import annotations

import re
from datetime import timedelta
from threading import Barrier, Thread

import pytest
import requests
import time_machine
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client

from compliance.identity import invitations
from reviews.models import CaseEvent
from tests.compliance.identity.test_accounts import (
    PASSWORD,
    add_app,
    code,
    link_in,
    log_in,
)
from tests.factories import make_user

pytestmark = pytest.mark.django_db
MOMENT = 1_800_000_000
SECOND = "/account/2fa/authenticate/"
RECOVERY = "/account/2fa/recovery-codes/"


def recovery_codes() -> list[str]:
    return Authenticator.objects.get(type="recovery_codes").wrap().get_unused_codes()


def lines(*names: str) -> list[tuple[str, object]]:
    rows = CaseEvent.objects.filter(what__in=names).order_by("pk")
    return [(row.what, row.data.get("by")) for row in rows]


def test_the_code_that_set_up_an_app_opens_no_login(client):
    make_user("ana")
    with time_machine.travel(MOMENT, tick=False) as clock:
        log_in(client)
        secret = add_app(client)
        other = Client()
        log_in(other)
        # Somebody looked over the shoulder, and knows the password.
        assert other.post(SECOND, {"code": code(secret)}).status_code == 200
        clock.shift(timedelta(seconds=90))
        assert other.post(SECOND, {"code": code(secret)}).status_code == 302


@pytest.mark.parametrize("seconds", [-30, 30])
def test_a_code_of_a_clock_that_is_half_a_minute_off_is_valid_once(client, seconds):
    make_user("ana")
    with time_machine.travel(MOMENT, tick=False) as clock:
        log_in(client)
        secret = add_app(client)
        clock.shift(timedelta(seconds=300 + seconds))
        late = code(secret)
        clock.shift(timedelta(seconds=-seconds))
        statuses = []
        for _ in range(2):
            other = Client()
            log_in(other)
            statuses.append(other.post(SECOND, {"code": late}).status_code)
    assert statuses == [302, 200]


def test_no_two_people_have_a_secret_of_a_second_factor_in_common(client):
    """Random ones: a secret of an app has 160 bits, and a recovery code 32 at least."""
    secrets_of_apps, codes = set(), []
    for number in range(3):
        person = make_user(f"person-{number}")
        client.force_login(person)
        secrets_of_apps.add(add_app(client))
        row = Authenticator.objects.get(user=person, type="recovery_codes")
        codes += row.wrap().get_unused_codes()
    assert {len(secret) for secret in secrets_of_apps} == {32}
    assert len(secrets_of_apps) == 3
    assert len(codes) == len(set(codes)) >= 24
    assert min(len(one) for one in codes) >= 8


@pytest.mark.parametrize(
    "path",
    [
        "/account/2fa/totp/activate/",
        "/account/2fa/recovery-codes/generate/",
        "/account/2fa/",
        "/account/sessions/",
        "/account/password/change/",
        "/admin/password_change/",
    ],
)
def test_no_browser_keeps_a_page_of_an_account(client, path):
    """The page of an app shows its secret: whoever sits at the browser later must not find it."""
    client.force_login(make_user("ana", is_staff=True))
    answer = client.get(path)
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]


def test_recovery_codes_are_shown_once(client):
    make_user("ana")
    log_in(client)
    add_app(client)
    codes = recovery_codes()
    answer = client.get(RECOVERY)
    assert "no-store" in answer["Cache-Control"]
    page = answer.content.decode()
    assert all(word in page for word in codes)
    for path in (RECOVERY, f"{RECOVERY}download/", f"{RECOVERY}generate/"):
        page = client.get(path).content.decode()
        assert not any(word in page for word in codes), path
    # Whoever lost them makes new ones, which is a line, and the old ones open nothing.
    client.post(f"{RECOVERY}generate/")
    assert not set(codes) & set(recovery_codes())
    other = Client()
    log_in(other)
    assert other.post(SECOND, {"code": codes[0]}).status_code == 200


def test_no_table_has_a_recovery_code(client):
    make_user("ana")
    log_in(client)
    add_app(client)
    stored = str(list(Authenticator.objects.values()))
    assert not any(word in stored for word in recovery_codes())


@pytest.mark.django_db(transaction=True)
def test_a_recovery_code_that_is_used_is_a_line_and_a_mail(client, settings):
    settings.EMAIL_HOST = "mail.example"
    make_user("ana", email="ana@example.com")
    log_in(client)
    add_app(client)
    mail.outbox.clear()
    other = Client()
    log_in(other)
    assert other.post(SECOND, {"code": recovery_codes()[0]}).status_code == 302
    assert lines("recovery_code_used") == [("recovery_code_used", None)]
    assert lines("signed_in")[-1] == ("signed_in", ["password", "recovery_codes"])
    assert any("recovery codes was used" in message.body for message in mail.outbox)


def test_recovery_codes_are_guessed_no_oftener_than_other_codes(client):
    make_user("ana")
    with time_machine.travel(MOMENT, tick=False):
        log_in(client)
        add_app(client)
        browsers = [Client() for _ in range(7)]
        for browser in browsers:
            log_in(browser)
        statuses = []
        for number, browser in enumerate(browsers):
            data = {"code": f"{number:08}"}
            statuses.append(browser.post(SECOND, data).status_code)
        assert statuses == [200] * 5 + [429] * 2
        data = {"code": recovery_codes()[0]}
        assert browsers[0].post(SECOND, data).status_code == 429


@pytest.mark.django_db(transaction=True)
def test_of_many_who_send_one_recovery_code_at_once_one_comes_in(client, live_server):
    make_user("ana")
    log_in(client)
    add_app(client)
    data = {"code": recovery_codes()[0]}
    sessions = [pending(live_server.url) for _ in range(4)]
    start = Barrier(len(sessions))
    places: list[str] = []

    def send(session: requests.Session) -> None:
        start.wait()
        answer = session.post(
            f"{live_server.url}{SECOND}",
            {**data, "csrfmiddlewaretoken": session.cookies["csrftoken"]},
            allow_redirects=False,
            timeout=60,
        )
        places.append(answer.headers.get("Location", ""))

    threads = [Thread(target=send, args=[session]) for session in sessions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(places) == ["", "", "", "/"]


def pending(address: str) -> requests.Session:
    """A browser that has typed the password, and is asked for the second factor."""
    session = requests.Session()
    page = session.get(f"{address}/login/", timeout=60).text
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
    assert token
    data = {"login": "ana", "password": PASSWORD, "csrfmiddlewaretoken": token[1]}
    answer = session.post(f"{address}/login/", data, timeout=60)
    assert SECOND in answer.url
    return session


class TestStepUp:
    @pytest.fixture(autouse=True)
    def minutes(self, settings) -> None:
        settings.STEP_UP_MINUTES = 30

    @pytest.mark.parametrize(
        "path",
        ["totp/deactivate/", "totp/activate/", "recovery-codes/generate/", "webauthn/add/"],
    )  # fmt: skip
    def test_an_old_login_changes_no_factor(self, client, path):
        make_user("ana")
        with time_machine.travel(MOMENT, tick=False) as clock:
            log_in(client)
            if path != "totp/activate/":
                add_app(client)
            before = list(Authenticator.objects.values())
            clock.shift(timedelta(minutes=31))
            for send in (client.get, client.post):
                answer = send(f"/account/2fa/{path}")
                assert answer.status_code == 302
                assert "/reauthenticate/" in answer["Location"]
            assert list(Authenticator.objects.values()) == before

    def test_an_old_login_sees_no_recovery_codes(self, client):
        make_user("ana")
        with time_machine.travel(MOMENT, tick=False) as clock:
            log_in(client)
            add_app(client)
            clock.shift(timedelta(minutes=31))
            assert "/reauthenticate/" in client.get(RECOVERY)["Location"]

    def test_to_confirm_who_one_is_is_a_line(self, client):
        make_user("ana")
        with time_machine.travel(MOMENT, tick=False) as clock:
            log_in(client)
            clock.shift(timedelta(minutes=31))
            page = "/account/reauthenticate/?next=/tokens/"
            client.post(page, {"password": "wrong"})
            assert lines("identity_confirmed") == []
            client.post(page, {"password": PASSWORD})
            secret = add_app(client)
            clock.shift(timedelta(minutes=31))
            page = "/account/2fa/reauthenticate/?next=/tokens/"
            client.post(page, {"code": "000000"})
            client.post(page, {"code": code(secret)})
            assert client.get("/tokens/").status_code == 200
        confirmed = lines(
            "identity_confirmed", "sign_in_failed", "second_factor_failed"
        )
        assert confirmed == [
            ("sign_in_failed", None),
            ("identity_confirmed", ["password"]),
            ("second_factor_failed", None),
            ("identity_confirmed", ["totp"]),
        ]


def test_a_new_password_by_mail_does_not_go_around_the_second_factor(client, settings):
    settings.EMAIL_HOST = "mail.example"
    make_user("ana", email="ana@example.com")
    log_in(client)
    add_app(client)
    mail.outbox.clear()
    stranger = Client()
    stranger.post("/account/password/reset/", {"email": "ana@example.com"})
    path, _, key = link_in(str(mail.outbox[0].body)).partition("#")
    form = stranger.post(path, {"link": key})["Location"]
    words = "battery staple of nine words"
    stranger.post(form, {"password1": words, "password2": words})
    assert stranger.get("/").status_code == 302
    assert log_in(stranger, password=words)["Location"].startswith(SECOND)
    assert Authenticator.objects.filter(type="totp").exists()


@pytest.mark.django_db(transaction=True)
def test_of_two_who_use_one_link_at_once_one_sets_the_password(live_server):
    link = invitations.link(make_user("ana"))
    key = link.partition("#")[2]
    words = ["battery staple of nine words", "nine other words of a battery"]
    start = Barrier(len(words))
    places: dict[str, str] = {}

    def set_password(session: requests.Session, form: str, word: str) -> None:
        start.wait()
        data = {"password1": word, "password2": word}
        answer = session.post(form, with_token(session, data), allow_redirects=False)
        places[word] = answer.headers.get("Location", "")

    threads = []
    for word in words:
        session = requests.Session()
        address = f"{live_server.url}/account/password/open/"
        session.get(address)
        page = session.post(address, with_token(session, {"link": key}))
        args = (session, page.url, word)
        threads.append(Thread(target=set_password, args=args))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    set_by = [word for word, place in places.items() if place]
    assert len(set_by) == 1
    assert User.objects.get(username="ana").check_password(set_by[0])
    assert CaseEvent.objects.filter(what="password_changed").count() == 1


def with_token(session: requests.Session, data: dict[str, str]) -> dict[str, str]:
    return {**data, "csrfmiddlewaretoken": session.cookies["csrftoken"]}
