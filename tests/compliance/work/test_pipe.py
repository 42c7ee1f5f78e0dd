"""Wake-ups between processes of one machine: heard at once, never waited for, never an error."""

from __future__ import annotations

import stat
import time

import pytest

from compliance.work import notify, pipe
from tests.factories import make_case, make_job


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    settings.VAR_DIR = tmp_path
    settings.CELERY_BROKER_URL = ""
    return tmp_path


@pytest.fixture
def reader():
    item = pipe.Reader()
    yield item
    item.close()


def test_a_reader_hears_of_each_queue_once(reader):
    for queue in ("events", "jobs", "events"):
        pipe.write(queue)
    assert reader.wait(20) == {"events", "jobs"}
    assert reader.wait(0) == set()


def test_what_is_queued_is_heard_after_its_transaction(reader, transactional_db):
    make_job(make_case())
    notify.after_commit("jobs")
    assert reader.wait(20) == {"jobs"}


def test_a_worker_wakes_its_own_threads(reader):
    woken: list[str] = []
    notify.subscribe("a", lambda: woken.append("a"))
    notify.at_once("a")
    notify.unsubscribe("a")
    assert woken == ["a"]
    assert reader.wait(0) == set()


def test_nobody_needs_to_be_there(folder):
    pipe.write("a")
    assert not (folder / "wake-up").exists()
    pipe.Reader().close()
    pipe.write("a")  # there is a pipe, and nobody reads it


def test_wake_ups_that_nobody_reads_are_dropped(reader):
    for _ in range(20_000):
        pipe.write("events")
    assert reader.wait(20) == {"events"}


def test_only_the_owner_may_write(reader, folder):
    assert stat.S_IMODE((folder / "wake-up").stat().st_mode) == 0o600


def test_a_folder_without_a_pipe_has_a_reader_that_nobody_writes_to(folder):
    (folder / "wake-up").write_text("not a pipe")
    reader, began = pipe.Reader(), time.monotonic()
    assert reader.wait(0.05) == set()
    assert time.monotonic() - began > 0.04
    reader.close()
