"""Sessions in the database, with a copy in the cache that all processes share.

Django's own store fails if the cache is unavailable, although the database has the session. Here
the database is then sufficient: nobody is logged out because Redis restarts. Ending a session still
needs the cache, because a copy left there would be accepted again.
"""

from __future__ import annotations

import logging

from django.contrib.sessions.backends import cached_db, db
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

    def exists(self, session_key: str) -> bool:
        try:
            return super().exists(session_key)
        except RedisError:
            return db.SessionStore.exists(self, session_key)
