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
    result: Distributed = distributed
    right = dict(result.env)
    result.env |= {"PYTHONPATH": str(SKEWED), "CLOCK_OFFSET": str(seconds)}
    result.start_worker()
    result.env = right
    result.start_web()
    result.run(
        "-m", "celery", "-A", "compliance", "beat", "-s", str(result.folder / "beat")
    )
    until(lambda: requests.get(f"{result.url}/health/live", timeout=2).ok)
    assert_everything_once(result)

    def clocks() -> str:
        # Without an answer of the database in time the part is missing.
        answer = requests.get(f"{result.url}/health/ready", timeout=60)
        return str(answer.json().get("clocks"))

    until(lambda: words in clocks())


@pytest.mark.slow
@pytest.mark.fault(
    "F14", "the clocks of the workers differ by seconds, minutes and hours"
)
def test_workers_whose_clocks_differ_do_each_thing_once(distributed):
    result: Distributed = distributed
    right = dict(result.env)
    for seconds in (20, 600, -10800):
        result.env = right | {
            "PYTHONPATH": str(SKEWED),
            "CLOCK_OFFSET": str(seconds),
        }
        result.start_worker()
    result.env = right
    result.start()
    assert_everything_once(result)


@pytest.mark.slow
@pytest.mark.fault("F19", "two web processes, two of each worker, two beats")
def test_two_of_everything_do_each_thing_once(distributed):
    result: Distributed = distributed
    result.start()
    result.start_worker()
    result.run(
        "-m", "celery", "-A", "compliance", "beat", "-s", str(result.folder / "two")
    )
    assert_everything_once(result)
