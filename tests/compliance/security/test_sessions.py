"""A session that ends, ends at once and for all processes."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group, User
from django.contrib.sessions.models import Session

from reviews.access import roles
from tests.factories import make_user

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


def test_a_session_that_another_process_ended_ends_here_at_once(ana):
    """Another process shares the database, and the cache where REDIS_URL is set; no memory."""
    assert ana.get("/").status_code == 200
    Session.objects.all().delete()
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
