"""A line for each login and logout, and for each wrong password of an account that exists.

Connected to the signals of django.contrib.auth. What was typed is never in a line: people type
their password into the field of the name.
"""

from __future__ import annotations

from django.contrib.auth.models import User
from django.contrib.auth.signals import (
    user_logged_in,
    user_logged_out,
    user_login_failed,
)
from django.http import HttpRequest

from reviews.audit import trail


def connect() -> None:
    user_logged_in.connect(_record_login)
    user_logged_out.connect(_record_logout)
    user_login_failed.connect(_record_failure)


def _record_login(request: HttpRequest | None, user: User, **_: object) -> None:
    if _is_of_browser(request):
        trail.record(None, "signed_in", user=user)


def _record_logout(request: HttpRequest | None, user: User | None, **_: object) -> None:
    # Null: a session whose login was over already.
    if user and _is_of_browser(request):
        trail.record(None, "signed_out", user=user)


def _record_failure(
    credentials: dict[str, object], request: HttpRequest | None = None, **_: object
) -> None:
    if not _is_of_browser(request):
        return
    user = User.objects.filter(username=credentials.get("username")).first()
    if user:
        trail.record(None, "sign_in_failed", {"user_id": user.pk})


def _is_of_browser(request: HttpRequest | None) -> bool:
    """Commands log in without a request, or with one that came from nowhere."""
    return request is not None and "REMOTE_ADDR" in request.META
