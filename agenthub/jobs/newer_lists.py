"""Lists that became active while a job was under way.

A rescreening compares only jobs that have ended. A job that was screened with an older version, and
ends after the rescreening has passed it, would never be compared with the newer one.
"""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db.models import Min

from agenthub.models import AgentJob
from agenthub.models.lists import Rescreening
from agenthub.screening import loading
from compliance.work import notify


def compare(job: AgentJob) -> None:
    """Compare a job that ends now with the versions that became active since it was screened."""
    parts = []
    for version in _versions_since(job):
        part = Rescreening(version_id=version, reached=job.pk - 1, until=job.pk)
        parts.append(part)
    if parts:
        Rescreening.objects.bulk_create(parts)
        notify.after_commit(loading.QUEUE)


def _versions_since(job: AgentJob) -> list[int]:
    # The status of a version changes when it becomes active, and when a newer one replaces it.
    parts = Rescreening.objects.filter(version__updated_at__gte=job.created_at)
    rows = parts.values_list("version", "version__updated_at").distinct()
    since_creation = dict(rows)
    if not since_creation:
        return []
    # A job may have waited long before it was screened.
    start = _start(job)
    return [version for version, at in since_creation.items() if at >= start]


def _start(job: AgentJob) -> datetime:
    """A time before the job read a list for the first time."""
    first = job.check_runs.aggregate(first=Min("created_at"))["first"]
    if first is None:
        return job.created_at
    # The first results are written within a lease of the claim.
    start: datetime = first - settings.LEASE
    return start
