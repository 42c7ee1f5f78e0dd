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
# Seconds. A Redis that answers later than this twice in a row counts as away, too: it answers within
# milliseconds, and each login would wait for dozens of answers. Once may be this process, which waited
# for a processor. One that gives no answer within the time limit of its socket is away at once, and
# one that was away and answers late again is still away.
SLOW_SECONDS = 1.0
SLOW_ANSWERS = 2


class Pool(ConnectionPool):
    """A pool that fails fast. The default client would retry for about ten seconds."""

    def __init__(self, *args: Any, **options: Any) -> None:
        # One retry: a connection may have been lost while it was idle. None after a command that was
        # not answered in time: the request would wait twice.
        retry = Retry(NoBackoff(), 1, supported_errors=(RedisConnectionError,))
        options.setdefault("retry", retry)
        # A new connection waits for one answer or two, not for five: no greeting of the third protocol,
        # no name of the library.
        options.setdefault("protocol", 2)
        options.setdefault("driver_info", None)
        super().__init__(*args, **options)
        self._longest = float(options.get("socket_timeout") or SLOW_SECONDS)
        self._away_until = 0.0
        # When each connection in use was asked for, by its id. To connect is part of the wait.
        self._asked_at: dict[int, float] = {}
        self._slow_answers = 0

    def get_connection(
        self, command_name: object = None, *keys: object, **options: object
    ) -> Connection:
        # Redis failed a moment ago: fail at once, and do not let this request wait for it too.
        asked_at = time.monotonic()
        if asked_at < self._away_until:
            raise RedisConnectionError("Redis was away a moment ago.")
        try:
            connection = super().get_connection()
        except RedisError:
            self._away_until = time.monotonic() + AWAY_SECONDS
            raise
        self._asked_at[id(connection)] = asked_at
        return connection

    def release(self, connection: Any) -> None:
        """Take a connection back after a command, whether it was answered or not."""
        moment = time.monotonic()
        seconds = moment - self._asked_at.pop(id(connection), moment)
        if seconds > SLOW_SECONDS:
            self._slow_answers += 1
        else:
            self._slow_answers = 0
        if self._slow_answers >= SLOW_ANSWERS or seconds >= self._longest:
            self._slow_answers = SLOW_ANSWERS - 1
            self._away_until = moment + AWAY_SECONDS
        super().release(connection)
