"""The webhooks that came, and those that the desk sent: lists, and each of them whole."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.db.models import Case, Prefetch, QuerySet, When
from django.db.models.functions import Length
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from compliance.http import signatures
from reviews.access import roles
from reviews.access.decorators import person_of, readers_only
from reviews.models import Announcement, AnnouncementAttempt, Connection
from reviews.pages.case.payloads import kind_of, shown
from reviews.pages.lists import listing
from reviews.subscriptions import announcements
from webhooks import events
from webhooks.models import Event

EVENT_COLORS = {"received": "acc", "applied": "pass", "ignored": "warn"}
SENT_COLORS = {"due": "acc", "done": "pass", "dead": "fail"}
# A list looks into bodies of at most so many bytes, to say of what kind they are.
LOOKED_INTO = 64 << 10


def _page(view: Any) -> Any:
    """Of whoever may see raw payloads."""
    allowed = permission_required(roles.PAYLOAD, raise_exception=True)
    return never_cache(readers_only(allowed(view)))


@_page
@require_safe
def listed(request: HttpRequest) -> HttpResponse:
    return _sent(request) if request.GET.get("side") == "sent" else _received(request)


def _received(request: HttpRequest) -> HttpResponse:
    asked = listing.words(request.GET, "connection", "status", "case")
    asked["status"] = listing.one_of(asked["status"], Event.Status.values)
    rows = events.narrowed(_seen(request), **asked)
    small = Case(When(size__lte=LOOKED_INTO, then="body"))
    rows = rows.annotate(size=Length("body")).annotate(small=small).defer("body", "headers")
    page = listing.listed(rows, asked, request.GET, by=("id",))
    context = {
        "nav": "webhooks",
        "page": page,
        "rows": [(row, EVENT_COLORS[row.status], _kind(row)) for row in page.rows],
        "asked": asked,
        "statuses": Event.Status.choices,
        "connections": roles.only_seen(request.user, Connection.objects.order_by("name"), "pk"),
    }
    return render(request, "webhooks/received.html", context)


@_page
@require_safe
def event(request: HttpRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(_seen(request), pk=pk)
    body = bytes(found.body)
    context = {
        "nav": "webhooks",
        "event": found,
        "color": EVENT_COLORS[found.status],
        "kind": kind_of(body),
        "digest": bytes(found.digest).hex(),
        "size": len(body),
        "body": shown(body),
        "headers": signatures.without(found.headers),
        "signed_in": " and ".join(signatures.kinds(found.headers)),
    }
    return render(request, "webhooks/event.html", context)


@_page
@require_POST
def replay(request: HttpRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(_seen(request), pk=pk)
    if events.replay(found, actor=person_of(request)):
        messages.success(request, "The webhook is replayed.")
    else:
        messages.info(request, events.NOT_REPLAYED)
    return redirect("webhook-event", pk=found.pk)


def _sent(request: HttpRequest) -> HttpResponse:
    asked = listing.words(request.GET, "status", "case")
    asked["status"] = listing.one_of(asked["status"], Announcement.Status.values)
    given = {"status": asked["status"], "decision__case__reference": asked["case"]}
    rows = _announced(request).filter(**{name: value for name, value in given.items() if value})
    # By decision, which has an index; each was announced once to each subscription.
    by = ("decision_id", "created_at", "id")
    asked |= {"side": "sent"}
    page = listing.listed(rows.defer("body"), asked, request.GET, by=by)
    context = {
        "nav": "webhooks",
        "page": page,
        "rows": [(row, SENT_COLORS[row.status]) for row in page.rows],
        "asked": asked,
        "statuses": Announcement.Status.choices,
    }
    return render(request, "webhooks/sent.html", context)


@_page
@require_safe
def announcement(request: HttpRequest, pk: UUID) -> HttpResponse:
    tries = Prefetch("attempts", AnnouncementAttempt.objects.order_by("-id"))
    found = get_object_or_404(_announced(request).prefetch_related(tries), pk=pk)
    body = bytes(found.body)
    context = {
        "nav": "webhooks",
        "sent": found,
        "color": SENT_COLORS[found.status],
        "size": len(body),
        "body": shown(body),
    }
    return render(request, "webhooks/announcement.html", context)


@_page
@require_POST
def send_again(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Give one that was given up its tries anew."""
    found = get_object_or_404(_announced(request), pk=pk)
    if announcements.send_again(found, actor=person_of(request)):
        messages.success(request, "It will be sent again now.")
    else:
        messages.info(request, "Only a failed webhook can be sent again.")
    return redirect("webhook-sent", pk=found.pk)


def _seen(request: HttpRequest) -> QuerySet[Event]:
    rows = Event.objects.select_related("connection", "secret", "job__case")
    return roles.only_seen(request.user, rows, "connection")


def _announced(request: HttpRequest) -> QuerySet[Announcement]:
    rows = Announcement.objects.select_related("subscription", "decision__case")
    return roles.only_seen(request.user, rows, "decision__case__connection")


def _kind(row: Any) -> str:
    return kind_of(bytes(row.small)) if row.small is not None else f"large, {row.size:,} bytes"
