"""The connection pool of the shared cache in Redis. Without Redis, requests are served anyway.

It is loaded only if REDIS_URL is set: the client takes 6 MiB.
"""

from __future__ import annotations

import time
from typing import Any

from redis import Connection, ConnectionPool
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError
from redis.retry import Retry

# Seconds. A request uses the cache several times: after a failure only one attempt per this time
# waits for Redis, and the others fail at once.
AWAY_SECONDS = 5.0


class Pool(ConnectionPool):
    """A pool that fails fast. The default client would retry for about ten seconds."""

    def __init__(self, *args: Any, **options: Any) -> None:
        # One retry: a connection may have been lost while it was idle.
        options.setdefault("retry", Retry(NoBackoff(), 1))
        super().__init__(*args, **options)
        self._away_until = 0.0

    def get_connection(
        self, command_name: object = None, *keys: object, **options: object
    ) -> Connection:
        # Redis failed a moment ago: fail at once, and do not let this request wait for it too.
        if time.monotonic() < self._away_until:
            raise RedisConnectionError("Redis was away a moment ago.")
        try:
            return super().get_connection(command_name, *keys, **options)
        except RedisError:
            self._away_until = time.monotonic() + AWAY_SECONDS
            raise
