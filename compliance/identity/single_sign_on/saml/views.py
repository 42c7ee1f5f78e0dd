"""The views of SAML: the way to the provider, and back with its response."""

from __future__ import annotations

import logging
import time

from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.helpers import (
    complete_social_login,
    render_authentication_error,
)
from allauth.socialaccount.models import SocialLogin
from allauth.socialaccount.providers.base.constants import AuthProcess
from allauth.socialaccount.providers.saml.provider import SAMLProvider
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from onelogin.saml2.auth import OneLogin_Saml2_Auth

from compliance.http import counters
from compliance.identity.single_sign_on import provider as company
from compliance.identity.single_sign_on.provider import AUTHENTICATED_AT
from compliance.identity.single_sign_on.roles import SAML_GROUPS
from compliance.identity.single_sign_on.saml import (
    configuration,
    handover,
    responses,
)
from compliance.identity.single_sign_on.saml.refusals import ResponseError
from compliance.security.sessions import PROVIDER_END

log = logging.getLogger(__name__)

METADATA_TYPE = "application/samlmetadata+xml"


def login(request: HttpRequest) -> HttpResponseBase:
    """Redirect to the provider with a request that only this session can use.

    For a person who is logged in already, this confirms their identity: the provider must ask for
    the password again.
    """
    try:
        current = configuration.load()
    except configuration.ConfigurationError as exc:
        return _unusable(request, exc)
    is_confirmation = request.user.is_authenticated
    auth = OneLogin_Saml2_Auth(configuration.request_data(), current)
    # The page after the login is in the session, not in RelayState.
    address = auth.login(
        return_to="", force_authn=is_confirmation, set_nameid_policy=False
    )
    _provider(request).stash_redirect_state(
        request,
        AuthProcess.LOGIN,
        next_url=company.next_path(request),
        data={"fresh": is_confirmation, "at": time.time()},
        state_id=auth.get_last_request_id(),
    )
    return HttpResponseRedirect(address)


def consume(request: HttpRequest) -> HttpResponseBase:
    """Keep a response with a valid signature, and redirect to the page that uses it."""
    text = request.POST.get("SAMLResponse", "")
    try:
        responses.read(text)
    except ResponseError as exc:
        return _refuse(request, str(exc))
    except configuration.ConfigurationError as exc:
        return _unusable(request, exc)
    page = reverse("saml_finish_acs", args=[settings.SAML_PROVIDER])
    response = HttpResponseRedirect(page)
    handover.give(response, text)
    return response


def finish(request: HttpRequest) -> HttpResponseBase:
    """Log the person in, if this session has asked for the response, and it is used for the first
    time.
    """
    try:
        response = responses.read(handover.take(request))
        sociallogin = _sociallogin(request, response)
    except ResponseError as exc:
        return _refuse(request, str(exc))
    except configuration.ConfigurationError as exc:
        return _unusable(request, exc)
    except ImmediateHttpResponse as exc:
        page: HttpResponseBase = exc.response
        return page
    result: HttpResponseBase = complete_social_login(request, sociallogin)
    return result


def metadata(request: HttpRequest) -> HttpResponseBase:
    try:
        current = configuration.load()
    except configuration.ConfigurationError as exc:
        return _unusable(request, exc)
    return HttpResponse(current.get_sp_metadata(), content_type=METADATA_TYPE)


def _sociallogin(request: HttpRequest, response: responses.Response) -> SocialLogin:
    provider = _provider(request)
    try:
        # This also removes it: the session uses each request once.
        state = provider.unstash_redirect_state(request, response.request_id)
    except PermissionDenied:
        raise ResponseError("this session has not asked for the response") from None
    _use_once(response)
    question = state.get("data") or {}
    instant = response.authn_instant()
    if question.get("fresh"):
        _require_fresh(request, instant, since=question["at"])
    try:
        sociallogin = provider.sociallogin_from_response(request, response)
    except ValueError:
        raise ResponseError("the person has no number") from None
    sociallogin.state = state
    # Only what is used here: providers send more about people.
    sociallogin.account.extra_data = {
        SAML_GROUPS: response.get_attributes().get(settings.SAML_GROUPS_ATTRIBUTE, []),
        AUTHENTICATED_AT: instant,
        PROVIDER_END: response.get_session_not_on_or_after(),
    }
    return sociallogin


def _use_once(response: responses.Response) -> None:
    name = f"saml:{counters.digest(response.get_assertion_id())}"
    seconds = int(response.until - time.time()) + 1
    if counters.count(name, seconds=seconds, or_here=True) > 1:
        raise ResponseError("the assertion was used before")


def _require_fresh(request: HttpRequest, instant: float, *, since: float) -> None:
    """Show a page unless the provider authenticated the person after the request.

    The person can remove ForceAuthn from the request on the way, and some providers ignore it.
    """
    if instant >= since - responses.CLOCK_SECONDS:
        return
    log.warning("The provider has not asked the person again.")
    # The page says how to go on: by a second factor of one's own. A response of SAML always has the
    # moment at which the provider asked.
    context = {"minutes": settings.STEP_UP_MINUTES, "has_login_time": True}
    page = render(request, "account/not_confirmed.html", context, status=403)
    raise ImmediateHttpResponse(page)


def _provider(request: HttpRequest) -> SAMLProvider:
    """The provider of the settings."""
    app = get_adapter(request).get_app(
        request, provider=SAMLProvider.id, client_id=settings.SAML_PROVIDER
    )
    return app.get_provider(request)


def _refuse(request: HttpRequest, reason: str) -> HttpResponseBase:
    log.warning("A response of single sign-on was refused: %s.", reason)
    page: HttpResponseBase = render_authentication_error(request, _provider(request))
    return page


def _unusable(
    request: HttpRequest, problem: configuration.ConfigurationError
) -> HttpResponseBase:
    log.error("Single sign-on by SAML is not set up: %s", problem)
    return render(request, "account/no_provider.html", status=503)
