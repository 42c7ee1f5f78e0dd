"""Endpoints for holds and erasures of cases."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from compliance.http.api.errors import Problem
from compliance.http.api.operations import operation
from reviews.access import roles
from reviews.api import paging
from reviews.api.base import DeskView
from reviews.api.errors import refusing
from reviews.models import Erasure, LegalHold, Scope
from reviews.privacy import erasures, holds
from reviews.wire import JsonObject


class Holds(DeskView):
    @operation(
        "The holds of a case, also those that were lifted", Scope.AUDIT, answer="Holds",
        query=paging.QUERY, errors=(404,),
    )  # fmt: skip
    def get(self, request: Request, pk: int) -> Response:
        case = self.case(pk)
        roles.require(self.actor, roles.PRIVACY, case)
        rows = case.holds.select_related("by", "lifted_by")
        return self.list_response(rows, _hold)

    @operation(
        "Holds a case: no rule and no request erases it", Scope.PRIVACY, status=201,
        answer="Hold", body="NewHold", errors=(404,),
    )  # fmt: skip
    def post(self, request: Request, pk: int) -> Response:
        case = self.case(pk)
        reason = self.body["reason"]
        with refusing():
            hold = holds.place(actor=self.actor, case=case, reason=reason)
        return Response(_hold(hold), status=201)


class LiftHold(DeskView):
    @operation(
        "Lifts a hold", Scope.PRIVACY, answer="Hold", body="Reason", errors=(404, 409),
    )  # fmt: skip
    def post(self, request: Request, pk: int) -> Response:
        rows = LegalHold.objects.select_related("case", "by")
        hold = self.row(rows, "case__connection", pk=pk)
        reason = self.body["reason"]
        with refusing():
            if not holds.lift(hold, actor=self.actor, reason=reason):
                raise Problem(409, "The hold was lifted before.", code="not_now")
        return Response(_hold(hold))


class Erasures(DeskView):
    @operation(
        "The erasures of a case: planned, done, refused and withdrawn", Scope.AUDIT,
        answer="Erasures", query=paging.QUERY, errors=(404,),
    )  # fmt: skip
    def get(self, request: Request, pk: int) -> Response:
        case = self.case(pk)
        roles.require(self.actor, roles.PRIVACY, case)
        rows = case.erasures.select_related("by", "second_by")
        return self.list_response(rows, _erasure)

    @operation(
        "Plans the erasure of a case; it is done at once, or when a second person agrees",
        Scope.PRIVACY, status=201, answer="Erasure", body="Reason", errors=(404,),
    )  # fmt: skip
    def post(self, request: Request, pk: int) -> Response:
        case = self.case(pk)
        reason = self.body["reason"]
        with refusing():
            erasure = erasures.plan(case, actor=self.actor, reason=reason)
        return Response(_erasure(erasure), status=201)


class ConfirmErasure(DeskView):
    @operation(
        "Agrees to an erasure that somebody else planned", Scope.PRIVACY,
        answer="Erasure", body="Nothing", errors=(404,),
    )  # fmt: skip
    def post(self, request: Request, pk: int) -> Response:
        rows = Erasure.objects.select_related("case", "rule")
        erasure = self.row(rows, "case__connection", pk=pk)
        _ = self.body  # validates that the body is empty
        with refusing():
            erasures.confirm(erasure, actor=self.actor)
        return Response(_erasure(erasure))


class WithdrawErasure(DeskView):
    @operation(
        "Withdraws an erasure that is planned", Scope.PRIVACY, answer="Erasure",
        body="Reason", errors=(404,),
    )  # fmt: skip
    def post(self, request: Request, pk: int) -> Response:
        rows = Erasure.objects.select_related("case", "rule")
        erasure = self.row(rows, "case__connection", pk=pk)
        reason = self.body["reason"]
        with refusing():
            erasures.withdraw(erasure, actor=self.actor, reason=reason)
        return Response(_erasure(erasure))


def _hold(row: LegalHold) -> JsonObject:
    return {
        "id": row.pk,
        "reason": row.reason,
        "by": row.by.get_username(),
        "at": row.at,
        "until": row.until,
        "lifted_by": row.lifted_by.get_username() if row.lifted_by else "",
        "lifted_at": row.lifted_at,
        "lifted_reason": row.lifted_reason,
    }


def _erasure(row: Erasure) -> JsonObject:
    return {
        "id": row.pk,
        "status": row.status,
        "rule": row.rule_name,
        "reason": row.reason,
        "by": row.by.get_username() if row.by else "",
        "planned_at": row.planned_at,
        "due_at": row.due_at,
        "needs_second": row.needs_second,
        "second_by": row.second_by.get_username() if row.second_by else "",
        "second_at": row.second_at,
        "refusal": row.refusal,
        "erased_at": row.erased_at,
        "erased": row.counts,
        "remains": row.remains,
        "service": row.service,
        "done_at": row.done_at,
    }
