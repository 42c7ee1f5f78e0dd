"""Decorators of the pages: who may see them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from django.contrib.auth.decorators import login_required, permission_required
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.http.response import HttpResponseBase

View = TypeVar("View", bound=Callable[..., HttpResponseBase])


def readers_only(view: View) -> View:
    """Require a login, and the permission to read cases: a user without it gets 403."""
    allowed = permission_required("reviews.view_case", raise_exception=True)
    return login_required(allowed(view))


def person_of(request: HttpRequest) -> User:
    """The user of a request, typed, for views behind `readers_only`."""
    return cast("User", request.user)
