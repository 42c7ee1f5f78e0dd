"""The page on which a person changes their own e-mail address.

Nothing changes until the link in a mail to the new address is opened. The old address gets a mail
about the request and one about the change. If a provider of single sign-on or a directory manages
the person, it also manages the address, which cannot be changed here.
"""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import cast

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from compliance.http.callers import address_of
from compliance.http.counters import count
from compliance.identity.passwords import confirmed_addresses
from compliance.pages.own_address import links

# In SECONDS: at most so many mails for one person, and so many opened links from one network
# address.
MAILS, LINKS, SECONDS = 5, 30, 600
LONGEST = 254
_KEY = re.compile(r"[\w:-]{40,1500}")


class AddressForm(forms.Form):
    email = forms.EmailField(
        label=gettext_lazy("New e-mail address"),
        max_length=LONGEST,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def change(request: HttpRequest) -> HttpResponse:
    """The page with the address. A POST mails a link to the new one."""
    user = cast(User, request.user)
    may_change = links.may_change(user)
    sends_mail = bool(settings.EMAIL_HOST)
    form = AddressForm(request.POST or None)
    status = HTTPStatus.OK
    is_doubted = confirmed_addresses.is_doubted(user)
    if request.method == "POST" and "confirm" in request.POST:
        if is_doubted and sends_mail:
            return _send_to_own_address(request, user)
        return redirect("account_email")
    is_asked = request.method == "POST" and may_change and sends_mail
    if is_asked and form.is_valid():
        tries = count(f"own-address:{user.pk}", seconds=SECONDS)
        if tries <= MAILS:
            address = form.cleaned_data["email"]
            links.send(request, user, address)
            words = _("A link was sent to %(address)s. It works for an hour.")
            messages.success(request, words % {"address": address})
            return redirect("account_email")
        form.add_error(None, _("Please wait a few minutes, and try again."))
        status = HTTPStatus.TOO_MANY_REQUESTS
    context = {
        "form": form,
        "may_change": may_change,
        "sends_mail": sends_mail,
        "is_doubted": is_doubted,
        "is_held": is_doubted and confirmed_addresses.is_held(user),
    }
    return render(request, "account/email.html", context, status=status)


def _send_to_own_address(request: HttpRequest, user: User) -> HttpResponse:
    if count(f"own-address:{user.pk}", seconds=SECONDS) > MAILS:
        messages.error(request, _("Please wait a few minutes, and try again."))
    else:
        links.ask_to_confirm(request, user)
        words = _("A link was sent to %(address)s. It works for an hour.")
        messages.success(request, words % {"address": user.email})
    return redirect("account_email")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def open_link(request: HttpRequest) -> HttpResponse:
    """The page of the link. A POST with its key changes the address.

    It needs no login: the link is often opened on another device. It proves that its owner reads
    the mails of the new address, and the person had confirmed who they are when they asked for it.
    If an administrator asked for it, the person must be logged in.
    """
    if request.method != "POST":
        return render(request, "account/open_link.html")
    tries = count(f"own-address-links:{address_of(request)}", seconds=SECONDS)
    if tries > LINKS:
        response = _refusal(request, HTTPStatus.TOO_MANY_REQUESTS, is_busy=True)
        response["Retry-After"] = str(SECONDS)
        return response
    # The whole link is pasted where there is no script: its key comes last.
    keys = _KEY.findall(request.POST.get("link", ""))
    try:
        user = links.confirm(keys[-1], opener=request.user) if keys else None
    except links.OtherPersonError:
        return _refusal(request, HTTPStatus.FORBIDDEN, is_other=True)
    if user is None:
        return _refusal(request, HTTPStatus.UNPROCESSABLE_ENTITY, is_ended=bool(keys))
    messages.success(request, _("The e-mail address of your account is confirmed."))
    is_own_session = request.user.pk == user.pk
    target = reverse("account_email" if is_own_session else "account_login")
    return HttpResponseRedirect(target, status=HTTPStatus.SEE_OTHER)


def _refusal(
    request: HttpRequest,
    status: HTTPStatus,
    *,
    is_busy: bool = False,
    is_ended: bool = False,
    is_other: bool = False,
) -> HttpResponse:
    context = {
        "is_busy": is_busy,
        "is_ended": is_ended,
        "is_other": is_other,
        "is_wrong": not is_ended,
    }
    return render(request, "account/open_link.html", context, status=status)
