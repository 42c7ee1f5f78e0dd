"""Marks that people set on the checks of a case: reviewed, or overridden with a reason."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.timezone import now
from django.utils.translation import gettext as _

from reviews.access import roles
from reviews.audit import trail
from reviews.decisions.decisions import LONGEST, RefusedError, StaleError
from reviews.decisions.obstacles import OPEN
from reviews.findings.review_state import ReviewState
from reviews.models import Case, CheckReview, Job
from reviews.results.kinds import STATE_WORDS, Verdict


@transaction.atomic
def mark(
    case: Case,
    check_id: str,
    *,
    actor: User,
    kind: str,
    reason: str = "",
    expected: str = "",
) -> None:
    """Mark a check as reviewed, override it with a reason, or remove its mark.

    `kind` is a `CheckReview.Kind`; an empty `kind` removes the mark. `expected` is the verdict
    that the actor saw, or empty if the caller does not know it. If the check has another
    verdict by now, the mark is refused. So it is where somebody else has overridden the check: a
    page that shows that offers to take it back first.

    Raises PermissionDenied, StaleError and RefusedError.
    """
    roles.require(actor, roles.REVIEW, case)
    job, verdict = _job_and_verdict(case, check_id)
    reason = reason.strip()[:LONGEST]
    if kind == CheckReview.Kind.OVERRIDDEN and not reason:
        raise RefusedError(_("Say why the check is overridden."))
    if kind and expected and expected != verdict:
        raise StaleError(
            _("The check has another result now: %(verdict)s.")
            % {"verdict": STATE_WORDS[verdict]}
        )
    # The marks are locked by the lock on the case, which `_job_and_verdict` has taken.
    before = CheckReview.objects.filter(job=job, check_id=check_id).first()
    if expected and before and _is_override_of_another(before, actor):
        raise StaleError(
            _("%(name)s has overridden this check by now.")
            % {"name": before.by.get_username()}
        )
    data = {"check": check_id, "verdict": verdict}
    if not kind:
        if before:
            data["was"] = before.kind
            trail.record(case, "mark_taken_back", data, user=actor, gone=[before])
            before.delete()
        return
    # The same mark by the same person again: a repeated request leaves no second event.
    if before and (before.kind, before.reason, before.by_id) == (
        kind,
        reason,
        actor.pk,
    ):
        return
    review = {
        "kind": CheckReview.Kind(kind),
        "reason": reason,
        "by": actor,
        "at": now(),
    }
    row, _created = CheckReview.objects.update_or_create(
        job=job, check_id=check_id, defaults=review
    )
    if reason:
        data["reason"] = reason
    trail.record(case, f"check_{kind}", data, user=actor, about=[row])


def _is_override_of_another(review: CheckReview, actor: User) -> bool:
    return review.kind == CheckReview.Kind.OVERRIDDEN and review.by_id != actor.pk


def _job_and_verdict(case: Case, check_id: str) -> tuple[Job, Verdict]:
    """The job whose result of this check is in force, and the verdict of that result.

    Locks the row of the case. Raises RefusedError if the case is closed or has no such check.
    """
    case = Case.objects.select_for_update().get(pk=case.pk)
    if case.status not in (*OPEN, Case.Status.CHECKING):
        raise RefusedError(_("The case is not open."))
    state = ReviewState.of(case)
    job = state.effective.job_of(check_id)
    for check in state.checks:
        if check.id == check_id and job is not None:
            return job, check.verdict
    raise RefusedError(_("The newest job has no such check."))
