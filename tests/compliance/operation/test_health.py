"""Whether it is fit to work, as an orchestrator asks it."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
import redis
from django.apps import apps
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import OperationalError
from django.db.models.functions import Now
from django.db.models.signals import pre_migrate
from django.utils.timezone import now

from compliance.celery import app
from compliance.models import Heartbeat
from compliance.operation import health, heartbeats, side_by_side
from compliance.operation.side_by_side import Question
from compliance.security import data_keys
from compliance.storage import orphans
from compliance.work import tallies
from reviews.audit import trail
from reviews.models import Chain, Document, DueWatch
from tests import factories
from tests.compliance.storage.files import largest_file
from tests.loop.installations import free_port, until

pytestmark = pytest.mark.django_db
LONG_AGO = now() - timedelta(hours=1)


@pytest.fixture(autouse=True)
def at_work() -> None:
    """A worker that serves all queues, and the sweep."""
    heartbeats.Worker("test", heartbeats.broker_queues()).beat()
    # With a broker the sweep is looked for, too.
    heartbeats.write(Heartbeat.Kind.SWEEP, "sweep")
    # These are due since the database was made, which may be long ago in a long run.
    DueWatch.objects.update(due_at=now())
    Chain.objects.update(due_at=now())


def readiness(client) -> tuple[int, str]:
    answer = client.get("/health/ready")
    return answer.status_code, answer.json()["work"]


def test_a_night_in_which_nothing_happens_is_no_fault(client):
    trail.seal_due(Chain.objects.get())
    Chain.objects.update_or_create(pk=1, defaults={"due_at": LONG_AGO})
    assert readiness(client) == (200, "ok")
    trail.record(None, "settings_changed")
    assert readiness(client) == (503, "nobody works on: reviews.tasks.seal_trail")


def test_work_that_nobody_does_is_one(client):
    case = factories.make_case()
    Document.objects.create(
        case=case, kind=Document.Kind.EIN, file_name="a", due_at=LONG_AGO
    )
    assert readiness(client) == (
        503,
        "nobody works on: reviews.tasks.draw_documents",
    )


def test_a_long_queue_that_works_stays_in_service(client):
    case = factories.make_case()
    late = Document.objects.create(
        case=case, kind=Document.Kind.EIN, file_name="a", due_at=LONG_AGO
    )
    Document.objects.create(
        case=case,
        kind=Document.Kind.EIN,
        file_name="b",
        due_at=LONG_AGO,
        leased_until=now() + timedelta(minutes=1),
    )
    answer = client.get("/health/ready")
    assert (answer.status_code, answer.json()["work"]) == (200, "ok")
    assert answer.json()["backlog"].startswith("late: reviews.tasks.draw_documents (")
    # The other row ends. Until the next one begins, the figures say that the queue works.
    Document.objects.exclude(pk=late.pk).update(due_at=None, leased_until=None)
    assert readiness(client)[0] == 503
    tallies.add(tallies.Kind.QUEUE, "reviews.tasks.draw_documents", "handled")
    tallies.flush()
    assert readiness(client) == (200, "ok")


def test_a_queue_without_a_worker_is_named_and_may_be_left_out(client):
    names = heartbeats.broker_queues() - {"documents"}
    Heartbeat.objects.filter(kind=Heartbeat.Kind.WORKER).delete()
    heartbeats.Worker("other", names).beat()
    answer = client.get("/health/ready")
    assert answer.status_code == 503
    assert answer.json()["workers"] == "no worker for: documents"
    assert client.get("/health/ready?exclude=workers").status_code == 200
    heartbeats.Worker("documents", {"documents"}).beat()
    assert client.get("/health/ready").status_code == 200


def test_a_worker_that_is_silent_counts_no_more(client):
    old = Now() - heartbeats.FRESH - timedelta(seconds=1)
    Heartbeat.objects.filter(kind=Heartbeat.Kind.WORKER).update(at=old)
    answer = client.get("/health/ready")
    assert answer.status_code == 503
    assert answer.json()["workers"].startswith("no worker for: ")


def test_who_asks_often_costs_one_check(client, settings, django_assert_num_queries):
    """The page is open to everybody, and a check reads many rows and writes one."""
    first = client.get("/health/ready")
    settings.READY_SECONDS = 60
    assert first.status_code == 200
    with django_assert_num_queries(0):
        for _ in range(20):
            assert client.get("/health/ready").json() == first.json()
        # What is left out belongs to each request.
        assert client.get("/health/ready?exclude=workers").status_code == 200


def test_an_answer_is_shared_for_a_moment_only(client, settings):
    Heartbeat.objects.filter(kind=Heartbeat.Kind.WORKER).delete()
    assert client.get("/health/ready").status_code == 503
    settings.READY_SECONDS = 0.2
    heartbeats.Worker("test", heartbeats.broker_queues()).beat()
    time.sleep(0.2)
    assert client.get("/health/ready").status_code == 200


def test_a_clock_that_differs_is_named_and_stops_nothing(client):
    assert client.get("/health/ready").json()["clocks"] == "ok"
    Heartbeat.objects.filter(kind=Heartbeat.Kind.WORKER).update(skew_seconds=20)
    answer = client.get("/health/ready")
    assert answer.json()["clocks"] == "a worker is 20 s ahead of the database"
    assert answer.status_code == 200


def test_a_folder_that_is_gone_is_named(client, settings, tmp_path, monkeypatch):
    monkeypatch.setattr(health, "_recent", health._Recent())
    settings.VAR_DIR = tmp_path / "unmounted"
    answer = client.get("/health/ready")
    assert answer.status_code == 503
    assert answer.json()["disk"] == "cannot be read (FileNotFoundError)"


# What a Redis that takes no writes is started with.
FULL = ("--maxmemory", "1")
REPLICA = ("--replicaof", "127.0.0.1 1")


@pytest.fixture(params=[FULL, REPLICA], ids=["full", "replica"])
def redis_without_writes(request, tmp_path) -> Iterator[str]:
    """A Redis that answers queries and refuses writes."""
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("redis-server is needed")
    port = free_port()
    place = ("--bind", "127.0.0.1", "--port", str(port), "--dir", str(tmp_path))
    process = subprocess.Popen(
        [program, *place, "--save", "", *request.param],
        stdout=subprocess.DEVNULL,
    )
    client = redis.Redis(port=port)
    until(lambda: _answers(client), seconds=20)
    yield f"redis://127.0.0.1:{port}/0"
    client.close()
    process.terminate()
    process.wait(20)


def _answers(client: redis.Redis) -> bool:
    try:
        return bool(client.ping())
    except redis.ConnectionError:
        return False


@pytest.mark.fault("F7", "Redis answers and takes no writes: readiness says so")
def test_a_redis_that_takes_no_writes_is_named(
    client, settings, monkeypatch, redis_without_writes
):
    settings.CELERY_BROKER_URL = redis_without_writes
    monkeypatch.setitem(app.conf, "broker_write_url", redis_without_writes)
    backend = "django.core.cache.backends.redis.RedisCache"
    cache = {"BACKEND": backend, "LOCATION": redis_without_writes}
    settings.CACHES = {**settings.CACHES, "default": cache}
    answer = client.get("/health/ready")
    assert answer.status_code == 503
    assert answer.json()["broker"].startswith("takes no messages (")
    assert answer.json()["cache"].startswith("takes no values (")


def test_parts_are_asked_side_by_side_and_a_silent_one_is_named(client, monkeypatch):
    monkeypatch.setattr(side_by_side, "SECONDS", 0.5)
    client.get("/health/ready")
    silent = [Question(_hang), Question(_hang), Question(_hang)]
    for name, question in zip(("_DISK", "_SANDBOX", "_SCANNER"), silent, strict=True):
        monkeypatch.setattr(health, name, question)
    began = time.monotonic()
    answer = client.get("/health/ready")
    assert time.monotonic() - began < 1.5
    assert answer.status_code == 503
    parts = answer.json()
    assert parts["disk"] == parts["scanner"] == side_by_side.SILENT
    assert parts["documents"] == parts["database"] == "ok"
    # A part that hangs has one thread, however often it is asked.
    threads = [question._thread for question in silent]
    client.get("/health/ready")
    assert [question._thread for question in silent] == threads


def _hang() -> str:
    time.sleep(4)
    return "ok"


def _away(*_: object) -> Iterator[str]:
    raise OperationalError


def test_the_documents_are_ok_while_the_database_is_away(client, settings, monkeypatch):
    """The key of the files and the rows that own them are in the database."""
    default_storage.save("originals/a.bin", ContentFile(b"%PDF"))
    monkeypatch.setattr(data_keys, "derive", _away)
    monkeypatch.setattr(orphans, "names_of_rows", _away)
    assert client.get("/health/ready").json()["documents"] == "ok"
    # An empty store may have lost its files. Only the database knows.
    shutil.rmtree(settings.MEDIA_ROOT)
    assert client.get("/health/ready").json()["documents"] == health.EMPTY
    assert not Path(settings.MEDIA_ROOT).exists()


def test_a_migration_warns_of_processes_that_still_run(caplog):
    plan = [("a migration", False)]
    config = apps.get_app_config("compliance")

    def send(plan: list[tuple[str, bool]]) -> str:
        caplog.clear()
        pre_migrate.send(
            config, using="default", plan=plan, verbosity=0, interactive=False
        )
        return caplog.text

    assert "had a heartbeat within the last 35 seconds: sweep, worker test" in send(
        plan
    )
    assert send([]) == ""
    Heartbeat.objects.update(at=Now() - heartbeats.FRESH - timedelta(seconds=1))
    assert send(plan) == ""


def test_a_temporary_folder_that_is_full_is_named():
    """Requests that bring files are spooled there, and are refused."""
    assert health._disk() == "ok"
    with largest_file(health.TRIAL_BYTES // 2):
        assert health._disk() == "the temporary folder takes no files (File too large)"
