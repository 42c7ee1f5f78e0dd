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


# Where this process counts while the shared cache is away.
_memory = LocMemCache("counters", {"OPTIONS": {"MAX_ENTRIES": 20_000}})


def digest(text: str) -> str:
    """For names of counters: names and addresses of people are personal data.

    With the installation's key: a plain hash of an address can be found by trying all.
    """
    key = settings.SECRET_KEY.encode()
    return hmac.digest(key, text.encode("utf-8", "replace"), sha256).hex()


def count(name: str, *, seconds: int, by: int = 1, or_here: bool = False) -> int:
    """Add to a counter, which ends `seconds` after its first event. Returns its value.

    While the cache is away it returns 0: nothing is limited, but everything is served. With `or_here`
    each process counts by itself meanwhile: who guesses passwords gains little by it.
    """
    try:
        # add() sets it only if it is not there, so the time runs from the first event on.
        cache.add(name, 0, timeout=seconds)
        return cache.incr(name, by)
    except _errors() as exc:
        log.warning("Requests could not be counted (%s).", type(exc).__name__)
    if not or_here:
        return 0
    _memory.add(name, 0, timeout=seconds)
    return _memory.incr(name, by)


def value(name: str) -> int:
    """The value of a counter; while the cache is away, what this process has counted by itself."""
    try:
        return int(cache.get(name, 0))
    except _errors() as exc:
        log.warning("A count could not be read (%s).", type(exc).__name__)
    return int(_memory.get(name, 0))


def decrement(name: str, *, by: int = 1) -> None:
    """Take something off a counter."""
    try:
        cache.decr(name, by)
    except _errors() as exc:
        log.warning("A count could not be reduced (%s).", type(exc).__name__)


def reset(name: str) -> None:
    """Start a counter again at 0."""
    try:
        cache.delete(name)
    except _errors() as exc:
        log.warning("A count could not be reset (%s).", type(exc).__name__)


def _errors() -> tuple[type[Exception], ...]:
    """What the cache raises where it is away, or has evicted the counter (ValueError)."""
    # Redis' client takes 6 MiB of memory, and is loaded only where it is used.
    if "redis" not in type(caches["default"]).__module__:
        return (ValueError,)
    return ValueError, import_module("redis.exceptions").RedisError
