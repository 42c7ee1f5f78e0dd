from __future__ import annotations

import fcntl
import gc
import os
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from zlib import crc32

import psycopg
import pytest
from django.conf import settings as django_settings
from django.contrib.sessions.backends.base import SessionBase
from django.core.cache import caches
from django.core.servers.basehttp import WSGIRequestHandler
from django.db import connection
from django.http import HttpRequest
from django.test import Client, TransactionTestCase
from django.test.client import ClientMixin

from compliance.db import newer_schema
from compliance.db.connections import time_limits
from compliance.security import data_keys
from compliance.security.session_store import cookies
from compliance.work import queues, tallies, worker
from reviews.access import reads
from tests.emptying import Emptier
from webhooks import senders

# Nothing that is imported or collected becomes garbage: `pytest_collection_finish` ends this.
gc.disable()

LONG_ID = 40  # bytes
# The last file that waits for a browser or for processes begins when this part of the others is done.
WAITING_END = 0.7
# So many values of a test are in each part. The others take the same way through the code.
ALWAYS = 4

# A look at the table of migrations every two seconds would make the number of queries a matter of chance.
newer_schema.EVERY_SECONDS = float("inf")
newer_schema.WATCH.wait()

# Or the body of an answer waits until the client has confirmed its head, for 40 ms.
WSGIRequestHandler.disable_nagle_algorithm = True


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--database-only",
        action="store_true",
        help="only the tests that use the database and open no browser: for a run on a second one",
    )
    parser.addoption(
        "--values",
        type=int,
        default=0,
        help="how many sets of parameters of each test to run; 0: all",
    )
    parser.addoption(
        "--part",
        default="1/1",
        help="which of how many parts to run, such as 2/4: of each sweep, of the tests with real"
        f" processes and of values behind the first {ALWAYS}; with --database-only of all tests",
    )


def pytest_xdist_auto_num_workers() -> int:
    """One test process more than there are processors, which works while another waits. Each more
    has to collect all tests again, and to load what they need. Redis has databases for six.
    """
    return min((os.cpu_count() or 1) + 1, 6)


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Give long bytes the name of their argument: an archive holds the time when it was made, and
    each test process would collect a test of another name.
    """
    if isinstance(val, bytes) and len(val) > LONG_ID:
        return argname
    return None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Choose the tests of this run, and the order in which their files are dealt out."""
    for item in items:
        # Each test process would collect a test of another name, and the whole run would end.
        if "datetime.datetime(" in item.nodeid:
            raise pytest.UsageError(f"The name of a test holds a time: {item.nodeid}")
    part, _, parts = config.getoption("part").partition("/")
    chosen = selection(
        items,
        database_only=config.getoption("database_only"),
        values=config.getoption("values"),
        part=(int(part), int(parts)),
    )
    kept = set(chosen)
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = dealt_out([item for item in items if item in kept])


def pytest_collection_finish() -> None:
    """Leave out what lives as long as the process: to walk it again and again was a tenth of the time."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()


def dealt_out(items: list[pytest.Item]) -> list[pytest.Item]:
    """The tests in the order in which the files are dealt out to the test processes.

    A test with a browser or with real processes waits for them much of its time. If all test
    processes had one, the processors would stand still, and later have too much to do. So the files
    of such tests are spread among the others. The longest of each kind begin, and no long file is
    among the last, so that no test process ends late.
    """
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    ordered = sorted(files.values(), key=_weight, reverse=True)
    waiting = [tests for tests in ordered if any(map(waits, tests))]
    computing = [tests for tests in ordered if not any(map(waits, tests))]

    result: list[pytest.Item] = []
    every = WAITING_END * sum(map(len, computing)) / max(len(waiting), 1)
    done = 0
    for number, tests in enumerate(waiting):
        while computing and done < number * every:
            done += len(computing[0])
            result += computing.pop(0)
        result += tests
    for tests in computing:
        result += tests
    return result


def waits(item: pytest.Item) -> bool:
    """If a test waits for other processes most of its time."""
    return "browser" in item.keywords or "processes" in item.keywords


def _weight(tests: Sequence[pytest.Item]) -> tuple[bool, bool, int]:
    """How long a file takes, roughly: its number of tests, behind what is known to take long."""
    real_processes = any("processes" in test.keywords for test in tests)
    sweep = any("sweep" in test.keywords for test in tests)
    return real_processes, sweep, len(tests)


def selection(
    items: list[pytest.Item], *, database_only: bool, values: int, part: tuple[int, int]
) -> list[pytest.Item]:
    """Which tests a run has, by its options.

    It does not depend on the order, which is another each time: what failed is run once more, and
    has to be in the second run, too.
    """
    chosen = sorted(items, key=lambda item: item.nodeid)
    if database_only:
        chosen = [item for item in chosen if depends_on_database(item)]
    if values:
        chosen = first_values(chosen, values)
    divides = of_second_database if database_only else takes_long
    return part_of(chosen, *part, divides)


def first_values(items: list[pytest.Item], limit: int) -> list[pytest.Item]:
    """The first `limit` tests of each test function.

    On a second database all values were tried on the first: they take the same way through it.
    Those of tests marked `all_values` do not, or were not tried on the first.
    """
    chosen = []
    counts: Counter[str] = Counter()
    for item in items:
        function = item.nodeid.partition("[")[0]
        counts[function] += 1
        if counts[function] <= limit or "all_values" in item.keywords:
            chosen.append(item)
    return chosen


def takes_long(item: pytest.Item, place: int) -> bool:
    """If each change runs a part of such tests only: sweeps, but for those marked `whole`, tests with
    real processes, and what follows the first values of any other. `place` counts values from 0.
    """
    sweep = item.get_closest_marker("sweep")
    if sweep:
        return not sweep.kwargs.get("whole")
    if "all_values" in item.keywords:
        return False
    return "processes" in item.keywords or place >= ALWAYS


def of_second_database(item: pytest.Item, place: int) -> bool:
    """If a test tries on a second database what the first has shown."""
    return "all_values" not in item.keywords


def part_of(
    items: list[pytest.Item],
    part: int,
    parts: int,
    divides: Callable[[pytest.Item, int], bool],
) -> list[pytest.Item]:
    """All tests that are not to be divided, and the sets of parameters of the others that are in this
    part (from 1). A test without parameters is in one of the parts.
    """
    chosen = []
    counts: Counter[str] = Counter()
    for item in items:
        function = item.nodeid.partition("[")[0]
        place = counts[function]
        counts[function] += 1
        # So that not all of them begin with the same part.
        number = crc32(function.encode()) + place
        if not divides(item, place) or number % parts == part - 1:
            chosen.append(item)
    return chosen


def depends_on_database(item: pytest.Item) -> bool:
    """If a test uses the database. What a browser shows is the same on each."""
    fixtures = set(getattr(item, "fixturenames", ()))
    uses_database = "django_db" in item.keywords or bool(
        fixtures & {"db", "transactional_db", "live_server"}
    )
    return uses_database and "browser_type_launch_args" not in fixtures


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


@pytest.fixture(scope="session", autouse=True)
def no_power_cut() -> Iterator[None]:
    """No test cuts the power. Nearly every one writes a key, and waited for the disk four times.

    A file that is closed is still an error.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", os.fstat)
        yield


@pytest.fixture(scope="session", autouse=True)
def signed_cookies() -> Iterator[None]:
    """Django's test client sets and reads the cookie of a session itself, without our middleware.
    Sign what it sets, and give it the key of what it reads.
    """
    session_of = vars(ClientMixin)["session"].fget
    set_cookies = vars(ClientMixin)["_set_login_cookies"]

    def session(client: Client) -> SessionBase:
        cookie = client.cookies.get(django_settings.SESSION_COOKIE_NAME)
        if cookie and cookie.value:
            engine = import_module(django_settings.SESSION_ENGINE)
            store: SessionBase = engine.SessionStore(cookies.key_of(cookie.value))
            return store
        new: SessionBase = session_of(client)
        _sign_cookie(client)
        return new

    def set_login_cookies(client: Client, request: HttpRequest) -> None:
        set_cookies(client, request)
        _sign_cookie(client)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Client, "session", property(session))
        patch.setattr(Client, "_set_login_cookies", set_login_cookies)
        yield


def _sign_cookie(client: Client) -> None:
    cookie = client.cookies[django_settings.SESSION_COOKIE_NAME]
    value = cookies.cookie_of(cookie.value)
    # This keeps the attributes of the cookie.
    client.cookies[django_settings.SESSION_COOKIE_NAME] = value


@pytest.fixture(scope="session")
def once(
    tmp_path_factory, worker_id
) -> Callable[[str, Callable[[Path], object]], Path]:
    """A folder that all test processes share: the first that asks for it fills it."""
    shared = tmp_path_factory.getbasetemp()
    if worker_id != "master":
        shared = shared.parent

    def folder_of(name: str, fill: Callable[[Path], object]) -> Path:
        folder = Path(shared, name)
        path = Path(shared, f"{name}.done")
        with Path(shared, f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not path.exists():
                fill(folder)
                path.touch()
        return folder

    return folder_of


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment, django_db_blocker, once, worker_id
) -> Iterator[None]:
    """The first test process migrates a database, and each works on a copy of it, as with Django's
    own `test --parallel`: to migrate takes as long as a hundred tests. Tests that commit leave the
    tables as `migrate` had made them.
    """
    real_name = str(connection.settings_dict["NAME"])
    with django_db_blocker.unblock():
        migrated = once("migrated", _migrate)
        connection.settings_dict["NAME"] = Path(migrated, "name").read_text()
        creation = connection.creation
        creation.clone_test_db(worker_id, verbosity=0)
        connection.settings_dict.update(creation.get_test_db_clone_settings(worker_id))
        emptier = Emptier()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            TransactionTestCase, "_fixture_teardown", lambda case: emptier.empty()
        )
        yield
    with django_db_blocker.unblock():
        # A thread of a server whose browser has gone may still answer it, and PostgreSQL drops no
        # database that somebody is connected to.
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
        creation.destroy_test_db(real_name, verbosity=0)
    # A test may have loaded the server, which limits the statements of its process.
    time_limits.limit_statements(0)


def _migrate(folder: Path) -> None:
    """Make the database that is copied. The folder keeps its name, and the file of SQLite."""
    folder.mkdir()
    if connection.vendor == "sqlite":
        # A file, not memory: threads of one test see one database, as in real life.
        connection.settings_dict["TEST"]["NAME"] = str(folder / "test.sqlite3")
    name = connection.creation.create_test_db(
        verbosity=0, autoclobber=True, serialize=False
    )
    connection.close()
    Path(folder, "name").write_text(name)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """The process that deals out the tests removes the database that was copied."""
    if connection.vendor != "postgresql" or hasattr(session.config, "workerinput"):
        return
    values = connection.settings_dict
    try:
        # Not by Django's connection: pytest-django closes it outside of tests.
        server = psycopg.connect(
            host=values["HOST"],
            port=values["PORT"],
            user=values["USER"],
            password=values["PASSWORD"],
            dbname=values["NAME"],
            autocommit=True,
            connect_timeout=2,
        )
    except psycopg.OperationalError:
        return
    with server:
        server.execute(f'DROP DATABASE IF EXISTS "test_{values["NAME"]}"')


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
