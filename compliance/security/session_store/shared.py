"""Sessions in the database, with a copy in the cache that all processes share.

Django's own store fails if the cache is unavailable, although the database has the session. Here
the database is then sufficient: nobody is logged out because Redis restarts. Ending a session still
needs the cache, because a copy left there would be accepted again.
"""

from __future__ import annotations

import logging
from functools import partial

from django.conf import settings
from django.contrib.sessions.backends import cached_db, db
from django.core.cache import caches
from django.db import transaction
from redis.exceptions import RedisError

from compliance.security.session_store import database

log = logging.getLogger(__name__)


class SessionStore(database.SessionStore, cached_db.SessionStore):
    def load(self) -> dict[str, object]:
        try:
            return super().load()
        except RedisError as exc:
            log.warning("A session was not cached (%s).", type(exc).__name__)
        return db.SessionStore.load(self)

    def delete(self, session_key: str | None = None) -> None:
        """Raises RedisError, and changes nothing, if the cache is unavailable."""
        key = session_key or self.session_key
        if key is None:
            return
        self._forget(key)
        # This deletes the copy again: another request may have read the row in between.
        super().delete(key)
        # Inside a transaction, others read the row until the commit.
        if transaction.get_connection().in_atomic_block:
            transaction.on_commit(partial(self._forget, key), robust=True)

    def _forget(self, key: str) -> None:
        caches[settings.SESSION_CACHE_ALIAS].delete(self.cache_key_prefix + key)

    def exists(self, session_key: str) -> bool:
        try:
            return super().exists(session_key)
        except RedisError:
            return db.SessionStore.exists(self, session_key)
