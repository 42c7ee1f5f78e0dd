"""Shared parts of the pages of policy versions: risk policy and decision policy."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from reviews.access import roles
from reviews.models import Case
from reviews.models.policies.versions import Trial


def to_approvals(request: HttpRequest) -> HttpResponse:
    """Redirect to the page of approvals after a proposal was made."""
    words = _("Another person must approve this. Until then all stays as it is.")
    messages.info(request, words)
    return HttpResponseRedirect(reverse("approvals"), status=HTTPStatus.SEE_OTHER)


def to_version(page: str, number: int) -> HttpResponse:
    """Redirect to the page of a version. `page` is the name of its URL."""
    address = reverse(page, args=[number])
    return HttpResponseRedirect(address, status=HTTPStatus.SEE_OTHER)


def trial_part(
    request: HttpRequest, template: str, context: Mapping[str, object], *, is_done: bool
) -> HttpResponse:
    """The progress of a trial. The page polls it while the trial runs."""
    if context["trial"] is None:
        raise Http404
    response = render(request, template, dict(context))
    if is_done:
        # Reload the whole page: the actions that are possible with the version have changed.
        response["HX-Refresh"] = "true"
    return response


def not_tried(user: User, trial: Trial) -> dict[str, object]:
    """The cases that a trial could not evaluate: how many, and those that the user may see."""
    rows = trial.not_tried
    cases: list[Case] = []
    if rows.count:
        cases = list(roles.visible(user).filter(pk__in=rows.cases).order_by("pk"))
    return {"not_tried": rows.count, "not_tried_cases": cases}
