"""The shared cache in Redis, and its connection pool. Without Redis, requests are served anyway.

It is loaded only if REDIS_URL is set: the client takes 6 MiB.
"""

from __future__ import annotations

import logging
import time
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis import Connection, ConnectionPool
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError
from redis.retry import Retry

# Seconds. A request uses the cache several times. After a failure, all attempts within this time
# fail at once instead of waiting for Redis.
AWAY_SECONDS = 5.0
# Seconds. Redis usually answers within milliseconds, and a login waits for dozens of answers. If two
# answers in a row take longer than this, Redis counts as away. One is not enough: this process may
# have waited for a processor. Redis counts as away at once if it does not answer within the timeout
# of its socket, or if its first answer after it was away is slow again.
SLOW_SECONDS = 1.0
SLOW_ANSWERS = 2

log = logging.getLogger(__name__)
# What this process added while Redis was away.
_memory = LocMemCache("added", {"OPTIONS": {"MAX_ENTRIES": 20_000}})


class Cache(RedisCache):
    """A cache whose `add` never fails.

    django-allauth adds each second-factor code and each identity token that was used, so that none is
    used twice. While Redis is away each process does so by itself: else nobody could log in.
    """

    def add(
        self,
        key: Any,
        value: Any,
        timeout: float | None = DEFAULT_TIMEOUT,
        version: int | None = None,
    ) -> bool:
        try:
            return super().add(key, value, timeout, version)
        except RedisError as exc:
            log.warning("Added to this process alone (%s).", type(exc).__name__)
        return _memory.add(key, value, timeout, version)


class Pool(ConnectionPool):
    """A pool that fails fast. The default client would retry for about ten seconds."""

    def __init__(self, *args: Any, **options: Any) -> None:
        # One retry: a connection may have been lost while it was idle. None after a command that was
        # not answered in time: the request would wait twice.
        retry = Retry(NoBackoff(), 1, supported_errors=(RedisConnectionError,))
        options.setdefault("retry", retry)
        # A new connection then waits for one or two answers instead of five: it sends no HELLO of
        # protocol 3, and not the name of the library.
        options.setdefault("protocol", 2)
        options.setdefault("driver_info", None)
        super().__init__(*args, **options)
        self._longest = float(options.get("socket_timeout") or SLOW_SECONDS)
        self._away_until = 0.0
        # id() of each connection in use → when it was requested. The time to connect counts.
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
