"""Connects the desk to the embedded hub: an account, a key, a secret, and agents."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field

from django.conf import settings
from django.db import transaction

from agenthub.accounts import api_keys
from agenthub.models import Account, SigningSecret
from agenthub.models import Agent as HubAgent
from compliance.http import standard_webhooks
from compliance.setup.external import AGENT_NAMES
from reviews.models import Agent, Connection, Kind, WebhookSecret


@dataclass(frozen=True)
class Service:
    """The created objects. `api_key` and `webhook_secret` are shown once."""

    account: Account
    connection: Connection
    api_key: str
    webhook_secret: str
    agents: Mapping[Kind, Agent] = field(default_factory=dict)


@transaction.atomic
def connect(name: str) -> Service:
    """Create an account with this name at the hub, and connect the desk to it."""
    account = Account.objects.create(name=name)
    _, api_key = api_keys.create(account, name="desk")
    secret = standard_webhooks.new_secret()
    SigningSecret.objects.create(account=account, secret=secret)
    connection = Connection.objects.create(
        name="hub",
        slug="hub",
        base_url=f"{settings.CALLBACK_URL}/api/v1",
        api_key=api_key,
    )
    WebhookSecret.objects.create(connection=connection, name="first", secret=secret)
    agents = {}
    for kind, title in AGENT_NAMES.items():
        agents[kind] = _agent(account, connection, kind, title)
    return Service(account, connection, api_key, secret, agents)


def _agent(account: Account, connection: Connection, kind: Kind, name: str) -> Agent:
    key = f"{kind.value}-{secrets.token_hex(8)}"
    HubAgent.objects.create(account=account, key=key, name=name, kind=kind.value)
    return Agent.objects.create(
        connection=connection, kind=kind, name=name, agent_key=key
    )
