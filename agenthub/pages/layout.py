"""What all pages of the hub share."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.urls import reverse

from agenthub.models import Delivery

SECTIONS = {"accounts": "hub", "jobs": "hub-jobs", "deliveries": "hub-deliveries",
            "lists": "hub-lists"}  # fmt: skip
PAGE = 50


def context(section: str, **more: Any) -> dict[str, Any]:
    sections = [
        (name.capitalize(), reverse(address), name == section) for name, address in SECTIONS.items()
    ]
    return {"nav": "hub", "section": section, "sections": sections, **more}


def number(text: str | None) -> int | None:
    """A number of an address; None where it is none, or none that a row can have."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 19 else None


def shown_url(delivery: Delivery) -> str:
    """Where a delivery goes, without what in its address may be a secret."""
    try:
        parts = urlsplit(delivery.url)
    except ValueError:
        return "…"
    if delivery.kind == Delivery.Kind.SLACK:
        # Whoever knows the path of a Slack webhook may post there.
        return f"{parts.scheme}://{parts.netloc}/…"
    return f"{parts.scheme}://{parts.netloc}{parts.path}{'?…' if parts.query else ''}"
