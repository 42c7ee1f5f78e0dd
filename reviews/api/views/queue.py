"""Who works on which case: the next one taken, given to somebody, put aside."""

from __future__ import annotations

from datetime import datetime

from rest_framework.request import Request
from rest_framework.response import Response

from compliance.http.api.errors import Problem
from compliance.http.api.operations import operation
from reviews.access import roles
from reviews.api import serialisation
from reviews.api.base import DeskView
from reviews.models import Scope
from reviews.people import assignment
from reviews.queue import filters


class _ChangesCase(DeskView):
    def case_response(self, pk: int) -> Response:
        """The case as it is now: read again, with all that the answer shows."""
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
    if moment.tzinfo is None:
        raise Problem(422, f"until: {words}", faults=[fault])
    return moment
