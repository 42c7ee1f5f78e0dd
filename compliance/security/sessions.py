"""A login ends: after some time without an act, after a day at the latest, and without a trace."""

from __future__ import annotations

import time
from collections.abc import Callable

from django.conf import settings
from django.contrib.auth import logout
from django.contrib.auth import views as auth
from django.http import HttpRequest, HttpResponse, HttpResponseBase

BEGIN = "login_began"
LAST_ACT = "last_act"
# An act is noted at most this often: each note is a write.
NOTE_SECONDS = 60
# Pages send these by themselves while they are open, as they do all GETs of htmx.
AUTOMATIC = frozenset({"case-presence"})
# Interfaces have keys of their own. (Below /webhooks/ are pages of people, too.)
WITHOUT_SESSION = ("/api/", "/scim/")

Respond = Callable[[HttpRequest], HttpResponseBase]


class LogoutView(auth.LogoutView):
    """Ends the session, and has the browser forget the pages that it showed."""

    def post(
        self, request: HttpRequest, *args: object, **kwargs: object
    ) -> HttpResponse:
        response: HttpResponse = super().post(request, *args, **kwargs)
        response["Clear-Site-Data"] = '"cache"'
        return response


def begin(request: HttpRequest | None, **_: object) -> None:
    """Connected to user_logged_in: the time runs from here."""
    if request is not None:
        moment = int(time.time())
        request.session[BEGIN] = moment
        request.session[LAST_ACT] = moment


def limit_sessions(get_response: Respond) -> Respond:
    """Middleware: end a login that is too old, or was not used for too long."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        has_cookie = settings.SESSION_COOKIE_NAME in request.COOKIES
        if has_cookie and not request.path.startswith(WITHOUT_SESSION):
            _end_if_over(request)
        response = get_response(request)
        if has_cookie and _is_act(request):
            _note_act(request)
        return response

    return respond


def _end_if_over(request: HttpRequest) -> None:
    moment = int(time.time())
    begin = request.session.get(BEGIN, moment)
    last_act = request.session.get(LAST_ACT, moment)
    is_old = moment - begin > settings.SESSION_HOURS * 3600
    is_idle = moment - last_act > settings.SESSION_IDLE_MINUTES * 60
    if is_old or is_idle:
        logout(request)


def _is_act(request: HttpRequest) -> bool:
    """Whether a person did this: an open page that asks for news keeps nobody logged in."""
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
    if BEGIN not in session:
        session[BEGIN] = moment
    if moment - session.get(LAST_ACT, 0) >= NOTE_SECONDS:
        session[LAST_ACT] = moment
