"""One client does much: the others are served all the same. Told by order, never by time."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest
import requests

from tests.agenthub.jobs.test_one_reading import many_operators
from tests.loop.installations import ROOT, Installation, signed, until

pytestmark = pytest.mark.processes

CLIENTS = 100
ROUNDS = 10


@pytest.fixture(scope="module")
def installation(prepared, tmp_path_factory) -> Iterator[Installation]:
    # Without a limit for the address: here it is about those that are looked at.
    limits = {
        "ADDRESS_RATE": "0",
        "LOGIN_TRIES": "1000000",
        "LOGIN_ADDRESS_TRIES": "1000000",
        "DOCUMENT_SECONDS": "5",
    }
    folder = tmp_path_factory.mktemp("one_client") / "var"
    result = Installation.copy_of(prepared, folder, **limits)
    result.run_few_checks()
    result.execute(
        "UPDATE reviews_job SET due_at = NULL"
    )  # its own cases are not what it is about
    try:
        result.start()
        yield result
    finally:
        result.stop()
    until(lambda: not result.children("."), seconds=20)


@pytest.mark.slow
@pytest.mark.fault("F24", "a hundred wrong passwords at a time")
def test_a_hundred_wrong_passwords_at_a_time_hold_up_no_webhook(installation):
    url = f"{installation.url}/login/"
    page = requests.get(url, timeout=30)
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.text)
    assert token
    form = {"csrfmiddlewaretoken": token[1], "password": "wrong horse"}
    ended = threading.Event()
    answers: list[requests.Response] = []

    def try_passwords(number: int) -> None:
        while not ended.is_set():
            tried = {**form, "login": f"user-{number}"}
            answers.append(requests.post(url, tried, cookies=page.cookies, timeout=120))

    clients = [
        threading.Thread(target=try_passwords, args=(n,)) for n in range(CLIENTS)
    ]
    for client in clients:
        client.start()
    try:
        until(lambda: {answer.status_code for answer in list(answers)} == {200, 429})
        meanwhile = [_serve(installation, number, answers) for number in range(ROUNDS)]
    finally:
        ended.set()
        for client in clients:
            client.join()
    # Between a question and its answer, not everybody had a turn.
    assert max(meanwhile) < CLIENTS / 2, meanwhile
    refused = [answer for answer in answers if answer.status_code == 429]
    assert all(answer.headers["Retry-After"] == "5" for answer in refused)
    assert len(answers) >= CLIENTS


def _serve(
    installation: Installation, number: int, answers: list[requests.Response]
) -> int:
    """How many passwords were looked at while health was asked for and a webhook sent."""
    before = _looked_at(answers)
    assert requests.get(f"{installation.url}/health/live", timeout=120).ok
    body = json.dumps({"tool_id": "x", "number": number}).encode()
    headers = signed(installation, body, f"message-{number}")
    hook = f"{installation.url}/webhooks/hub/"
    assert requests.post(hook, body, headers=headers, timeout=120).ok
    return _looked_at(answers) - before


def _looked_at(answers: list[requests.Response]) -> int:
    return sum(answer.status_code == 200 for answer in list(answers))


OTHERS = 10
SLOW = 30
# Accounts whose agents run one check, and their keys.
MAKE_ACCOUNTS = """
import django, json
django.setup()
from agenthub.accounts import api_keys
from agenthub.models import Account, Agent, SigningSecret
made = {}
for name in ["hog", *(f"other-{number}" for number in range(10))]:
    account = Account.objects.create(name=name)
    SigningSecret.objects.create(account=account, secret="of a test")
    for kind, check in (("kyb", "document_safety_check"), ("kyc", "kyc.date_of_birth")):
        Agent.objects.create(
            account=account, kind=kind, key=f"{kind}-{name}", checks=[{"check_id": check}]
        )
    made[name] = api_keys.create(account, name="test")[1]
print(json.dumps(made))
"""


@pytest.mark.slow
@pytest.mark.fault("F15", "one account sends slow documents")
def test_while_one_sends_slow_documents_ten_others_are_served(installation):
    process = subprocess.run(
        [sys.executable, "-c", MAKE_ACCOUNTS],
        cwd=ROOT, check=True, capture_output=True, timeout=120,
        env=installation.env | {"DJANGO_SETTINGS_MODULE": "compliance.settings"},
    )  # fmt: skip
    keys = json.loads(process.stdout)
    slow = base64.b64encode(many_operators()).decode()
    for number in range(SLOW):
        files = [{"b64_document": slow, "file_name": f"{number}.pdf"}]
        _start(installation, keys["hog"], "kyb-hog", incorporation_documents=files)
    until(
        lambda: installation.rows(
            "SELECT 1 FROM agenthub_agentjob WHERE status = 'RUNNING'"
        )
    )
    ended = "SELECT count(*) FROM agenthub_agentjob j JOIN agenthub_account a ON a.id = j.account_id"
    ended += " WHERE j.status IN ('COMPLETE', 'FAILED') AND a.name "
    of_hog = f"{ended} = 'hog'"
    # On a busy machine some have ended before the last one was sent.
    [(before,)] = installation.rows(of_hog)
    quick = base64.b64encode(many_operators(30)).decode()
    for number in range(OTHERS):
        name = f"other-{number}"
        files = [{"b64_document": quick, "file_name": "a.pdf"}]
        _start(installation, keys[name], f"kyc-{name}", date_of_birth="1988-04-17")
        _start(installation, keys[name], f"kyb-{name}", incorporation_documents=files)
    until(
        lambda: installation.rows(f"{ended} LIKE 'other-%'") == [(2 * OTHERS,)],
        seconds=240,
    )
    [(after,)] = installation.rows(of_hog)
    assert after - before < OTHERS
    assert after < SLOW  # it had work for all that time


def _start(
    installation: Installation, key: str, agent: str, **attested: object
) -> None:
    kind = agent.partition("-")[0]
    data = (
        {"business_name": "Northwind Ltd"}
        if kind == "kyb"
        else {"first_name": "Ada", "last_name": "King"}
    )
    schema = {"id": "case-1", "self_attested_data": data | attested}
    answer = requests.post(
        f"{installation.url}/api/v1/start{kind.upper()}AgentJob",
        json={"agent_key": agent, f"{kind}_schema": schema},
        headers={"Authorization": f"Bearer {key}"},
        timeout=120,
    )
    assert answer.ok, answer.text
