"""Versions of the risk policy: the live one, drafts, and making a draft live."""

from __future__ import annotations

from django.apps import AppConfig
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Model
from django.utils.timezone import now
from django.utils.translation import gettext as _

from compliance.approvals.models import Proposal
from reviews.access import roles
from reviews.models import PolicyTrial, RiskPolicy
from reviews.results.words import FIRST_POLICY
from reviews.risk import schedule
from reviews.risk.engine.default import DEFAULT
from reviews.risk.engine.policy import Policy, digest_of
from reviews.versions import versions
from reviews.versions.errors import RefusedError

__all__ = [
    "RefusedError",
    "digest",
    "draft",
    "ensure",
    "live",
    "make_live",
    "obstacle",
    "obstacles",
    "rate_again",
]

Status = RiskPolicy.Status


def ensure(sender: AppConfig | None = None, **_: object) -> None:
    """Create the first policy of a new installation. Connected to post_migrate."""
    if RiskPolicy.objects.exists():
        return
    RiskPolicy.objects.create(
        number=1,
        note=FIRST_POLICY,
        content=DEFAULT,
        status=Status.LIVE,
        live_at=now(),
    )


def live() -> RiskPolicy:
    """The version by which cases are rated now."""
    return RiskPolicy.objects.get(status=Status.LIVE)


def digest(policy: RiskPolicy) -> str:
    """SHA-256 of the content, in hexadecimal."""
    return digest_of(policy.content)


@transaction.atomic
def draft(*, actor: User, content: dict[str, object], note: str) -> RiskPolicy:
    """Create a draft. It rates no case.

    Raises PolicyError, RefusedError and PermissionDenied.
    """
    roles.require(actor, roles.RISK_POLICY)
    policy = Policy.from_json(content)
    return versions.draft(
        RiskPolicy.objects.all(), actor=actor, note=note, content=policy.to_json()
    )


def obstacles(policy: RiskPolicy) -> list[str]:
    """Why this version cannot be made live now, as sentences."""
    faults = versions.obstacles(policy, live())
    if faults:
        return faults
    # The newest trial must have compared this version with the one that is live now.
    trial = PolicyTrial.objects.filter(policy=policy).first()
    if trial is None or trial.status != PolicyTrial.Status.DONE:
        return [
            _("Try it on the cases that there are, and look at what changes first.")
        ]
    if trial.against_id != live().pk:
        return [_("Another version is live since it was tried. Try it again.")]
    return []


def make_live(policy: RiskPolicy, *, actor: User) -> Proposal | None:
    """Make this version live, or propose it to a second person. All cases follow a live version.

    Raises RefusedError and PermissionDenied.
    """
    return versions.make_live(
        policy,
        actor=actor,
        permission=roles.RISK_POLICY,
        find_live=live,
        find_obstacles=obstacles,
        after=lambda: schedule.follow(policy),
    )


def obstacle(row: Model) -> str:
    """Why this version may not be released now, as a sentence; "" if it may."""
    assert isinstance(row, RiskPolicy)  # noqa: S101 - by its registration
    if row.status != Status.DRAFT:
        # The proposal also retires the present live version. That row needs no check.
        return ""
    return " ".join(obstacles(row))


def rate_again(instance: RiskPolicy, *, created: bool, **_: object) -> None:
    """Connected to post_save: all cases follow a version that a second person has made live."""
    if instance.status == Status.LIVE and not created:
        schedule.follow(instance)
