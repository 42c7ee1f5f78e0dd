"""Running a job again: a new job with the same request; the old one becomes RETRIED."""

from __future__ import annotations

import uuid

from django.db import transaction

from agenthub.jobs import lifecycle
from agenthub.models import AgentJob


class NotEndedError(Exception):
    """Only a job that has ended, was not run again before, and was not erased, can be run again."""


def start(job: AgentJob, *, job_id: uuid.UUID) -> tuple[AgentJob, bool]:
    """Run a job again as a new one with `job_id`. Returns it with True, or with False the job
    that had this id before. Raises NotEndedError, as does every other of two racing calls."""
    with transaction.atomic():
        current = AgentJob.objects.select_for_update().get(pk=job.pk)
        if current.erased_at is not None:
            raise NotEndedError
        if not job.move(AgentJob.Status.RETRIED):
            raise NotEndedError
        rerun, created = lifecycle.create(
            agent=job.agent,
            job_id=job_id,
            input_payload=job.input_payload,
            check_ids=job.check_ids,
            webhook_url=job.webhook_url,
            tool_webhook_url=job.tool_webhook_url,
            slack_webhook_url=job.slack_webhook_url,
            check_args=job.check_args,
            batch=job.batch,
            # Somebody asked for this one alone.
            is_bulk=False,
            original=job,
        )
        if not created:
            transaction.set_rollback(True)
    return rerun, created
