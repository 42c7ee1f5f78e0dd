"""Workers whose clock is wrong do their work all the same, and readiness names them."""

from __future__ import annotations

from pathlib import Path

import pytest
import requests

from tests.loop.installations import Distributed, assert_everything_once, until

pytestmark = pytest.mark.processes
SKEWED = Path(__file__).resolve().parent / "skewed"


@pytest.mark.slow
@pytest.mark.fault("F14", "the clock of all workers is wrong")
@pytest.mark.parametrize(
    ("seconds", "words"), [(7200, "ahead of"), (-40, "behind")], ids=["ahead", "behind"]
)
def test_workers_with_a_wrong_clock_do_their_work(distributed, seconds, words):
    made: Distributed = distributed
    right = dict(made.env)
    made.env |= {"PYTHONPATH": str(SKEWED), "CLOCK_OFFSET": str(seconds)}
    made.start_worker()
    made.env = right
    made.start_web()
    made.run(
        "-m", "celery", "-A", "compliance", "beat", "-s", str(made.folder / "beat")
    )
    until(lambda: requests.get(f"{made.url}/health/live", timeout=2).ok)
    assert_everything_once(made)

    def clocks() -> str:
        return str(requests.get(f"{made.url}/health/ready", timeout=9).json()["clocks"])

    until(lambda: words in clocks())


@pytest.mark.fault("F19", "two web processes, two of each worker, two beats")
def test_two_of_everything_do_each_thing_once(distributed):
    made: Distributed = distributed
    made.start()
    made.start_worker()
    made.run("-m", "celery", "-A", "compliance", "beat", "-s", str(made.folder / "two"))
    assert_everything_once(made)
