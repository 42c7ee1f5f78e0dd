"""Everything the desk does in the background."""

from __future__ import annotations

from django.conf import settings

from compliance.work import Lane, declare
from reviews import documents, jobs
from reviews.models import Document, Job

JOBS = declare(
    Lane(
        jobs.LANE,
        Job,
        jobs.advance,
        lease=settings.LEASE,
        batch=4,
        threads=2,
        give_up=jobs.give_up,
    )
)
DOCUMENTS = declare(
    Lane(
        documents.LANE,
        Document,
        documents.prepare,
        lease=settings.LEASE,
        give_up=documents.unreadable,
        most_faults=4,
    )
)
