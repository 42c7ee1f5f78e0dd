"""The bell between processes of one machine: heard at once, never waited for, never an error."""

from __future__ import annotations

import stat
import time

import pytest

from compliance import bell, doorbell
from tests.factories import make_case, make_job


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    settings.VAR_DIR = tmp_path
    settings.CELERY_BROKER_URL = ""
    doorbell._due_by.clear()
    return tmp_path


@pytest.fixture
def door():
    made = doorbell.Door()
    yield made
    made.close()


def test_who_waits_hears_each_lane_once(door):
    for lane in ("webhooks.events", "agenthub.jobs", "webhooks.events"):
        doorbell.press(lane)
    assert door.wait(20) == {"webhooks.events": 0.0, "agenthub.jobs": 0.0}
    assert door.wait(0) == {}


def test_a_lane_may_wait_as_long_as_the_most_urgent_ring_says(door):
    doorbell.press("a", 0.5)
    doorbell.press("b", 0.5)
    doorbell.press("a", 0.02)
    doorbell.press("a", 0.1)
    assert door.wait(20) == {"a": 0.02, "b": 0.5}


def test_what_waits_anyway_is_not_rung_for_again(door):
    doorbell.press("a", 60.0)
    assert door.wait(20) == {"a": 60.0}
    doorbell.press("a", 61.0)
    assert door.wait(0) == {}
    doorbell.press("a")
    assert door.wait(20) == {"a": 0.0}
    doorbell.press("a", 60.0)  # what was waited for was drained with that one
    assert door.wait(20) == {"a": 60.0}


def test_what_is_no_ring_is_passed_over(door, folder):
    with (folder / "bell").open("w") as pipe:
        pipe.write("a\nb never\n\nc 0.5\n")
    assert door.wait(20) == {"c": 0.5}


def test_what_is_queued_is_heard_after_its_transaction(door, transactional_db):
    make_job(make_case())
    bell.ring("reviews.jobs")
    assert door.wait(20) == {"reviews.jobs": 0.0}


def test_a_worker_that_rings_for_its_own_lane_is_its_own_listener(door, monkeypatch):
    monkeypatch.setitem(bell._listeners, "a", lambda _: False)  # busy: it looks again when done
    bell.ring_now("a")
    assert door.wait(0) == {}


def test_nobody_needs_to_be_there(folder):
    doorbell.press("a")
    assert not (folder / "bell").exists()
    doorbell.Door().close()
    doorbell.press("a")  # there is a pipe, and nobody at it


def test_rings_that_nobody_comes_to_are_dropped(door):
    for _ in range(20_000):
        doorbell.press("webhooks.events")
    assert door.wait(20) == {"webhooks.events": 0.0}


def test_only_the_owner_may_ring(door, folder):
    assert stat.S_IMODE((folder / "bell").stat().st_mode) == 0o600


def test_a_folder_without_a_pipe_has_a_door_where_nobody_rings(folder):
    (folder / "bell").write_text("not a pipe")
    door, began = doorbell.Door(), time.monotonic()
    assert door.wait(0.05) == {}
    assert time.monotonic() - began > 0.04
    door.close()
