"""The page /metrics for Prometheus. It is off until a token or networks are configured."""

from __future__ import annotations

import hmac
from ipaddress import ip_network

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.db.connections import time_limits
from compliance.http import callers
from compliance.work import tallies

# Seconds. Prometheus waits ten seconds by default.
ANSWER_SECONDS = 8.0


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    if not (settings.METRICS_TOKEN or settings.METRICS_NETWORKS):
        return _plain("Metrics are off.", status=404)
    if not _is_from_network(request):
        return _plain("Metrics are not served to this address.", status=403)
    if not _has_token(request):
        response = _plain("Bring the token of the metrics.", status=401)
        response["WWW-Authenticate"] = "Bearer"
        return response
    # Imported here: it is loaded only where it is used.
    from prometheus_client import CollectorRegistry, generate_latest
    from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

    from compliance.operation.metrics.collector import Collector

    registry = CollectorRegistry()
    with time_limits.answer_within(ANSWER_SECONDS):
        # First write the counts of this process, so that they are included.
        tallies.flush()
        registry.register(Collector())
        body = generate_latest(registry)
    return HttpResponse(body, content_type=CONTENT_TYPE_PLAIN_0_0_4)


def _is_from_network(request: HttpRequest) -> bool:
    networks = settings.METRICS_NETWORKS
    if not networks:
        return True
    address = callers.parse(str(request.META.get("REMOTE_ADDR", "")))
    if address is None:
        return False
    return any(address in ip_network(text, strict=False) for text in networks)


def _has_token(request: HttpRequest) -> bool:
    token = settings.METRICS_TOKEN
    if not token:
        return True
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    # As bytes: compare_digest() raises TypeError for non-ASCII str, which a header may contain.
    return hmac.compare_digest(given.encode(), token.encode())


def _plain(text: str, *, status: int) -> HttpResponse:
    return HttpResponse(text, status=status, content_type="text/plain; charset=utf-8")
