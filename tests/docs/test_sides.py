"""The desk and the hub run without each other, as the documentation says: with real processes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import requests

from tests.docs.pages import ROOT
from tests.loop.installations import Installation, environment, until

pytestmark = pytest.mark.processes

HUB_ALONE = """
import django, sys
django.setup()
from django.urls import Resolver404, resolve
from django.core.checks import run_checks
resolve("/"), resolve("/hub/"), resolve("/api/v1/getJobById"), resolve("/admin/"), resolve("/login/")
for gone in ("/cases/new/", "/webhooks/hub/", "/connections/"):
    try:
        resolve(gone)
    except Resolver404:
        continue
    raise AssertionError(gone)
assert not [fault for fault in run_checks() if not fault.is_silenced()]
loaded = {name.partition(".")[0] for name in sys.modules} & {"reviews", "webhooks"}
assert not loaded, loaded
print("without the desk")
"""


def env(tmp_path: Path, **values: str) -> dict[str, str]:
    return environment(tmp_path, DJANGO_SETTINGS_MODULE="compliance.settings", **values)


def test_the_hub_loads_no_code_of_the_desk(tmp_path):
    process = subprocess.run(
        [sys.executable, "-c", HUB_ALONE],
        cwd=ROOT, env=env(tmp_path, DESK_ENABLED="0"), capture_output=True, check=False,
    )  # fmt: skip
    assert process.stdout.decode().strip() == "without the desk", (
        process.stderr.decode()
    )


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"DESK_ENABLED": "0", "HUB_ENABLED": "0"}, "compliance.E004"),
        ({"DESK_ENABLED": "0"}, "DESK_ENABLED is off"),
        ({"HUB_ENABLED": "0"}, "HUB_ENABLED is off"),
    ],
)
def test_what_cannot_be_done_with_one_side_is_reported(tmp_path, values, message):
    process = subprocess.run(
        [sys.executable, "manage.py", "demo"],
        cwd=ROOT, env=env(tmp_path, **values), capture_output=True, check=False,
    )  # fmt: skip
    assert process.returncode != 0
    assert message in process.stderr.decode()


def set_up(installation: Installation, code: str) -> str:
    installation.manage("migrate", "--verbosity", "0")
    return installation.manage("shell", "--no-imports", "--command", code).strip()


ACCOUNT = """
from agenthub.accounts import api_keys, signing_secrets
from agenthub.models import Account, Agent
account = Account.objects.create(name="Client")
birth = [{"check_id": "kyc.date_of_birth"}]
Agent.objects.create(account=account, key="people", name="People", kind="kyc", checks=birth)
signing_secrets.rotate(account)
print(api_keys.create(account)[1])
"""
ADA = """
from django.contrib.auth.models import Group, User
ada = User.objects.create_user("ada", password="correct horse")
ada.groups.add(Group.objects.get(name="hub administrator"))
"""


@pytest.mark.processes
def test_the_hub_serves_clients_and_its_pages_alone(tmp_path):
    hub = Installation(tmp_path / "var", DESK_ENABLED="0")
    try:
        key = set_up(hub, ACCOUNT)
        set_up(hub, ADA)
        hub.start()
        api = {"Authorization": f"Bearer {key}"}
        person = {
            "first_name": "Ana",
            "last_name": "Reyes",
            "date_of_birth": "1990-01-01",
        }
        schema = {"id": "c-1", "self_attested_data": person}
        body = {"agent_key": "people", "kyc_schema": schema}
        started = requests.post(
            f"{hub.url}/api/v1/startKYCAgentJob", json=body, headers=api, timeout=10
        )
        data = {"job_id": started.json()["job_id"]}

        def job() -> dict[str, str]:
            answer = requests.get(
                f"{hub.url}/api/v1/getJobById", params=data, headers=api, timeout=10
            )
            return dict(answer.json())

        until(lambda: job()["status"] == "complete", seconds=120)
        assert requests.get(f"{hub.url}/cases/new/", timeout=10).status_code == 404
        browser = requests.Session()
        page = browser.get(f"{hub.url}/", timeout=10)
        assert "Log in" in page.text
        form = {"login": "ada", "password": "correct horse", "csrfmiddlewaretoken": browser.cookies["csrftoken"]}  # fmt: skip
        inside = browser.post(
            page.url, data=form, headers={"Referer": page.url}, timeout=10
        )
        assert inside.url == f"{hub.url}/hub/"
        assert "Client" in inside.text
        assert "Queue" not in inside.text
        assert "c-1" in browser.get(f"{hub.url}/hub/jobs/", timeout=10).text
        assert requests.get(f"{hub.url}/health/ready", timeout=10).ok
    finally:
        hub.stop()


@pytest.mark.processes
def test_the_desk_works_with_a_hub_in_another_installation(tmp_path):
    hub = Installation(tmp_path / "hub", DESK_ENABLED="0")
    desk = Installation(tmp_path / "desk", HUB_ENABLED="0")
    # What each is told by the other stands at a private address here.
    hub.env["OUTBOUND_ALLOW"] = f"127.0.0.1:{desk.port}"
    try:
        key = set_up(hub, ACCOUNT)
        secret = set_up(hub, "from agenthub.models import SigningSecret as S; print(S.objects.get().secret)")  # fmt: skip
        set_up(desk, CONNECTION.format(url=hub.url, key=key, secret=secret))
        hub.start()
        desk.start()
        until(desk.all_cases_end, seconds=120)
        assert desk.rows("SELECT status, recommendation FROM reviews_case") == [
            ("to_review", "Review")  # a name and a date of birth are not enough
        ]
        assert until(
            lambda: desk.rows("SELECT 1 FROM webhooks_event WHERE status = 'applied'")
        )
        assert (
            requests.get(f"{desk.url}/api/v1/getJobById", timeout=10).status_code == 404
        )
        assert requests.get(f"{desk.url}/hub/", timeout=10).status_code == 404
    finally:
        desk.stop()
        hub.stop()


CONNECTION = """
from reviews.intake import cases
from reviews.models import Agent, Connection, WebhookSecret
connection = Connection.objects.create(name="hub", slug="hub", base_url="{url}/api/v1", api_key="{key}")
WebhookSecret.objects.create(connection=connection, name="first", secret="{secret}")
agent = Agent.objects.create(connection=connection, kind="kyc", name="People", agent_key="people")
person = dict(first_name="Ana", last_name="Reyes", date_of_birth="1990-01-01")
cases.submit(actor=None, agent=agent, subject="Ana Reyes", data=person, documents=[])
"""
