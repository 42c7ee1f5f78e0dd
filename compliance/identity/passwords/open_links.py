"""The pages to which links for setting a password lead.

The key is sent in a request body: the page's script sends the part after `#`, which no server sees.
Without a script, the person pastes the link.
"""

from __future__ import annotations

import re
from http import HTTPStatus

from allauth.account.utils import url_str_to_user_pk
from allauth.account.views import PasswordResetFromKeyView, password_reset_from_key
from allauth.account.views._password_reset import INTERNAL_RESET_SESSION_KEY
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from compliance.http.callers import address_of
from compliance.http.counters import count

# At most RATE attempts per address in SECONDS.
RATE, SECONDS = 30, 600
_KEYS = re.compile(
    r"(?P<uidb36>[0-9A-Za-z]{1,20})-(?P<key>[0-9a-z]{1,13}-[0-9a-f]{32,64})"
)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def open_link(request: HttpRequest) -> HttpResponse:
    """Redirect to the form for the password.

    The key is stored in the session, as django-allauth does.
    """
    if request.method != "POST":
        return render(request, "account/open_link.html")
    tries = count(f"password-links:{address_of(request)}", seconds=SECONDS)
    if tries > RATE:
        response = _refusal(request, HTTPStatus.TOO_MANY_REQUESTS)
        response["Retry-After"] = str(SECONDS)
        return response
    match = _KEYS.search(request.POST.get("link", ""))
    if match is None:
        return _refusal(request, HTTPStatus.UNPROCESSABLE_ENTITY)
    request.session[INTERNAL_RESET_SESSION_KEY] = match["key"]
    values = {
        "uidb36": match["uidb36"],
        "key": PasswordResetFromKeyView.reset_url_key,
    }
    # The next page reports a key that is wrong or used.
    target = reverse("account_reset_password_from_key", kwargs=values)
    return HttpResponseRedirect(target, status=HTTPStatus.SEE_OTHER)


@transaction.atomic
def set_password(request: HttpRequest, uidb36: str, key: str) -> HttpResponse:
    """The form for the password.

    Of two that are sent at once the second waits here, and then finds that the link was used.
    Otherwise both people would be told that their password is the one.
    """
    if request.method == "POST":
        try:
            pk = url_str_to_user_pk(uidb36)
        except ValueError:
            pk = None
        User.objects.select_for_update().filter(pk=pk).first()
    response: HttpResponse = password_reset_from_key(request, uidb36=uidb36, key=key)
    return response


def _refusal(request: HttpRequest, status: HTTPStatus) -> HttpResponse:
    context = {"is_busy": status == HTTPStatus.TOO_MANY_REQUESTS, "is_wrong": True}
    return render(request, "account/open_link.html", context, status=status)
