"""What a browser is given, and what it may bring."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from compliance.security.session_store import cookies
from reviews.models import Case
from tests.factories import make_agent, make_connection, make_user

pytestmark = pytest.mark.django_db
PASSWORD = "a long and a good password"
INPUT = re.compile(r"<input[^>]*>")
WRITES_HTML = re.compile(
    r"(inner|outer)HTML\s*\+?=[^=]|insertAdjacentHTML|document\.write|setHTML|"
    r"createContextualFragment"
)


@pytest.fixture
def ana() -> User:
    return make_user("ana")


def log_in(client: Client, password: str) -> int:
    data = {"login": "ana", "password": password}
    return client.post("/login/", data).status_code


def test_a_login_begins_a_new_session_whose_cookie_no_script_reads(client, ana):
    ana.set_password(PASSWORD)
    ana.save()
    foreign = cookies.cookie_of("a" * 32)
    client.cookies["sessionid"] = foreign
    assert log_in(client, PASSWORD) == 302
    cookie = client.cookies["sessionid"]
    key = cookies.key_of(cookie.value)
    assert key is not None
    assert len(key) == 32
    assert cookie.value != foreign
    for name in ("sessionid", "csrftoken"):
        assert client.cookies[name]["httponly"], name
        assert client.cookies[name]["samesite"] == "Lax", name


def test_a_password_may_be_long_and_counts_to_its_end(client, ana):
    password = "ß long password of " + "many words " * 11
    assert len(password) > 128
    data = {
        "oldpassword": "correct horse",
        "password1": password,
        "password2": password,
    }
    client.force_login(ana)
    assert client.post("/account/password/change/", data).status_code == 302
    assert log_in(Client(), password[:-1].strip()[:-1]) == 200
    assert log_in(Client(), password) == 302


@pytest.mark.parametrize("address", ["javascript:alert(1)", "data:text/html,x"])
def test_a_website_is_no_script(client, ana, address):
    agent = make_agent(make_connection())
    client.force_login(ana)
    data = {"kind": "kyb", "agent": agent.pk, "business_name": "Northwind"}
    client.post("/cases/new/?kind=kyb", {**data, "website": address})
    assert not Case.objects.exists()
    client.post(
        "/cases/new/?kind=kyb", {**data, "website": "https://northwind.example"}
    )
    assert Case.objects.exists()


def test_pages_have_the_headers_of_browsers(client, ana):
    client.force_login(ana)
    headers = client.get("/").headers
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "Access-Control-Allow-Origin" not in headers


def test_a_list_of_a_folder_is_not_there(client):
    assert client.get("/static/").status_code == 404
    assert client.get("/.git/config").status_code == 404


@pytest.mark.parametrize("method", ["PUT", "DELETE", "TRACE", "FOO"])
@pytest.mark.parametrize("path", ["/", "/cases/new/", "/health/live"])
def test_a_page_takes_its_own_methods_only(client, ana, method, path):
    client.force_login(ana)
    assert client.generic(method, path).status_code == 405


@pytest.mark.parametrize("path", ["/", "/health/live", "/login/"])
def test_text_names_its_characters(client, path):
    assert "charset=utf-8" in client.get(path)["Content-Type"]


@pytest.mark.parametrize(
    "path", ["/", "/cases/new/", "/dashboard/", "/parties/", "/account/sessions/"]
)
def test_each_page_has_a_way_to_log_out(client, ana, path):
    client.force_login(ana)
    page = client.get(path).content.decode()
    form = page.partition('action="/logout/"')
    assert form[1]
    assert "csrfmiddlewaretoken" in form[2][:400]


def test_no_script_writes_text_as_html():
    """Texts become text. What a script takes as HTML is a page of ours, parsed apart from this one."""
    found = []
    for path in sorted((settings.BASE_DIR / "static/js").glob("*.js")):
        text = path.read_text(encoding="utf-8")
        for match in WRITES_HTML.finditer(text):
            found.append((path.name, match.group()))
    assert found == []


@pytest.mark.parametrize(
    "path", ["/login/", "/account/password/change/", "/account/reauthenticate/"]
)
def test_passwords_are_masked_and_known_to_their_managers(client, ana, path):
    if path != "/login/":
        ana.set_password(PASSWORD)
        ana.save()
        log_in(client, PASSWORD)
    page = client.get(path).content.decode()
    fields = [one for one in INPUT.findall(page) if "password" in one]
    assert fields
    for field in fields:
        assert 'type="password"' in field
        assert re.search(r'autocomplete="(current|new)-password"', field), field
        assert "onpaste" not in field
