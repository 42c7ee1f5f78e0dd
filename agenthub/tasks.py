"""Everything the hub does in the background."""

from __future__ import annotations

from django.conf import settings

from agenthub import batches, deliveries, examination, jobs, uploads
from agenthub.models import AgentJob, Delivery, JobBatch, Upload
from agenthub.screening import held, loading, refreshing, rescreening
from agenthub.screening.models import HeldVersion, ListRefresh, Rescreening
from compliance.work import Lane, declare

JOBS = declare(
    Lane(
        jobs.LANE,
        AgentJob,
        jobs.advance,
        lease=settings.LEASE,
        burst=4,
        threads=6,  # most of them for jobs that wait for an answer
        needs="reads_documents = FALSE",
        fair="account",
        give_up=jobs.give_up,
        most_faults=5,
    )
)
DOCUMENTS = declare(
    Lane(
        jobs.DOCUMENTS_LANE,
        AgentJob,
        jobs.advance,
        lease=settings.LEASE,
        threads=examination.READERS + 4,  # more than READERS, for jobs that wait for a file
        needs="reads_documents = TRUE",
        fair="account",
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
RELEASES = declare(
    Lane(held.LANE, HeldVersion, held.perform, lease=held.LEASE, give_up=held.give_up)
)
