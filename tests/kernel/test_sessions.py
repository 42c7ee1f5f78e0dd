from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import now

from compliance import sessions
from tests.factories import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana(client):
    client.force_login(make_user())
    return client


def test_a_session_is_read_once_for_a_while(ana):
    assert ana.get("/").status_code == 200
    with CaptureQueriesContext(connection) as made:
        assert ana.get("/").status_code == 200
    assert not [query for query in made.captured_queries if "django_session" in query["sql"]]


def test_who_logs_out_is_out_at_once(ana):
    assert ana.get("/").status_code == 200
    kept = ana.cookies["sessionid"].value
    assert ana.post("/logout/").status_code == 302
    ana.cookies["sessionid"] = kept
    assert ana.get("/").status_code == 302


def test_a_session_that_another_process_ended_ends_here_soon(ana):
    assert ana.get("/").status_code == 200
    Session.objects.all().delete()
    assert ana.get("/").status_code == 200
    with time_machine.travel(now() + timedelta(seconds=sessions.KEPT + 1)):
        assert ana.get("/").status_code == 302


def test_what_is_written_is_read(ana):
    ana.get("/")
    session = ana.session
    session["seen"] = 1
    session.save()
    assert ana.session["seen"] == 1


def test_who_is_no_longer_active_is_out_at_once(ana):
    assert ana.get("/").status_code == 200
    User.objects.update(is_active=False)
    assert ana.get("/").status_code == 302
