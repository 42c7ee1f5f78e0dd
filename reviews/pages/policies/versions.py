"""What the pages of versions of policies have in common: of risk, and of decisions."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _


def to_approvals(request: HttpRequest) -> HttpResponse:
    """After a proposal: to the page of what waits for a second person."""
    words = _("Another person must approve this. Until then all stays as it is.")
    messages.info(request, words)
    return HttpResponseRedirect(reverse("approvals"), status=HTTPStatus.SEE_OTHER)


def to_version(page: str, number: int) -> HttpResponse:
    """To the page of a version. `page` is its name among the addresses."""
    address = reverse(page, args=[number])
    return HttpResponseRedirect(address, status=HTTPStatus.SEE_OTHER)


def trial_part(
    request: HttpRequest, template: str, context: Mapping[str, object], *, is_done: bool
) -> HttpResponse:
    """How far a what-if is; the page asks for it again while it runs."""
    if context["trial"] is None:
        raise Http404
    response = render(request, template, dict(context))
    if is_done:
        # The whole page says something else now: what may be done with the version.
        response["HX-Refresh"] = "true"
    return response
