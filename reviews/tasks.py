"""Everything the desk does in the background."""

from __future__ import annotations

from django.conf import settings

from compliance.work import Lane, declare
from reviews import (
    announcements,
    audit,
    bulk,
    documents,
    draft_files,
    jobs,
    pauses,
    requests,
)
from reviews.models import (
    Announcement,
    BulkAct,
    Chain,
    Document,
    DraftFile,
    InformationRequest,
    Job,
    Pause,
    Unsealed,
)

JOBS = declare(
    Lane(
        jobs.LANE,
        Job,
        jobs.advance,
        lease=settings.LEASE,
        batch=1,
        burst=8,
        threads=2,
        needs=pauses.JOBS_GO_ON,
        give_up=jobs.give_up,
    )
)
PAUSES = declare(Lane(pauses.LANE, Pause, pauses.probe, lease=settings.LEASE))
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
AUDIT = declare(
    Lane(
        audit.LANE,
        Chain,
        audit.seal_due,
        lease=settings.LEASE,
        needs=f"EXISTS (SELECT 1 FROM {Unsealed._meta.db_table})",  # noqa: S608
    )
)
REQUESTS = declare(Lane(requests.LANE, InformationRequest, requests.expire, lease=settings.LEASE))
ANNOUNCEMENTS = declare(
    Lane(announcements.LANE, Announcement, announcements.send, lease=settings.LEASE, batch=4)
)
BULK = declare(Lane(bulk.LANE, BulkAct, bulk.perform, lease=settings.LEASE))
DRAFT_FILES = declare(
    Lane(draft_files.LANE, DraftFile, draft_files.expire, lease=settings.LEASE, batch=20)
)
