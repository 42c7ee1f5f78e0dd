"""Jobs that could not be sent. After a repair, an operator queues them again.

Analysts run checks again on the page of the case. Operators decide nothing about a case: they
only repeat calls that the service never accepted.
"""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from reviews.access import roles
from reviews.audit import trail
from reviews.jobs import start
from reviews.jobs.schedule import UNDER_WAY
from reviews.models import Case, Job


def rows() -> QuerySet[Job]:
    """Failed jobs that the service never accepted, if they are the newest of an open case.

    Only of cases that need attention; newest first.
    """
    later = Job.objects.filter(
        case=OuterRef("case"), created_at__gt=OuterRef("created_at")
    )
    jobs = Job.objects.filter(
        case__status=Case.Status.ATTENTION,
        case__erased_at=None,
        status=Job.Status.FAILED,
        started_at=None,
    )
    return jobs.exclude(Exists(later)).order_by("-created_at")


@transaction.atomic
def queue_again(job: Job, *, actor: User) -> bool:
    """Queue a new job in place of an unsent one. Returns False if the case has moved on.

    Raises PermissionDenied.
    """
    roles.require(actor, roles.CONNECT)
    case = Case.objects.select_for_update().get(pk=job.case_id)
    is_open = rows().filter(pk=job.pk).exists()
    if not is_open or case.jobs.filter(status__in=UNDER_WAY).exists():
        return False
    if not case.move(Case.Status.CHECKING):
        return False
    trail.record(case, "job_queued_again", {"job": job.remote_id}, user=actor)
    start.queue(case, check_id=job.check_id)
    return True
