"""How often something happened lately, in the cache that all processes share."""

from __future__ import annotations

import logging
from importlib import import_module

from django.core.cache import cache, caches

log = logging.getLogger(__name__)


def count(name: str, *, seconds: int) -> int:
    """Count one more of `name`; how many there were within `seconds` of the first.

    0 where the cache cannot be asked: then nothing is counted, but all is answered.
    """
    try:
        cache.add(name, 0, timeout=seconds)
        return cache.incr(name)
    except _faults() as exc:
        log.warning("Requests could not be counted (%s).", type(exc).__name__)
        return 0


def value(name: str) -> int:
    """How many there were; 0 where the cache cannot be asked."""
    try:
        return int(cache.get(name, 0))
    except _faults() as exc:
        log.warning("A count could not be read (%s).", type(exc).__name__)
        return 0


def take_back(name: str) -> None:
    """Count one less."""
    try:
        cache.decr(name)
    except _faults() as exc:
        log.warning("A count could not be taken back (%s).", type(exc).__name__)


def forget(name: str) -> None:
    """Begin to count anew."""
    try:
        cache.delete(name)
    except _faults() as exc:
        log.warning("A count could not be forgotten (%s).", type(exc).__name__)


def _faults() -> tuple[type[Exception], ...]:
    # ValueError: the entry was evicted. Redis' client is 6 MiB, and loaded only where it is used.
    if "redis" not in type(caches["default"]).__module__:
        return (ValueError,)
    return ValueError, import_module("redis.exceptions").RedisError
