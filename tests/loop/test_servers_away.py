"""PostgreSQL and Redis are away, silent, or lose their connections; the rest goes on."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
import requests
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value

from compliance.db import redis_pool
from compliance.operation import side_by_side
from tests.loop.installations import Distributed, assert_everything_once, until
from tests.loop.proxy import Mode, Proxy
from tests.loop.test_shared_limits import TOKEN, Browser

pytestmark = pytest.mark.processes

# The longest statement and connection, in seconds; a request may need one of each, twice.
LIMITS = {"DATABASE_STATEMENT_SECONDS": "2", "DATABASE_CONNECT_SECONDS": "2"}
LONGEST = 20
# The secret of an authenticator app, as its page shows it.
SECRET = re.compile(r'value="([A-Z2-7]{32})"')


def before(url: str) -> Proxy:
    """A proxy before the server of an address, whose default port is that of Redis."""
    server = urlsplit(url)
    assert server.hostname
    return Proxy((server.hostname, server.port or 6379))


def through(url: str, proxy: Proxy) -> str:
    server = urlsplit(url)
    user = f"{server.username}@" if server.username else ""
    return f"{server.scheme}://{user}127.0.0.1:{proxy.port}{server.path}"


def behind_proxy(
    installation: Distributed, setting: str, address: str
) -> Iterator[Proxy]:
    """The processes of the installation reach the server of this setting through a proxy."""
    proxy = before(address)
    installation.manage("collectstatic", "--noinput")
    installation.env[setting] = through(address, proxy)
    yield proxy
    installation.stop()
    proxy.close()


@pytest.fixture
def database(distributed) -> Iterator[Proxy]:
    distributed.env |= LIMITS
    yield from behind_proxy(distributed, "DATABASE_URL", distributed.dsn)


@pytest.fixture
def redis_proxy(distributed, broker_url) -> Iterator[Proxy]:
    yield from behind_proxy(distributed, "CELERY_BROKER_URL", broker_url)


@pytest.fixture
def cache(distributed, broker_url) -> Iterator[Proxy]:
    """A proxy before the cache that all processes share."""
    yield from behind_proxy(distributed, "REDIS_URL", broker_url)


def log_in(installation: Distributed) -> Browser:
    result = json.loads((installation.folder / "demo.json").read_text())
    browser = Browser(installation.url)
    user = result["users"][0]
    assert browser.log_in(user["username"], user["password"]) == 302
    return browser


def submit(browser: Browser, reference: str) -> requests.Response:
    address = f"{browser.url}/cases/new/?kind=kyc"
    page = browser.get(address, timeout=60)
    token = TOKEN.search(page.text)
    agent = page.text.partition('name="agent"')[2].partition('value="')[2]
    form = {
        "csrfmiddlewaretoken": token[1] if token else browser.cookies["csrftoken"],
        "agent": agent.partition('"')[0],
        "reference": reference,
        "first_name": "Ana",
        "last_name": "Reyes",
        "date_of_birth": "1990-01-01",
    }
    return browser.post(address, form, allow_redirects=False, timeout=60)


def answers(browser: Browser, api_key: str) -> list[requests.Response]:
    """A page, an endpoint of the hub, and a webhook that arrives."""
    header = {"Authorization": f"Bearer {api_key}"}
    body = json.dumps({"job_id": "j", "tool_id": "x", "results": {}})
    return [
        browser.get(f"{browser.url}/", timeout=60),
        browser.get(
            f"{browser.url}/api/v1/getJobById?job_id=x", headers=header, timeout=60
        ),
        requests.post(f"{browser.url}/webhooks/hub/", data=body, timeout=60),
    ]


@pytest.mark.fault("F6", "PostgreSQL refuses connections")
def test_without_a_database_requests_are_503_until_it_is_back(distributed, database):
    distributed.start()
    browser = log_in(distributed)
    result = json.loads((distributed.folder / "demo.json").read_text())
    database.set(Mode.REFUSE)
    for answer in answers(browser, result["account"]["api_key"]):
        assert answer.status_code == 503, answer.url
        assert answer.headers["Retry-After"], answer.url
    ready = requests.get(f"{distributed.url}/health/ready", timeout=60)
    assert ready.status_code == 503
    assert ready.json()["database"] == "cannot be reached"
    # The other parts are named as they are.
    assert ready.json()["documents"] == ready.json()["broker"] == "ok"
    assert requests.get(f"{distributed.url}/health/live", timeout=5).ok
    database.set(Mode.FORWARD)
    until(lambda: browser.get(f"{browser.url}/", timeout=60).ok, seconds=60)
    assert_everything_once(distributed)


@pytest.mark.slow
@pytest.mark.fault("F6", "PostgreSQL takes connections and answers nothing")
def test_a_silent_database_holds_no_request_for_ever(distributed, database):
    distributed.start()
    browser = log_in(distributed)
    result = json.loads((distributed.folder / "demo.json").read_text())
    database.set(Mode.SILENT)
    for _ in range(2):
        began = time.monotonic()
        for answer in answers(browser, result["account"]["api_key"]):
            assert answer.status_code == 503, answer.url
        assert time.monotonic() - began < 3 * LONGEST
    ready = requests.get(f"{distributed.url}/health/ready", timeout=60)
    assert ready.status_code == 503
    assert ready.json()["documents"] == "ok"
    database.set(Mode.FORWARD)
    until(lambda: browser.get(f"{browser.url}/", timeout=60).ok, seconds=60)
    assert_everything_once(distributed)


@pytest.mark.slow
@pytest.mark.fault("F6", "connections to PostgreSQL are cut, five times")
def test_connections_that_are_cut_lose_nothing(distributed, database):
    distributed.start()
    for _ in range(5):
        time.sleep(0.5)
        database.cut()
    assert_everything_once(distributed)


@pytest.mark.slow
@pytest.mark.fault("F7", "Redis is away while cases are submitted")
def test_without_a_broker_cases_are_accepted_and_done_later(
    distributed,
    redis_proxy,
):
    distributed.start()
    assert_everything_once(distributed)
    browser = log_in(distributed)
    redis_proxy.set(Mode.REFUSE)
    for number in range(3):
        assert submit(browser, f"away-{number}").status_code == 303
    ready = requests.get(f"{distributed.url}/health/ready", timeout=60)
    assert ready.status_code == 503
    assert ready.json()["broker"] != "ok"
    time.sleep(4)  # some sweeps of beat
    redis_proxy.set(Mode.FORWARD)
    # Nothing has to be started again: without beat, work that becomes due by time would wait.
    assert [process.poll() for process in distributed.processes] == [None] * 4
    references = "SELECT COUNT(*) FROM reviews_case WHERE reference LIKE 'away-%'"
    assert distributed.rows(references) == [(3,)]
    assert_everything_once(distributed)


@pytest.mark.slow
@pytest.mark.fault("F7", "Redis takes connections and answers nothing")
def test_a_silent_broker_delays_no_request(distributed, redis_proxy):
    distributed.start()
    assert_everything_once(distributed)
    browser = log_in(distributed)
    redis_proxy.set(Mode.SILENT)
    began = time.monotonic()
    assert submit(browser, "silent-1").status_code == 303
    assert time.monotonic() - began < LONGEST
    # The kubelet waits for five seconds, and would take all web processes out of service.
    ready = requests.get(f"{distributed.url}/health/ready?exclude=broker", timeout=60)
    assert ready.json()["broker"] != "ok"
    assert ready.json()["documents"] == ready.json()["database"] == "ok"
    assert ready.elapsed.total_seconds() < 2 * side_by_side.SECONDS
    redis_proxy.set(Mode.FORWARD)
    assert_everything_once(distributed)


@pytest.mark.slow
@pytest.mark.fault("F7", "Redis takes 1.5 s for each answer")
def test_a_slow_cache_delays_few_requests(distributed, cache):
    distributed.start_web()
    until(lambda: requests.get(f"{distributed.url}/health/live", timeout=2).ok)
    browser = log_in(distributed)
    alone = _seconds_of_pages(browser, number=8)
    cache.delay = 1.5
    slow = _seconds_of_pages(browser, number=8)
    # Each of them needs two answers. What it takes by itself depends on the machine.
    assert slow < 1.5 * alone + 8 * 1.5


def _seconds_of_pages(browser: Browser, *, number: int) -> float:
    began = time.monotonic()
    for _ in range(number):
        assert browser.get(f"{browser.url}/", timeout=60).ok
    return time.monotonic() - began


@pytest.mark.slow
@pytest.mark.fault("F7", "Redis is away at a logout, and comes back as it was before")
def test_a_login_ends_without_the_cache_and_does_not_come_back_with_it(
    distributed, cache, broker
):
    distributed.start_web()
    until(lambda: requests.get(f"{distributed.url}/health/live", timeout=2).ok)
    browser = log_in(distributed)
    page = f"{browser.url}/"
    assert browser.get(page, timeout=60).ok
    before = {key: broker.dump(key) for key in broker.scan_iter()}
    assert before
    form = {"csrfmiddlewaretoken": browser.cookies["csrftoken"]}
    cookie = {"sessionid": browser.cookies["sessionid"]}
    cache.set(Mode.REFUSE)
    address = f"{browser.url}/logout/"
    answer = browser.post(address, form, allow_redirects=False, timeout=60)
    assert answer.status_code == 302
    # As from a snapshot on its disk, or a replica that was behind.
    for key, value in before.items():
        broker.restore(key, 0, value, replace=True)
    cache.set(Mode.FORWARD)
    # Some seconds after a failure the desk asks Redis again.
    time.sleep(redis_pool.AWAY_SECONDS + 1)
    answer = requests.get(page, cookies=cookie, allow_redirects=False, timeout=60)
    assert answer.status_code == 302


@pytest.mark.slow
@pytest.mark.fault("F7", "Redis is away at a login with a second factor")
def test_a_second_factor_works_once_without_the_cache(distributed, cache):
    distributed.start_web()
    until(lambda: requests.get(f"{distributed.url}/health/live", timeout=2).ok)
    browser = log_in(distributed)
    address = f"{browser.url}/account/2fa/totp/activate/"
    secret = SECRET.search(browser.get(address, timeout=60).text)
    assert secret
    form = {
        "csrfmiddlewaretoken": browser.cookies["csrftoken"],
        "code": code_of(secret[1], periods=0),
    }
    answer = browser.post(address, form, allow_redirects=False, timeout=60)
    assert answer.status_code == 302
    cache.set(Mode.REFUSE)
    code = code_of(secret[1], periods=1)
    # The page of the code is next; then that of the queue, or of the code again.
    assert [log_in_with(distributed, code) for _ in range(2)] == [302, 200]


def log_in_with(installation: Distributed, code: str) -> int:
    """The status of the answer to the code, after the password."""
    browser = log_in(installation)
    address = f"{browser.url}/account/2fa/authenticate/"
    form = {"csrfmiddlewaretoken": browser.cookies["csrftoken"], "code": code}
    answer = browser.post(address, form, allow_redirects=False, timeout=60)
    return answer.status_code


def code_of(secret: str, *, periods: int) -> str:
    """The code of an authenticator app, so many periods of half a minute from now."""
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30 + periods))
