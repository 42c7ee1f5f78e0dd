"""In which language and time zone a page is: the person's own, else those that the browser asks for.

Django's LocaleMiddleware would do for the browser alone. It knows no choices of people, speaks to
systems in the language of their HTTP client, and leaves the language behind in the thread.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers

from compliance.models import LocalePreference

Respond = Callable[[HttpRequest], HttpResponseBase]

# Systems call these.
INTERFACES = ("/api/", "/scim/", "/health/", "/metrics", "/csp-reports/")
# The receiver of a connection, which mostly answers before this middleware. The pages are further below.
RECEIVER = re.compile(r"/webhooks/[^/]+/")


def speak(get_response: Respond) -> Respond:
    """Middleware, behind the one that knows who is logged in."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        path = request.path
        if path.startswith(INTERFACES) or RECEIVER.fullmatch(path):
            return get_response(request)
        preference = _preference(request)
        language = preference.language or translation.get_language_from_request(request)
        with translation.override(language), _time_zone(preference.time_zone):
            response = get_response(request)
        response.headers.setdefault("Content-Language", language)
        patch_vary_headers(response, ("Accept-Language",))
        return response

    return respond


def _preference(request: HttpRequest) -> LocalePreference:
    """What the person chose; an empty one of somebody who chose nothing or is nobody."""
    chosen: LocalePreference | None = None
    # Else the session of a visitor would be looked for in vain.
    if settings.SESSION_COOKIE_NAME in request.COOKIES:
        # Read together with the user: LimitedBackend.get_user.
        chosen = getattr(request.user, "locale_preference", None)
    return chosen or LocalePreference()


def _time_zone(name: str) -> AbstractContextManager[None]:
    if not name:
        return nullcontext()
    return timezone.override(ZoneInfo(name))
