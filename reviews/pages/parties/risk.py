"""The risk of a party for its page: what makes it, who changed it, and when it is reviewed next."""

from __future__ import annotations

from datetime import date

from django.contrib.auth.models import User

from reviews.models import Case, CaseRating, PeriodicReview, RiskBand
from reviews.pages.queue.queue_rows import BANDS
from reviews.parties import profile
from reviews.risk.view import RatingView


def context(user: User, read: profile.Profile) -> dict[str, object]:
    """The highest risk band and the earliest review date of the cases about the party."""
    case = profile.riskiest(read.links)
    review_on = profile.next_review(read.links)
    return {
        "risk": _risk_of(user, case) if case else None,
        "review_on": review_on,
        "review": _review_on(read, review_on) if review_on else None,
    }


def _risk_of(user: User, case: Case) -> dict[str, object]:
    band = RiskBand(case.risk_band)
    values: dict[str, object] = {
        "words": band.label,
        "color": BANDS[band],
        "case": case,
    }
    rated = RatingView.of(case, user)
    if rated is None:
        return values
    earlier = CaseRating.objects.filter(case=case, pk__lt=rated.rating.pk)
    values |= {
        "rated": rated,
        "counts": [row for row in rated.contributions if row["amount"]],
        # The band and the score of before. The tab of the case has all of them.
        "earlier": earlier.select_related("policy").defer("inputs", "result").first(),
        "ownership": rated.ownership,
        "owners": rated.owners,
    }
    return values


def _review_on(read: profile.Profile, day: date) -> PeriodicReview | None:
    """The review of the party on this day, with its case and reason."""
    cases = {link.case_id for link in read.links if link.case.review_on == day}
    rows = PeriodicReview.objects.filter(
        case__in=cases, on=day, status=PeriodicReview.Status.WAITING
    )
    return rows.select_related("case").defer("changes").order_by("case").first()
