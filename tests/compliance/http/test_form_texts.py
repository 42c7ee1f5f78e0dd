"""What somebody wrote is on the page of every refusal: the page before may be gone."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.test import Client

from compliance.storage import stored_files
from tests.compliance.identity.test_accounts import PASSWORD
from tests.factories import make_user
from tests.reviews.rows import open_case

pytestmark = pytest.mark.django_db
TEXT = "The seal\nis <missing>."
SHOWN = "The seal<br>is &lt;missing&gt;."
LOST = "What you wrote was not saved"


@pytest.fixture
def ana(client):
    client.force_login(make_user("ana"))
    return client


def test_after_the_login_has_ended(client):
    case = open_case()
    page = f"http://testserver/cases/{case.pk}/?tab=activity"
    address = f"/cases/{case.pk}/notes/"
    response = client.post(address, {"text": TEXT}, headers={"Referer": page})
    assert response.status_code == 403
    text = response.content.decode()
    assert SHOWN in text
    assert "Your login had ended" in text
    assert f"/login/?next=http%3A//testserver/cases/{case.pk}/" in text
    assert "no-store" in response["Cache-Control"]


def test_a_text_without_blanks_between_its_words(client):
    text = "原本を確認し、印影は登記と一致しました。"
    response = client.post(f"/cases/{open_case().pk}/notes/", {"text": text})
    assert response.status_code == 403
    assert text in response.content.decode()


def test_where_a_recent_login_is_needed_but_no_secret():
    with time_machine.travel(1_800_000_000, tick=False) as clock:
        make_user("ada", role="administrator", is_staff=True)
        client = Client()
        client.post("/login/", {"login": "ada", "password": PASSWORD})
        clock.shift(timedelta(hours=10))
        data = {"full_name": "Bo Berg", "api_key": "two words", "mark": "none x y"}
        response = client.post("/people/", data)
    text = response.content.decode()
    assert "Bo Berg" in text
    assert "two words" not in text
    assert "none x y" not in text


def test_in_a_tab_that_is_older_than_the_login():
    """The token of the form has changed with the login: to load the page again changes nothing."""
    make_user("ana")
    client = Client(enforce_csrf_checks=True)
    client.get("/login/")
    page = "http://testserver/cases/1/?tab=activity"
    headers = {"Referer": page, "Origin": "http://testserver"}
    response = client.post("/cases/1/notes/", {"text": TEXT}, headers=headers)
    assert response.status_code == 403
    text = response.content.decode()
    assert SHOWN in text
    assert f'href="{page}"' in text
    # Another site puts no text on a page of ours.
    headers = {"Referer": "http://elsewhere.example/", "Origin": "http://a.example"}
    for address in ("/cases/1/notes/", "/nowhere/"):
        response = client.post(address, {"text": TEXT}, headers=headers)
        text = response.content.decode()
        assert LOST not in text
        assert "elsewhere" not in text


def test_where_the_right_or_the_case_is_gone(client):
    client.force_login(make_user("eve", role="auditor"))
    case = open_case()
    response = client.post(f"/cases/{case.pk}/notes/", {"text": TEXT})
    assert response.status_code == 403
    assert SHOWN in response.content.decode()
    response = client.post("/cases/999/notes/", {"text": TEXT})
    assert response.status_code == 404
    assert SHOWN in response.content.decode()


@pytest.mark.parametrize(
    ("error", "code"),
    [(stored_files.NotWritableError(), 503), (ZeroDivisionError(), 500)],
)
def test_where_the_server_fails(ana, monkeypatch, error, code):
    def fail(*_args, **_kwargs):
        raise error

    case = open_case()
    monkeypatch.setattr("reviews.people.notes.add", fail)
    ana.raise_request_exception = False
    response = ana.post(f"/cases/{case.pk}/notes/", {"text": TEXT})
    assert response.status_code == code
    assert SHOWN in response.content.decode()
    # A page that is only read has nothing to show.
    monkeypatch.setattr("reviews.pages.queue.queue.render", fail)
    assert LOST not in ana.get("/").content.decode()
