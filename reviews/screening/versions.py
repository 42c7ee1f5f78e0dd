"""Versions of the screening policy: drafts, lost hits to acknowledge, and making a draft live."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Model
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from compliance.approvals.models import Proposal
from reviews.access import roles
from reviews.audit import trail
from reviews.findings import hit_labels, thresholds
from reviews.findings.thresholds import Thresholds
from reviews.models import HitLabel, LostHit, ScreeningPolicy
from reviews.screening import quality
from reviews.versions import versions
from reviews.versions.errors import RefusedError

Status = ScreeningPolicy.Status
LONGEST_REASON = 1_000


def live() -> ScreeningPolicy | None:
    """The version for new results; None if every hit is reviewed."""
    return ScreeningPolicy.objects.filter(status=Status.LIVE).first()


@transaction.atomic
def draft(*, actor: User, content: dict[str, Any], note: str) -> ScreeningPolicy:
    """Create a draft. It applies to no result before it is made live.

    Raises ThresholdError, RefusedError and PermissionDenied.
    """
    roles.require(actor, roles.SCREENING_POLICY)
    policy = Thresholds.from_json(content)
    rows = ScreeningPolicy.objects.all()
    return versions.draft(rows, actor=actor, note=note, content=policy.to_json())


def lost(version: ScreeningPolicy) -> list[HitLabel]:
    """All confirmed hits that the version would not present for review.

    Includes cases that the present user may not see.
    """
    content = thresholds.content_of(version)
    return quality.lost(hit_labels.all_standing(), content)


def acknowledged(version: ScreeningPolicy) -> dict[int, LostHit]:
    """The acknowledgements of lost hits, by the primary key of the label."""
    rows = version.lost_hits.select_related("acknowledged_by", "label__case")
    return {row.label_id: row for row in rows}


def acknowledge(
    version: ScreeningPolicy, label: HitLabel, *, actor: User, reason: str
) -> LostHit:
    """Acknowledge a lost hit: say why the version may become live all the same.

    Raises RefusedError and PermissionDenied.
    """
    roles.require(actor, roles.SCREENING_POLICY, label.case)
    reason = reason.strip()
    if not reason:
        raise RefusedError(_("Say why the version may go live all the same."))
    if version.status != Status.DRAFT:
        raise RefusedError(_("Only what a draft loses is acknowledged."))
    # Computed again, because labels may have changed since the page was shown.
    if label.pk not in {row.pk for row in lost(version)}:
        raise RefusedError(_("This version does not lose that hit."))
    with transaction.atomic():
        row, is_new = LostHit.objects.get_or_create(
            policy=version,
            label=label,
            defaults={"reason": reason[:LONGEST_REASON], "acknowledged_by": actor},
        )
        if not is_new:
            raise RefusedError(_("It is acknowledged already."))
        data = {"which": str(version), "reason": row.reason}
        trail.record(label.case, "lost_hit_acknowledged", data, user=actor, about=[row])
    return row


def obstacles(version: ScreeningPolicy) -> list[str]:
    """Why this version cannot be made live now, as sentences."""
    faults = versions.obstacles(version, live())
    if faults:
        return faults
    known = acknowledged(version)
    open_ones = []
    for row in lost(version):
        if row.pk not in known:
            open_ones.append(row)
    if open_ones:
        words = ngettext(
            "It would ask nobody about %(count)s hit that a person confirmed, and nobody has acknowledged"
            " that yet.",
            "It would ask nobody about %(count)s hits that people confirmed, and nobody has acknowledged"
            " that yet.",
            len(open_ones),
        )
        return [words % {"count": len(open_ones)}]
    return []


def make_live(version: ScreeningPolicy, *, actor: User) -> Proposal | None:
    """Propose to make this version live. A second person always has to agree.

    Raises RefusedError and PermissionDenied.
    """
    return versions.make_live(
        version,
        actor=actor,
        permission=roles.SCREENING_POLICY,
        find_live=live,
        find_obstacles=obstacles,
    )


def objection(actor: User, row: Model) -> str:
    """Why this person may not release the version, as a sentence; "" if they may."""
    assert isinstance(row, ScreeningPolicy)  # noqa: S101 - by its registration
    # The proposal also retires the present live version, which anybody may have written.
    if row.status == Status.DRAFT and row.made_by_id == actor.pk:
        return _("You wrote this version: somebody else must release it.")
    return ""


def obstacle(row: Model) -> str:
    """Why this version may not be released now, as a sentence; "" if it may."""
    assert isinstance(row, ScreeningPolicy)  # noqa: S101 - by its registration
    if row.status != Status.DRAFT:
        # The proposal also retires the present live version. That row needs no check.
        return ""
    return " ".join(obstacles(row))
