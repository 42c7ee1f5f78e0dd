from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
from django.conf import settings as django_settings
from django.core.cache import caches
from django.core.servers.basehttp import WSGIRequestHandler
from django.db import connection
from django.test import TransactionTestCase

from compliance.db import connection_settings
from compliance.security import data_keys
from compliance.work import queues, tallies, worker
from reviews.access import reads
from tests.emptying import Emptier
from webhooks import senders

# Or the body of an answer waits until the client has confirmed its head, for 40 ms.
WSGIRequestHandler.disable_nagle_algorithm = True


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--database-only",
        action="store_true",
        help="only the tests that use the database: for a run on a second one",
    )


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    """The longest first: files are dealt out to the test processes, and none should end late."""
    items.sort(
        key=lambda item: (
            "processes" not in item.keywords,
            "sweep" not in item.keywords,
            "browser" not in item.keywords,
        )
    )
    if config.getoption("database_only"):
        others = [item for item in items if not uses_database(item)]
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if uses_database(item)]


def uses_database(item: pytest.Item) -> bool:
    fixtures = set(getattr(item, "fixturenames", ()))
    return "django_db" in item.keywords or bool(
        fixtures & {"db", "transactional_db", "live_server"}
    )


@pytest.fixture(autouse=True)
def clean(tmp_path, settings) -> Iterator[None]:
    """Files go to a folder of the test; what a process keeps in memory is forgotten."""
    settings.MEDIA_ROOT = tmp_path / "documents"
    settings.AUDIT_KEYS_DIR = tmp_path / "audit-keys"
    settings.AUDIT_ANCHORS = tmp_path / "audit-anchors.jsonl"
    senders.forget()
    data_keys.forget()
    tallies.forget()
    reads.forget()
    for cache in caches.all():
        cache.clear()
    yield
    senders.forget()
    data_keys.forget()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker) -> Iterator[None]:
    """Tests that commit leave the tables as `migrate` had made them."""
    with django_db_blocker.unblock():
        emptier = Emptier()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            TransactionTestCase, "_fixture_teardown", lambda case: emptier.empty()
        )
        yield
    # A thread of a server whose browser has gone may still answer it, and PostgreSQL drops no
    # database that somebody is connected to.
    if connection.vendor == "postgresql":
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
    # A test may have loaded the server, which limits the statements of its process.
    connection_settings.limit_statements(0)


@pytest.fixture
def work_off() -> Callable[[], int]:
    """Do all that is due, and what that makes due, as a worker would. Returns how much it was."""

    def drain_all() -> int:
        total = 0
        while count := sum(queue.drain() for queue in queues.registered().values()):
            total += count
        return total

    return drain_all


@pytest.fixture
def pool_of(transactional_db) -> Iterator[Callable[[queues.WorkQueue], worker.Pool]]:
    """Starts the threads of a queue; ends them after the test."""
    stopping = threading.Event()
    pools: list[worker.Pool] = []

    def start(queue: queues.WorkQueue) -> worker.Pool:
        pools.append(worker.Pool(queue, stopping))
        return pools[-1]

    yield start
    stopping.set()
    for pool in pools:
        pool.end()


@pytest.fixture
def served(live_server, settings):
    """Desk and hub behind a real socket; the address is the installation's own."""
    settings.DESK_URL = settings.CALLBACK_URL = live_server.url
    host, _, port = live_server.url.removeprefix("http://").partition(":")
    settings.OUTBOUND_ALLOW = django_settings.OUTBOUND_ALLOW | {(host, int(port))}
    return live_server.url
