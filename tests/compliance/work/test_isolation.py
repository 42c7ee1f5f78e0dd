"""What reads a foreign file may crash, loop or eat memory: the parent is told, and goes on."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from compliance.work import isolation
from compliance.work.isolation import HangError, IsolationError, TimeLimitError

pytestmark = pytest.mark.processes


def counts(*, upto: int) -> Iterator[int]:
    yield from range(upto)


def loops() -> Iterator[int]:
    yield 1
    while True:
        pass


def uses_up_its_cpu_time() -> Iterator[int]:
    """As if more processors had used up in a second what the limit allows."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (1, hard))
    yield from loops()


def sleeps() -> Iterator[int]:
    time.sleep(300)
    yield 1


def computes(*, cpu: float) -> Iterator[int]:
    while time.process_time() < cpu:
        pass
    yield 1


def waits() -> Iterator[int]:
    """As on a machine that has more to do."""
    time.sleep(4)
    yield 1


def burns_and_crashes() -> Iterator[int]:
    yield 1
    while time.process_time() < 3:
        pass
    os.kill(os.getpid(), signal.SIGSEGV)


class _LostError(Exception):
    """Another worker has the row. Work rows cannot be imported in a child."""


def is_alarmed() -> Iterator[int]:
    """As if its parent had stood still beyond the limit of wall time."""
    yield 1
    os.kill(os.getpid(), signal.SIGALRM)


def crashes() -> Iterator[int]:
    yield 1
    os.kill(os.getpid(), signal.SIGSEGV)


def eats() -> Iterator[int]:
    hoard = [bytearray(64 << 20) for _ in range(64)]
    yield len(hoard)


def raises() -> Iterator[int]:
    yield 1
    raise ValueError("Jane Doe, 1 Secret Street")


def run(name: str, *, seconds: float = 20, **kwargs) -> list[object]:
    return list(isolation.stream(f"{__name__}:{name}", kwargs, seconds=seconds))


def test_what_the_child_yields_arrives_in_order():
    assert run("counts", upto=5) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("name", ["loops", "sleeps"])
def test_a_child_without_end_is_stopped(name):
    began = time.monotonic()
    with pytest.raises(IsolationError, match="too long"):
        run(name, seconds=2)
    assert time.monotonic() - began < 120


@pytest.mark.fault("F15", "a document whose reader sleeps and uses no processor")
def test_a_child_that_sleeps_is_stopped_long_before_its_wall_time(monkeypatch):
    monkeypatch.setattr(isolation, "IDLE_SECONDS", 3.0)
    ticks = []
    with pytest.raises(HangError, match="stopped after 3 s"):
        list(
            isolation.stream(
                f"{__name__}:sleeps", {}, seconds=300, tick=lambda: ticks.append(1)
            )
        )
    assert len(ticks) < 60


def test_a_child_that_computes_is_not_taken_for_one_that_sleeps(monkeypatch):
    monkeypatch.setattr(isolation, "IDLE_SECONDS", 1.0)
    assert run("computes", cpu=4.0) == [1]


def test_a_child_that_waits_for_a_processor_is_not_stopped():
    assert run("waits", seconds=3) == [1]


def test_a_crash_says_how_much_cpu_time_was_used():
    with pytest.raises(IsolationError, match="crashed") as caught:
        run("burns_and_crashes", seconds=30)
    assert 1 < caught.value.cpu_seconds < 4


def test_a_child_that_uses_up_its_cpu_time_is_stopped_for_the_time():
    with pytest.raises(TimeLimitError):
        run("uses_up_its_cpu_time")


def test_what_came_before_the_crash_is_kept():
    arriving = isolation.stream(f"{__name__}:crashes", {}, seconds=20)
    assert next(arriving) == 1
    with pytest.raises(IsolationError, match="crashed"):
        next(arriving)


def test_a_child_that_its_alarm_ended_took_too_long():
    with pytest.raises(TimeLimitError):
        run("is_alarmed")


STANDS_STILL = f"""
import os, signal, subprocess
from compliance.work import isolation

isolation.STILL_SECONDS = 2.0
arriving = isolation.stream("{__name__}:answers_and_sleeps", {{}}, seconds=1)
next(arriving)
wake_up = f"sleep 8; kill -CONT {{os.getpid()}}"
subprocess.Popen(["sh", "-c", wake_up])
os.kill(os.getpid(), signal.SIGSTOP)
try:
    next(arriving)
except (isolation.StoppedError, isolation.IsolationError) as exc:
    print(type(exc).__name__)
"""


def answers_and_sleeps() -> Iterator[int]:
    yield 1
    time.sleep(300)


def test_a_document_is_not_too_slow_because_its_worker_stood_still():
    ran = subprocess.run(
        [sys.executable, "-c", STANDS_STILL], capture_output=True, text=True, check=True
    )
    assert ran.stdout.split() == ["StoppedError"]


def test_whoever_lost_the_lease_says_nothing_of_a_crash():
    is_lost = False

    def tick() -> None:
        if is_lost:
            raise _LostError

    arriving = isolation.stream(f"{__name__}:crashes", {}, seconds=20, tick=tick)
    assert next(arriving) == 1
    is_lost = True
    with pytest.raises(_LostError):
        next(arriving)


def test_memory_has_a_limit():
    # Taking it may take long on a busy machine.
    with pytest.raises(IsolationError, match="memory"):
        run("eats", seconds=120)


def test_an_error_names_its_class_and_no_content():
    with pytest.raises(IsolationError) as caught:
        run("raises")
    assert "ValueError" in str(caught.value)
    assert "Jane" not in str(caught.value)


def test_a_child_whose_work_went_to_another_is_stopped():
    began = time.monotonic()

    class TakenOverError(Exception):
        pass

    def tick() -> None:
        raise TakenOverError

    with pytest.raises(TakenOverError):
        list(isolation.stream(f"{__name__}:sleeps", {}, seconds=60, tick=tick))
    assert time.monotonic() - began < 20


def test_web_and_worker_processes_of_the_desk_load_no_readers_of_foreign_files():
    """They are in the child alone: for safety, and for the memory of every process."""
    script = (
        "import sys, django; django.setup(); import compliance.urls, reviews.tasks;"
        "print(*{'PIL', 'pi_heif', 'pypdfium2', 'reportlab', 'fontTools'} & set(sys.modules))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "HUB_ENABLED": "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.split() == []
