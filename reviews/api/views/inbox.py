"""The inbox of the user whose token it is."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from compliance.http.api.operations import operation
from compliance.http.api.schemas import one_of
from reviews.api import paging
from reviews.api.base import DeskView
from reviews.api.serialisation import who
from reviews.inbox import notifications
from reviews.models import Notification, Scope
from reviews.wire import JsonObject


class Inbox(DeskView):
    @operation(
        "What the token's user is to hear of, newest first", Scope.READ, answer="Messages",
        query={"unread": one_of(("true", "false")), **paging.QUERY},
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        rows = notifications.inbox(self.actor)
        if self.params.get("unread") == "true":
            rows = rows.filter(read_at=None)
        return self.list_response(rows, _message)


class InboxRead(DeskView):
    @operation(
        "Marks messages of the token's user as read: those with these ids, or all",
        Scope.READ, answer="MessagesRead", body="ReadMessages",
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        ids = self.body.get("ids")
        return Response({"count": notifications.mark_all_read(self.actor, ids)})


def _message(row: Notification) -> JsonObject:
    return {
        "id": row.pk,
        "kind": row.kind,
        "case_id": row.case_id,
        "reference": row.case.reference,
        "by": who(row.by),
        "at": row.at,
        "read_at": row.read_at,
    }
