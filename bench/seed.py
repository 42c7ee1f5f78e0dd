"""Creates users, accounts and agents for a benchmark in the configured database; prints ids as
JSON.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import django
from django.core.management import call_command

from bench.load import SECRET


def _make(address: str, check_ids: list[str]) -> dict[str, Any]:
    from django.contrib.auth.models import Group, User

    from agenthub.accounts import api_keys
    from agenthub.models import Account, SigningSecret
    from agenthub.models import Agent as HubAgent
    from reviews.access import roles
    from reviews.models import Agent, Connection, WebhookSecret

    user = User.objects.create_user("bench", password="of-the-bench")
    user.groups.add(Group.objects.get(name=roles.ANALYST))
    account = Account.objects.create(name="Bench")
    _, api_key = api_keys.create(account, name="bench")
    SigningSecret.objects.create(account=account, secret=SECRET)
    checks = [{"check_id": check_id} for check_id in check_ids]
    HubAgent.objects.create(
        account=account, key="bench-kyb", name="b", kind="kyb", checks=checks
    )
    HubAgent.objects.create(account=account, key="bench-all", name="a", kind="kyb")
    connection = Connection.objects.create(
        name="bench", slug="bench", base_url=f"{address}/api/v1", api_key=api_key
    )
    WebhookSecret.objects.create(connection=connection, name="bench", secret=SECRET)
    agents = [
        Agent.objects.create(connection=connection, kind="kyb", name=key, agent_key=key)
        for key in ("bench-kyb", "bench-all")
    ]
    return {
        "agent": agents[0].pk,
        "agent_of_documents": agents[1].pk,
        "api_key": api_key,
    }


if __name__ == "__main__":
    django.setup()
    call_command("migrate", verbosity=0, interactive=False)
    print(json.dumps(_make(sys.argv[1], sys.argv[2:])))
