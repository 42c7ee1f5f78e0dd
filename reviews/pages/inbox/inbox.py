"""The inbox: messages for a user, the newest first. Each one leads to its case."""

from __future__ import annotations

import contextlib
from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from compliance.http import numbers
from reviews.access.decorators import person_of, readers_only
from reviews.applicants import invitations
from reviews.inbox import mails, notifications
from reviews.models import InboxPreference, Invitation

MOST_ROWS = 200


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def inbox(request: HttpRequest) -> HttpResponse:
    rows = list(notifications.inbox(person_of(request))[:MOST_ROWS])
    unread = []
    for row in rows:
        if row.read_at is None:
            unread.append(row)
    person = person_of(request)
    context = {
        "nav": "inbox",
        "rows": rows,
        "unread": len(unread),
        "invitations": _unanswered(person),
        "sends_mail": mails.is_set_up(),
        "mail": mails.choice_of(person),
        "choices": InboxPreference.Mail.choices,
        "address": person.email,
    }
    return render(request, "reviews/inbox.html", context)


def _unanswered(person: User) -> list[Invitation]:
    """Invitations whose link has expired, for who may invite again."""
    if not person.has_perm("reviews.add_case"):
        return []
    return invitations.unanswered(person)


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def badge(request: HttpRequest) -> HttpResponse:
    """The number of unread messages, for the menu of an open page."""
    return render(request, "_inbox_badge.html")


@readers_only
@require_POST
def mail(request: HttpRequest) -> HttpResponse:
    """Choose whether messages are also sent by e-mail."""
    with contextlib.suppress(ValueError):  # an unknown choice changes nothing
        mails.choose(person_of(request), request.POST.get("mail", ""))
        messages.success(request, _("Saved."))
    return _back()


@readers_only
@require_http_methods(["GET", "POST"])
@never_cache
def opened(request: HttpRequest, pk: int) -> HttpResponse:
    """Mark the message as read and redirect to its case. A mail links to it, so GET does it, too."""
    row = notifications.mark_read(person_of(request), pk)
    if row is None:
        raise Http404
    return redirect(row)


@readers_only
@require_POST
def unread(request: HttpRequest, pk: int) -> HttpResponse:
    if notifications.mark_unread(person_of(request), pk) is None:
        raise Http404
    return _back()


@readers_only
@require_POST
def all_read(request: HttpRequest) -> HttpResponse:
    """Mark what the page has shown as read: a message that came since stays unread."""
    newest = numbers.parse(request.POST.get("newest"))
    notifications.mark_all_read(person_of(request), newest=newest)
    return _back()


def _back() -> HttpResponse:
    return HttpResponseRedirect("/inbox/", status=HTTPStatus.SEE_OTHER)
