"""Limits of a login: it ends when idle, and after a fixed time. A logout clears caches."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from django.conf import settings
from django.contrib.auth import logout
from django.contrib.auth import views as auth
from django.contrib.sessions.backends.base import SessionBase, UpdateError
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseBase

log = logging.getLogger(__name__)

BEGIN = "login_began"
LAST_ACT = "last_act"
# The moment at which the company's provider ends the login.
PROVIDER_END = "provider_end"
# Seconds: activity is recorded at most this often, because each record is a write.
NOTE_SECONDS = 60
# Views that open pages request automatically, in addition to all GETs by htmx.
AUTOMATIC = frozenset({"case-presence"})
# The interfaces have their own keys. (/webhooks/ is not listed: it also has pages for people.)
WITHOUT_SESSION = ("/api/", "/scim/")

Respond = Callable[[HttpRequest], HttpResponseBase]


class LogoutView(auth.LogoutView):
    """Ends the session, and makes the browser clear its cache of the visited pages."""

    def post(
        self, request: HttpRequest, *args: object, **kwargs: object
    ) -> HttpResponse:
        response: HttpResponse = super().post(request, *args, **kwargs)
        response["Clear-Site-Data"] = '"cache"'
        return response


def begin(request: HttpRequest | None, **_: object) -> None:
    """A receiver of user_logged_in: starts the times of the session.

    It also deletes the sessions that have ended, so no task is needed for that.
    """
    if request is not None:
        request.session.clear_expired()
        moment = int(time.time())
        request.session[BEGIN] = moment
        request.session[LAST_ACT] = moment
        request.session.pop(PROVIDER_END, None)


def limit_sessions(get_response: Respond) -> Respond:
    """Middleware: ends a login that is too old, or that was idle for too long.

    No browser keeps a page of a login that says nothing about caches.
    """

    def respond(request: HttpRequest) -> HttpResponseBase:
        has_cookie = settings.SESSION_COOKIE_NAME in request.COOKIES
        if has_cookie and not request.path.startswith(WITHOUT_SESSION):
            _end_if_over(request)
        response = get_response(request)
        if has_cookie and _is_act(request):
            _note_act(request)
        # Pages of django-allauth say nothing, and show the secret of an authenticator app and recovery
        # codes. Nobody may find them in the browser after the logout.
        if has_cookie and not response.has_header("Cache-Control"):
            response["Cache-Control"] = "no-store, private"
        return response

    return respond


def _end_if_over(request: HttpRequest) -> None:
    moment = int(time.time())
    # A session without these times counts as new.
    begin = request.session.get(BEGIN, moment)
    last_act = request.session.get(LAST_ACT, moment)
    is_old = moment - begin > settings.SESSION_HOURS * 3600
    is_idle = moment - last_act > settings.SESSION_IDLE_MINUTES * 60
    is_ended = moment >= request.session.get(PROVIDER_END, moment + 1)
    if is_old or is_idle or is_ended:
        logout(request)


def _is_act(request: HttpRequest) -> bool:
    """Whether a person made this request: automatic requests of an open page must not count."""
    if request.path.startswith(WITHOUT_SESSION):
        return False
    if request.headers.get("HX-Request") and request.method == "GET":
        return False
    match = request.resolver_match
    return match is None or match.url_name not in AUTOMATIC


def _note_act(request: HttpRequest) -> None:
    if not request.user.is_authenticated:
        return
    moment = int(time.time())
    session = request.session
    # begin() does this at a login. A session without it gets its start here.
    if BEGIN not in session:
        session[BEGIN] = moment
    if moment - session.get(LAST_ACT, 0) >= NOTE_SECONDS:
        has_changes = session.modified
        session[LAST_ACT] = moment
        # With nothing else to store, a page can be read while the database takes no rows.
        if not has_changes:
            _save_if_possible(session)


def _save_if_possible(session: SessionBase) -> None:
    try:
        session.save()
    except (UpdateError, DatabaseError) as exc:
        log.warning("An act was not noted (%s).", type(exc).__name__)
    session.modified = False
