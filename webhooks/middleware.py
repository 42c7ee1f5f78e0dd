"""Webhooks take the short way: they need no session, no template, no cookie."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

from webhooks.views import receive

PREFIX = "/webhooks/"


def straight_to_receiver(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Answer `/webhooks/<slug>/` here. First in MIDDLEWARE, it saves most of a webhook's time."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        path = request.path_info
        if path.startswith(PREFIX) and path.count("/") == 3 and path.endswith("/"):
            return receive(request, path[len(PREFIX) : -1])
        return get_response(request)

    return answer
