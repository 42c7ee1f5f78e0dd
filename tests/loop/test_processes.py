"""Real processes, killed without warning: nothing is lost, and nothing happens twice."""

from __future__ import annotations

import base64
import json
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import requests

from tests.compliance.storage.files import PDF
from tests.loop.installations import (
    ROOT,
    Installation,
    assert_everything_once,
    free_port,
    signed,
    until,
)

pytestmark = pytest.mark.processes

# More than the server holds of a request in memory.
LARGE = PDF + b" " * (4 << 20)


@pytest.mark.fault("F8", "kill -9 of the embedded worker in mid job")
def test_the_worker_is_killed_in_mid_job(installation):
    installation.start()
    for _ in range(3):
        until(
            lambda: installation.rows(
                "SELECT 1 FROM agenthub_agentjob WHERE status = 'RUNNING'"
            )
        )
        installation.kill(r"manage\.py work")
        time.sleep(0.3)
        if installation.all_cases_end():
            break
    assert_everything_once(installation)


@pytest.mark.fault("F20", "kill -9 of the web process in mid request")
def test_the_web_process_is_killed_in_mid_request(installation):
    installation.start()
    until(lambda: installation.rows("SELECT 1 FROM webhooks_event"))
    with socket.create_connection(("127.0.0.1", installation.port)) as half:
        half.sendall(
            b"POST /webhooks/hub/ HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"
        )
        installation.kill("granian")
        began = time.monotonic()
        until(
            lambda: requests.get(f"{installation.url}/health/live", timeout=2).ok,
            seconds=15,
        )
        assert time.monotonic() - began < 15
    assert_everything_once(installation)


@pytest.mark.fault("F20", "kill -9 of everything")
def test_all_is_killed_at_once_and_started_again(installation):
    installation.start()
    until(
        lambda: installation.rows(
            "SELECT 1 FROM agenthub_agentjob WHERE status = 'RUNNING'"
        )
    )
    installation.stop(signal.SIGKILL)
    until(lambda: not installation.children("granian|manage"), seconds=20)
    installation.start()
    assert_everything_once(installation)


@pytest.mark.slow
@pytest.mark.fault("F11", "the service is down")
def test_a_service_that_is_down_for_a_while_gets_the_jobs_later(installation):
    elsewhere = free_port()
    move = "UPDATE reviews_connection SET base_url = ?"
    installation.execute(move, f"http://127.0.0.1:{elsewhere}/api/v1")
    installation.start()
    until(lambda: installation.rows("SELECT 1 FROM reviews_job WHERE tries > 0"))
    installation.execute(move, f"{installation.url}/api/v1")
    assert_everything_once(installation)


def test_ctrl_c_stops_cleanly_and_the_data_stays(installation):
    installation.start()
    assert_everything_once(installation)
    assert installation.stop(signal.SIGINT) == [0]
    until(lambda: not installation.children("."), seconds=20)
    result = json.loads((installation.folder / "demo.json").read_text())
    cases = installation.rows("SELECT id FROM reviews_case ORDER BY id")
    installation.manage("demo")
    assert json.loads((installation.folder / "demo.json").read_text()) == result
    assert (installation.folder / "demo.json").stat().st_mode & 0o777 == 0o600
    assert installation.rows("SELECT id FROM reviews_case ORDER BY id") == cases


@pytest.mark.fault("F9", "the installation is stopped while a document is read")
def test_ctrl_c_while_a_document_is_read_is_no_failure(installation, capfd):
    # Not `start`: when the web server answers, all documents may have been read.
    installation.run("manage.py", "up")
    until(lambda: installation.children("multiprocessing.forkserver"))
    assert installation.stop(signal.SIGINT) == [0]
    errors = capfd.readouterr().err
    assert "EOFError" not in errors
    assert " ERROR " not in errors
    # The column is encrypted, so empty is no bytes.
    reasons = "SELECT reason FROM reviews_document WHERE LENGTH(reason) > 0"
    assert installation.rows(reasons) == []
    assert installation.rows("SELECT MAX(failures) FROM reviews_document") == [(0,)]


def test_no_second_installation_shares_the_port(installation, tmp_path):
    installation.start()
    other = Installation(tmp_path / "other", PORT=str(installation.port))
    process = subprocess.run(
        [sys.executable, "manage.py", "up"],
        cwd=ROOT, env=other.env, capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    assert process.returncode == 1
    assert (
        f"Something else listens on port {installation.port}" in process.stderr.decode()
    )
    assert requests.get(f"{installation.url}/health/live", timeout=5).ok


@pytest.mark.fault("F17", "bodies that are too large, and forty slow senders")
def test_slow_senders_and_chunked_bodies_are_served(installation):
    installation.start()
    head = b"POST /webhooks/hub/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n{"
    slow = [
        socket.create_connection(("127.0.0.1", installation.port)) for _ in range(40)
    ]
    try:
        for sender in slow:
            sender.sendall(head)
        assert requests.get(f"{installation.url}/health/live", timeout=3).ok
        answer = requests.post(
            f"{installation.url}/webhooks/hub/",
            data=iter([b'{"tool_id":', b' "x"}']),
            headers=signed(installation, b'{"tool_id": "x"}'),
            timeout=10,
        )
        assert answer.status_code == 200, answer.text
        # More than anybody may send is refused before it is read, in the form of every error.
        with socket.create_connection(("127.0.0.1", installation.port)) as huge:
            huge.sendall(head.replace(b"1000", b"9" * 12))
            text = huge.recv(4096).decode()
        assert text.startswith("HTTP/1.1 413 ")
        assert (
            json.loads(text.partition("\r\n\r\n")[2])["message"]
            == "The request is too large."
        )
    finally:
        for sender in slow:
            sender.close()


@pytest.mark.fault("F16", "the disk is full")
def test_a_full_disk_is_507_until_there_is_room(installation):
    installation.start()
    result = json.loads((installation.folder / "demo.json").read_text())
    user = result["users"][0]
    key = {"Authorization": f"Bearer {result['account']['api_key']}"}
    file = {"b64_document": base64.b64encode(LARGE).decode(), "file_name": "a.pdf"}
    body = json.dumps({"job_id": "j", "tool_id": "x", "results": {}}).encode()

    def log_in(browser: requests.Session) -> requests.Response:
        browser.get(f"{installation.url}/login/", timeout=20)
        form = {"login": user["username"], "password": user["password"]}
        return _post(browser, f"{installation.url}/login/", form)

    def send() -> list[requests.Response]:
        with requests.Session() as another:
            login = log_in(another)
        receiver = f"{installation.url}/webhooks/hub/"
        headers = signed(installation, body)
        upload = f"{result['hub_url']}/uploadB64Document"
        return [
            login,
            _post(browser, f"{installation.url}/cases/new/", {}, file=LARGE),
            requests.post(receiver, data=body, headers=headers, timeout=20),
            requests.post(upload, json=file, headers=key, timeout=20),
        ]

    browser = requests.Session()
    assert log_in(browser).status_code == 302
    with no_room(installation.children("granian")):
        full = send()
    assert [response.status_code for response in full] == [507] * 4
    assert {response.headers["Retry-After"] for response in full} == {"60"}
    assert all("no room left" in response.text for response in full)
    assert [response.status_code for response in send()] == [302, 200, 200, 200]


def _post(
    browser: requests.Session, address: str, form: dict[str, str], **files: bytes
) -> requests.Response:
    form = {**form, "csrfmiddlewaretoken": browser.cookies["csrftoken"]}
    return browser.post(address, form, files=files, allow_redirects=False, timeout=20)


@contextmanager
def no_room(pids: list[int]) -> Iterator[None]:
    """These processes can write no file beyond 4 KiB, as on a full disk."""
    limits = {pid: resource.prlimit(pid, resource.RLIMIT_FSIZE) for pid in pids}
    for pid, (_, hard) in limits.items():
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (4096, hard))
    try:
        yield
    finally:
        for pid, limit in limits.items():
            resource.prlimit(pid, resource.RLIMIT_FSIZE, limit)
