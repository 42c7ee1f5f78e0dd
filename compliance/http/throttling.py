"""How often somebody may call: a count per minute, in the cache that all processes share."""

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
        """What the requests are counted under; empty: they are not counted."""
        raise NotImplementedError

    def allow_request(self, request: Request, view: APIView) -> bool:
        caller = self.caller(request)
        if not caller:
            return True
        name = f"{caller}:{int(time.time() // MINUTE)}"
        return count(name, seconds=2 * MINUTE) <= settings.API_RATE

    def wait(self) -> float:
        """Seconds to the next minute, when the count begins again."""
        return MINUTE - time.time() % MINUTE
