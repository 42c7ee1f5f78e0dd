"""The connection pool of the shared cache, before a Redis that stops answering."""

from __future__ import annotations

import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
import redis

from compliance.db import redis_pool
from compliance.db.redis_pool import Pool
from tests.loop.proxy import Mode, Proxy


@pytest.fixture
def proxy(broker, broker_url) -> Iterator[Proxy]:
    server = urlsplit(broker_url)
    assert server.hostname
    proxy = Proxy((server.hostname, server.port or 6379))
    yield proxy
    proxy.close()


def pool_of(proxy: Proxy, *, seconds: float) -> Pool:
    return Pool(
        host="127.0.0.1",
        port=proxy.port,
        socket_connect_timeout=seconds,
        socket_timeout=seconds,
    )


def test_a_redis_that_falls_silent_is_waited_for_once(proxy):
    pool = pool_of(proxy, seconds=0.3)
    client = redis.Redis(connection_pool=pool)
    assert client.ping()
    proxy.set(Mode.SILENT)
    # The connection stands, so only the answer is missing.
    with pytest.raises(redis.TimeoutError):
        client.ping()
    for _ in range(3):
        with pytest.raises(redis.ConnectionError, match="away a moment ago"):
            client.ping()
    pool.disconnect()


def test_a_connection_that_was_lost_is_made_again(proxy):
    pool = pool_of(proxy, seconds=2)
    client = redis.Redis(connection_pool=pool)
    assert client.ping()
    proxy.cut()
    assert client.ping()
    pool.disconnect()


def test_a_redis_that_is_still_late_is_asked_once(proxy, monkeypatch):
    monkeypatch.setattr(redis_pool, "SLOW_SECONDS", 0.1)
    monkeypatch.setattr(redis_pool, "AWAY_SECONDS", 0.5)
    pool = pool_of(proxy, seconds=5)
    client = redis.Redis(connection_pool=pool)
    proxy.delay = 0.2
    answers = [client.ping() for _ in range(redis_pool.SLOW_ANSWERS)]
    assert all(answers)
    for _ in range(2):
        with pytest.raises(redis.ConnectionError, match="away a moment ago"):
            client.ping()
        time.sleep(0.5)
        assert client.ping()
    proxy.delay = 0
    time.sleep(0.5)
    assert all(client.ping() for _ in range(5))
    pool.disconnect()


def test_a_new_connection_waits_for_few_answers(proxy, monkeypatch):
    monkeypatch.setattr(redis_pool, "SLOW_SECONDS", 10)
    pool = pool_of(proxy, seconds=5)
    client = redis.Redis(connection_pool=pool)
    proxy.delay = 0.4
    began = time.monotonic()
    assert client.ping()
    # The answer to the command, and none of a greeting.
    assert time.monotonic() - began < 2 * proxy.delay
    pool.disconnect()
