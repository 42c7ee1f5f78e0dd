"""Limits the requests of a caller per minute, with counters that all processes share."""

from __future__ import annotations

import time

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from compliance.http.counters import count

MINUTE = 60


class PerMinute(BaseThrottle):
    """At most settings.API_RATE requests per minute and caller. Subclasses name the caller."""

    def caller(self, request: Request) -> str:
        """The caller as the name of a counter. Empty: the request is not limited."""
        raise NotImplementedError

    def allow_request(self, request: Request, view: APIView) -> bool:
        caller = self.caller(request)
        if not caller:
            return True
        minute = int(time.time() // MINUTE)
        # The counter lives for two minutes: it must not expire before its minute ends.
        requests = count(f"{caller}:{minute}", seconds=2 * MINUTE)
        return requests <= settings.API_RATE

    def wait(self) -> float:
        """Seconds until the next minute, when a new counter starts."""
        return MINUTE - time.time() % MINUTE
