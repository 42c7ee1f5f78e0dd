"""Intercepts every change of settings, from pages, the admin and REST alike.

A request runs in one transaction. Afterwards the settings are compared with those before. If a
second person is needed, the transaction is rolled back and the changes are stored as a proposal.
Otherwise they are committed together with their lines in the record.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from http import HTTPStatus
from typing import Any, TypeVar, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _

from compliance.approvals import lines, proposals, snapshots
from compliance.approvals.models import Proposal

Result = TypeVar("Result")
Response = TypeVar("Response", bound=HttpResponseBase)
View = TypeVar("View", bound=Callable[..., HttpResponseBase])
SAFE = {"GET", "HEAD", "OPTIONS"}
# The key of request.META by which a view asks that its response is sent: it shows a secret once.
_KEEPS_ANSWER = "compliance.approvals.keeps_answer"


def perform(actor: User, act: Callable[[], Result]) -> tuple[Result, Proposal | None]:
    """Run `act` as this person. Returns its result, and the proposal if the change must wait.

    Without a proposal the change is committed and recorded; with one nothing has changed.
    """
    with transaction.atomic(), lines.acting(actor):
        # One change at a time: the comparison must see only the changes of this one.
        snapshots.lock()
        before = snapshots.take()
        result = act()
        changes = snapshots.difference(before, snapshots.take())
        must_wait = proposals.needs_second_person(changes)
        if must_wait:
            transaction.set_rollback(True)
        else:
            for change in changes:
                lines.record_change(change, user=actor)
    if must_wait:
        return result, proposals.create(actor, changes)
    return result, None


def changes_settings(view: View) -> View:
    """A decorator for a view whose POST changes settings. The user must be logged in."""

    @wraps(view)
    def respond(
        request: HttpRequest, *args: object, **kwargs: object
    ) -> HttpResponseBase:
        return intercept(request, lambda: view(request, *args, **kwargs))

    return cast("View", respond)


def intercept(
    request: HttpRequest, act: Callable[[], Response]
) -> Response | HttpResponseRedirect:
    if request.method in SAFE or not isinstance(request.user, User):
        return act()
    answer, proposal = perform(request.user, act)
    if proposal is None:
        return answer
    # The change did not happen. Reading the view's messages of success discards them.
    list(messages.get_messages(request))
    messages.info(
        request, _("Another person must approve this. Until then all stays as it is.")
    )
    if request.META.pop(_KEEPS_ANSWER, False):
        return answer
    return HttpResponseRedirect(reverse("approvals"), status=HTTPStatus.SEE_OTHER)


def keep_answer(request: HttpRequest) -> None:
    """Keep a response that leads to a secret shown only once, even if the change waits."""
    request.META[_KEEPS_ANSWER] = True


# Additional variables for the template of an admin page.
Context = dict[str, Any] | None


class ChangesSettings:
    """A mixin for ModelAdmins whose forms, bulk actions and deletions change settings."""

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: Context = None,
    ) -> HttpResponse:
        view = super().changeform_view  # type: ignore[misc]
        act = partial(view, request, object_id, form_url, extra_context)
        return intercept(request, act)

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: Context = None
    ) -> HttpResponse:
        view = super().delete_view  # type: ignore[misc]
        return intercept(request, partial(view, request, object_id, extra_context))

    def changelist_view(
        self, request: HttpRequest, extra_context: Context = None
    ) -> HttpResponse:
        view = super().changelist_view  # type: ignore[misc]
        return intercept(request, partial(view, request, extra_context))
