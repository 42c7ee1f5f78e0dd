"""What Slack is told of a job: that it began, how it ended, why it failed. One line, no data.

A message goes out of the same outbox as the webhooks, in Slack's form and without a signature:
the address itself is what lets one post there.
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
    """`{"text": …}`: the case, the job's status, the recommendation and a link."""
    said = [f"Case {escaped(job.case_id)}: {WORDS[AgentJob.Status(job.status)]}"]
    if job.recommendation:
        said.append(f"recommendation: {escaped(job.recommendation)}")
    if job.error:
        said.append(escaped(job.error)[:500])
    return {"text": f"{' · '.join(said)} · <{link(job)}|job {job.job_id}>"}


def link(job: AgentJob) -> str:
    # As reverse() says, which would load every page of the site into the worker.
    return f"{settings.DESK_URL}/hub/jobs/{job.pk}/"


def escaped(text: str) -> str:
    """Slack's three control characters, so that a case id cannot ping a channel or forge a link."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
