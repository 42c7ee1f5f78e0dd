"""Requires a second factor for certain roles. Without one, only the pages to add one are open."""

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

# Paths that are open without the second factor. Interfaces have their own keys. /webhooks/ is not
# listed because it has pages for people; the receiver answers before this middleware.
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
    """Middleware: redirects people with a role in SECOND_FACTOR_ROLES who have no second factor."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        if request.path.startswith(OPEN) or not _is_missing(request.user):
            return get_response(request)
        address = reverse("mfa_index")
        # htmx would insert a redirected page into the current one: tell it to load the page
        # instead.
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
    # A superuser has the permissions of every role.
    if user.is_superuser or "all" in settings.SECOND_FACTOR_ROLES:
        return True
    return user.groups.filter(name__in=settings.SECOND_FACTOR_ROLES).exists()
