"""Running a job again: a new job with the same request. The old job becomes RETRIED."""

from __future__ import annotations

import uuid

from django.db import transaction

from agenthub.jobs import lifecycle
from agenthub.models import AgentJob


class NotEndedError(Exception):
    """The job cannot be run again: it has not ended, was run again before, or was erased."""


def start(job: AgentJob, *, job_id: uuid.UUID) -> tuple[AgentJob, bool]:
    """Run a job again as a new job with the id `job_id`.

    Returns (new job, True), or (existing job with this id, False), also for a repeated call. Raises
    NotEndedError. Of two simultaneous calls with different ids, one raises it."""
    with transaction.atomic():
        current = AgentJob.objects.select_for_update().get(pk=job.pk)
        if current.erased_at is not None:
            raise NotEndedError
        job.require_its_request()
        if not job.move(AgentJob.Status.RETRIED):
            earlier = AgentJob.objects.filter(original=job, job_id=job_id).first()
            if earlier is None:
                raise NotEndedError
            return earlier, False
        rerun, created = lifecycle.create(
            agent=job.agent,
            job_id=job_id,
            input_payload=job.input_payload,
            check_ids=job.check_ids,
            check_args=job.check_args,
            batch=job.batch,
            # A person asked for this job.
            is_bulk=False,
            original=job,
        )
        if not created:
            # The id is taken: undo the move to RETRIED.
            transaction.set_rollback(True)
    return rerun, created
