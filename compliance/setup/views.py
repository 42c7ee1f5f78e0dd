"""The set-up page, and the login page that redirects to it while nobody has an account."""

from __future__ import annotations

from allauth.account import views as account
from allauth.account.internal.decorators import login_not_required
from allauth.account.internal.flows.login import record_authentication
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login as log_in
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from compliance.http.callers import address_of
from compliance.identity.single_sign_on import provider
from compliance.setup import code, installation
from compliance.setup.answers import ServiceChoice
from compliance.setup.forms import SetupForm

SHOWN_FIRST = {"reviews_cases": True, "service": ServiceChoice.HUB}


@login_not_required  # type: ignore[untyped-decorator]
def login(request: HttpRequest) -> HttpResponseBase:
    """The login page. It redirects to the set-up page while nobody has an account.

    Not with single sign-on: the first person may come from the identity provider.
    """
    is_first_day = request.method == "GET" and code.is_open()
    if is_first_day and provider.login_path() is None:
        return redirect("setup")
    response: HttpResponseBase = account.login(request)
    return response


@login_not_required  # type: ignore[untyped-decorator]
@never_cache
@require_http_methods(["GET", "POST"])
def setup(request: HttpRequest) -> HttpResponse:
    """Ask for the first user, the service and the lists; create them, and log the person in."""
    if not code.is_open():
        return redirect("account_login")
    if request.method == "GET":
        return _page(request, SetupForm(initial=SHOWN_FIRST))
    form = SetupForm(request.POST, caller=address_of(request))
    if not form.is_valid():
        return _page(request, form)
    answers = form.answers()
    try:
        user = installation.make(answers)
    except installation.ClosedError:
        return redirect("account_login")
    code.discard()
    # The person has just chosen the password, so this counts as a login that is recent.
    record_authentication(request, user, "password")
    log_in(request, user, backend=settings.AUTHENTICATION_BACKENDS[0])
    messages.success(request, _("The installation is set up. You are logged in."))
    if answers.external_service is not None:
        # There the key is tried, and the address for the service's webhooks is shown.
        return redirect("connections")
    return redirect(settings.LOGIN_REDIRECT_URL)


def _page(request: HttpRequest, form: SetupForm) -> HttpResponse:
    context = {
        "form": form,
        "has_mail": bool(settings.EMAIL_HOST),
        "program": settings.PROGRAM,
    }
    return render(request, "setup/setup.html", context)
