"""The received webhooks over the desk's REST interface: what the pages show, and replay.

The endpoints have the prefix of the desk's endpoints, although the desk must not import this app.
Its OpenAPI description covers everything that is served below the prefix.
"""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from compliance.http import signatures
from compliance.http.api.errors import Problem
from compliance.http.api.operations import operation
from reviews.access import roles
from reviews.api import paging
from reviews.api.base import DeskView
from reviews.models import Scope
from reviews.wire import JsonObject
from webhooks import events
from webhooks.api.schemas import FILTERS
from webhooks.models import Event


class _Webhooks(DeskView):
    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        roles.require(self.actor, roles.PAYLOAD)

    @property
    def rows(self) -> QuerySet[Event]:
        return Event.objects.select_related("connection", "job", "secret")


class Received(_Webhooks):
    @operation(
        "The webhooks that came, newest first", Scope.AUDIT, answer="ReceivedWebhooks",
        query={**FILTERS, **paging.QUERY},
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        filters = self.filters(FILTERS)
        rows = self.rows.defer("headers", "job__sent")
        rows = events.narrowed(rows, **filters)
        rows = roles.only_visible(self.actor, rows, "connection")
        return self.list_response(rows, _to_wire)


class OneReceived(_Webhooks):
    @operation(
        "A webhook as it came", Scope.AUDIT, answer="WholeWebhook", errors=(404,)
    )
    def get(self, request: Request, pk: int) -> Response:
        event = self.row(self.rows, "connection", pk=pk)
        secret = None
        if event.secret:
            secret = event.secret.name
        whole = {
            "headers": signatures.without(event.headers),
            "signed_in": signatures.kinds(event.headers),
            "secret": secret,
            "body": bytes(event.body).decode(errors="replace"),
        }
        return Response({**_to_wire(event), **whole})


class Replay(_Webhooks):
    @operation(
        "Replay a webhook that was not applied", Scope.SUBSCRIPTIONS,
        answer="ReceivedWebhook", body="Nothing", errors=(404, 409),
    )  # fmt: skip
    def post(self, request: Request, pk: int) -> Response:
        _ = self.body  # validates that the body is empty
        event = self.row(self.rows, "connection", pk=pk)
        if not events.replay(event, actor=self.actor):
            raise Problem(409, str(events.NOT_REPLAYED))
        return Response(_to_wire(event))


def _to_wire(event: Event) -> JsonObject:
    return {
        "id": event.pk,
        "connection": event.connection.slug,
        "status": event.status,
        "reason": event.reason,
        "job_id": event.job_id,
        "case_id": event.job.case_id if event.job else None,
        "sha256": event.sha256,
        "size": event.size,
        "received_at": event.received_at,
    }
