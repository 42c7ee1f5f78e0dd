"""Deciding: marks, dismissals, decisions, the second look, reopening."""

from __future__ import annotations

from datetime import timedelta

from django.http import Http404
from django.utils.timezone import now
from rest_framework.request import Request
from rest_framework.response import Response

from compliance.http.api.errors import Problem
from compliance.http.api.operations import operation
from reviews.access import roles
from reviews.api import paging, serialisation
from reviews.api.base import DeskView
from reviews.api.errors import refusing
from reviews.decisions import decisions
from reviews.decisions.decisions import DecisionRequest, StaleError
from reviews.findings import dismissals
from reviews.findings.review_state import ReviewState
from reviews.intake import information_requests
from reviews.models import Case, Decision, Dismissal, Scope


class Decisions(DeskView):
    @operation(
        "What was decided about a case", Scope.READ, answer="Decisions", query=paging.QUERY,
        errors=(404,),
    )  # fmt: skip
    def get(self, request: Request, pk: int) -> Response:
        rows = self.case(pk).decisions.select_related("made_by", "second_by")
        return Response(paging.page(rows, self.asked, serialisation.decision))

    @operation(
        "Decides, or proposes where a second person must agree", Scope.DECIDE, status=201,
        answer="Decision", body="NewDecision", errors=(404, 409),
    )  # fmt: skip
    def post(self, request: Request, pk: int) -> Response:
        case, sent = self.case(pk), self.body
        decision_request = DecisionRequest(
            outcome=sent["outcome"],
            reasons=sent["reasons"],
            rationale=sent["rationale"],
            message=sent.get("message", ""),
            kinds=sent.get("kinds", ()),
            days=sent.get("days", information_requests.DAYS),
        )
        made = decisions.decide(
            case, actor=self.actor, request=decision_request, revision=sent["revision"]
        )
        return Response(serialisation.decision(made), status=201)


class Second(DeskView):
    @operation(
        "Agrees to what was proposed, or sends it back with a note", Scope.DECIDE,
        answer="Decision", body="SecondLook", errors=(404, 409),
    )  # fmt: skip
    def post(self, request: Request, pk: int) -> Response:
        case, sent = self.case(pk), self.body
        roles.require(self.actor, roles.APPROVE, case)
        found = case.decisions.filter(status=Decision.Status.PROPOSED).first()
        if found is None:
            raise StaleError("Nothing waits for a second person any more.")
        decisions.second(
            found,
            actor=self.actor,
            agrees=sent["agrees"],
            note=sent.get("note", ""),
            revision=sent["revision"],
        )
        return Response(serialisation.decision(Decision.objects.get(pk=found.pk)))


class Reopen(DeskView):
    @operation(
        "Takes a decision back; it stays on record", Scope.DECIDE, answer="Case",
        body="Reopening", errors=(404, 409),
    )  # fmt: skip
    def post(self, request: Request, pk: int) -> Response:
        case, sent = self.case(pk), self.body
        decisions.reopen(
            case, actor=self.actor, reason=sent["reason"], revision=sent["revision"]
        )
        return Response(serialisation.case(self.case(pk), may_ask=True))


class Withdraw(DeskView):
    @operation(
        "Stops waiting for the applicant", Scope.DECIDE, answer="Case", body="Nothing",
        errors=(404, 409),
    )  # fmt: skip
    def post(self, request: Request, pk: int) -> Response:
        case, _ = self.case(pk), self.body
        if not information_requests.withdraw(case, actor=self.actor):
            raise Problem(
                409, "The desk does not wait for the applicant.", code="not_now"
            )
        return Response(serialisation.case(self.case(pk), may_ask=True))


class Marks(DeskView):
    @operation(
        "Says of a check that it was reviewed, or overrides it with a reason", Scope.DECIDE,
        answer="Situation", body="CheckMark", errors=(404,),
    )  # fmt: skip
    def post(self, request: Request, pk: int) -> Response:
        case, sent = self.case(pk), self.body
        decisions.mark(
            case,
            sent["check_id"],
            actor=self.actor,
            kind=sent["kind"],
            reason=sent.get("reason", ""),
        )
        return Response(_situation(self.case(pk)))


class Dismissals(DeskView):
    @operation(
        "Dismisses a finding: it is shown as such wherever it comes again", Scope.DECIDE,
        status=201, answer="Dismissal", body="NewDismissal", errors=(404, 409),
    )  # fmt: skip
    def post(self, request: Request, pk: int) -> Response:
        case, sent = self.case(pk), self.body
        roles.require(self.actor, roles.REVIEW, case)
        found = ReviewState.of(case)
        findings = {
            found.dismissed.key(row): row
            for part in found.parts
            for row in part.findings
        }
        if (finding := findings.get(sent["key"])) is None:
            raise StaleError("The newest job has no such finding.")
        days = sent.get("days")
        with refusing():
            made = dismissals.dismiss(
                case,
                finding,
                key=sent["key"],
                actor=self.actor,
                reason=sent["reason"],
                until=now() + timedelta(days=days) if days else None,
            )
        return Response(serialisation.dismissal(made), status=201)


class OneDismissal(DeskView):
    @operation(
        "Has a dismissed finding asked about again", Scope.DECIDE, answer="Dismissal",
        errors=(404,),
    )  # fmt: skip
    def delete(self, request: Request, pk: int) -> Response:
        rows = Dismissal.objects.select_related("case", "by")
        found: Dismissal = self.seen(rows, "case__connection", pk=pk)
        if not dismissals.take_back(found, actor=self.actor):
            raise Http404
        found.refresh_from_db()
        return Response(serialisation.dismissal(found))


def _situation(case: Case) -> serialisation.Wire:
    return serialisation.situation(ReviewState.of(case))
