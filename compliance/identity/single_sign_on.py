"""Single sign-on with the company's own OpenID provider: who comes in, and with which roles."""

from __future__ import annotations

import logging
from typing import Any

import requests
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from allauth.socialaccount.providers.openid_connect import views as openid_connect
from django.conf import settings
from django.contrib.auth.models import Group, User
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render

from compliance.http import outbound

log = logging.getLogger(__name__)


class Session(outbound.Session):
    """Our way out, with the errors that django-allauth knows."""

    def request(self, *args: Any, **options: Any) -> requests.Response:
        try:
            return super().request(*args, **options)
        except outbound.OutboundError as exc:
            raise requests.ConnectionError(str(exc)) from exc


def login(request: HttpRequest, provider_id: str) -> HttpResponseBase:
    """The way to the provider; a page that says so where it does not answer."""
    try:
        response: HttpResponseBase = openid_connect.login(request, provider_id)
    # ValueError: its description of itself is no JSON.
    except (requests.RequestException, ValueError) as exc:
        log.warning("The provider of single sign-on does not answer: %s.", exc)
        return render(request, "account/no_provider.html", status=503)
    return response


class SingleSignOnAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    def get_requests_session(self) -> Session:
        """The provider may have a private address: an administrator entered it."""
        return Session(allow_private=frozenset({outbound.origin(settings.OIDC_ISSUER)}))

    def is_open_for_signup(
        self, request: HttpRequest, sociallogin: SocialLogin
    ) -> bool:
        """Whom the provider lets in gets an account; roles follow below."""
        return True

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Give the person the roles of their groups. Who has none of them does not come in."""
        if not settings.OIDC_ROLES:
            return
        roles = roles_of(sociallogin)
        if sociallogin.is_existing:
            _set_roles(sociallogin.user, roles)
        if not roles:
            page = render(request, "account/no_role.html", status=403)
            raise ImmediateHttpResponse(page)

    def save_user(
        self, request: HttpRequest, sociallogin: SocialLogin, form: Any = None
    ) -> User:
        user: User = super().save_user(request, sociallogin, form)
        if settings.OIDC_ROLES:
            _set_roles(user, roles_of(sociallogin))
        return user


def roles_of(sociallogin: SocialLogin) -> set[str]:
    """The roles of the groups that the provider names, by OIDC_ROLES."""
    claims = sociallogin.account.extra_data
    groups: set[str] = set()
    for part in (claims, claims.get("userinfo"), claims.get("id_token")):
        if isinstance(part, dict):
            groups |= _names(part.get(settings.OIDC_GROUPS_CLAIM))
    return {role for group, role in settings.OIDC_ROLES if group in groups}


def _names(claim: object) -> set[str]:
    """Some providers send a list, some one text."""
    if isinstance(claim, str):
        return {claim}
    if isinstance(claim, list):
        return {name for name in claim if isinstance(name, str)}
    return set()


def _set_roles(user: User, roles: set[str]) -> None:
    now = set(user.groups.values_list("name", flat=True))
    if now != roles:
        user.groups.set(Group.objects.filter(name__in=roles))
