"""Single sign-on by OpenID Connect.

django-allauth implements the protocol with state and PKCE. This module adds: a nonce, a signature
of the ID token that is verified, the same person in both of the provider's responses, trust only in
verified addresses, and no options from a link.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from functools import cached_property, wraps
from threading import BoundedSemaphore
from typing import Any

import requests
from allauth.account.internal.decorators import login_not_required
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.models import SocialApp, SocialLogin, SocialToken
from allauth.socialaccount.providers.base import Provider
from allauth.socialaccount.providers.base.constants import AuthProcess
from allauth.socialaccount.providers.oauth2.client import OAuth2Client, OAuth2Error
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
from compliance.identity.single_sign_on import answers
from compliance.identity.single_sign_on import provider as company
from compliance.identity.single_sign_on.answers import Answer

log = logging.getLogger(__name__)

NONCE_CHARACTERS = 43
# To confirm their identity, people enter the password at the provider. This is its maximum age in
# seconds.
FRESH_SECONDS = 300
# The longest exchange with the provider in seconds. A login has five.
SECONDS = 10
# The most logins at a time that ask the provider, in one process. Another one waits some seconds.
AT_A_TIME = 4
WAIT_SECONDS = 2
_free = BoundedSemaphore(AT_A_TIME)
View = Callable[[HttpRequest, str], HttpResponseBase]


class Session(outbound.Session):
    """Our client for outgoing requests, with the exceptions that django-allauth expects."""

    def request(self, *args: Any, **options: Any) -> requests.Response:
        options.setdefault("timeout", SECONDS)
        try:
            return super().request(*args, **options)
        except outbound.OutboundError as exc:
            raise requests.ConnectionError(str(exc)) from exc


class TokenClient(OAuth2Client):  # type: ignore[misc]
    """Asks for the tokens."""

    def get_access_token(self, *args: Any, **options: Any) -> Answer:
        try:
            with answers.readable():
                tokens = super().get_access_token(*args, **options)
        except OAuth2Error:
            # The text of django-allauth's error repeats the answer, which may hold tokens.
            tokens = None
        if not isinstance(tokens, dict) or not isinstance(tokens["access_token"], str):
            raise OAuth2Error("the provider gave no tokens") from None
        return tokens


class Adapter(OpenIDConnectOAuth2Adapter):  # type: ignore[misc]
    """Checks the provider's responses against the request."""

    client_class = TokenClient
    # The stored data of the authentication request, found by its state.
    question: Answer

    def get_provider(self) -> Provider:
        """The provider, which reads its configuration by this class, too."""
        provider = super().get_provider()
        provider.oauth2_adapter_class = Adapter
        return provider

    @cached_property
    def openid_config(self) -> Answer:
        configuration = _get(self.get_provider().server_url)
        answers.require_configuration(configuration)
        return configuration

    def parse_token(self, data: Answer) -> SocialToken:
        with answers.readable():
            return super().parse_token(data)

    def complete_login(
        self, request: HttpRequest, app: SocialApp, token: SocialToken, **options: Any
    ) -> SocialLogin:
        keys = _get(self.openid_config["jwks_uri"])
        with answers.readable():
            claims = answers.claims_of(
                options["response"].get("id_token"),
                keys,
                client_id=app.client_id,
                secret=app.secret,
                issuer=self.openid_config["issuer"],
            )
        userinfo = _get(self.profile_url, Authorization=f"Bearer {token.token}")
        identity = {
            "userinfo": answers.person(userinfo),
            "id_token": answers.person(claims),
        }
        self._require_answer(request, **identity)
        login: SocialLogin = self.get_provider().sociallogin_from_response(
            request, identity
        )
        for address in login.email_addresses:
            address.verified = identity["userinfo"]["email_verified"]
        return login

    def _require_answer(
        self, request: HttpRequest, userinfo: Answer, id_token: Answer
    ) -> None:
        """Raise an error unless both responses are about one person, and answer the question."""
        asked = self.question.get("data") or {}
        nonce = str(asked.get("nonce") or "")
        given = str(id_token.get("nonce") or "")
        if not nonce or not constant_time_compare(given, nonce):
            raise OAuth2Error("the ID token is not the answer to this question")
        if userinfo["sub"] != id_token["sub"]:
            raise OAuth2Error("the provider speaks of two people")
        if asked.get("fresh"):
            _require_fresh(request, id_token.get("auth_time"))
        if settings.OIDC_ACR and id_token.get("acr") not in settings.OIDC_ACR:
            raise OAuth2Error("the provider's login is weaker than asked for")


def _get(address: str, **headers: str) -> Answer:
    with get_adapter().get_requests_session() as session:
        response = session.get(address, headers=headers)
    response.raise_for_status()
    with answers.readable():
        return answers.members(response.json())


def _require_fresh(request: HttpRequest, moment: object) -> None:
    """Raise an error unless the ID token says that the person was authenticated just now.

    A provider must send `auth_time` where `max_age` was asked for (OpenID Connect Core, 3.1.2.1).
    Without it nobody was asked: the person could have removed `max_age` and `prompt` from the
    address on the way.
    """
    has_login_time = False
    if isinstance(moment, int | float):
        if -answers.CLOCK_SECONDS <= time.time() - moment <= FRESH_SECONDS:
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


def _limited(view: View) -> View:
    """A decorator: a page for a provider that does not answer, or to which too many requests run.

    A provider that answers slowly must not hold all threads of a process.
    """

    @wraps(view)
    def respond(request: HttpRequest, provider_id: str) -> HttpResponseBase:
        if not _free.acquire(timeout=WAIT_SECONDS):
            log.warning("The provider of single sign-on is slow: too many logins wait.")
            return _no_provider(request)
        try:
            return view(request, provider_id)
        except SocialApp.DoesNotExist:
            raise Http404 from None
        except (requests.RequestException, OAuth2Error) as exc:
            log.warning("The provider of single sign-on does not answer: %s.", exc)
            return _no_provider(request)
        finally:
            _free.release()

    return respond


def _no_provider(request: HttpRequest) -> HttpResponseBase:
    return render(request, "account/no_provider.html", status=503)


@login_not_required  # type: ignore[untyped-decorator]
@_limited
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
    provider = Adapter(request, provider_id).get_provider()
    response: HttpResponseBase = provider.redirect(
        request,
        AuthProcess.LOGIN,
        next_url=company.next_path(request),
        data=question,
        auth_params={**provider.get_auth_params(), **parameters},
    )
    return response


@login_not_required  # type: ignore[untyped-decorator]
@_limited
def callback(request: HttpRequest, provider_id: str) -> HttpResponseBase:
    """The redirect URI: handles the provider's response."""
    view = Callback.adapter_view(Adapter(request, provider_id))
    response: HttpResponseBase = view(request)
    return response
