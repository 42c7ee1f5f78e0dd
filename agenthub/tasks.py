"""Everything the hub does in the background."""

from __future__ import annotations

from django.conf import settings

from agenthub import batches, deliveries, jobs, uploads
from agenthub.models import AgentJob, Delivery, JobBatch, Upload
from agenthub.screening import loading, refreshing, rescreening
from agenthub.screening.models import ListRefresh, Rescreening
from compliance.work import Lane, declare

JOBS = declare(
    Lane(
        jobs.LANE,
        AgentJob,
        jobs.advance,
        lease=settings.LEASE,
        burst=4,
        threads=6,  # most of them for jobs that wait: see jobs.READERS
        give_up=jobs.give_up,
        most_faults=5,
    )
)
# Apart by job: the tools of a job are told of in their order, jobs side by side.
DELIVERIES = declare(
    Lane(
        deliveries.LANE,
        Delivery,
        deliveries.send,
        together=deliveries.send_together,
        lease=settings.LEASE,
        batch=6,
        burst=64,
        rush=0.016,
        threads=4,
        apart="job_id",
    )
)
BATCHES = declare(
    Lane(
        batches.LANE,
        JobBatch,
        batches.advance,
        lease=settings.LEASE,
        give_up=batches.give_up,
        most_faults=5,
    )
)
RESCREENING = declare(
    Lane(
        loading.LANE,
        Rescreening,
        rescreening.perform,
        lease=settings.LEASE,
        give_up=rescreening.give_up,
    )
)
UPLOADS = declare(Lane(uploads.LANE, Upload, uploads.expire, lease=settings.LEASE, batch=20))
REFRESHES = declare(Lane(refreshing.LANE, ListRefresh, refreshing.perform, lease=refreshing.LEASE))
