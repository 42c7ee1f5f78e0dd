"""Local passwords and passkeys, which SINGLE_SIGN_ON_ONLY disables."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from allauth.account import views as account
from allauth.account.internal.flows.login import get_authentication_records
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase

from compliance.identity import step_up

View = Callable[..., HttpResponseBase]


def own_logins_only(view: View) -> View:
    """A decorator: the page answers 404 if people sign in only by the identity provider."""

    @wraps(view)
    def respond(
        request: HttpRequest, *args: object, **options: object
    ) -> HttpResponseBase:
        if settings.SINGLE_SIGN_ON_ONLY:
            raise Http404
        return view(request, *args, **options)

    return respond


def confirm_by_password(request: HttpRequest) -> HttpResponseBase:
    """The page for confirming one's identity by password; redirects if there are no passwords."""
    if settings.SINGLE_SIGN_ON_ONLY and request.user.is_authenticated:
        next_path = request.GET.get("next", "/")
        return HttpResponseRedirect(step_up.confirm_address(request, next_path))
    before = len(get_authentication_records(request, request.user))
    response: HttpResponseBase = account.reauthenticate(request)
    if len(get_authentication_records(request, request.user)) > before:
        step_up.confirmed_by_password.send(sender=__name__, user=request.user)
    return response
