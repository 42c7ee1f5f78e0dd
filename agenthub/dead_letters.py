"""Dead letters of the hub: work that failed permanently, and how an operator retries it.

Every process registers them. What retries the work loads the checks, so it is imported by the
functions that call it.
"""

from __future__ import annotations

import uuid

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import OuterRef, QuerySet, Subquery
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agenthub.accounts.permissions import MANAGES
from agenthub.models import AgentJob, Attempt, Delivery
from agenthub.models.lists import Rescreening
from compliance.approvals import lines
from compliance.operation import dead_letters
from compliance.operation.dead_letters import Kind, Letter


def _deliveries(_: User | None) -> QuerySet[Delivery]:
    # Deliveries of an erased job have no URL any more.
    rows = Delivery.objects.filter(status=Delivery.Status.DEAD).exclude(url="")
    # Show the result of the last attempt.
    attempts = Attempt.objects.filter(delivery=OuterRef("pk")).order_by("-pk")
    answer = Subquery(attempts.values("http_status")[:1])
    error = Subquery(attempts.values("error")[:1])
    rows = rows.annotate(answer=answer, error=error)
    return rows.defer("body").order_by("-job_id", "-created_at")


def _delivery(row: Delivery) -> Letter:
    error = getattr(row, "error", "") or _("answered %(status)s") % {
        "status": getattr(row, "answer", None)
    }
    return Letter(
        key=str(row.pk),
        what=f"{row.get_kind_display()} {row.tool_id}".strip(),
        why=_("%(count)d attempts; the last: %(error)s")
        % {"count": row.tries, "error": error},
        at=row.updated_at,
        address=reverse("hub-delivery", args=[row.pk]),
    )


@transaction.atomic
def _send_again(row: Delivery, user: User) -> bool:
    from agenthub.deliveries import sending

    is_due = sending.send_again(row)
    if is_due:
        lines.record("deliveries_sent_again", {"deliveries": [str(row.pk)]}, user=user)
    return is_due


def _rescreenings(_: User | None) -> QuerySet[Rescreening]:
    rows = Rescreening.objects.filter(status=Rescreening.Status.FAILED)
    return rows.select_related("version__source").order_by("-pk")


def _rescreening(row: Rescreening) -> Letter:
    return Letter(
        key=str(row.pk),
        what=_("New screening after %(version)s") % {"version": row.version},
        why=row.error,
        at=row.updated_at,
        address=reverse("hub-list", args=[row.version.source.slug]),
    )


@transaction.atomic
def _screen_again(row: Rescreening, user: User) -> bool:
    from agenthub.jobs import rescreening

    is_due = rescreening.try_again(row)
    if is_due:
        lines.record("rescreening_tried_again", {"version": row.version_id}, user=user)
    return is_due


def _jobs(_: User | None) -> QuerySet[AgentJob]:
    rows = AgentJob.objects.filter(status=AgentJob.Status.FAILED, erased_at=None)
    rows = rows.filter(agent__is_active=True, account__is_active=True)
    rows = rows.select_related("agent").defer("input_payload", "status_messages")
    return rows.order_by("-pk")


def _job(row: AgentJob) -> Letter:
    return Letter(
        key=str(row.pk),
        what=_("Job %(job)s of the agent %(agent)s")
        % {"job": row.job_id, "agent": row.agent.name},
        why=row.error,
        at=row.updated_at,
        address=reverse("hub-job", args=[row.pk]),
    )


@transaction.atomic
def _run_again(row: AgentJob, user: User) -> bool:
    from agenthub.jobs import reruns

    try:
        rerun, _created = reruns.start(row, job_id=uuid.uuid4())
    except reruns.NotEndedError:
        return False
    pair = {"job": str(row.job_id), "new_job": str(rerun.job_id)}
    lines.record("hub_job_run_again", pair, user=user)
    return True


def register() -> None:
    dead_letters.register(
        Kind(
            name="hub-jobs",
            title=gettext_lazy("Jobs of the hub that failed"),
            hint=gettext_lazy(
                "No check of them could be run. Each is run again as a new job: its client gets webhooks with a new id,"
                " and reads it in the old job, which is then called Retried."
            ),
            permission=MANAGES,
            rows=_jobs,
            letter=_job,
            retry=_run_again,
        )
    )
    dead_letters.register(
        Kind(
            name="deliveries",
            title=gettext_lazy("Webhooks of the hub"),
            hint=gettext_lazy(
                "Their receivers did not take them for more than a day. Each gets all its attempts again."
            ),
            permission=MANAGES,
            rows=_deliveries,
            letter=_delivery,
            retry=_send_again,
        )
    )
    dead_letters.register(
        Kind(
            name="rescreenings",
            title=gettext_lazy("New screenings after a list has changed"),
            hint=gettext_lazy(
                "People and businesses that are known here were not all matched against what changed."
            ),
            permission=MANAGES,
            rows=_rescreenings,
            letter=_rescreening,
            retry=_screen_again,
        )
    )
