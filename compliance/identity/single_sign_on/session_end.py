"""Ends a login when the company's provider says so: SAML's SessionNotOnOrAfter."""

from __future__ import annotations

from typing import Any

from allauth.account.signals import user_logged_in
from django.http import HttpRequest

from compliance.security.sessions import PROVIDER_END


def connect() -> None:
    # The signal of django-allauth: Django's own does not have the account at the provider.
    user_logged_in.connect(_note_end)


def _note_end(request: HttpRequest, sociallogin: Any = None, **_: object) -> None:
    if sociallogin is None:
        return
    end = sociallogin.account.extra_data.get(PROVIDER_END)
    if isinstance(end, int | float):
        request.session[PROVIDER_END] = int(end)
