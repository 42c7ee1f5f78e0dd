"""Versions of the risk policy: the one that is live, new drafts, and making a draft live."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils.timezone import now
from django.utils.translation import gettext as _

from compliance.approvals import interception, lines
from compliance.approvals.models import Proposal
from compliance.pages.phrases import in_sentence
from reviews.access import roles
from reviews.audit import trail
from reviews.models import PolicyTrial, RiskPolicy
from reviews.risk import schedule
from reviews.risk.engine.default import DEFAULT
from reviews.risk.engine.policy import Policy, digest_of

Status = RiskPolicy.Status


class RefusedError(Exception):
    """It cannot be done. The text says why."""


def ensure(sender: AppConfig | None = None, **_: object) -> None:
    """Give an installation that has none its first policy. Connected to post_migrate."""
    if RiskPolicy.objects.exists():
        return
    RiskPolicy.objects.create(
        number=1,
        note="The policy that an installation starts with.",
        content=DEFAULT,
        status=Status.LIVE,
        live_at=now(),
    )


def live() -> RiskPolicy:
    """The version by which cases are rated."""
    return RiskPolicy.objects.get(status=Status.LIVE)


def digest(policy: RiskPolicy) -> str:
    """SHA-256 of the content, in hexadecimal."""
    return digest_of(policy.content)


@transaction.atomic
def draft(*, actor: User, content: dict[str, Any], note: str) -> RiskPolicy:
    """Make a new version, which rates nothing yet. Raises PolicyError, RefusedError, PermissionDenied."""
    roles.require(actor, roles.RISK_POLICY)
    policy = Policy.from_json(content)
    if not note.strip():
        raise RefusedError(_("Say what is new in this version, and why."))
    newest = RiskPolicy.objects.aggregate(newest=Max("number"))["newest"] or 0
    try:
        with transaction.atomic(), lines.acting(actor):
            return RiskPolicy.objects.create(
                number=newest + 1,
                note=note.strip()[:200],
                content=policy.to_json(),
                made_by=actor,
            )
    except IntegrityError as exc:
        words = _("Somebody made a version at the same moment. Save again.")
        raise RefusedError(words) from exc


def obstacles(policy: RiskPolicy) -> list[str]:
    """Why this version cannot be made live now, in words."""
    if policy.status != Status.DRAFT:
        return [
            _("It is no draft: %(status)s.")
            % {"status": in_sentence(policy.get_status_display())}
        ]
    if policy.number < live().number:
        return [_("A newer version is live. Save this content as a new version.")]
    trial = PolicyTrial.objects.filter(policy=policy).first()
    if trial is None or trial.status != PolicyTrial.Status.DONE:
        return [
            _("Try it on the cases that there are, and look at what changes first.")
        ]
    if trial.against_id != live().pk:
        return [_("Another version is live since it was tried. Try it again.")]
    return []


def make_live(policy: RiskPolicy, *, actor: User) -> Proposal | None:
    """Rate all cases by this version from now on; or keep that as a proposal for a second person.

    Raises RefusedError and PermissionDenied.
    """
    roles.require(actor, roles.RISK_POLICY)

    def act() -> None:
        faults = obstacles(policy)
        if faults:
            raise RefusedError(" ".join(faults))
        old = live()
        has_moved = old.move(Status.RETIRED)
        if not has_moved or not policy.move(Status.LIVE, live_at=now()):
            raise RefusedError(_("Somebody has just made another version live."))
        for row in (old, policy):
            _record(row, actor)
        schedule.rate_all()

    _row, proposal = interception.perform(actor, act)
    if proposal is not None:
        policy.refresh_from_db()
    return proposal


def _record(policy: RiskPolicy, actor: User) -> None:
    was = Status.DRAFT if policy.status == Status.LIVE else Status.LIVE
    data = {
        "what": str(policy._meta.verbose_name),
        "which": str(policy),
        "act": "changed",
        "changes": {"status": [was.value, policy.status]},
    }
    row = RiskPolicy.objects.get(pk=policy.pk)
    trail.record(None, "setting_changed", data, user=actor, about=[row])


def rate_again(instance: RiskPolicy, *, created: bool, **_: object) -> None:
    """Connected to post_save: a second person has made a version live."""
    if instance.status == Status.LIVE and not created:
        schedule.rate_all()
