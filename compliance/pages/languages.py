"""The language and time zone of a page: those that the person chose, else those of the browser.

Django's LocaleMiddleware only considers the browser. It would also answer interfaces in the
language of the HTTP client, and it leaves the language set in the thread.
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

# Paths of interfaces, which are always in English.
INTERFACES = ("/api/", "/scim/", "/health/", "/metrics", "/csp-reports/")
# The receiver of a connection; usually its own middleware answers first. Pages have longer paths.
RECEIVER = re.compile(r"/webhooks/[^/]+/")


def speak(get_response: Respond) -> Respond:
    """Middleware, after authentication: sets language and time zone for the request."""

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
    """The person's preference; an empty one without a choice or a login."""
    chosen: LocalePreference | None = None
    # Without the cookie there is no login: accessing request.user would look for a session in vain.
    if settings.SESSION_COOKIE_NAME in request.COOKIES:
        # LimitedBackend.get_user has loaded it together with the user.
        chosen = getattr(request.user, "locale_preference", None)
    return chosen or LocalePreference()


def _time_zone(name: str) -> AbstractContextManager[None]:
    if not name:
        return nullcontext()
    return timezone.override(ZoneInfo(name))
