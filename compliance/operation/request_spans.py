"""A tracing span per request. In MIDDLEWARE only if tracing is enabled."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from compliance.operation.metrics.requests import METHODS, route_of
from compliance.tracing import spans
from compliance.tracing.spans import Kind

Respond = Callable[[HttpRequest], HttpResponseBase]

# Machines poll these paths continually; traces of them are of no use.
NOT_TRACED = ("/health/", "/metrics")


def trace_requests(get_response: Respond) -> Respond:
    """Middleware, before the receiver's. The span joins the trace in the caller's `traceparent`."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        if request.path_info.startswith((settings.STATIC_URL, *NOT_TRACED)):
            return get_response(request)
        # Clients may send any word as a method.
        method = str(request.method) if request.method in METHODS else "OTHER"
        parent = spans.fitting(request.META.get("HTTP_TRACEPARENT", ""))
        with spans.span(method, kind=Kind.SERVER, parent=parent) as span:
            response = get_response(request)
            route = route_of(request)
            span.rename(f"{method} {route}")
            status = response.status_code
            span.set(
                {
                    "http.request.method": method,
                    "http.route": route,
                    "http.response.status_code": status,
                }
            )
            if status >= 500:
                span.fail(str(status))
            return response

    return respond
