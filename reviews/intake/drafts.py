"""Drafts of cases: kept on the server, encrypted, so that no browser stores what was attested."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

import orjson
from django.contrib.auth.models import User
from django.utils.timezone import now

from compliance.db import fast_sql
from reviews.models import Draft

KEPT = timedelta(days=30)
MOST = 200_000  # characters of one draft


def keep(user: User, *, kind: str, typed: Mapping[str, str]) -> Draft | None:
    """Keep what was typed; nothing typed is no draft. Returns None where none is kept."""
    Draft.objects.filter(updated_at__lt=now() - KEPT).delete()
    given = {name: value for name, value in typed.items() if value.strip()}
    written = orjson.dumps(given).decode()
    if not given or len(written) > MOST:
        drop(user, kind=kind)
        return None
    made, _ = Draft.objects.update_or_create(user=user, kind=kind, defaults={"typed": written})
    return made


def of(user: User, *, kind: str) -> Draft | None:
    return Draft.objects.filter(user=user, kind=kind, updated_at__gte=now() - KEPT).first()


def typed(draft: Draft) -> dict[str, str]:
    found: dict[str, str] = orjson.loads(draft.typed)
    return found


def drop(user: User, *, kind: str) -> None:
    # A look first: most forms are sent before anything was kept, and a write waits for its turn.
    if kept := fast_sql.fetch_models(Draft, only=("id",), user=user, kind=kind):
        Draft.objects.filter(pk__in=[draft.pk for draft in kept]).delete()
