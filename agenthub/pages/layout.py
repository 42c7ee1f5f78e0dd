"""Common parts of all pages of the hub."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from agenthub.models import Delivery

# By name: its title and the name of its address.
SECTIONS = {
    "accounts": (_("Accounts"), "hub"),
    "jobs": (_("Jobs"), "hub-jobs"),
    "deliveries": (_("Deliveries"), "hub-deliveries"),
    "lists": (_("Lists"), "hub-lists"),
    "quarantine": (_("Quarantine"), "hub-quarantine"),
}
PAGE = 50
# What a template shows, by name.
Context = dict[str, object]


def context(section: str, **values: object) -> Context:
    sections = []
    for name, (title, address) in SECTIONS.items():
        sections.append((title, reverse(address), name == section))
    return {"nav": "hub", "section": section, "sections": sections, **values}


def shown_url(delivery: Delivery) -> str:
    """The URL of a delivery, without the parts that may be a secret."""
    try:
        parts = urlsplit(delivery.url)
    except ValueError:
        return "…"
    origin = f"{parts.scheme}://{parts.netloc}"
    if delivery.kind == Delivery.Kind.SLACK:
        # Whoever knows the path of a Slack webhook may post there.
        return f"{origin}/…"
    if parts.query:
        return f"{origin}{parts.path}?…"
    return f"{origin}{parts.path}"
