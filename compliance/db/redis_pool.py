"""Connections to Redis, as the shared cache uses them. Requests are served without it.

Only where REDIS_URL is set is this loaded: the client takes 6 MiB.
"""

from __future__ import annotations

import time
from typing import Any

from redis import Connection, ConnectionPool
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError
from redis.retry import Retry

# A request asks the cache several times. While Redis is away only one of them in this time waits.
AWAY_SECONDS = 5.0


class Pool(ConnectionPool):
    """Does not try again and again, as the client would for some ten seconds."""

    def __init__(self, *args: Any, **options: Any) -> None:
        # One more try: a connection may have been lost while it was idle.
        options.setdefault("retry", Retry(NoBackoff(), 1))
        super().__init__(*args, **options)
        self._away_until = 0.0

    def get_connection(
        self, command_name: object = None, *keys: object, **options: object
    ) -> Connection:
        if time.monotonic() < self._away_until:
            raise RedisConnectionError("Redis was away a moment ago.")
        try:
            return super().get_connection(command_name, *keys, **options)
        except RedisError:
            self._away_until = time.monotonic() + AWAY_SECONDS
            raise
