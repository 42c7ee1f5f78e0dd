"""A middleware that passes webhooks to the receiver directly, without sessions, messages and so
on.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

from compliance.http.limits import upgrades

Respond = Callable[[HttpRequest], HttpResponseBase]

_ADDRESS = re.compile(r"/webhooks/([^/]+)/")


def receive_webhooks(get_response: Respond) -> Respond:
    """Stands in MIDDLEWARE behind the limits, which see webhooks like all other requests.

    A webhook is authenticated by its signature; it has no session and no form. The remaining
    middleware would cost as much as the receiver itself, and most requests are webhooks.
    """
    # Imported here, because the view imports models, which are loaded after the settings.
    from webhooks.views import receive

    def respond(request: HttpRequest) -> HttpResponseBase:
        address = _ADDRESS.fullmatch(request.path_info)
        if address is None:
            return get_response(request)
        request.get_host()  # raises DisallowedHost, which is 400
        return upgrades.refusal(request) or receive(request, address[1])

    return respond
