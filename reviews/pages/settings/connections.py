"""Connections: the services that the desk calls, and a test whether their webhooks arrive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe

from compliance.approvals.interception import changes_settings
from reviews.access.decorators import person_of, readers_only
from reviews.models import Connection
from reviews.service import connections, pauses
from reviews.service.client import ServiceError
from reviews.wire import JsonObject

administrators_only = permission_required(
    "reviews.change_connection", raise_exception=True
)


@readers_only
@administrators_only
@require_safe
@cache_control(private=True, no_store=True)
def overview(request: HttpRequest) -> HttpResponse:
    return render(request, "reviews/connections.html", _context())


@readers_only
@administrators_only
@require_POST
@cache_control(private=True, no_store=True)
def test_webhook(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask the service to send a sample of each webhook to the desk, and show the responses it
    got.
    """
    connection = get_object_or_404(Connection, pk=pk)
    context = _context()
    context["test"] = _test(connection)
    return render(request, "reviews/connections.html", context)


@dataclass(frozen=True)
class WebhookTest:
    """What the service reports about the samples that it sent."""

    connection: Connection
    error: str = ""
    message: str = ""
    results: Sequence[Mapping[str, object]] = ()


def _test(connection: Connection) -> WebhookTest:
    # The desk uses one address for both kinds of webhooks.
    hook = hook_of(connection)
    try:
        with pauses.asking(connection) as service:
            answer = service.test_webhook(webhook_url=hook, tool_webhook_url=hook)
    except ServiceError as exc:
        return WebhookTest(connection, error=str(exc))
    message = _text(answer.get("message"))
    # A service may report an error inside a successful response.
    error = ""
    if answer.get("error"):
        reason = answer.get("message") or answer.get("error")
        error = _text(reason)
    rows: list[dict[str, object]] = []
    items = answer.get("results")
    if isinstance(items, list):
        for item in items:
            if isinstance(item, dict):
                rows.append(_result(item))
    return WebhookTest(connection, error, message, rows)


@readers_only
@administrators_only
@require_POST
@changes_settings
def accept_untimed(request: HttpRequest, pk: int) -> HttpResponse:
    """Accept webhooks without a signed time again, for a service that no longer signs the time."""
    connection = get_object_or_404(Connection, pk=pk)
    if connections.accept_untimed(connection, actor=person_of(request)):
        messages.success(
            request,
            _("Webhooks of %(name)s need no time any more.")
            % {"name": connection.name},
        )
    return redirect("connections")


@readers_only
@administrators_only
@require_POST
def try_key(request: HttpRequest, pk: int) -> HttpResponse:
    """Try the API key of a paused connection immediately."""
    connection = get_object_or_404(Connection, pk=pk)
    if pauses.probe_now(connection):
        messages.success(
            request, _("The key of %(name)s is tried now.") % {"name": connection.name}
        )
    else:
        messages.info(request, _("%(name)s is not paused.") % {"name": connection.name})
    return redirect("connections")


def hook_of(connection: Connection) -> str:
    path = reverse("webhook", args=[connection.slug])
    return f"{settings.CALLBACK_URL}{path}"


def _context() -> dict[str, object]:
    # A job that has ended has no due time.
    is_waiting = Q(jobs__due_at__isnull=False)
    waiting = Count("jobs", filter=is_waiting)
    rows = Connection.objects.select_related("pause")
    rows = rows.prefetch_related("agents")
    rows = rows.annotate(waiting=waiting)
    connections = []
    for row in rows.order_by("name"):
        hook = hook_of(row)
        connections.append((row, hook))
    return {"nav": "connections", "connections": connections}


def _result(item: JsonObject) -> dict[str, object]:
    """The result of one sample. Members of an unexpected type are left out."""
    kind = _text(item.get("kind"))
    tool_id = _text(item.get("tool_id"))
    return {
        "url": _text(item.get("url")),
        "what": tool_id or _("%(kind)s webhook") % {"kind": kind},
        "ok": item.get("ok") is True,
        "status": _number(item.get("status")),
        "words": _text(item.get("error") or item.get("response")),
        "took": _number(item.get("took_ms")),
    }


def _number(value: object) -> int | None:
    if isinstance(value, int):
        return value
    return None


def _text(value: object) -> str:
    if isinstance(value, str):
        return value[:500]
    return ""
