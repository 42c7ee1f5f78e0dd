"""Passwords, second factors, sessions and invitations, through their pages."""

from __future__ import annotations

import hashlib
import re
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import (
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client, TestCase
from django.utils.html import escape

from compliance.identity import invitations
from compliance.identity.passwords import breached, open_links
from compliance.models import LocalePreference
from reviews.access import roles
from reviews.models import CaseEvent
from tests.factories import make_user

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse"
NEW = "battery staple of nine words"


@pytest.fixture
def ana(client):
    user = make_user("ana", email="ana@example.com")
    log_in(client)
    return user


def log_in(client, name: str = "ana", password: str = PASSWORD):
    return client.post("/login/", {"login": name, "password": password})


def lines() -> list[str]:
    return list(CaseEvent.objects.order_by("pk").values_list("what", flat=True))


def link_in(text: str) -> str:
    result = re.search(r"https?://[^/\s]+(/account/password/open/#[^\s<]+)", text)
    assert result, text
    return result[1]


def set_password(client, link: str, password: str = NEW):
    """As the script of the page does: the key is sent in a body."""
    path, _, key = link.partition("#")
    form = client.post(path, {"link": key})["Location"]
    assert key.partition("-")[2] not in form
    return client.post(form, {"password1": password, "password2": password})


@pytest.fixture
def mails(settings):
    settings.EMAIL_HOST = "mail.example"
    return mail.outbox


def test_a_link_for_a_new_password_is_in_the_language_of_who_gets_it(client):
    user = make_user("ana", email="ana@example.com")
    LocalePreference.objects.create(user=user, language="de")
    stranger = Client(headers={"Accept-Language": "fr"})
    stranger.post("/account/password/reset/", {"email": "ana@example.com"})
    assert "Jemand hat" in str(mail.outbox[0].body)
    # Of who has chosen none nothing else is known.
    LocalePreference.objects.all().delete()
    stranger.post("/account/password/reset/", {"email": "ana@example.com"})
    assert "Quelqu" in str(mail.outbox[1].body)


def test_a_forgotten_password_is_set_again_by_mail(client, mails):
    make_user("ana", email="ana@example.com")
    client.post("/account/password/reset/", {"email": "ana@example.com"})
    assert [message.to for message in mails] == [["ana@example.com"]]
    assert mails[0].subject == "Your new password at the compliance desk"
    assert "User name: ana" in mails[0].body
    # The words of the library would be followed by the host of the desk.
    assert "example.com" not in mails[0].body
    link = link_in(mails[0].body)
    assert set_password(Client(), link).status_code == 302
    assert log_in(client).status_code == 200
    assert log_in(client, password=NEW).status_code == 302
    assert "password_changed" in lines()
    # The link works once.
    path, _, key = link.partition("#")
    again = Client().post(path, {"link": key}, follow=True)
    assert again.status_code == 200
    assert "password1" not in again.content.decode()


def test_the_link_for_a_password_can_be_pasted_and_one_of_earlier_versions_works(
    client,
):
    user = make_user("ana", email="ana@example.com")
    link = invitations.link(user)
    key = link.partition("#")[2]
    for pasted in (link, f" {key}\n"):
        page = Client().post("/account/password/open/", {"link": pasted}, follow=True)
        assert "password1" in page.content.decode()
    old = f"/account/password/reset/key/{key}/"
    assert "password1" in Client().get(old, follow=True).content.decode()
    for wrong in ("", "x", "1-abc", "#"):
        answer = client.post("/account/password/open/", {"link": wrong})
        assert answer.status_code == 422
        assert "This link is not complete" in answer.content.decode()
    changed = key[:-1] + ("0" if key[-1] != "0" else "1")
    page = client.post("/account/password/open/", {"link": changed}, follow=True)
    assert page.status_code == 200
    assert "password1" not in page.content.decode()


def test_who_tries_links_for_passwords_waits(client):
    for _ in range(open_links.RATE):
        client.post("/account/password/open/", {"link": "1-abc"})
    answer = client.post("/account/password/open/", {"link": "1-abc"})
    assert (answer.status_code, answer["Retry-After"]) == (429, "600")


def test_nothing_tells_whether_an_address_has_an_account(client, mails):
    make_user("ana", email="ana@example.com")
    pages = []
    for address in ("ana@example.com", "nobody@example.com"):
        page = client.post("/account/password/reset/", {"email": address}, follow=True)
        pages.append((page.status_code, page.redirect_chain, page.content))
    assert pages[0] == pages[1]
    assert len(mails) == 1


def test_an_administrator_invites_a_person(client, mails):
    make_user("ada", role=roles.ADMINISTRATOR, is_staff=True)
    log_in(client, "ada")
    bo = make_user("bo", email="bo@example.com")
    data = {"action": "invite", "_selected_action": [bo.pk]}
    assert client.post("/admin/auth/user/", data).status_code == 302
    assert mails[0].to == ["bo@example.com"]
    set_password(Client(), link_in(mails[0].body))
    assert log_in(Client(), "bo", NEW).status_code == 302
    assert "invited" in lines()


def test_without_mail_the_administrator_gets_the_link(client, settings):
    settings.EMAIL_HOST = ""
    make_user("ada", role=roles.ADMINISTRATOR, is_staff=True)
    log_in(client, "ada")
    bo = make_user("bo")
    data = {"action": "invite", "_selected_action": [bo.pk]}
    page = client.post("/admin/auth/user/", data, follow=True).content.decode()
    set_password(Client(), link_in(page))
    assert log_in(Client(), "bo", NEW).status_code == 302


def test_nobody_invites_a_superuser_but_one(client, settings):
    settings.EMAIL_HOST = ""
    make_user("ada", role=roles.ADMINISTRATOR, is_staff=True)
    log_in(client, "ada")
    root = make_user("root", is_superuser=True)
    data = {"action": "invite", "_selected_action": [root.pk]}
    page = client.post("/admin/auth/user/", data, follow=True).content.decode()
    assert "you cannot invite this person" in page
    assert "/account/password/open/" not in page


def test_a_person_changes_their_own_password(client, ana):
    data = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    assert client.post("/account/password/change/", data).status_code == 302
    assert log_in(Client(), password=NEW).status_code == 302


@pytest.mark.parametrize("password", ["short", "password1234", "123456789012"])
def test_a_weak_password_is_refused(client, ana, password):
    data = {"oldpassword": PASSWORD, "password1": password, "password2": password}
    assert client.post("/account/password/change/", data).status_code == 200
    assert log_in(Client()).status_code == 302


def test_a_password_of_a_breach_is_refused(client, ana, settings, tmp_path):
    # Hashes of "password-of-a-breach-N", in order, as the list of Have I Been Pwned is.
    words = [f"password-of-a-breach-{number}" for number in range(500)]
    hashes = sorted(breached_hash(word) for word in words)
    path = tmp_path / "breached.txt"
    path.write_text("".join(f"{digest}:{3}\r\n" for digest in hashes))
    assert all(breached.is_listed(path, word) for word in words)
    others = [f"another-{number}" for number in range(500)]
    assert not any(breached.is_listed(path, word) for word in others)
    settings.BREACHED_PASSWORDS = str(path)
    data = {"oldpassword": PASSWORD, "password1": words[7], "password2": words[7]}
    page = client.post("/account/password/change/", data)
    assert "known from a breach" in page.content.decode()


def test_without_the_list_no_password_is_set(client, ana, settings, tmp_path):
    settings.BREACHED_PASSWORDS = str(tmp_path / "none.txt")
    data = {"oldpassword": PASSWORD, "password1": "x7Kq-tolle-Wiese", "password2": "x7Kq-tolle-Wiese"}  # fmt: skip
    page = client.post("/account/password/change/", data)
    assert page.status_code == 200
    assert "list of passwords from breaches cannot be read" in page.content.decode()
    assert log_in(Client()).status_code == 302


def breached_hash(word: str) -> str:
    return hashlib.sha1(word.encode()).hexdigest().upper()  # noqa: S324


def code(secret: str) -> str:
    counters = list(yield_hotp_counters_from_time())
    return format_hotp_value(hotp_value(secret, counters[len(counters) // 2]))


def add_app(client) -> str:
    """Set up an authenticator app through the page; returns its secret."""
    page = client.get("/account/2fa/totp/activate/").content.decode()
    secret = re.search(r'value="([A-Z2-7]{32})"', page)
    assert secret, page
    with TestCase.captureOnCommitCallbacks(execute=True):
        data = {"code": code(secret[1])}
        answer = client.post("/account/2fa/totp/activate/", data)
    assert answer.status_code == 302
    return secret[1]


def test_a_second_factor_is_asked_for_at_the_login(client, ana):
    with time_machine.travel(1_800_000_000, tick=False) as clock:
        log_in(client)
        secret = add_app(client)
        client.post("/logout/")
        clock.shift(timedelta(seconds=60))
        assert log_in(client)["Location"].startswith("/account/2fa/authenticate/")
        assert client.get("/").status_code == 302
        wrong = client.post("/account/2fa/authenticate/", {"code": "000000"})
        assert wrong.status_code == 200
        data = {"code": code(secret)}
        assert client.post("/account/2fa/authenticate/", data).status_code == 302
        assert client.get("/").status_code == 200
        # A code works once.
        other = Client()
        log_in(other)
        assert other.post("/account/2fa/authenticate/", data).status_code == 200
    assert {"second_factor_added", "second_factor_failed"} <= set(lines())


def test_a_recovery_code_works_once(client, ana):
    add_app(client)
    recovery = Authenticator.objects.get(type="recovery_codes").wrap()
    data = {"code": recovery.get_unused_codes()[0]}
    statuses = []
    for _ in range(2):
        browser = Client()
        log_in(browser)
        page = browser.post("/account/2fa/authenticate/", data)
        statuses.append(page.status_code)
    assert statuses == [302, 200]


def test_the_secret_of_an_app_is_encrypted_in_the_database(client, ana):
    secret = add_app(client)
    stored = Authenticator.objects.get(type="totp").data
    assert secret not in str(stored)


def test_a_role_that_needs_a_second_factor_gets_no_page_without(client, settings):
    settings.SECOND_FACTOR_ROLES = frozenset({roles.SENIOR})
    make_user("sven", role=roles.SENIOR)
    log_in(client, "sven")
    for address in ("/", "/cases/new/", "/tokens/", "/admin/"):
        assert client.get(address)["Location"] == "/account/2fa/"
    add_app(client)
    assert client.get("/").status_code == 200
    # Other roles are not asked.
    make_user("ana")
    other = Client()
    log_in(other)
    assert other.get("/").status_code == 200


@pytest.mark.parametrize(
    ("user_agent", "words"),
    [
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)"
            " Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
            "Edge on Windows",
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15"
            " (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
            "Safari on iPhone",
        ),
        (
            "Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36 (KHTML, like Gecko)"
            " Chrome/140.0.0.0 Mobile Safari/537.36",
            "Chrome on Android",
        ),
        (
            "Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0",
            "Firefox on Linux",
        ),
        ("python-requests/2.32", "python-requests/2.32"),
        ("<script>" + 150 * "x", "&lt;script&gt;" + 72 * "x" + "<"),
    ],
)
def test_a_session_names_its_browser(client, ana, user_agent, words):
    log_in(Client(headers={"User-Agent": user_agent}))
    page = client.get("/account/sessions/").content.decode()
    assert words in page
    # The header itself stays to be read.
    assert escape(user_agent) in page


def test_a_person_ends_their_other_sessions(client, ana):
    other = Client()
    log_in(other)
    assert other.get("/").status_code == 200
    page = client.get("/account/sessions/").content.decode()
    assert page.count("127.0.0.1") == 2
    client.post("/account/sessions/")
    assert client.get("/").status_code == 200
    assert other.get("/").status_code == 302


def test_a_new_password_ends_all_other_sessions(client, ana):
    other = Client()
    log_in(other)
    data = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    client.post("/account/password/change/", data)
    assert client.get("/").status_code == 200
    assert other.get("/").status_code == 302


def test_nobody_makes_an_account_of_their_own(client):
    for address in ("/account/signup/", "/account/sso/signup/", "/account/email/"):
        data = {"username": "me", "password1": NEW, "password2": NEW}
        client.post(address, data)
        assert client.get(address).status_code in {302, 404}
    assert not User.objects.exists()


class TestStepUp:
    @pytest.fixture(autouse=True)
    def minutes(self, settings):
        settings.STEP_UP_MINUTES = 30

    @pytest.mark.parametrize(
        "address", ["/tokens/", "/reports/?case=1", "/period-report/file.csv"]
    )
    def test_an_old_login_is_asked_again(self, client, address):
        with time_machine.travel(1_800_000_000, tick=False) as clock:
            make_user("ana")
            log_in(client)
            assert client.get("/tokens/").status_code == 200
            clock.shift(timedelta(minutes=31))
            answer = client.get(address)
            assert answer["Location"].startswith("/account/reauthenticate/?next=")
            page = answer["Location"]
            assert client.post(page, {"password": "wrong"}).status_code == 200
            assert client.get(address).status_code == 302
            assert client.post(page, {"password": PASSWORD})["Location"] == address
            assert client.get(address).status_code != 302

    def test_other_pages_do_not_ask(self, client):
        with time_machine.travel(1_800_000_000, tick=False) as clock:
            make_user("ana")
            log_in(client)
            clock.shift(timedelta(minutes=31))
            assert client.get("/").status_code == 200
            assert client.post("/queue/layout/", {})["Location"] == "/"

    def test_a_form_of_the_admin_is_not_kept(self, client):
        with time_machine.travel(1_800_000_000, tick=False) as clock:
            make_user("ada", role=roles.ADMINISTRATOR, is_staff=True)
            log_in(client, "ada")
            clock.shift(timedelta(minutes=31))
            data = {"name": "x", "api_key": "ck_live_secret"}
            answer = client.post("/admin/reviews/connection/add/", data)
            assert answer["Location"].startswith("/account/reauthenticate/")
            assert "ck_live_secret" not in str(dict(client.session))


@pytest.mark.parametrize("data", [None, {"oldpassword": "wrong", "password1": "x"}])
def test_a_field_is_described_by_what_is_on_the_page(client, data):
    """A screen reader reads the hint and the error of a field with it."""
    client.force_login(make_user("ana"))
    path = "/account/password/change/"
    if data is None:
        page = client.get(path).content.decode()
    else:
        page = client.post(path, data).content.decode()
    described = re.findall(r'aria-describedby="([^"]+)"', page)
    names = {name for names in described for name in names.split()}
    assert any(name.endswith("_helptext") for name in names)
    assert data is None or any(name.endswith("_error") for name in names)
    for name in names:
        assert page.count(f'id="{name}"') == 1, name


def test_a_form_without_a_login_leads_back_to_its_page(client):
    """Its own path answers no GET: who logs in would read an error."""
    make_user("ana", role=roles.ADMINISTRATOR)
    page = "http://testserver/people/?q=a"
    answer = client.post("/organisation/", {"name": "Acme"}, headers={"Referer": page})
    parts = urlsplit(answer["Location"])
    assert (parts.path, parse_qs(parts.query)) == ("/login/", {"next": [page]})
    assert "Your login had ended" in client.get(answer["Location"]).content.decode()
    data = {"login": "ana", "password": PASSWORD, "next": page}
    assert client.post("/login/", data)["Location"] == page
    # The page of another site is none to go back to.
    client.logout()
    headers = {"Referer": "https://elsewhere.example/"}
    answer = client.post("/organisation/", {"name": "Acme"}, headers=headers)
    assert parse_qs(urlsplit(answer["Location"]).query) == {"next": ["/"]}
