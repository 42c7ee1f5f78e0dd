"""Pages of received and sent webhooks: two lists, and a page for each webhook."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.db.models import Case, Prefetch, QuerySet, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from compliance.http import signatures
from compliance.security.personal_fields import opened
from reviews.access import reads, roles
from reviews.access.decorators import person_of, readers_only
from reviews.models import Announcement, AnnouncementAttempt, Connection, Read
from reviews.pages.case.payloads import kind_of, shown
from reviews.pages.lists import listing
from reviews.subscriptions import announcements
from webhooks import events
from webhooks.models import Event

EVENT_COLORS = {"received": "acc", "applied": "pass", "ignored": "warn"}
ANNOUNCEMENT_COLORS = {"due": "acc", "done": "pass", "dead": "fail"}
# Lists read only bodies up to this size, to show the kind of each webhook.
MAX_LIST_BYTES = 64 << 10

View = Callable[..., HttpResponse]


def _page(view: View) -> View:
    """Decorator of pages for users who may see raw payloads."""
    permission = permission_required(roles.PAYLOAD, raise_exception=True)
    return never_cache(readers_only(permission(view)))


@_page
@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    if request.GET.get("side") == "sent":
        return _announcements(request)
    return _events(request)


def _events(request: HttpRequest) -> HttpResponse:
    filters = listing.texts(request.GET, "connection", "status", "case")
    filters["status"] = listing.choice(filters["status"], Event.Status.values)
    rows = events.narrowed(_visible_events(request), **filters)
    # The database leaves large bodies out, so that a list never loads 50 bodies of 10 MiB.
    small = Case(When(size__lte=MAX_LIST_BYTES, then="body"))
    rows = rows.annotate(small=small)
    page = listing.list_page(
        rows.defer("body", "headers"), filters, request.GET, by=("id",)
    )
    connections = Connection.objects.order_by("name")
    context = {
        "nav": "webhooks",
        "page": page,
        "rows": [(row, EVENT_COLORS[row.status], _kind(row)) for row in page.rows],
        "filters": filters,
        "statuses": Event.Status.choices,
        "connections": roles.only_visible(request.user, connections, "pk"),
    }
    return render(request, "webhooks/received.html", context)


@_page
@require_safe
def event(request: HttpRequest, pk: int) -> HttpResponse:
    row = get_object_or_404(_visible_events(request), pk=pk)
    item = f"webhooks/received/{row.pk}"
    if row.job:
        item = f"{row.job.case_id}/{item}"
    reads.shown(request, Read.Kind.CASE, item)
    body = bytes(row.body)
    context = {
        "nav": "webhooks",
        "event": row,
        "color": EVENT_COLORS[row.status],
        "kind": kind_of(body),
        "sha256": row.sha256,
        "size": len(body),
        "body": shown(body),
        # A user who sees a valid signature could send the webhook again.
        "headers": signatures.without(row.headers),
        "signed_in": _(" and ").join(signatures.kinds(row.headers)),
    }
    return render(request, "webhooks/event.html", context)


@_page
@require_POST
def replay(request: HttpRequest, pk: int) -> HttpResponse:
    row = get_object_or_404(_visible_events(request), pk=pk)
    if events.replay(row, actor=person_of(request)):
        messages.success(request, _("The webhook is replayed."))
    else:
        messages.info(request, str(events.NOT_REPLAYED))
    return redirect("webhook-event", pk=row.pk)


def _announcements(request: HttpRequest) -> HttpResponse:
    filters = listing.texts(request.GET, "status", "case")
    filters["status"] = listing.choice(filters["status"], Announcement.Status.values)
    rows = announcements.narrowed(
        _visible_announcements(request).defer("body"),
        status=filters["status"],
        case=filters["case"],
    )
    by = ("created_at", "id")
    filters["side"] = "sent"
    page = listing.list_page(rows, filters, request.GET, by=by)
    context = {
        "nav": "webhooks",
        "page": page,
        "rows": [(row, ANNOUNCEMENT_COLORS[row.status]) for row in page.rows],
        "filters": filters,
        "statuses": Announcement.Status.choices,
    }
    return render(request, "webhooks/sent.html", context)


@_page
@require_safe
def announcement(request: HttpRequest, pk: UUID) -> HttpResponse:
    attempts = Prefetch("attempts", AnnouncementAttempt.objects.order_by("-id"))
    rows = _visible_announcements(request).prefetch_related(attempts)
    row = get_object_or_404(rows, pk=pk)
    item = f"{row.case_id}/webhooks/sent/{row.pk}"
    reads.shown(request, Read.Kind.CASE, item)
    body = bytes(row.body)
    context = {
        "nav": "webhooks",
        "sent": row,
        "color": ANNOUNCEMENT_COLORS[row.status],
        "size": len(body),
        "body": shown(body),
    }
    return render(request, "webhooks/announcement.html", context)


@_page
@require_POST
def send_again(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Send a webhook now that failed after its last attempt, or waits for its next one."""
    row = get_object_or_404(_visible_announcements(request), pk=pk)
    if announcements.send_again(row, actor=person_of(request)):
        messages.success(request, _("It will be sent now."))
    else:
        messages.info(request, str(announcements.NOT_SENT))
    return redirect("webhook-sent", pk=row.pk)


def _visible_events(request: HttpRequest) -> QuerySet[Event]:
    rows = Event.objects.select_related("connection", "secret", "job__case")
    return roles.only_visible(request.user, rows, "connection")


def _visible_announcements(request: HttpRequest) -> QuerySet[Announcement]:
    rows = Announcement.objects.select_related("subscription", "case", "decision")
    return roles.only_visible(request.user, rows, "case__connection")


def _kind(row: Any) -> str:
    """The kind of webhook for the list. `row` is an event annotated with `small`: its body, or
    None if large.
    """
    if row.small is None:
        return _("large, %(size)s bytes") % {"size": f"{row.size:,}"}
    return kind_of(bytes(opened(row.small)))
