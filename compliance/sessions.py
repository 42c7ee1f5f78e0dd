"""Sessions: rows of the database, of which each process remembers for a moment what it read.

So a page that is asked for again and again needs no statement for its session. One that was ended
in a process ends there at once, and within KEPT seconds in the others.
"""

from __future__ import annotations

from typing import Any

from django.contrib.sessions.backends import db
from django.core.cache import caches

KEPT = 10  # seconds


class SessionStore(db.SessionStore):
    def load(self) -> dict[str, Any]:
        key = f"session:{self.session_key}"
        data: dict[str, Any] | None = caches["memory"].get(key)
        if data is None:
            data = super().load()
            if data:
                caches["memory"].set(key, data, KEPT)
        return data

    def save(self, must_create: bool = False) -> None:  # noqa: FBT001, FBT002 - Django's own
        super().save(must_create)
        caches["memory"].delete(f"session:{self.session_key}")

    def delete(self, session_key: str | None = None) -> None:
        super().delete(session_key)
        caches["memory"].delete(f"session:{session_key or self.session_key}")
