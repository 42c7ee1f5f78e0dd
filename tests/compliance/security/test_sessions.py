"""A session that ends, ends at once and for all processes."""

from __future__ import annotations

import os
import subprocess
import sys
import zlib
from datetime import timedelta

import pytest
import time_machine
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import Group, User
from django.contrib.sessions.models import Session
from django.core import signing
from django.core.signing import Signer
from django.db import DatabaseError
from django.test import Client
from django.utils.timezone import now

from compliance.security.session_store import cookies
from reviews.access import roles
from reviews.models import CaseEvent
from tests.compliance.http.test_unavailable import read_only
from tests.factories import make_case, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana(client):
    client.force_login(make_user())
    return client


def test_who_logs_out_is_out_at_once(ana):
    assert ana.get("/").status_code == 200
    cookie = ana.cookies["sessionid"].value
    assert ana.post("/logout/").status_code == 302
    ana.cookies["sessionid"] = cookie
    assert ana.get("/").status_code == 302


def test_a_login_deletes_the_sessions_that_have_ended(ana):
    Session.objects.update(expire_date=now() - timedelta(minutes=1))
    Client().force_login(make_user("bo"))
    assert Session.objects.get().expire_date > now()


def test_a_session_that_another_process_ended_ends_here_at_once(ana):
    """Another process shares the database, and no memory."""
    assert ana.get("/").status_code == 200
    Session.objects.all().delete()
    assert ana.get("/").status_code == 302


def test_who_reads_the_database_takes_over_no_session(ana):
    """Neither the key of a row, nor the list of a person's sessions, nor a signature of something
    else opens a page."""
    row = Session.objects.get()
    keys = UserSession.objects.values_list("session_key", flat=True)
    browser = Client()
    cookies_from_rows = [
        row.session_key,
        *keys,
        Signer().sign(row.session_key),
        row.session_data,
    ]
    for cookie in cookies_from_rows:
        browser.cookies["sessionid"] = cookie
        assert browser.get("/").status_code == 302
    browser.cookies["sessionid"] = ana.cookies["sessionid"].value
    assert browser.get("/").status_code == 200


def test_the_content_of_a_session_is_encrypted(client):
    """Who sets up a second factor has its secret in the session, which the page shows."""
    person = make_user("eva")
    person.set_password("a long and a good password")
    person.save()
    client.post("/login/", {"login": "eva", "password": "a long and a good password"})
    page = client.get("/account/2fa/totp/activate/")
    secret = client.session["mfa.totp.secret"]
    assert secret in page.content.decode()
    for row in Session.objects.all():
        text, _, _signature = row.session_data.rpartition(":")
        content = signing.b64_decode(text.split(":")[0].lstrip(".").encode())
        if text.startswith("."):
            content = zlib.decompress(content)
        assert content.startswith(b"gAAAAA"), "This is how Fernet begins."
        assert secret.encode() not in content


def test_who_writes_the_database_copies_no_session_into_another(ana):
    browser = Client()
    browser.force_login(make_user("mallory", role=roles.INTEGRATOR))
    own = cookies.key_of(browser.cookies["sessionid"].value)
    victim = Session.objects.exclude(pk=own).get()
    assert browser.get("/").status_code == 200
    Session.objects.filter(pk=own).update(session_data=victim.session_data)
    assert browser.get("/").status_code == 302
    assert ana.get("/").status_code == 200


def test_a_session_stays_when_secret_key_is_rotated(ana, settings):
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another key, as rotate_secret makes one"
    earlier = ana.cookies["sessionid"].value
    assert ana.get("/").status_code == 200
    settings.SECRET_KEY_FALLBACKS = []
    assert ana.get("/").status_code == 200
    ana.cookies["sessionid"] = earlier
    assert ana.get("/").status_code == 302


def test_who_is_no_longer_active_is_out_at_once(ana):
    assert ana.get("/").status_code == 200
    User.objects.update(is_active=False)
    assert ana.get("/").status_code == 302


def test_a_role_that_was_taken_away_is_gone_with_the_next_request(client):
    user = make_user()
    client.force_login(user)
    user.groups.set(Group.objects.filter(name=roles.ADMINISTRATOR))
    assert client.get("/connections/").status_code == 200
    user.groups.clear()
    assert client.get("/connections/").status_code == 403


POLL = {"HX-Request": "true"}


def pages_after(client, *minutes: int, headers=None) -> list[int]:
    """The status of the queue, so many minutes after each other."""
    statuses = []
    with time_machine.travel(0, tick=False) as clock:
        client.force_login(make_user("eva"))
        for count in minutes:
            clock.shift(timedelta(minutes=count))
            statuses.append(client.get("/", headers=headers or {}).status_code)
    return statuses


def test_a_login_that_is_not_used_ends(client):
    assert pages_after(client, 59, 59, 61) == [200, 200, 302]


def test_a_login_that_is_used_ends_after_twelve_hours(client):
    statuses = pages_after(client, *[50] * 15)
    assert statuses == [200] * 14 + [302]


def test_an_open_page_that_asks_for_news_is_no_use(client):
    with time_machine.travel(0, tick=False) as clock:
        client.force_login(make_user("eva"))
        case = make_case()
        for _ in range(6):
            clock.shift(timedelta(minutes=10))
            assert client.get("/queue/rows/", headers=POLL).status_code == 200
            presence = f"/cases/{case.pk}/presence/"
            assert client.post(presence, headers=POLL).status_code == 200
        clock.shift(timedelta(minutes=1))
        assert client.get("/").status_code == 302


def test_an_act_of_htmx_is_use(client):
    with time_machine.travel(0, tick=False) as clock:
        client.force_login(make_user("eva"))
        clock.shift(timedelta(minutes=50))
        client.post("/queue/layout/", {}, headers=POLL)
        clock.shift(timedelta(minutes=50))
        assert client.get("/").status_code == 200


@pytest.mark.parametrize("address", ["/logout/", "/admin/logout/"])
def test_a_logout_clears_what_the_browser_keeps(ana, address):
    response = ana.post(address)
    assert (response.status_code, response["Clear-Site-Data"]) == (302, '"cache"')
    assert ana.get("/").status_code == 302


@pytest.mark.parametrize(
    ("desk", "prefix"),
    [("https://desk.example.com", "__Host-"), ("http://127.0.0.1:8000", "")],
)
def test_over_https_cookies_are_of_this_host_alone(desk, prefix):
    script = (
        "import django; django.setup(); from django.conf import settings as s;"
        "print(s.SESSION_COOKIE_NAME, s.CSRF_COOKIE_NAME, s.SESSION_COOKIE_SECURE)"
    )
    names = {
        **os.environ,
        "DESK_URL": desk,
        "DJANGO_SETTINGS_MODULE": "compliance.settings",
    }
    ran = subprocess.run(
        [sys.executable, "-c", script],
        env=names, capture_output=True, text=True, check=True,
    )  # fmt: skip
    expected = [f"{prefix}sessionid", f"{prefix}csrftoken", str(bool(prefix))]
    assert ran.stdout.split() == expected


def lines() -> list[tuple[str, str]]:
    events = CaseEvent.objects.filter(what__startswith="sign")
    return list(events.values_list("what", "by"))


def test_logins_are_in_the_trail(client):
    user = User.objects.create_user("ben", password="correct horse battery")
    user.groups.set(Group.objects.filter(name="analyst"))
    for password in ("wrong", "correct horse battery"):
        client.post("/login/", {"login": "ben", "password": password})
    client.post("/logout/")
    assert lines() == [
        ("sign_in_failed", ""),
        ("signed_in", "ben"),
        ("signed_out", "ben"),
    ]
    failed = CaseEvent.objects.get(what="sign_in_failed")
    assert failed.data == {"user_id": user.pk}


def test_a_name_that_is_none_is_in_no_line(client):
    """People type their password into the field of the name."""
    client.post("/login/", {"login": "my secret password", "password": "x"})
    line = CaseEvent.objects.get(what="sign_in_failed")
    assert line.data == {"user_id": None}


def test_logins_of_the_admin_are_in_the_trail_too(client):
    User.objects.create_superuser("root", password="correct horse battery")
    data = {"login": "root", "password": "correct horse battery"}
    client.post("/login/?next=/admin/", data)
    assert lines() == [("signed_in", "root")]


@pytest.mark.django_db(transaction=True)
def test_pages_can_be_read_while_the_database_can_only_be_read(client):
    """Who reads them acts, and that is noted once a minute."""
    with time_machine.travel(0, tick=False) as clock:
        client.force_login(make_user("eva"))
        assert client.get("/").status_code == 200
        clock.shift(timedelta(minutes=2))
        with read_only():
            assert [client.get("/").status_code for _ in range(2)] == [200, 200]
        # It is noted as soon as rows are taken again.
        assert client.get("/").status_code == 200
        clock.shift(timedelta(minutes=59))
        assert client.get("/").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_a_session_that_cannot_be_stored_was_not_deleted(client):
    client.force_login(make_user("eva"))
    session = client.session
    session["name"] = "value"
    with read_only(), pytest.raises(DatabaseError, match=r"readonly|read-only"):
        session.save()
