"""The notice of a job: how a webhook reported its end, stored until the service confirms it."""

from __future__ import annotations

from typing import TypedDict, cast

from reviews.findings.recommendations import gravity
from reviews.models import Job


class Notice(TypedDict, total=False):
    status: str
    recommendation: str
    # How often the service was asked without confirming the notice.
    asked: int
    # The service is not asked about it any more.
    is_closed: bool


def make(status: str, recommendation: str) -> Notice:
    return {"status": status, "recommendation": recommendation[:64]}


def of(job: Job | None) -> Notice:
    """The notice of a job; empty if it has none."""
    if job is None or not isinstance(job.notice, dict):
        return {}
    return cast("Notice", job.notice)


def agrees(notice: Notice, status: str, recommendation: str) -> bool:
    """Whether a job with this status and recommendation confirms the notice."""
    if notice.get("status") != status:
        return False
    expected = _recommendation(notice).strip()
    # Many webhooks have no recommendation, so they cannot contradict one.
    if not expected:
        return True
    actual = recommendation.strip()
    return actual.casefold() == expected.casefold()


def worse(first: Notice, second: Notice) -> Notice:
    """The notice of two that is kept: the worse one, or the first if they are equal."""
    if not first:
        return second
    if _gravity(second) > _gravity(first):
        return second
    return first


def is_adverse(notice: Notice) -> bool:
    """Whether a notice speaks against an approval."""
    is_failure, recommendation_gravity = _gravity(notice)
    return is_failure or recommendation_gravity > 0


def describe(notice: Notice) -> str:
    """The notice in words, such as “complete, Approve”."""
    status = str(notice.get("status") or "")
    recommendation = _recommendation(notice)
    if not recommendation:
        return status
    words = f"“{recommendation}”"
    if not status:
        return words
    return f"{status}, {words}"


def _gravity(notice: Notice) -> tuple[bool, int]:
    """Sort key: a failed job is the worst, then the recommendation decides. Greater is worse."""
    is_failure = notice.get("status") == Job.Status.FAILED
    recommendation = _recommendation(notice)
    return is_failure, gravity(recommendation)


def _recommendation(notice: Notice) -> str:
    return str(notice.get("recommendation") or "")
