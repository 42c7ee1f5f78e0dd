"""Rows for tests, with defaults that can be overridden by name."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib.auth.models import Group, User
from django.utils.timezone import now

from agenthub.accounts import api_keys
from agenthub.models import Account, SigningSecret
from agenthub.models import Agent as HubAgent
from reviews.findings import related_cases
from reviews.models import (
    Agent,
    Announcement,
    Case,
    Connection,
    Job,
    Kind,
    Subscription,
    WebhookSecret,
)
from webhooks import events
from webhooks.models import Event

SECRET = "a-secret-of-tests"


def make_user(username: str = "ana", *, role: str = "analyst", **values: Any) -> User:
    user = User.objects.create_user(username, password="correct horse", **values)
    user.groups.add(Group.objects.get(name=role))
    return user


def make_connection(
    slug: str = "hub",
    *,
    base_url: str = "http://127.0.0.1:9/api/v1",
    secret: str = SECRET,
    **values: Any,
) -> Connection:
    connection = Connection.objects.create(
        name=slug, slug=slug, base_url=base_url, **values
    )
    WebhookSecret.objects.create(connection=connection, name="first", secret=secret)
    return connection


def make_agent(
    connection: Connection, *, kind: str = Kind.KYB, key: str = "kyb-key"
) -> Agent:
    return Agent.objects.create(
        connection=connection, kind=kind, name=f"{kind} agent", agent_key=key
    )


def make_case(
    connection: Connection | None = None, *, kind: str = Kind.KYB, **values: Any
) -> Case:
    connection = connection or make_connection()
    values.setdefault("reference", f"case-{uuid.uuid4().hex[:8]}")
    values.setdefault("subject", "Northwind Ltd")
    values.setdefault("self_attested_data", {"business_name": "Northwind Ltd"})
    case = Case.objects.create(connection=connection, kind=kind, **values)
    related_cases.store_identifiers(case)
    return case


def make_job(
    case: Case | None = None, *, status: str = Job.Status.RUNNING, **values: Any
) -> Job:
    case = case or make_case()
    job = Job(
        case=case, connection=case.connection, agent=case.agent, status=status, **values
    )
    job.remote_id = values.get("remote_id") or str(job.pk)
    job.save()
    return job


def make_event(case: Case, body: bytes = b"{}", **values: Any) -> Event:
    """A webhook of the service of that case, as it came."""
    values.setdefault("digest", events.digest_of(body))
    values.setdefault("size", len(body))
    values.setdefault("secret", case.connection.webhook_secrets.get())
    values.setdefault("headers", {"X-Signature-SHA256": "00"})
    return Event.objects.create(
        connection=case.connection, body=body, received_at=now(), **values
    )


def make_announcement(case: Case, **values: Any) -> Announcement:
    """A webhook of the desk about that case. It failed unless `values` say otherwise."""
    url = "https://erp.example/hook"
    subscription, _ = Subscription.objects.get_or_create(name="ERP", url=url)
    row = {"body": b"{}", "url": url, "event": "case.ready", "status": "dead"} | values
    return Announcement.objects.create(subscription=subscription, case=case, **row)


# One check for each kind, whatever else there is: most tests are about what becomes of a check.
# What those one-check agents require; an agent that names nothing requires far more.
REQUIREMENTS = {"kyb": ["incorporation_document"], "kyc": ["sanctions_screening"]}
CHECKS = {"kyb": "kyb.incorporation_document_verification", "kyc": "kyc.date_of_birth"}


def make_hub(
    connection: Connection | None = None, *, secret: str = SECRET
) -> dict[str, Any]:
    """An account of the hub with a key, a secret and an agent of each kind, with one check.

    With a `connection`, that connection gets the key, and agents with the same agent keys.
    """
    account = Account.objects.create(name=f"Account {uuid.uuid4().hex[:6]}")
    _, api_key = api_keys.create(account, name="test")
    SigningSecret.objects.create(account=account, secret=secret)
    data: dict[str, Any] = {"account": account, "api_key": api_key}
    for kind in Kind.values:
        key = f"{kind}-{uuid.uuid4().hex[:8]}"
        checks = [{"check_id": CHECKS[kind]}]
        data[kind] = HubAgent.objects.create(
            account=account,
            key=key,
            name=kind,
            kind=kind,
            checks=checks,
            requirements=REQUIREMENTS[kind],
        )
        if connection is not None:
            data[f"desk_{kind}"] = make_agent(connection, kind=kind, key=key)
    if connection is not None:
        connection.api_key = api_key
        connection.save()
    return data
