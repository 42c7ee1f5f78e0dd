"""Passwords and passkeys of this installation, which SINGLE_SIGN_ON_ONLY turns off."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from allauth.account import views as account
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase

from compliance.identity import step_up

View = Callable[..., HttpResponseBase]


def own_logins_only(view: View) -> View:
    """The page is not found where people come in by the provider alone."""

    @wraps(view)
    def respond(
        request: HttpRequest, *args: object, **options: object
    ) -> HttpResponseBase:
        if settings.SINGLE_SIGN_ON_ONLY:
            raise Http404
        return view(request, *args, **options)

    return respond


def confirm_by_password(request: HttpRequest) -> HttpResponseBase:
    """The page on which a person types the password again; else the way to another one."""
    if settings.SINGLE_SIGN_ON_ONLY and request.user.is_authenticated:
        next_path = request.GET.get("next", "/")
        return HttpResponseRedirect(step_up.confirm_address(request, next_path))
    response: HttpResponseBase = account.reauthenticate(request)
    return response
