"""Refuses the methods that no page knows."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseNotAllowed
from django.http.response import HttpResponseBase

Respond = Callable[[HttpRequest], HttpResponseBase]

METHODS = ("GET", "HEAD", "POST")
# The operations of interfaces know more methods, and refuse the others themselves.
INTERFACES = ("/api/", "/scim/")


def limit_methods(get_response: Respond) -> Respond:
    """Middleware: 405 for all other methods.

    Django's administration and some pages of django-allauth would answer OPTIONS or TRACE as GET.
    """

    def respond(request: HttpRequest) -> HttpResponseBase:
        is_known = request.method in METHODS
        if is_known or request.path.startswith(INTERFACES):
            return get_response(request)
        return HttpResponseNotAllowed(METHODS)

    return respond
