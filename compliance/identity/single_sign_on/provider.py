"""The company's provider: its name, and the path at which a login there begins."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

# The member of a person's account at a provider of SAML that has the moment of the login there.
AUTHENTICATED_AT = "authenticated_at"


def name() -> str:
    if settings.OIDC_ISSUER:
        label: str = settings.OIDC_NAME
    else:
        label = settings.SAML_NAME
    return label


def login_path() -> str | None:
    """The path that redirects to the provider; None without a provider."""
    if settings.OIDC_ISSUER:
        return reverse("openid_connect_login", args=[settings.OIDC_PROVIDER])
    if settings.SAML_IDP_ENTITY_ID:
        return reverse("saml_login", args=[settings.SAML_PROVIDER])
    return None


def next_path(request: HttpRequest) -> str | None:
    """The page of ours that the person wants after the login; None for any other address."""
    path = request.GET.get("next", "")
    hosts = {request.get_host()}
    if url_has_allowed_host_and_scheme(path, hosts, request.is_secure()):
        return path
    return None
