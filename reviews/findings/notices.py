"""How a job webhook says that a job ended, as it is stored until the service says the same."""

from __future__ import annotations

from typing import TypedDict, cast

from reviews.findings.recommendations import gravity
from reviews.models import Job


class Notice(TypedDict, total=False):
    status: str
    recommendation: str
    # How often the service was asked without an answer that confirms it.
    asked: int
    # The service is not asked for it any more.
    is_closed: bool


def make(status: str, recommendation: str) -> Notice:
    return {"status": status, "recommendation": recommendation[:64]}


def of(job: Job | None) -> Notice:
    """The notice of a job; empty where there is none."""
    if job is None or not isinstance(job.notice, dict):
        return {}
    return cast("Notice", job.notice)


def agrees(notice: Notice, status: str, recommendation: str) -> bool:
    """Whether a job with this status and recommendation confirms the notice."""
    if notice.get("status") != status:
        return False
    expected = _recommendation(notice).strip()
    # Many webhooks carry no recommendation. They contradict none.
    if not expected:
        return True
    actual = recommendation.strip()
    return actual.casefold() == expected.casefold()


def worse(first: Notice, second: Notice) -> Notice:
    """Of two notices of one job the one that stays: the worse, or the first of two equal ones."""
    if not first:
        return second
    if _gravity(second) > _gravity(first):
        return second
    return first


def is_adverse(notice: Notice) -> bool:
    """Whether a notice speaks against approving."""
    is_failure, recommendation_gravity = _gravity(notice)
    return is_failure or recommendation_gravity > 0


def describe(notice: Notice) -> str:
    """“complete, Approve”."""
    status = str(notice.get("status") or "")
    recommendation = _recommendation(notice)
    if not recommendation:
        return status
    words = f"“{recommendation}”"
    if not status:
        return words
    return f"{status}, {words}"


def _gravity(notice: Notice) -> tuple[bool, int]:
    """A failed job is the worst; then the recommendation counts."""
    is_failure = notice.get("status") == Job.Status.FAILED
    recommendation = _recommendation(notice)
    return is_failure, gravity(recommendation)


def _recommendation(notice: Notice) -> str:
    return str(notice.get("recommendation") or "")
