"""Lists that became active while a job was under way.

A rescreening compares only jobs that have ended. A job that was screened with an older version, and
ends after the rescreening has passed it, would never be compared with the newer one.
"""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db.models import Exists, Min, OuterRef

from agenthub.models import AgentJob
from agenthub.models.lists import ListVersion, Rescreening
from agenthub.screening import loading
from compliance.work import notify


def compare(job: AgentJob) -> None:
    """Compare a job that ends now with the versions that became active since it was screened."""
    parts = []
    for version in _versions_since(job):
        part = Rescreening(version=version, reached=job.pk - 1, until=job.pk)
        parts.append(part)
    if parts:
        Rescreening.objects.bulk_create(parts)
        notify.after_commit(loading.QUEUE)


def _versions_since(job: AgentJob) -> list[ListVersion]:
    rescreenings = Rescreening.objects.filter(version=OuterRef("pk"))
    # The status of a version changes when it becomes active, and when a newer one replaces it.
    versions = ListVersion.objects.filter(
        Exists(rescreenings), updated_at__gte=job.created_at
    )
    since_creation = list(versions)
    if not since_creation:
        return []
    # A job may have waited long before it was screened.
    start = _start(job)
    return [version for version in since_creation if version.updated_at >= start]


def _start(job: AgentJob) -> datetime:
    """A time before the job read a list for the first time."""
    first = job.check_runs.aggregate(first=Min("created_at"))["first"]
    if first is None:
        return job.created_at
    # The first results are written within a lease of the claim.
    start: datetime = first - settings.LEASE
    return start
