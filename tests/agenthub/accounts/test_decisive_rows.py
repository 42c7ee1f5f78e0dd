"""What decides at the hub is recorded: by a line of the desk's trail, or by the log without a desk."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from agenthub.accounts import api_keys, signing_secrets
from agenthub.models import Account, Agent, ApiKey, SigningSecret
from reviews.audit import trail, verification
from reviews.audit.bound_rows import BOUND
from reviews.models import CaseEvent
from tests.docs.pages import ROOT
from tests.factories import make_hub, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def account() -> Account:
    account: Account = make_hub()["account"]
    verification.bind_existing(BOUND)
    return account


def last_line() -> CaseEvent:
    return CaseEvent.objects.filter(what="setting_bound").order_by("-pk")[0]


def test_an_account_that_is_closed_on_its_page_is_a_line(client, account):
    client.force_login(make_user("hub", role="hub administrator"))
    answer = client.post(f"/hub/accounts/{account.pk}/switch/", {"close": "1"})
    assert answer.status_code in (302, 303)
    assert (last_line().data["act"], last_line().by) == ("changed", "hub")
    assert last_line().bindings[0]["table"] == "agenthub_account"
    assert list(verification.faults()) == []


def test_fewer_checks_of_an_agent_are_a_line(account):
    agent = Agent.objects.filter(account=account)[0]
    agent.checks = []
    agent.save()
    [entry] = last_line().bindings
    assert (entry["table"], entry["id"]) == ("agenthub_agent", str(agent.pk))
    assert list(verification.faults()) == []


def test_keys_and_secrets_leave_lines_and_no_values(account):
    """Also where a row is changed by a statement of its own."""
    _, raw = api_keys.create(account, name="new")
    api_keys.revoke(ApiKey.objects.order_by("-pk")[0])
    secret, value = signing_secrets.rotate(account)
    assert signing_secrets.sign_now(secret)
    third, _ = signing_secrets.rotate(account)
    assert signing_secrets.end(third)
    trail.seal_all()
    assert list(verification.faults()) == []
    text = "".join(trail.export())
    assert raw not in text
    assert value not in text


@pytest.mark.parametrize(
    "change",
    [
        lambda: ApiKey.objects.update(revoked_at=None, name="x"),
        lambda: SigningSecret.objects.update(secret="another"),
        lambda: Agent.objects.update(checks=[{"check_id": "only.one"}]),
        lambda: Account.objects.update(is_active=False),
    ],
)
def test_a_change_behind_the_hub_is_found(account, change):
    change()
    assert "is not as event" in "".join(verification.faults())


LOGGED = """
import django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from agenthub.accounts import api_keys, signing_secrets
from agenthub.models import Account
account = Account.objects.create(name="A client")
account.is_active = False
account.save()
key, raw = api_keys.create(account, name="secret name")
api_keys.revoke(key)
print("RAW", raw)
"""


def test_with_the_hub_alone_the_log_has_the_changes(tmp_path):
    env = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "VAR": str(tmp_path),
        "DESK_ENABLED": "0",
        "DJANGO_SETTINGS_MODULE": "compliance.settings",
    }
    run = subprocess.run(
        [sys.executable, "-c", LOGGED],
        capture_output=True, text=True, check=True, env=env,
    )  # fmt: skip
    raw = run.stdout.partition("RAW ")[2].strip()
    for words in (
        "agenthub.Account 1 was added",
        "agenthub.Account 1 was changed",
        "agenthub.ApiKey 1 was added",
        "agenthub.ApiKey 1 was changed",
    ):
        assert words in run.stderr, run.stderr
    assert raw
    assert raw not in run.stderr
