"""Who may see the desk's pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from django.contrib.auth.decorators import login_required, permission_required
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.http.response import HttpResponseBase

View = TypeVar("View", bound=Callable[..., HttpResponseBase])


def readers_only(view: View) -> View:
    """Ask for a login first. Who is logged in but may not read cases gets 403."""
    allowed = permission_required("reviews.view_case", raise_exception=True)
    return login_required(allowed(view))


def person_of(request: HttpRequest) -> User:
    """Who asks, in a view that is for readers only."""
    return cast("User", request.user)
