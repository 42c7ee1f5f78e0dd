"""Acts on many cases: a worker carries them out case by case, as for a single case."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TypedDict

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils.timezone import now
from django.utils.translation import gettext as _

from compliance import languages
from compliance.http.limits.quotas import QuotaError
from compliance.work import notify
from compliance.work.rows import LeaseLostError
from reviews.access import roles
from reviews.audit import trail
from reviews.decisions import clean_cases
from reviews.decisions.decisions import RefusedError, StaleError
from reviews.intake import cases
from reviews.models import BulkAct, BulkApprovalCase, Case
from reviews.people import assignment
from reviews.people.assignment import NotPossibleError

QUEUE = "reviews.tasks.perform_bulk_acts"
# The limit of one act.
MAX_CASES = 500
HEARTBEAT_EVERY = 20  # cases between two renewals of the lease
Act = BulkAct.Act
PERMISSIONS = {
    Act.ASSIGN: roles.REVIEW,
    Act.SNOOZE: roles.REVIEW,
    Act.RUN_AGAIN: roles.RUN_AGAIN,
    Act.APPROVE: roles.DECIDE,
}


class Target(TypedDict, total=False):
    """The arguments of an act, in the form of JSON."""

    analyst: int | None  # the id of a user; None: nobody
    until: str | None  # a moment; None: no longer snoozed
    approval: int  # the id of a BulkApproval


def begin(act: str, case_ids: Sequence[int], *, actor: User, to: Target) -> BulkAct:
    """Create the act for those of the cases that the actor may see. A worker performs it.

    Raises PermissionDenied.
    """
    act = Act(act)
    roles.require(actor, PERMISSIONS[act])
    chosen = case_ids[:MAX_CASES]
    visible = roles.visible(actor).filter(pk__in=chosen)
    visible_ids = set(visible.values_list("pk", flat=True))
    # In the order of selection, without duplicates.
    ids = []
    for pk in dict.fromkeys(case_ids):
        if pk in visible_ids:
            ids.append(pk)
    with transaction.atomic():
        row = BulkAct.objects.create(
            by=actor,
            act=act,
            to=to,
            cases=ids,
        )
        data = {"act": str(act), "count": len(ids)}
        trail.record(None, "bulk_act_begun", data, user=actor, about=[row])
        notify.after_commit(QUEUE)
    return row


def perform(row: BulkAct) -> None:
    """The work of the task. Raises LeaseLostError if another worker has taken over the row.

    Each case is changed and counted in one transaction, so no case is changed twice.
    """
    while row.done < len(row.cases):
        pk = row.cases[row.done]
        done = row.done + 1
        refused = list(row.refused)
        with transaction.atomic():
            case = Case.objects.filter(pk=pk).first()
            if case is None:
                with languages.of(row.by):
                    refused.append(["", _("It is gone.")])
            else:
                reason = _change(row, case)
                if reason:
                    refused.append([case.reference, reason])
            # If another worker has the row now, the error rolls back the change of this case.
            # The failures are those of one case.
            if not row.write({"done": done, "refused": refused, "failures": 0}):
                raise LeaseLostError
        row.done = done
        row.refused = refused
        row.failures = 0
        if row.done % HEARTBEAT_EVERY == 0:
            row.heartbeat(settings.LEASE)
    row.move(BulkAct.Status.DONE, due_at=None, leased_until=None)


def leave_out(row: BulkAct, _reason: str) -> None:
    """Continue after a case that fails again and again: it does not hold up the others."""
    if row.done == len(row.cases):
        # No case is at fault: only the end could not be written.
        row.complete(due_at=now())
        return
    case = Case.objects.filter(pk=row.cases[row.done]).first()
    reference = case.reference if case else ""
    with languages.of(row.by):
        reason = _("An error prevented it, several times. Try it with this case alone.")
    refused = [*row.refused, [reference, reason]]
    row.complete(due_at=now(), done=row.done + 1, refused=refused)


def _change(row: BulkAct, case: Case) -> str:
    """Change one case. Returns the reason why that was not possible, or "".

    The reason is in the language of the person who began the act: only that person reads it.
    """
    with languages.of(row.by):
        try:
            with transaction.atomic():
                return _perform_act(row, case)
        except (PermissionDenied, StaleError, NotPossibleError, QuotaError) as exc:
            return str(exc)
        except RefusedError:
            # The text of the error may contain a name of the case, and this row is not
            # encrypted.
            return _("It does not fit any more: decide it by itself.")


def _perform_act(row: BulkAct, case: Case) -> str:
    # Read again for each case: an act of many takes minutes, and the person may lose a role, or be
    # deactivated. `row.by` keeps the permissions that it had for the first case.
    actor = User.objects.get(pk=row.by_id)
    if row.act == Act.ASSIGN:
        if not _assign(row, case, actor):
            return _("The user was deleted.")
    elif row.act == Act.SNOOZE:
        _snooze(row, case, actor)
    elif row.act == Act.APPROVE:
        _approve(row, case, actor)
    elif cases.run_again(case, actor=actor) is None:
        return _("Its checks run, or it is decided.")
    return ""


def _approve(row: BulkAct, case: Case, actor: User) -> None:
    lines = BulkApprovalCase.objects.select_related("approval")
    line = lines.get(approval=row.to["approval"], case=case)
    clean_cases.approve(line, actor=actor)


def _assign(row: BulkAct, case: Case, actor: User) -> bool:
    """Returns False if the new analyst does not exist any more."""
    analyst = None
    if pk := row.to.get("analyst"):
        analyst = User.objects.filter(pk=pk).first()
        if analyst is None:
            return False
    assignment.assign(case, analyst, actor=actor)
    return True


def _snooze(row: BulkAct, case: Case, actor: User) -> None:
    text = row.to.get("until")
    if text:
        until = datetime.fromisoformat(text)
    else:
        until = None
    assignment.snooze(case, until, actor=actor)
