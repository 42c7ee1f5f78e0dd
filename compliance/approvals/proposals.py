"""Proposals: storing a change of settings, and its approval or rejection by another person."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.db.models import Model
from django.utils.timezone import now
from django.utils.translation import gettext as _

from compliance.approvals import lines, registry, snapshots
from compliance.approvals.models import Proposal
from compliance.approvals.snapshots import Change
from compliance.languages import english
from compliance.security import decisive_rows

Status = Proposal.Status
LONGEST = 1000
DEACTIVATED = "The person who proposed it was deactivated."
ACTS = {snapshots.ADD: "Add", snapshots.CHANGE: "Change", snapshots.DELETE: "Remove"}


class NotPossibleError(Exception):
    """The action is not possible; the message says why."""


def needs_second_person(changes: list[Change]) -> bool:
    for change in changes:
        setting = change.setting
        is_needed = setting.always_needs_second or setting.needs_second_now()
        is_needed = is_needed or registry.needs_second_person(setting.kind)
        if is_needed and not snapshots.is_at_once(change):
            return True
    return False


@transaction.atomic
def create(actor: User, changes: list[Change]) -> Proposal:
    proposal = Proposal.objects.create(
        title=_title(changes)[:300],
        content=snapshots.to_json(changes),
        made_by=actor,
    )
    _record("change_proposed", proposal, actor, with_values=True)
    return proposal


@english()
def _title(changes: list[Change]) -> str:
    words = []
    for change in changes:
        name = change.setting.model._meta.verbose_name
        words.append(f"{ACTS[change.act]} {name} {change.which}")
    return "; ".join(words)


def objection(proposal: Proposal, actor: User) -> str:
    """Why this person may neither approve nor reject the proposal, as a sentence; empty if they
    may.
    """
    if actor.pk == proposal.made_by_id:
        return _("Another person must approve what you propose.")
    for change in snapshots.from_json(proposal.content):
        setting = change.setting
        if not actor.has_perm(setting.permission_for(change.act)):
            return _("Your role may not change this: %(setting)s.") % {
                "setting": setting.model._meta.verbose_name
            }
        row = _row(change)
        if row is not None:
            words = setting.objection(actor, row)
            if words:
                return words
        words = setting.objection_to_values(actor, change.values)
        if words:
            return words
    return ""


def obstacle(proposal: Proposal) -> str:
    """Why nobody may approve the proposal now, as a sentence; empty if it may be approved."""
    for change in snapshots.from_json(proposal.content):
        row = _row(change)
        if row is not None:
            words = change.setting.obstacle(row)
            if words:
                return words
    return ""


def _row(change: Change) -> Model | None:
    """The row that is to be changed, if it exists."""
    if change.act == snapshots.ADD:
        return None
    return change.setting.model._default_manager.filter(pk=change.key).first()


def approve(proposal: Proposal, *, actor: User) -> None:
    """Apply a proposal. Raises PermissionDenied and NotPossibleError.

    If its rows were changed meanwhile, the proposal is out of date: it ends as STALE.
    """
    changes = snapshots.from_json(proposal.content)
    words = ""
    try:
        with transaction.atomic(), lines.acting(actor):
            snapshots.lock()
            _require_no_objection(proposal, actor)
            if words_of_obstacle := obstacle(proposal):
                raise NotPossibleError(words_of_obstacle)
            _end(proposal, Status.APPROVED, actor, "")
            snapshots.apply(changes)
            for change in changes:
                lines.record_change(change, user=actor)
    except snapshots.OutOfDateError as exc:
        words = str(exc)
    except IntegrityError:
        words = "Something else took its place meanwhile."
    # The transaction was rolled back. End the proposal in a new one.
    if words:
        proposal.refresh_from_db()
        _end(proposal, Status.STALE, actor, words)
        raise NotPossibleError(_("It is out of date. %(reason)s") % {"reason": words})


def reject(proposal: Proposal, *, actor: User, reason: str) -> None:
    """End a proposal without a change. Raises PermissionDenied and NotPossibleError."""
    with transaction.atomic():
        snapshots.lock()
        _require_no_objection(proposal, actor)
        _end(proposal, Status.REJECTED, actor, _checked(reason))


def _require_no_objection(proposal: Proposal, actor: User) -> None:
    """Raises PermissionDenied. The caller holds the lock of settings.

    Before the lock, a change that is under way may be about to take the actor's role, or to give
    the person in question rights that the actor may not give. The person is read again, because
    the request has kept their permissions.
    """
    person = User.objects.filter(pk=actor.pk, is_active=True).first()
    if person is None:
        raise PermissionDenied
    words = objection(proposal, person)
    if words:
        raise PermissionDenied(words)


def withdraw(proposal: Proposal, *, actor: User, reason: str) -> None:
    """Withdraw one's own proposal. Raises PermissionDenied and NotPossibleError."""
    if actor.pk != proposal.made_by_id:
        raise PermissionDenied(_("Only who made a proposal withdraws it."))
    _end(proposal, Status.WITHDRAWN, actor, _checked(reason))


@english()
def withdraw_all(user: User, **_: object) -> None:
    """Withdraw what a person has proposed, because they were deactivated.

    Else a proposal of somebody who may do nothing any more would be one approval from being made.
    """
    for proposal in Proposal.objects.filter(made_by=user, status=Status.WAITING):
        _end(proposal, Status.WITHDRAWN, None, DEACTIVATED)


def _checked(reason: str) -> str:
    if not reason.strip():
        raise NotPossibleError(_("Say why."))
    return reason.strip()[:LONGEST]


WHAT = {
    Status.APPROVED: "change_approved",
    Status.REJECTED: "change_rejected",
    Status.WITHDRAWN: "change_withdrawn",
    Status.STALE: "change_out_of_date",
}


@transaction.atomic
def _end(
    proposal: Proposal, status: Proposal.Status, actor: User | None, reason: str
) -> None:
    values = {
        "ended_by_id": actor.pk if actor else None,
        "ended_at": now(),
        "reason": reason,
    }
    if not proposal.move(status, **values):
        raise NotPossibleError(_("It does not wait any more."))
    decisive_rows.changed(proposal)
    _record(WHAT[status], proposal, actor)


def _record(
    what: str, proposal: Proposal, actor: User | None, *, with_values: bool = False
) -> None:
    data: dict[str, object] = {"proposal": proposal.pk, "which": proposal.title}
    if proposal.reason:
        data["reason"] = proposal.reason
    if with_values:
        changes = snapshots.from_json(proposal.content)
        values = []
        for change in changes:
            hidden = lines.hidden_in_lines(change)
            values.append(lines.shown(change, hidden=hidden))
        data["changes"] = values
    lines.record(what, data, user=actor)


def waiting() -> int:
    """The number of proposals that wait for a second person."""
    return Proposal.objects.filter(status=Status.WAITING).count()
