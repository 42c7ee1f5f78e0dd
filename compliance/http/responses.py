"""What the interfaces of the desk and of the hub answer alike."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.views import APIView

# One reason per status. Not those of http.HTTPStatus: they change with Python.
REASONS = {
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    409: "Conflict",
    410: "Gone",
    411: "Length Required",
    413: "Content Too Large",
    415: "Unsupported Media Type",
    422: "Unprocessable Content",
    429: "Too Many Requests",
    500: "Internal Server Error",
    502: "Bad Gateway",
    503: "Service Unavailable",
    507: "Insufficient Storage",
}


# An answer that no page is made of loads nothing, and no page may frame it.
NOTHING_RUNS = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'"


class PrivateView(APIView):
    """Answers are about people: no cache on the way may keep them."""

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        response["Cache-Control"] = "no-store"
        # That of settings.py is for pages. A file has a policy of its own.
        response.headers.setdefault("Content-Security-Policy", NOTHING_RUNS)
        return response
