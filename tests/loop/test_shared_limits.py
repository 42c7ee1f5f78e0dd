"""Two web processes on PostgreSQL and Redis: limits are counted once, and a login ends in both."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests

from tests.loop.installations import Distributed, until

pytestmark = pytest.mark.processes
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


class Browser(requests.Session):
    def __init__(self, url: str) -> None:
        super().__init__()
        self.url = url
        # A connection for each request: so both processes answer.
        self.headers["Connection"] = "close"

    def page(self, path: str) -> requests.Response:
        return self.get(self.url + path, allow_redirects=False, timeout=60)

    def log_in(self, name: str, password: str) -> int:
        token = TOKEN.search(self.page("/login/").text)
        assert token
        form = {"login": name, "password": password, "csrfmiddlewaretoken": token[1]}
        answer = self.post(
            f"{self.url}/login/", form, allow_redirects=False, timeout=60
        )
        return answer.status_code


@pytest.fixture
def web(distributed, broker_url) -> Distributed:
    result: Distributed = distributed
    result.env |= {"REDIS_URL": broker_url, "LOGIN_QUEUE": "20"}
    result.manage("collectstatic", "--noinput")
    server = ("--interface", "wsgi", "--no-ws", "--port", str(result.port))
    result.run(
        "-m",
        "granian",
        *server,
        "--workers",
        "2",
        "--blocking-threads",
        "8",
        "compliance.wsgi:application",
    )
    until(lambda: requests.get(f"{result.url}/health/live", timeout=2).ok)
    return result


def test_limits_hold_over_both_processes(web):
    result = json.loads((web.folder / "demo.json").read_text())
    user = result["users"][0]
    name, password = user["username"], user["password"]
    # All at once: a try is counted before its result is known.
    with ThreadPoolExecutor(12) as pool:
        browsers = [Browser(web.url) for _ in range(12)]
        jobs = [pool.submit(one.log_in, name, "wrong") for one in browsers]
        statuses = sorted(job.result() for job in jobs)
    assert statuses == [200] * 5 + [429] * 7
    # A claim of another address is not believed.
    browser = Browser(web.url)
    browser.headers["X-Forwarded-For"] = "203.0.113.9"
    assert browser.log_in(name, password) == 429
    # Others are not concerned, from the same address.
    other = result["users"][1]
    first, second = Browser(web.url), Browser(web.url)
    assert first.log_in(other["username"], other["password"]) == 302
    assert second.log_in(other["username"], other["password"]) == 302
    for _ in range(6):
        assert second.page("/").status_code == 200
    token = TOKEN.search(first.page("/account/sessions/").text)
    assert token
    form = {"csrfmiddlewaretoken": token[1]}
    first.post(f"{web.url}/account/sessions/", form, timeout=60)
    # The other login is over in both processes.
    assert {second.page("/").status_code for _ in range(6)} == {302}
    assert first.page("/").status_code == 200
