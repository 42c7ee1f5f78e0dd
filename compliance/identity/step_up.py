"""Step-up authentication: sensitive pages need a recent login.

These are the pages in settings.STEP_UP_PAGES, the forms in STEP_UP_FORMS, and all of Django's
admin. STEP_UP_DECISIONS requires it for decisions: their page calls `is_recent`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from allauth.account.internal.flows import reauthentication
from allauth.account.internal.flows.login import (
    AUTHENTICATION_METHODS_SESSION_KEY,
    get_authentication_records,
)
from allauth.account.signals import user_logged_in
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.dispatch import Signal
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render, resolve_url
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.translation import gettext as _

from compliance.http.responses.form_texts import texts_of
from compliance.identity.single_sign_on import provider
from compliance.security import sessions

# The pages at which a person without a second factor sets one up.
FIRST_FACTOR_PAGES = frozenset({"mfa_activate_totp", "mfa_add_webauthn"})

# Sent with `user` when a person has confirmed who they are by the password.
confirmed_by_password = Signal()

Respond = Callable[[HttpRequest], HttpResponseBase]


def connect() -> None:
    # The signal of django-allauth: Django's own does not say how the person has logged in.
    user_logged_in.connect(_note_auth_time)


def is_recent(request: HttpRequest) -> bool:
    """Whether the person has logged in, or confirmed their identity, within STEP_UP_MINUTES."""
    minutes = settings.STEP_UP_MINUTES
    if not minutes:
        return True
    records: list[dict[str, Any]] = get_authentication_records(request, request.user)
    moments = [record["at"] for record in records]
    return bool(moments) and time.time() - max(moments) < minutes * 60


def asks_at_forms(request: HttpRequest) -> bool:
    """Whether this page can be read now, but its forms will ask for a recent login."""
    match = request.resolver_match
    if match is None or match.url_name not in settings.STEP_UP_FORMS:
        return False
    return request.user.is_authenticated and not is_recent(request)


def _note_auth_time(request: HttpRequest, sociallogin: Any = None, **_: object) -> None:
    """A login by single sign-on counts from the moment at which the provider asked the person.

    A provider answers for hours without asking again. So a logout and a login would confirm an
    identity, for whoever sits at the browser. A provider that sends no `auth_time` may have asked
    long ago.
    """
    if sociallogin is None:
        return
    moment = _auth_time(sociallogin.account.extra_data)
    records = request.session.get(AUTHENTICATION_METHODS_SESSION_KEY, [])
    for record in records:
        if record["method"] == "socialaccount":
            record["at"] = min(record["at"], moment)
    request.session[AUTHENTICATION_METHODS_SESSION_KEY] = records


def _auth_time(claims: dict[str, Any]) -> float:
    """The moment at which the provider asked the person; 0 if it does not say."""
    moment = claims.get(provider.AUTHENTICATED_AT)
    id_token = claims.get("id_token")
    if isinstance(id_token, dict):
        moment = id_token.get("auth_time")
    if not isinstance(moment, int | float):
        return 0
    return moment


def may_add_first_factor(request: HttpRequest) -> bool:
    """Whether a person may set up their first second factor without confirming who they are.

    A person of single sign-on can confirm it only at the provider. If that does not ask again, a
    second factor of their own is the only way, so the login itself must be enough, for a short
    time: it is no use to somebody who later gets hold of the session.
    """
    if _methods(request):
        return False
    begin: int = request.session.get(sessions.BEGIN, 0)
    age = time.time() - begin
    return age < settings.STEP_UP_MINUTES * 60


def _methods(request: HttpRequest) -> list[dict[str, Any]]:
    """The ways in which a person can confirm their identity here: password, second factor."""
    methods: list[dict[str, Any]]
    methods = reauthentication.get_reauthentication_flows(request.user)
    if settings.SINGLE_SIGN_ON_ONLY:
        methods = [row for row in methods if row["id"] != "reauthenticate"]
    return methods


def confirm_address(request: HttpRequest, next_path: str) -> str:
    """The URL at which a person confirms their identity. Afterwards it redirects to `next_path`."""
    methods = _methods(request)
    name = methods[0]["id"] if methods else "account_login"
    names = {
        "reauthenticate": "account_reauthenticate",
        "mfa_reauthenticate": "mfa_reauthenticate",
    }
    path: str = reverse(names.get(name, name))
    if not methods:
        # A person without a local password or second factor authenticates at the provider again.
        path = provider.login_path() or path
    return f"{path}?{urlencode({'next': next_path})}"


def require_recent_login(get_response: Respond) -> Respond:
    """Middleware: redirects to the confirmation if a sensitive page has no recent login.

    After a form without a login, the login leads back to the page of the form.
    """

    def respond(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        # For what htmx sends, live.js says so on the page, which stays.
        if request.method != "POST" or request.headers.get("HX-Request"):
            return response
        return _redirect_to_login(request) if _leads_to_login(response) else response

    def process_view(
        request: HttpRequest, view: object, args: object, kwargs: object
    ) -> HttpResponse | None:
        if not _is_sensitive(request) or not request.user.is_authenticated:
            return None
        if is_recent(request):
            return None
        return _redirect(request)

    respond.process_view = process_view  # type: ignore[attr-defined]
    return respond


def _is_sensitive(request: HttpRequest) -> bool:
    match = request.resolver_match
    if match is None:
        return False
    if match.url_name in FIRST_FACTOR_PAGES:
        # django-allauth asks people who have another way. It would refuse the others.
        return not _methods(request) and not may_add_first_factor(request)
    if match.app_name == "admin":
        return match.url_name not in {"logout", "jsi18n"}
    if request.method == "POST" and match.url_name in settings.STEP_UP_FORMS:
        return True
    act = settings.STEP_UP_PAGES.get(match.url_name or "")
    if act is None:
        return False
    return act == "" or act in {request.POST.get("act"), request.GET.get("as")}


def _redirect(request: HttpRequest) -> HttpResponse:
    path = request.get_full_path()
    if request.method not in {"GET", "HEAD"}:
        # The submitted form is not kept: it may contain a key, which does not belong in a session.
        path = _page_before(request)
        messages.info(request, _("Confirm who you are, and send the form again."))
    address = confirm_address(request, path)
    if request.headers.get("HX-Request"):
        return HttpResponse(headers={"HX-Redirect": address})
    if unsaved := texts_of(request):
        return _not_sent(
            request,
            heading=_("Confirm who you are first"),
            act=_("Confirm who you are"),
            address=address,
            unsaved=unsaved,
        )
    return HttpResponseRedirect(address)


def _not_sent(request: HttpRequest, **context: object) -> HttpResponse:
    """The texts of a form that was not accepted: the next pages do not have them."""
    context["advice"] = _("Copy it first, then go on and send the form again.")
    response = render(request, "not_sent.html", context, status=HTTPStatus.FORBIDDEN)
    response["Cache-Control"] = "no-store"
    return response


def _leads_to_login(response: HttpResponseBase) -> bool:
    address = urlsplit(response.get("Location", ""))
    return address.path == resolve_url(settings.LOGIN_URL) and "next=" in address.query


def _redirect_to_login(request: HttpRequest) -> HttpResponse:
    """The path of the form itself answers no GET, and what was sent is not kept."""
    messages.info(request, _("Your login had ended. Log in, and send the form again."))
    response = redirect_to_login(_page_before(request))
    if unsaved := texts_of(request):
        return _not_sent(
            request,
            heading=_("Your login had ended"),
            act=_("Log in"),
            address=response.url,
            unsaved=unsaved,
        )
    return response


def _page_before(request: HttpRequest) -> str:
    """Our page that sent this form, by the Referer header; else the start page."""
    referrer = request.headers.get("Referer", "")
    hosts = {request.get_host()}
    if url_has_allowed_host_and_scheme(referrer, hosts, request.is_secure()):
        return referrer
    return "/"
