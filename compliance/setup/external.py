"""Connects the desk to a service elsewhere: its address, its keys, and its agents."""

from __future__ import annotations

from django.utils.text import slugify

from compliance.setup.answers import ExternalService
from reviews.models import Agent, Connection, Kind, WebhookSecret

AGENT_NAMES = {Kind.KYB: "Business onboarding", Kind.KYC: "Person onboarding"}
_SLUG_LENGTH = Connection._meta.get_field("slug").max_length


def connect(service: ExternalService) -> Connection:
    """Create the connection, the secret of its webhooks, and an agent for each key given."""
    # A name in letters that no address has, such as Arabic, gives an empty slug.
    slug = slugify(service.name)[:_SLUG_LENGTH] or "service"
    connection = Connection.objects.create(
        name=service.name,
        slug=slug,
        base_url=service.address,
        api_key=service.api_key,
    )
    if service.webhook_secret:
        WebhookSecret.objects.create(
            connection=connection, name="first", secret=service.webhook_secret
        )
    agent_keys = {Kind.KYB: service.business_agent, Kind.KYC: service.person_agent}
    for kind, agent_key in agent_keys.items():
        if agent_key:
            Agent.objects.create(
                connection=connection,
                kind=kind,
                name=AGENT_NAMES[kind],
                agent_key=agent_key,
            )
    return connection
