"""Endpoints for the webhooks that the desk sends: the log, with each attempt, and sending again."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import Prefetch, QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from compliance.http.api.errors import Problem
from compliance.http.api.operations import operation
from reviews.access import roles
from reviews.api import paging
from reviews.api.base import DeskView
from reviews.api.parts.control import SENT_FILTERS
from reviews.models import Announcement, AnnouncementAttempt, Scope
from reviews.subscriptions import announcements
from reviews.wire import JsonObject

VISIBLE_BY = "case__connection"


class _SentWebhookView(DeskView):
    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        roles.require(self.actor, roles.PAYLOAD)

    @property
    def rows(self) -> QuerySet[Announcement]:
        return Announcement.objects.select_related("subscription", "case")


class SentWebhooks(_SentWebhookView):
    @operation(
        "The webhooks that the desk sends, newest first", Scope.AUDIT, answer="SentWebhooks",
        query={**SENT_FILTERS, **paging.QUERY},
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        rows = announcements.narrowed(self.rows, **self.filters(SENT_FILTERS))
        rows = roles.only_visible(self.actor, rows.defer("body"), VISIBLE_BY)
        return self.list_response(rows, _to_wire, by=("created_at", "id"))


class OneSentWebhook(_SentWebhookView):
    @operation(
        "A sent webhook with its body and its attempts", Scope.AUDIT,
        answer="WholeSentWebhook", errors=(404,),
    )  # fmt: skip
    def get(self, request: Request, pk: UUID) -> Response:
        attempts = Prefetch("attempts", AnnouncementAttempt.objects.order_by("id"))
        rows = self.rows.prefetch_related(attempts)
        announcement = self.row(rows, VISIBLE_BY, pk=pk)
        whole = {
            "body": bytes(announcement.body).decode(),
            "attempts": [_attempt(row) for row in announcement.attempts.all()],
        }
        return Response({**_to_wire(announcement), **whole})


class SendAgain(_SentWebhookView):
    @operation(
        "Sends a webhook now that failed or waits for its next try", Scope.SUBSCRIPTIONS,
        answer="SentWebhook", body="Nothing", errors=(404, 409),
    )  # fmt: skip
    def post(self, request: Request, pk: UUID) -> Response:
        _ = self.body  # validates that the body is empty
        announcement = self.row(self.rows, VISIBLE_BY, pk=pk)
        if not announcements.send_again(announcement, actor=self.actor):
            raise Problem(409, str(announcements.NOT_SENT))
        announcement.refresh_from_db()
        return Response(_to_wire(announcement))


def _to_wire(row: Announcement) -> JsonObject:
    return {
        "id": row.pk,
        "subscription_id": row.subscription_id,
        "event": row.event,
        "case_id": row.case_id,
        "url": row.url,
        "status": row.status,
        "tries": row.tries,
        "created_at": row.created_at,
        "due_at": row.due_at,
    }


def _attempt(row: AnnouncementAttempt) -> JsonObject:
    return {
        "at": row.at,
        "http_status": row.http_status,
        "error": row.error,
        "response": row.response,
        "took_ms": row.took_ms,
    }
