"""Endpoints for work on cases (claim, assign, snooze), and for a user's inbox."""

from __future__ import annotations

from datetime import datetime

from rest_framework.request import Request
from rest_framework.response import Response

from compliance.http.api.errors import Problem
from compliance.http.api.operations import operation
from compliance.http.api.schemas import one_of
from reviews.access import roles
from reviews.api import paging, serialisation
from reviews.api.base import DeskView
from reviews.inbox import notifications
from reviews.models import Notification, Scope
from reviews.people import assignment
from reviews.queue import filters
from reviews.wire import JsonObject


class _ChangesCase(DeskView):
    def case_response(self, pk: int) -> Response:
        """The response with the case, read again with everything that it shows."""
        case = self.case(pk)
        answer = serialisation.case(case, may_ask=True)
        return Response(answer)


class Claim(_ChangesCase):
    @operation(
        "Takes the most urgent case that is nobody's: no two callers ever get the same",
        Scope.ASSIGN, answer="Case", body="Claim", errors=(404,),
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        params = {}
        for name, value in self.body.items():
            params[name] = str(value)
        params["view"] = "review"
        queue_filter = filters.Filter.of(params)
        visible = roles.visible(self.actor)
        rows = queue_filter.apply(visible, self.actor)
        case = assignment.claim_next(self.actor, rows)
        if case is None:
            raise Problem(404, "There is no unassigned case.", code="nothing_left")
        return self.case_response(case.pk)


class Assign(_ChangesCase):
    @operation(
        "Gives a case to somebody, or puts it down", Scope.ASSIGN, answer="Case",
        body="Assignment", errors=(404,),
    )  # fmt: skip
    def post(self, request: Request, pk: int) -> Response:
        case = self.case(pk)
        name = self.body["to"]
        analyst = None
        if name is not None:
            analyst = assignment.person_by_name(name)
        assignment.assign(case, analyst, actor=self.actor)
        return self.case_response(pk)


class Snooze(_ChangesCase):
    @operation(
        "Snoozes a case until a time, or ends its snooze; the SLA still counts", Scope.ASSIGN,
        answer="Case", body="Snoozing", errors=(404,),
    )  # fmt: skip
    def post(self, request: Request, pk: int) -> Response:
        case = self.case(pk)
        text = self.body["until"]
        until = None
        if text is not None:
            until = _moment(text)
        assignment.snooze(case, until, actor=self.actor)
        return self.case_response(pk)


def _moment(text: str) -> datetime:
    words = "It must be a moment with its zone, such as 2026-03-02T10:15:00Z."
    fault = {"pointer": "#/until", "detail": words}
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as exc:
        raise Problem(422, f"until: {words}", faults=[fault]) from exc
    # A time without a zone is ambiguous.
    if moment.tzinfo is None:
        raise Problem(422, f"until: {words}", faults=[fault])
    return moment


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
        "by": serialisation.who(row.by),
        "at": row.at,
        "read_at": row.read_at,
    }
