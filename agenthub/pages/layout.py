"""Common parts of all pages of the hub."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from agenthub.models import Delivery

# Name of a section → (title, name of its URL).
SECTIONS = {
    "accounts": (_("Accounts"), "hub"),
    "jobs": (_("Jobs"), "hub-jobs"),
    "deliveries": (_("Deliveries"), "hub-deliveries"),
    "lists": (_("Lists"), "hub-lists"),
    "quarantine": (_("Quarantine"), "hub-quarantine"),
}
PAGE = 50
# The variables of a template by name.
Context = dict[str, object]


def context(section: str, **values: object) -> Context:
    sections = []
    for name, (title, address) in SECTIONS.items():
        sections.append((title, reverse(address), name == section))
    return {"nav": "hub", "section": section, "sections": sections, **values}


def shown_url(delivery: Delivery) -> str:
    """The URL of a delivery without parts that may be secret."""
    try:
        parts = urlsplit(delivery.url)
    except ValueError:
        return "…"
    origin = f"{parts.scheme}://{parts.netloc}"
    if delivery.kind == Delivery.Kind.SLACK:
        # The path of a Slack webhook is a secret: whoever knows it may post.
        return f"{origin}/…"
    if parts.query:
        return f"{origin}{parts.path}?…"
    return f"{origin}{parts.path}"
