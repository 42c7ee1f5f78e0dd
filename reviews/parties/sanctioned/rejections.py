"""What the rejection of a case that stands claims: a match with a list, or a forged document."""

from __future__ import annotations

from reviews.models import Case, Decision, Outcome, ReasonCode


def claims(case: Case) -> dict[str, str]:
    """The claims of the reasons of the rejection in force, with the labels of the reasons."""
    rejections = case.decisions.filter(
        status=Decision.Status.STANDING, outcome=Outcome.REJECT
    )
    reasons = rejections.values_list("reasons", flat=True).first()
    if reasons is None:
        return {}
    codes = [code for code, _ in reasons]
    rows = ReasonCode.objects.filter(code__in=codes).exclude(claim="")
    return {row.claim: row.label for row in rows}
