"""A limit on the requests of a caller: a counter per minute, in the cache of all processes."""

from __future__ import annotations

import time

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from compliance.http.counters import count

MINUTE = 60


class PerMinute(BaseThrottle):
    """At most API_RATE requests a minute of each caller."""

    def caller(self, request: Request) -> str:
        """Who the caller is, as the name of a counter; empty: the request is not counted."""
        raise NotImplementedError

    def allow_request(self, request: Request, view: APIView) -> bool:
        caller = self.caller(request)
        if not caller:
            return True
        minute = int(time.time() // MINUTE)
        # Two minutes: the counter must not end before its minute does.
        requests = count(f"{caller}:{minute}", seconds=2 * MINUTE)
        return requests <= settings.API_RATE

    def wait(self) -> float:
        """Seconds to the next minute, when the count begins again."""
        return MINUTE - time.time() % MINUTE
