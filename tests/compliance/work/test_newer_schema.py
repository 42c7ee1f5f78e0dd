"""A process claims no work and stores nothing once a newer version has migrated the database."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils.timezone import now

from compliance.db.newer_schema import WATCH, SchemaWatch
from reviews.models import DueWatch
from reviews.tasks import DUE_WATCH

pytestmark = pytest.mark.django_db
FUTURE = ("reviews", "9999_of_a_newer_version")
WORDS = "A newer version takes over"


@pytest.fixture(autouse=True)
def looks() -> Iterator[None]:
    WATCH.look_again()
    assert not WATCH.is_newer()
    yield
    MigrationRecorder(connection).record_unapplied(*FUTURE)
    WATCH.look_again()
    assert not WATCH.is_newer()


@pytest.fixture
def upgraded(looks) -> None:
    MigrationRecorder(connection).record_applied(*FUTURE)
    WATCH.look_again()


def test_rows_are_left_to_workers_of_the_newer_version(upgraded, caplog):
    DueWatch.objects.update(due_at=now(), leased_until=None)
    assert DUE_WATCH.drain() == 0
    assert DueWatch.objects.get().leased_until is None
    assert "reviews.9999_of_a_newer_version" in caplog.text
    MigrationRecorder(connection).record_unapplied(*FUTURE)
    WATCH.look_again()
    assert DUE_WATCH.drain() == 1


def test_a_migration_of_this_code_is_none_of_a_newer_version():
    recorder = MigrationRecorder(connection)
    app, name = next(iter(sorted(recorder.applied_migrations())))
    recorder.record_unapplied(app, name)
    WATCH.look_again()
    assert not WATCH.is_newer()
    recorder.record_applied(app, name)
    WATCH.look_again()
    assert not WATCH.is_newer()


def test_a_process_that_starts_after_the_migration_knows_it_too(upgraded):
    assert SchemaWatch().newest() == "reviews.9999_of_a_newer_version"


def test_what_an_earlier_version_left_is_not_newer():
    rows = MigrationRecorder(connection).migration_qs
    first = rows.filter(app="reviews").order_by("id").values_list("id", flat=True)[0]
    # Before all of this code, as a migration that was merged into another one since.
    rows.create(id=-first, app="reviews", name="0001_of_an_earlier_version")
    assert SchemaWatch().newest() == ""


def test_an_app_that_is_not_loaded_is_not_newer():
    MigrationRecorder(connection).record_applied("another", "0001_initial")
    assert SchemaWatch().newest() == ""


def test_a_page_stores_nothing_and_says_why(upgraded, client):
    User.objects.create_superuser("ana")
    assert client.get("/login/").status_code == 200
    data = {"login": "ana", "password": "of-a-test", "note": "typed with care"}
    response = client.post("/login/", data)
    assert response.status_code == 503
    assert response["Retry-After"] == "60"
    html = response.content.decode()
    assert WORDS in html
    assert "typed with care" in html
    assert User.objects.filter(last_login__isnull=False).count() == 0


@pytest.mark.parametrize(
    "path",
    [
        "/webhooks/hub/",
        "/api/v1/startKYBAgentJob",
        "/api/desk/v1/cases",
        "/scim/v2/Users",
    ],
)
def test_machines_are_told_to_repeat_what_they_sent(upgraded, client, path):
    response = client.post(path, data="{}", content_type="application/json")
    assert response.status_code == 503
    assert response["Retry-After"] == "60"
    assert "A newer version" in response.json()["message"]


def test_readiness_names_the_migration(upgraded, client):
    response = client.get("/health/ready")
    assert response.status_code == 503
    words = "a newer version has applied reviews.9999_of_a_newer_version"
    assert response.json()["migrations"] == words
