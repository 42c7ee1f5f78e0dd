"""Counts accepted and refused sign-ins, without any personal data.

The first sign-in also sets the language of a person: that of the browser. Mails have no browser, and
would be English for a person whose pages never were.
"""

from __future__ import annotations

from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.http import HttpRequest

from compliance import languages
from compliance.models import LocalePreference
from compliance.work import tallies


def connect() -> None:
    user_logged_in.connect(_count_accepted)
    user_logged_in.connect(_set_language)
    user_login_failed.connect(_count_refused)


def _count_accepted(request: HttpRequest | None, **_: object) -> None:
    _count(request, "accepted")


def _count_refused(request: HttpRequest | None = None, **_: object) -> None:
    _count(request, "refused")


def _set_language(request: HttpRequest | None, user: User, **_: object) -> None:
    if not _is_of_browser(request):
        return
    # Who has chosen "the language of the browser" has a row, and keeps it.
    defaults = {"language": languages.current()}
    LocalePreference.objects.get_or_create(user=user, defaults=defaults)


def _count(request: HttpRequest | None, outcome: str) -> None:
    if _is_of_browser(request):
        tallies.add(tallies.Kind.SIGN_IN, "", outcome)


def _is_of_browser(request: HttpRequest | None) -> bool:
    # Commands log in without a request, or with one that has no address.
    return request is not None and "REMOTE_ADDR" in request.META
