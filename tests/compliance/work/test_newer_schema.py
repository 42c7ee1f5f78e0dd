"""A worker claims nothing once a newer version has migrated the database."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils.timezone import now

from compliance.db.newer_schema import WATCH
from reviews.models import DueWatch
from reviews.tasks import DUE_WATCH

pytestmark = pytest.mark.django_db
FUTURE = ("reviews", "9999_of_a_newer_version")


@pytest.fixture(autouse=True)
def looks() -> Iterator[None]:
    WATCH.look_again()
    assert not WATCH.is_newer()
    yield
    MigrationRecorder(connection).record_unapplied(*FUTURE)
    WATCH.look_again()
    assert not WATCH.is_newer()


def test_rows_are_left_to_workers_of_the_newer_version(caplog):
    DueWatch.objects.update(due_at=now(), leased_until=None)
    MigrationRecorder(connection).record_applied(*FUTURE)
    WATCH.look_again()
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
