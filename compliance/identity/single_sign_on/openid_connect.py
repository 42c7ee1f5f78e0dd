"""Single sign-on by OpenID Connect.

django-allauth implements the protocol with state and PKCE. This module adds: a nonce, the same
person in both of the provider's responses, trust only in verified addresses, and no options from a
link.
"""

from __future__ import annotations

import logging
import time
from typing import Any

import requests
from allauth.account.internal.decorators import login_not_required
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.models import SocialApp, SocialLogin
from allauth.socialaccount.providers.base.constants import AuthProcess
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from allauth.socialaccount.providers.openid_connect.views import (
    OpenIDConnectOAuth2Adapter,
)
from django.conf import settings
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.crypto import constant_time_compare, get_random_string

from compliance.http import outbound
from compliance.identity.single_sign_on import provider as company

log = logging.getLogger(__name__)

NONCE_CHARACTERS = 43
# To confirm their identity, people enter the password at the provider. This is its maximum age in
# seconds.
FRESH_SECONDS = 300


class Session(outbound.Session):
    """Our client for outgoing requests, with the exceptions that django-allauth expects."""

    def request(self, *args: Any, **options: Any) -> requests.Response:
        try:
            return super().request(*args, **options)
        except outbound.OutboundError as exc:
            raise requests.ConnectionError(str(exc)) from exc


class Adapter(OpenIDConnectOAuth2Adapter):  # type: ignore[misc]
    """Checks the provider's responses against the request."""

    # The stored data of the authentication request, found by its state.
    question: dict[str, Any]

    def complete_login(
        self, request: HttpRequest, app: SocialApp, token: object, **options: object
    ) -> SocialLogin:
        login: SocialLogin = super().complete_login(request, app, token, **options)
        answers = login.account.extra_data
        claims = answers.get("id_token")
        userinfo = answers.get("userinfo") or claims
        if not isinstance(claims, dict) or not isinstance(userinfo, dict):
            raise OAuth2Error("The provider has sent no ID token.")
        asked = self.question.get("data") or {}
        nonce = str(claims.get("nonce") or "")
        if not constant_time_compare(nonce, str(asked.get("nonce"))):
            raise OAuth2Error("The ID token is not the answer to this question.")
        if userinfo.get("sub") != claims.get("sub"):
            raise OAuth2Error("The provider speaks of two people.")
        if asked.get("fresh"):
            _require_fresh(request, claims.get("auth_time"))
        if settings.OIDC_ACR and claims.get("acr") not in settings.OIDC_ACR:
            raise OAuth2Error("The provider's login is weaker than asked for.")
        # Some providers send "false" as a text, which Python treats as true.
        claim = userinfo.get("email_verified")
        is_verified = claim is True or claim == "true"
        for address in login.email_addresses:
            address.verified = is_verified
        return login


def _require_fresh(request: HttpRequest, moment: object) -> None:
    """Raise an error unless the ID token says that the person was authenticated just now.

    A provider must send `auth_time` where `max_age` was asked for (OpenID Connect Core, 3.1.2.1).
    Without it nobody was asked: the person could have removed `max_age` and `prompt` from the
    address on the way.
    """
    has_login_time = False
    if isinstance(moment, int | float):
        if time.time() - moment <= FRESH_SECONDS:
            return
        has_login_time = True
        log.warning("The provider has not asked the person again.")
    else:
        log.warning("The provider sends no auth_time: nobody's identity is confirmed.")
    # The page says how to go on: by a second factor of one's own.
    context = {"minutes": settings.STEP_UP_MINUTES, "has_login_time": has_login_time}
    page = render(request, "account/not_confirmed.html", context, status=403)
    raise ImmediateHttpResponse(page)


class Callback(OAuth2CallbackView):  # type: ignore[misc]
    def _get_state(self, request: HttpRequest, provider: object) -> object:
        state, response = super()._get_state(request, provider)
        self.adapter.question = state or {}
        return state, response


@login_not_required  # type: ignore[untyped-decorator]
def login(request: HttpRequest, provider_id: str) -> HttpResponseBase:
    """Redirect to the provider, or show a page with status 503 if it does not answer.

    Of the query only `next` is used. For a person who is logged in already, this confirms their
    identity: the provider must ask for the password again.
    """
    nonce = get_random_string(NONCE_CHARACTERS)
    question = {"nonce": nonce, "fresh": request.user.is_authenticated}
    parameters = {"nonce": nonce}
    if settings.OIDC_ACR:
        parameters["acr_values"] = " ".join(settings.OIDC_ACR)
    if request.user.is_authenticated:
        parameters |= {"prompt": "login", "max_age": "0"}
    try:
        provider = Adapter(request, provider_id).get_provider()
        response: HttpResponseBase = provider.redirect(
            request,
            AuthProcess.LOGIN,
            next_url=company.next_path(request),
            data=question,
            auth_params={**provider.get_auth_params(), **parameters},
        )
    except SocialApp.DoesNotExist:
        raise Http404 from None
    # ValueError: the provider's configuration document is not JSON.
    except (requests.RequestException, ValueError) as exc:
        log.warning("The provider of single sign-on does not answer: %s.", exc)
        return render(request, "account/no_provider.html", status=503)
    return response


@login_not_required  # type: ignore[untyped-decorator]
def callback(request: HttpRequest, provider_id: str) -> HttpResponseBase:
    """The redirect URI: handles the provider's response."""
    try:
        view = Callback.adapter_view(Adapter(request, provider_id))
        response: HttpResponseBase = view(request)
    except SocialApp.DoesNotExist:
        raise Http404 from None
    return response
