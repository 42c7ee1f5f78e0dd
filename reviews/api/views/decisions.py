"""Endpoints for decisions: marks, dismissals, decisions, second person, reopening, ratings,
reviews.
"""

from __future__ import annotations

from datetime import timedelta

from django.contrib.auth.models import User
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.timezone import now
from rest_framework.request import Request
from rest_framework.response import Response

from compliance.http.api.errors import Problem
from compliance.http.api.operations import operation
from compliance.languages import ENGLISH
from reviews import results
from reviews.access import roles
from reviews.api import paging, serialisation
from reviews.api.base import DeskView
from reviews.api.errors import refusing
from reviews.decisions import decisions, marks, value_choices
from reviews.decisions.decisions import DecisionRequest, StaleError
from reviews.findings import dismissals, matches
from reviews.findings.review_state import ReviewState
from reviews.intake import information_requests
from reviews.models import (
    BulkApproval,
    Case,
    Decision,
    Dismissal,
    HitLabel,
    Scope,
    ValueChoice,
)
from reviews.periodic.view import ReviewView
from reviews.queue import bulk_approvals
from reviews.risk import overrides
from reviews.risk.view import RatingView
from reviews.wire import JsonObject


class Decisions(DeskView):
    @operation(
        "What was decided about a case", Scope.READ, answer="Decisions", query=paging.QUERY,
        errors=(404,),
    )  # fmt: skip
    def get(self, request: Request, pk: int) -> Response:
        rows = self.case(pk).decisions.select_related("made_by", "second_by", "policy")
        return self.list_response(rows, serialisation.decision)

    @operation(
        "Decides, or proposes where a second person must agree", Scope.DECIDE, status=201,
        answer="Decision", body="NewDecision", errors=(404, 409),
    )  # fmt: skip
    def post(self, request: Request, pk: int) -> Response:
        case = self.case(pk)
        body = self.body
        decision_request = DecisionRequest(
            outcome=body["outcome"],
            reasons=body["reasons"],
            rationale=body["rationale"],
            message=body.get("message", ""),
            kinds=body.get("kinds", ()),
            days=body.get("days", information_requests.DAYS),
            email=body.get("email", ""),
            remind_days=body.get("remind_days", 0),
            language=body.get("language", ENGLISH),
            second=body.get("second", ""),
        )
        decision = decisions.decide(
            case,
            actor=self.actor,
            request=decision_request,
            revision=body["revision"],
        )
        return Response(serialisation.decision(decision), status=201)


class Second(DeskView):
    @operation(
        "Agrees to what was proposed, or sends it back with a note", Scope.DECIDE,
        answer="Decision", body="SecondLook", errors=(404, 409),
    )  # fmt: skip
    def post(self, request: Request, pk: int) -> Response:
        case = self.case(pk)
        body = self.body
        roles.require(self.actor, roles.APPROVE, case)
        proposed = case.decisions.filter(status=Decision.Status.PROPOSED).first()
        if proposed is None:
            raise StaleError("Nothing waits for a second person any more.")
        decisions.second(
            proposed,
            actor=self.actor,
            agrees=body["agrees"],
            note=body.get("note", ""),
            revision=body["revision"],
        )
        # Read again: decisions.second() has changed the row in the database only.
        decision = Decision.objects.get(pk=proposed.pk)
        return Response(serialisation.decision(decision))


class Reopen(DeskView):
    @operation(
        "Takes a decision back; it stays on record", Scope.DECIDE, answer="Case",
        body="Reopening", errors=(404, 409),
    )  # fmt: skip
    def post(self, request: Request, pk: int) -> Response:
        case = self.case(pk)
        body = self.body
        decisions.reopen(
            case,
            actor=self.actor,
            reason=body["reason"],
            revision=body["revision"],
        )
        return Response(serialisation.case(self.case(pk), may_ask=True))


class Withdraw(DeskView):
    @operation(
        "Stops waiting for the applicant", Scope.DECIDE, answer="Case", body="Nothing",
        errors=(404, 409),
    )  # fmt: skip
    def post(self, request: Request, pk: int) -> Response:
        case = self.case(pk)
        _ = self.body  # validates that the body is empty
        if not information_requests.withdraw(case, actor=self.actor):
            raise Problem(
                409, "The desk does not wait for the applicant.", code="not_now"
            )
        return Response(serialisation.case(self.case(pk), may_ask=True))


class Marks(DeskView):
    @operation(
        "Says of a check that it was reviewed, or overrides it with a reason", Scope.DECIDE,
        answer="ReviewState", body="CheckMark", errors=(404,),
    )  # fmt: skip
    def post(self, request: Request, pk: int) -> Response:
        case = self.case(pk)
        body = self.body
        marks.mark(
            case,
            body["check_id"],
            actor=self.actor,
            kind=body["kind"],
            reason=body.get("reason", ""),
        )
        review_state = ReviewState.of(self.case(pk))
        return Response(serialisation.review_state(review_state))


class Dismissals(DeskView):
    @operation(
        "Dismisses a finding: it is shown as such wherever it comes again", Scope.DECIDE,
        status=201, answer="Dismissal", body="NewDismissal", errors=(404, 409),
    )  # fmt: skip
    def post(self, request: Request, pk: int) -> Response:
        case = self.case(pk)
        body = self.body
        roles.require(self.actor, roles.REVIEW, case)
        finding = _finding(case, body["key"])
        until = None
        if "days" in body:
            until = now() + timedelta(days=body["days"])
        with refusing():
            dismissal = dismissals.dismiss(
                case,
                finding,
                key=body["key"],
                actor=self.actor,
                reason=body["reason"],
                until=until,
            )
        return Response(serialisation.dismissal(dismissal), status=201)


class OneDismissal(DeskView):
    @operation(
        "Has a dismissed finding asked about again", Scope.DECIDE, answer="Dismissal",
        errors=(404,),
    )  # fmt: skip
    def delete(self, request: Request, pk: int) -> Response:
        rows = Dismissal.objects.select_related("case", "by")
        dismissal = self.row(rows, "case__connection", pk=pk)
        if not dismissals.take_back(dismissal, actor=self.actor):
            raise Http404
        dismissal.refresh_from_db()
        return Response(serialisation.dismissal(dismissal))


class ValueChoices(DeskView):
    @operation(
        "The values that people chose or corrected in a case, the ended ones too, the newest first",
        Scope.READ, answer="ValueChoices", errors=(404,),
    )  # fmt: skip
    def get(self, request: Request, pk: int) -> Response:
        rows = self.case(pk).value_choices.select_related("by")
        items = [serialisation.value_choice(row) for row in rows]
        return Response({"items": items})

    @operation(
        "Chooses the value of an unsure field, or corrects a value that was read", Scope.DECIDE,
        status=201, answer="ValueChoice", body="NewValueChoice", errors=(404, 409),
    )  # fmt: skip
    def post(self, request: Request, pk: int) -> Response:
        case = self.case(pk)
        body = self.body
        choice = value_choices.choose(
            case,
            body["field_key"],
            actor=self.actor,
            candidate=body.get("candidate"),
            value=body.get("value", ""),
        )
        return Response(serialisation.value_choice(choice), status=201)


class OneValueChoice(DeskView):
    @operation(
        "Takes the choice of a value back: the field is as it was read", Scope.DECIDE,
        answer="ValueChoice", errors=(404, 422),
    )  # fmt: skip
    def delete(self, request: Request, pk: int) -> Response:
        rows = ValueChoice.objects.select_related("case", "by")
        choice = self.row(rows, "case__connection", pk=pk)
        if not value_choices.take_back(choice, actor=self.actor):
            raise Http404
        return Response(serialisation.value_choice(choice))


class HitConfirmations(DeskView):
    @operation(
        "Confirms a hit of the screening as a match: the listed entry is the subject", Scope.DECIDE,
        status=201, answer="HitConfirmation", body="NewHitConfirmation", errors=(404, 409),
    )  # fmt: skip
    def post(self, request: Request, pk: int) -> Response:
        case = self.case(pk)
        roles.require(self.actor, roles.REVIEW, case)
        hit = ReviewState.of(case).confirmed.hit(self.body["key"])
        if hit is None:
            raise StaleError("The newest job has no such hit.")
        with refusing():
            labels = matches.confirm(case, hit, actor=self.actor)
        return Response(serialisation.hit_confirmation(labels[0]), status=201)


class OneHitConfirmation(DeskView):
    @operation(
        "Ends the confirmation of a hit: it is asked about again", Scope.DECIDE,
        answer="HitConfirmation", errors=(404,),
    )  # fmt: skip
    def delete(self, request: Request, pk: int) -> Response:
        kind = HitLabel.Kind.CONFIRMED
        rows = HitLabel.objects.filter(kind=kind).select_related("case", "by")
        label = self.row(rows, "case__connection", pk=pk)
        if not matches.take_back(label, actor=self.actor):
            raise Http404
        label.refresh_from_db()
        return Response(serialisation.hit_confirmation(label))


def _finding(case: Case, key: str) -> results.Finding:
    """The finding with this key. Raises StaleError if the case has none any more."""
    review_state = ReviewState.of(case)
    match = None
    for part in review_state.parts:
        for finding in part.findings:
            if review_state.dismissed.key(finding) == key:
                match = finding
    if match is None:
        raise StaleError("The newest job has no such finding.")
    return match


class Rating(DeskView):
    @operation(
        "How great the risk of a case is, and what made it so", Scope.READ, answer="Rating",
        errors=(404,),
    )  # fmt: skip
    def get(self, request: Request, pk: int) -> Response:
        return Response(_rating(self.case(pk)).to_wire())

    @operation(
        "Rates a case otherwise: upwards at once, downwards once a second person agrees",
        Scope.DECIDE, status=201, answer="Rating", body="NewRating", errors=(404, 409),
    )  # fmt: skip
    def post(self, request: Request, pk: int) -> Response:
        case = self.case(pk)
        body = self.body
        roles.require(self.actor, roles.REVIEW, case)
        try:
            overrides.make(
                case, actor=self.actor, band=body["band"], reason=body["reason"]
            )
        except overrides.RefusedError as exc:
            raise Problem(409, str(exc), code="not_now") from exc
        return Response(_rating(case).to_wire(), status=201)


class Reviews(DeskView):
    @operation(
        "When a case is reviewed again, and the case that it is the review of", Scope.READ,
        answer="Reviews", errors=(404,),
    )  # fmt: skip
    def get(self, request: Request, pk: int) -> Response:
        view = ReviewView.read(self.case(pk), self.actor)
        return Response(view.to_wire())


def _rating(case: Case) -> RatingView:
    rating = RatingView.of(case)
    if rating is None:
        raise Problem(404, "The case is not rated yet.")
    return rating


class BulkApprovals(DeskView):
    @operation(
        "Approvals of many clean cases at once, and what became of their samples",
        Scope.READ, answer="BulkApprovals", query=paging.QUERY,
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        roles.require(self.actor, "reviews.view_bulkapproval")
        return self.list_response(bulk_approvals.visible(self.actor), self._answer)

    @operation(
        "Draws the sample among those of the cases that fit; nothing is approved yet",
        Scope.DECIDE, status=201, answer="BulkApproval", body="NewBulkApproval",
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        ids = self.body["cases"]
        left_out = []
        for fit in bulk_approvals.fits(ids, actor=self.actor):
            if fit.obstacles:
                left_out.append({"case_id": fit.case.pk, "reasons": fit.obstacles})
        approval = bulk_approvals.draw(ids, actor=self.actor)
        answer = {**self._answer(approval), "left_out": left_out}
        return Response(answer, status=201)

    def _answer(self, row: BulkApproval) -> JsonObject:
        return _bulk_approval(row, self.actor)


class OneBulkApproval(DeskView):
    @operation(
        "One bulk approval: its cases, and what became of them", Scope.READ,
        answer="BulkApproval", errors=(404,),
    )  # fmt: skip
    def get(self, request: Request, pk: int) -> Response:
        roles.require(self.actor, "reviews.view_bulkapproval")
        row = get_object_or_404(bulk_approvals.visible(self.actor), pk=pk)
        return Response(_bulk_approval(row, self.actor))


class ConfirmBulkApproval(DeskView):
    @operation(
        "Has all cases approved that were not drawn, one by one", Scope.DECIDE,
        answer="BulkApproval", body="BulkConfirmation", errors=(404, 409),
    )  # fmt: skip
    def post(self, request: Request, pk: int) -> Response:
        row = get_object_or_404(bulk_approvals.visible(self.actor), pk=pk)
        bulk_approvals.confirm(row, actor=self.actor, reasons=self.body["reasons"])
        return Response(_bulk_approval(row, self.actor))


def _bulk_approval(row: BulkApproval, user: User) -> JsonObject:
    lines = bulk_approvals.visible_lines(user).filter(approval=row)
    # A case of the bulk approval without a decision is still open.
    approved = set(row.decisions.values_list("case", flat=True))
    cases = []
    for sample in bulk_approvals.samples(lines):
        cases.append(_line(sample.line.case_id, sample.outcome, is_sample=True))
    for pk in lines.filter(is_sample=False).values_list("case", flat=True):
        if pk in approved:
            outcome = "approved"
        else:
            outcome = bulk_approvals.OPEN
        cases.append(_line(pk, outcome, is_sample=False))
    return {
        "id": row.pk,
        "status": row.status,
        "by": serialisation.who(row.by),
        "made_at": row.made_at,
        "share": row.share,
        "reasons": row.reasons,
        "cases": cases,
    }


def _line(case_id: int, outcome: str, *, is_sample: bool) -> JsonObject:
    return {"case_id": case_id, "is_sample": is_sample, "outcome": outcome}
