from __future__ import annotations

from datetime import UTC, datetime

import time_machine

from agenthub.accounts import api_keys

MOMENT = datetime(2026, 3, 2, 10, 0, 15, tzinfo=UTC)


def test_a_key_may_call_so_often_a_minute_and_is_told_when_to_return(
    caller, other, settings
):
    settings.API_RATE = 3
    with time_machine.travel(MOMENT, tick=False) as clock:
        assert [caller.get("getJobById").status_code for _ in range(4)] == [
            400,
            400,
            400,
            429,
        ]
        answer = caller.get("getJobById")
        assert answer["Retry-After"] == "45"
        assert answer["Content-Type"] == "application/json"
        assert answer.json()["error"] == "Too Many Requests"
        assert set(answer.json()) == {"error", "message"}

        # Each key has its own count, that of the same account too.
        assert other.get("getJobById").status_code == 400
        _, caller.api_key = api_keys.create(caller.account, name="second")
        assert caller.get("getJobById").status_code == 400

        clock.shift(45)
        assert caller.get("getJobById").status_code == 400


def test_requests_without_a_valid_key_do_not_count_against_anyone(caller, settings):
    settings.API_RATE = 1
    for _ in range(3):
        answer = caller.client.get(
            "/api/v1/getJobById", headers={"Authorization": "Bearer x"}
        )
        assert answer.status_code == 401
    assert caller.get("getJobById").status_code == 400


def test_the_hub_answers_while_the_cache_is_away(caller, settings):
    settings.CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            # Nobody listens on port 9.
            "LOCATION": "redis://127.0.0.1:9/0",
        }
    }
    settings.API_RATE = 0
    assert caller.get("getJobById").status_code == 400
