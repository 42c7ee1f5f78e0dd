"""URLs of SAML, below /account/saml/. The names are those that django-allauth expects.

The views are imported at the first request: without a provider of SAML nothing of the library is
loaded.
"""

from __future__ import annotations

from importlib import import_module

from allauth.account.internal.decorators import login_not_required
from django.conf import settings
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

VIEWS = "compliance.identity.single_sign_on.saml.views"


def _respond(
    name: str, request: HttpRequest, organization_slug: str
) -> HttpResponseBase:
    is_company = organization_slug == settings.SAML_PROVIDER
    if not settings.SAML_IDP_ENTITY_ID or not is_company:
        raise Http404
    view = getattr(import_module(VIEWS), name)
    response: HttpResponseBase = view(request)
    return response


@login_not_required  # type: ignore[untyped-decorator]
@require_safe
def login(request: HttpRequest, organization_slug: str) -> HttpResponseBase:
    """Redirect to the provider."""
    return _respond("login", request, organization_slug)


# The provider's page makes the browser send this form: it has no token of ours. What counts is the
# signature, and that the session of the browser has asked for this response.
@csrf_exempt
@login_not_required  # type: ignore[untyped-decorator]
@require_POST
def consume(request: HttpRequest, organization_slug: str) -> HttpResponseBase:
    """The assertion consumer service: takes the provider's response."""
    return _respond("consume", request, organization_slug)


@login_not_required  # type: ignore[untyped-decorator]
@require_safe
def finish(request: HttpRequest, organization_slug: str) -> HttpResponseBase:
    """Log the person of the response in."""
    return _respond("finish", request, organization_slug)


@login_not_required  # type: ignore[untyped-decorator]
@require_safe
def metadata(request: HttpRequest, organization_slug: str) -> HttpResponseBase:
    """What the administrator of the provider enters there."""
    return _respond("metadata", request, organization_slug)


urlpatterns = [
    path("<str:organization_slug>/login/", login, name="saml_login"),
    path("<str:organization_slug>/acs/", consume, name="saml_acs"),
    path("<str:organization_slug>/acs/finish/", finish, name="saml_finish_acs"),
    path("<str:organization_slug>/metadata/", metadata, name="saml_metadata"),
]
