"""Jobs that wait for somebody else keep none from running; those that compute take turns."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import connection
from django.utils.timezone import now

from agenthub.jobs import examination, lifecycle
from agenthub.models import AgentJob
from agenthub.tasks import DOCUMENTS, JOBS
from checks import samples
from compliance.work import timing
from tests.agenthub.jobs.test_runs import b64, claim, make_job
from tests.compliance.work.test_worker import wait_until

SLOW = 4  # as many jobs as wait for who holds their documents


@pytest.fixture
def silent(settings) -> Iterator[str]:
    """The address of one who takes requests and answers none, until the test ends."""
    with socket.create_server(("127.0.0.1", 0), backlog=16) as listening:
        port = listening.getsockname()[1]
        settings.OUTBOUND_ALLOW = frozenset({("127.0.0.1", port)})
        yield f"http://127.0.0.1:{port}/a.pdf"
        listening.settimeout(0.1)
        try:
            while True:  # what was asked by now hears that nobody is there
                listening.accept()[0].close()
        except TimeoutError:
            pass


def status(job: AgentJob) -> str:
    return str(AgentJob.objects.values_list("status", flat=True).get(pk=job.pk))


def held() -> int:
    """How many jobs somebody is at."""
    return AgentJob.objects.filter(leased_until__gt=now()).count()


def test_jobs_wait_for_their_documents_beside_one_that_needs_none(pool_of, silent):
    readers, others = pool_of(DOCUMENTS), pool_of(JOBS)
    for _ in range(SLOW):
        make_job({"url": silent, "file_name": "a.pdf"})
    readers.wake()
    wait_until(lambda: held() == SLOW)
    quick = make_job(kind="kyc", date_of_birth="1988-04-17")
    others.wake()
    wait_until(lambda: status(quick) == "COMPLETE")
    assert held() == SLOW


@pytest.mark.django_db(transaction=True)
def test_a_job_keeps_its_lease_until_it_is_its_turn_to_read(monkeypatch):
    monkeypatch.setattr(timing, "TICK_SECONDS", 0.05)
    job = make_job(b64(samples.good_certificate().content))
    claimed = claim()

    def advance() -> None:
        lifecycle.advance(claimed)
        connection.close()

    thread = threading.Thread(target=advance)
    with contextlib.ExitStack() as places:
        for _ in range(examination.READERS):
            places.enter_context(
                examination.turns.turn(0, every=1.0, tick=lambda: None)
            )
        thread.start()
        wait_until(lambda: status(job) == "RUNNING")
        AgentJob.objects.update(leased_until=now() - timedelta(seconds=1))
        wait_until(lambda: held() == 1)
        assert not job.check_runs.filter(tool_runs__isnull=False).exists()
    thread.join(60)
    assert status(job) == "COMPLETE"
