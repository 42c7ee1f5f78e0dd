"""The end of a job, as an answer or a webhook of the service describes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

from reviews import results
from reviews.findings import recommendations
from reviews.models import Job
from reviews.service.client import error_text, job_status


class Recommendation(TypedDict):
    """The fields of cases and jobs that hold the recommendation."""

    recommendation: str
    recommendation_reasons: list[str]
    requirements_version: str


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a job as the service reports it.

    `has_results`: the results arrived with the report.
    """

    status: str
    recommendation: str = ""
    error: str = ""
    has_results: bool = False
    is_answer: bool = False  # the service's own answer, not a webhook
    reasons: Sequence[str] = ()  # reasons of the recommendation
    requirements: str = ""  # version of the requirements

    @property
    def recommendation_fields(self) -> Recommendation:
        return {
            "recommendation": self.recommendation[:64],
            "recommendation_reasons": list(self.reasons),
            "requirements_version": self.requirements,
        }


NO_RECOMMENDATION = Ending(Job.Status.COMPLETE).recommendation_fields
NO_SUMMARY: dict[str, object] = {"summary": {}, "first_finding": ""}


def read_ending(content: Mapping[str, object], *, has_results: bool) -> Ending | None:
    """The end of a job in an answer or a webhook; None if the job has not ended.

    `has_results`: this is the service's answer to the desk, which has all results.
    """
    status = job_status(content.get("status"))
    if status == Job.Status.COMPLETE:
        return Ending(
            Job.Status.COMPLETE,
            results.text(content.get("recommendation"), 64),
            has_results=has_results,
            is_answer=has_results,
            reasons=recommendations.reasons(content),
            requirements=recommendations.version(content),
        )
    if status == Job.Status.FAILED:
        return Ending(
            Job.Status.FAILED,
            error=_failure(content),
            has_results=has_results,
            is_answer=has_results,
        )
    return None


def _failure(content: Mapping[str, object]) -> str:
    """Why the job failed, in the words of the service if it sent any."""
    reason = content.get("error") or content.get("message")
    if text := error_text(reason):
        return text
    # Some services send only an error number.
    if isinstance(reason, int) and not isinstance(reason, bool):
        return str(reason)
    return "The service reported that the job failed."
