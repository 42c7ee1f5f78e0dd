"""Drafts of cases. They are encrypted on the server, so that no browser stores attested data."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

import orjson
from django.contrib.auth.models import User
from django.utils.timezone import now

from reviews.models import Draft

LIFETIME = timedelta(days=30)
LONGEST = 200_000  # characters of one draft


def save(user: User, *, kind: str, fields: Mapping[str, str]) -> Draft | None:
    """Store the fields of a form. Returns None if all are empty or the draft is too long."""
    # Each save deletes the drafts that are too old, so no task is needed for that.
    Draft.objects.filter(updated_at__lt=now() - LIFETIME).delete()
    filled = {}
    for name, value in fields.items():
        if value.strip():
            filled[name] = value
    text = orjson.dumps(filled).decode()
    if not filled or len(text) > LONGEST:
        delete(user, kind=kind)
        return None
    draft, _ = Draft.objects.update_or_create(
        user=user,
        kind=kind,
        defaults={"typed": text},
    )
    return draft


def find(user: User, *, kind: str) -> Draft | None:
    return Draft.objects.filter(
        user=user,
        kind=kind,
        updated_at__gte=now() - LIFETIME,
    ).first()


def fields_of(draft: Draft) -> dict[str, str]:
    """The fields of the form by name."""
    fields: dict[str, str] = orjson.loads(draft.typed)
    return fields


def delete(user: User, *, kind: str) -> None:
    # Usually there is no draft. A read is cheaper than a write, which waits for other writers.
    drafts = Draft.objects.filter(user=user, kind=kind)
    if drafts.exists():
        drafts.delete()
