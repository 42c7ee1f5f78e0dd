"""A short way to the receiver: without sessions, messages and the other middleware of pages."""

from __future__ import annotations

import re
from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

Respond = Callable[[HttpRequest], HttpResponseBase]

_ADDRESS = re.compile(r"/webhooks/([^/]+)/")


def receive_webhooks(get_response: Respond) -> Respond:
    """Second in MIDDLEWARE: the first sees webhooks as it sees all requests.

    A service signs each webhook, and has no session and no form. The middleware of pages costs as
    much as the receiver does, and webhooks are the most requests.
    """
    # Here, because the view imports models, which are loaded after the settings are.
    from webhooks.views import receive

    def respond(request: HttpRequest) -> HttpResponseBase:
        address = _ADDRESS.fullmatch(request.path_info)
        if address is None:
            return get_response(request)
        request.get_host()  # raises DisallowedHost, which is 400
        return receive(request, address[1])

    return respond
