"""Counts accepted and refused sign-ins, without any personal data."""

from __future__ import annotations

from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.http import HttpRequest

from compliance.work import tallies


def connect() -> None:
    user_logged_in.connect(_count_accepted)
    user_login_failed.connect(_count_refused)


def _count_accepted(request: HttpRequest | None, **_: object) -> None:
    _count(request, "accepted")


def _count_refused(request: HttpRequest | None = None, **_: object) -> None:
    _count(request, "refused")


def _count(request: HttpRequest | None, outcome: str) -> None:
    # Commands log in without a request, or with one that has no address.
    if request is not None and "REMOTE_ADDR" in request.META:
        tallies.add(tallies.Kind.SIGN_IN, "", outcome)
