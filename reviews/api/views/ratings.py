"""How a case is rated, rating it otherwise, and its periodic reviews."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from compliance.http.api.errors import Problem
from compliance.http.api.operations import operation
from reviews.access import roles
from reviews.api.base import DeskView
from reviews.models import Case, Scope
from reviews.periodic.view import ReviewView
from reviews.risk import overrides
from reviews.risk.view import RatingView


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
