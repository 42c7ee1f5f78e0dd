"""Acts on many cases at once: done by a worker, one by one, each through the verb of one case."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction

from compliance.work import notify
from compliance.work.rows import LeaseLostError
from reviews.access import roles
from reviews.intake import cases
from reviews.models import BulkAct, Case
from reviews.people import assignment

QUEUE = "reviews.tasks.perform_bulk_acts"
MOST = 500
Act = BulkAct.Act
PERMISSIONS = {
    Act.ASSIGN: roles.REVIEW,
    Act.SNOOZE: roles.REVIEW,
    Act.RUN_AGAIN: roles.RUN_AGAIN,
}


def begin(act: str, chosen: Sequence[int], *, actor: User, to: dict[str, Any]) -> BulkAct:
    """Have the act done on those of the cases that the actor sees."""
    act = Act(act)
    roles.require(actor, PERMISSIONS[act])
    seen = set(roles.visible(actor).filter(pk__in=chosen[:MOST]).values_list("pk", flat=True))
    ids = [pk for pk in dict.fromkeys(chosen) if pk in seen]
    with transaction.atomic():
        made = BulkAct.objects.create(by=actor, act=act, to=to, cases=ids)
        notify.after_commit(QUEUE)
    return made


def perform(row: BulkAct) -> None:
    """What its task does. Each case is done and counted in one transaction, so never twice."""
    while row.done < len(row.cases):
        with transaction.atomic():
            case = Case.objects.filter(pk=row.cases[row.done]).first()
            why = _do(row, case) if case else "It is gone."
            refused = [*row.refused, [case.reference if case else "", why]] if why else row.refused
            if not row.write({"done": row.done + 1, "refused": refused}):
                raise LeaseLostError
        row.done, row.refused = row.done + 1, refused
        if row.done % 20 == 0:
            row.heartbeat(settings.LEASE)
    row.move(BulkAct.Status.DONE, due_at=None, leased_until=None)


def _do(row: BulkAct, case: Case) -> str:
    """Act on one case. Returns why not, or ""."""
    try:
        with transaction.atomic():
            return _act(row, case)
    except (PermissionDenied, assignment.NotPossibleError) as exc:
        return str(exc)


def _act(row: BulkAct, case: Case) -> str:
    if row.act == Act.ASSIGN:
        analyst = row.to.get("analyst")
        to = User.objects.filter(pk=analyst).first() if analyst else None
        assignment.assign(case, to, actor=row.by)
    elif row.act == Act.SNOOZE:
        until = row.to.get("until")
        assignment.snooze(case, datetime.fromisoformat(until) if until else None, actor=row.by)
    elif cases.run_again(case, actor=row.by) is None:
        return "Its checks run, or it is decided."
    return ""
