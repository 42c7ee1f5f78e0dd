"""Messages to Slack about a job: its start, its end, its error. One line, without personal data.

A message uses the same outbox as webhooks, in Slack's format and without a signature: the URL
itself is the secret that allows posting.
"""

from __future__ import annotations

from django.conf import settings

from agenthub.models import AgentJob

WORDS = {
    AgentJob.Status.RUNNING: "checks have begun",
    AgentJob.Status.COMPLETE: "checks are complete",
    AgentJob.Status.FAILED: "checks could not be run",
}


def message(job: AgentJob) -> dict[str, str]:
    """The payload `{"text": …}`: the case, the job's status, the recommendation and a link."""
    words = WORDS[AgentJob.Status(job.status)]
    parts = [f"Case {escape(job.case_id)}: {words}"]
    if job.recommendation:
        parts.append(f"recommendation: {escape(job.recommendation)}")
    if job.error:
        parts.append(escape(job.error)[:500])
    parts.append(f"<{link(job)}|job {job.job_id}>")
    return {"text": " · ".join(parts)}


def link(job: AgentJob) -> str:
    # The same URL as reverse(), which would load all views of the site into the worker.
    return f"{settings.DESK_URL}/hub/jobs/{job.pk}/"


def escape(text: str) -> str:
    """Escape Slack's control characters: a case id must not notify a channel or forge a link."""
    text = text.replace("&", "&amp;")
    text = text.replace("<", "&lt;")
    return text.replace(">", "&gt;")
