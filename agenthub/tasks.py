"""Everything the hub does in the background."""

from __future__ import annotations

from django.conf import settings

from agenthub import deliveries, jobs
from agenthub.models import AgentJob, Delivery
from compliance.work import Lane, declare

JOBS = declare(
    Lane(
        jobs.LANE,
        AgentJob,
        jobs.advance,
        lease=settings.LEASE,
        threads=2,
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
        lease=settings.LEASE,
        batch=8,
        threads=4,
        apart="job_id",
    )
)
