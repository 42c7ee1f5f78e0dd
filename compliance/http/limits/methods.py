"""Refuses the methods that no page knows."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseNotAllowed
from django.http.response import HttpResponseBase

METHODS = ("GET", "HEAD", "POST")
# The operations of interfaces know more methods, and refuse the others themselves.
INTERFACES = ("/api/", "/scim/")


class LimitMethods:
    """Middleware: 405 for all other methods of a page that exists.

    Django's administration and some pages of django-allauth would answer OPTIONS or TRACE as GET.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self._get_response(request)

    def process_view(
        self, request: HttpRequest, *_: object
    ) -> HttpResponseNotAllowed | None:
        """Django calls it when it has found the page, so that the refusal is counted for it."""
        is_known = request.method in METHODS
        if is_known or request.path.startswith(INTERFACES):
            return None
        return HttpResponseNotAllowed(METHODS)
