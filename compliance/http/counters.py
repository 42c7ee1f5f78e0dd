"""Counters of recent events, in the cache that all processes share."""

from __future__ import annotations

import hmac
import logging
from hashlib import sha256
from importlib import import_module

from django.conf import settings
from django.core.cache import cache, caches
from django.core.cache.backends.locmem import LocMemCache

log = logging.getLogger(__name__)


# The counters of this process, used while the shared cache is unavailable.
_memory = LocMemCache("counters", {"OPTIONS": {"MAX_ENTRIES": 20_000}})


def digest(text: str) -> str:
    """A keyed hash for names of counters, because names and addresses are personal data.

    The key matters: an address behind a plain hash can be found by hashing all addresses.
    """
    key = settings.SECRET_KEY.encode()
    return hmac.digest(key, text.encode("utf-8", "replace"), sha256).hex()


def count(name: str, *, seconds: int, by: int = 1, or_here: bool = False) -> int:
    """Add `by` to a counter that expires `seconds` after its first event. Returns its new value.

    While the cache is unavailable it returns 0, so nothing is limited and every request is served.
    With `or_here` each process counts by itself meanwhile; use this where a limit stops password
    guessing.
    """
    try:
        # add() does nothing if the counter exists, so its time runs from the first event.
        cache.add(name, 0, timeout=seconds)
        # incr() fails with ValueError if the counter was evicted in between: see _errors().
        return cache.incr(name, by)
    except _errors() as exc:
        log.warning("Requests could not be counted (%s).", type(exc).__name__)
    if not or_here:
        return 0
    _memory.add(name, 0, timeout=seconds)
    return _memory.incr(name, by)


def value(name: str) -> int:
    """A counter's value.

    While the cache is unavailable: what this process has counted by itself.
    """
    try:
        return int(cache.get(name, 0))
    except _errors() as exc:
        log.warning("A count could not be read (%s).", type(exc).__name__)
    return int(_memory.get(name, 0))


def decrement(name: str, *, by: int = 1) -> None:
    """Subtract from a counter."""
    try:
        cache.decr(name, by)
    except _errors() as exc:
        log.warning("A count could not be reduced (%s).", type(exc).__name__)


def reset(name: str) -> None:
    """Delete a counter: it starts again at 0."""
    try:
        cache.delete(name)
    except _errors() as exc:
        log.warning("A count could not be reset (%s).", type(exc).__name__)


def _errors() -> tuple[type[Exception], ...]:
    """Exceptions of an unavailable cache. ValueError: the cache has evicted the counter."""
    # Redis' client takes 6 MiB of memory, so it is imported only where the cache is Redis.
    if "redis" not in type(caches["default"]).__module__:
        return (ValueError,)
    return ValueError, import_module("redis.exceptions").RedisError
