"""Connections: which services the desk calls, and whether their webhooks arrive."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe

from reviews.access.decorators import person_of, readers_only
from reviews.models import Connection
from reviews.service import connections, pauses
from reviews.service.client import ServiceError

administrators_only = permission_required(
    "reviews.change_connection", raise_exception=True
)


@readers_only
@administrators_only
@require_safe
@cache_control(private=True, no_store=True)
def listed(request: HttpRequest) -> HttpResponse:
    return render(request, "reviews/connections.html", _context())


@readers_only
@administrators_only
@require_POST
@cache_control(private=True, no_store=True)
def test_webhook(request: HttpRequest, pk: int) -> HttpResponse:
    """Have the service send a sample of each kind to our receiver, and show what came back."""
    connection = get_object_or_404(Connection, pk=pk)
    hook = hook_of(connection)
    tested: dict[str, Any] = {
        "connection": connection,
        "error": "",
        "message": "",
        "results": [],
    }
    try:
        with pauses.asking(connection) as service:
            said = service.test_webhook(webhook_url=hook, tool_webhook_url=hook)
    except ServiceError as exc:
        tested["error"] = str(exc)
    else:
        results = said.get("results")
        items = results if isinstance(results, list) else []
        tested["results"] = [_result(item) for item in items if isinstance(item, dict)]
        if said.get("error"):
            tested["error"] = _text(said.get("message") or said.get("error"))
        tested["message"] = _text(said.get("message"))
    return render(request, "reviews/connections.html", _context(tested=tested))


@readers_only
@administrators_only
@require_POST
def accept_untimed(request: HttpRequest, pk: int) -> HttpResponse:
    """Take webhooks without a time again, of a service that has stopped to sign with one."""
    connection = get_object_or_404(Connection, pk=pk)
    if connections.accept_untimed(connection, actor=person_of(request)):
        messages.success(
            request, f"Webhooks of {connection.name} need no time any more."
        )
    return redirect("connections")


@readers_only
@administrators_only
@require_POST
def try_key(request: HttpRequest, pk: int) -> HttpResponse:
    """Try the key of a paused connection now, without waiting for the next time."""
    connection = get_object_or_404(Connection, pk=pk)
    if pauses.probe_now(connection):
        messages.success(request, f"The key of {connection.name} is tried now.")
    else:
        messages.info(request, f"{connection.name} is not paused.")
    return redirect("connections")


def hook_of(connection: Connection) -> str:
    return settings.CALLBACK_URL + reverse("webhook", args=[connection.slug])


def _context(**more: Any) -> dict[str, Any]:
    waiting = Count("jobs", filter=Q(jobs__due_at__isnull=False))
    rows = Connection.objects.select_related("pause").prefetch_related("agents")
    rows = rows.annotate(waiting=waiting).order_by("name")
    return {
        "nav": "connections",
        "connections": [(row, hook_of(row)) for row in rows],
        **more,
    }


def _result(item: dict[str, Any]) -> dict[str, Any]:
    status = item.get("status")
    took = item.get("took_ms")
    return {
        "url": _text(item.get("url")),
        "what": _text(item.get("tool_id")) or f"{_text(item.get('kind'))} webhook",
        "ok": item.get("ok") is True,
        "status": status if isinstance(status, int) else "",
        "said": _text(item.get("error") or item.get("response")),
        "took": took if isinstance(took, int) else "",
    }


def _text(value: Any) -> str:
    return value[:500] if isinstance(value, str) else ""
