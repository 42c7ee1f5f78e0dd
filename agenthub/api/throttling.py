"""How often one key may call: a count per minute, in the cache that all processes share."""

from __future__ import annotations

import logging
import time

from django.conf import settings
from django.core.cache import cache
from redis.exceptions import RedisError
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from agenthub.models import ApiKey

log = logging.getLogger(__name__)
MINUTE = 60


class PerKey(BaseThrottle):
    def allow_request(self, request: Request, view: APIView) -> bool:
        key = request.auth
        return not isinstance(key, ApiKey) or _count(key) <= settings.API_RATE

    def wait(self) -> float:
        """Seconds to the next minute, when the count begins again."""
        return MINUTE - time.time() % MINUTE


def _count(key: ApiKey) -> int:
    """The requests of this key in this minute, this one included."""
    name = f"hub-rate:{key.pk}:{int(time.time() // MINUTE)}"
    try:
        cache.add(name, 0, timeout=2 * MINUTE)
        return cache.incr(name)
    except (RedisError, ValueError) as exc:
        # Without its cache the hub counts nothing, but answers. ValueError: the entry was evicted.
        log.warning("Requests could not be counted (%s).", type(exc).__name__)
        return 0
