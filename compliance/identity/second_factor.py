"""Roles that need a second factor get no page but those that set one up."""

from __future__ import annotations

from collections.abc import Callable

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _

Respond = Callable[[HttpRequest], HttpResponseBase]

# What is open to somebody who has yet to set up a second factor. Interfaces have keys of their own. Below
# /webhooks/ are pages of people: the receiver itself is asked before any middleware that knows people.
OPEN = (
    "/account/",
    "/logout/",
    "/admin/logout/",
    "/static/",
    "/api/",
    "/scim/",
    "/health/",
    "/.well-known/",
)


def require_second_factor(get_response: Respond) -> Respond:
    """Middleware: whoever has a role of SECOND_FACTOR_ROLES and no second factor sets one up."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        if request.path.startswith(OPEN) or not _is_missing(request.user):
            return get_response(request)
        address = reverse("mfa_index")
        if request.headers.get("HX-Request"):
            return HttpResponse(headers={"HX-Redirect": address})
        messages.info(
            request, _("Your role needs a second factor. Set one up to go on.")
        )
        return HttpResponseRedirect(address)

    return respond


def _is_missing(user: User | AnonymousUser) -> bool:
    roles = settings.SECOND_FACTOR_ROLES
    if not roles or not user.is_authenticated:
        return False
    if not _needs_one(user):
        return False
    return not is_mfa_enabled(user)


def _needs_one(user: User) -> bool:
    # A superuser may do what every role may.
    if user.is_superuser or "all" in settings.SECOND_FACTOR_ROLES:
        return True
    return user.groups.filter(name__in=settings.SECOND_FACTOR_ROLES).exists()
