"""Overrides of a rating: a person raises the band at once, or lowers it with a second person."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils.timezone import now
from django.utils.translation import gettext as _

from compliance.languages import english
from reviews.access import roles
from reviews.audit import trail
from reviews.models import (
    Band,
    Case,
    CaseRating,
    RatingOverride,
    RatingState,
    RiskBand,
)

Status = RatingOverride.Status
ORDER = list(Band.values)
LONGEST = 2_000


class RefusedError(Exception):
    """The rules do not allow the override. The text says why."""


def current(case: Case) -> RatingOverride | None:
    """The override of the case that is in force or waits for a second person."""
    rows = RatingOverride.objects.filter(case=case)
    rows = rows.select_related("made_by", "second_by")
    return rows.filter(status__in=[Status.STANDING, Status.PROPOSED]).first()


def effective_band(rating: CaseRating, override: RatingOverride | None) -> str:
    """The band after the override. An override that raised the band can never lower it later."""
    if override is None or override.status != Status.STANDING:
        return rating.band
    return with_override(rating.band, override)


def with_override(band: str, override: RatingOverride) -> str:
    """The band of the policy after an override that is in force."""
    if is_down(override.was, override.band):
        return override.band
    return max(band, override.band, key=ORDER.index)


def is_down(was: str, band: str) -> bool:
    return ORDER.index(band) < ORDER.index(was)


@english()
def after_rating(case: Case, rating: CaseRating) -> RatingOverride | None:
    """The override that applies to a new rating, in the transaction of that rating.

    An override that lowers the band was made for one band of the policy. It ends when the
    policy computes another band.
    """
    override = current(case)
    if override is None:
        return None
    if rating.band == override.was or not is_down(override.was, override.band):
        return override
    if override.move(Status.ENDED, ended_at=now()):
        data = {
            "band": override.get_band_display(),
            "was": override.get_was_display(),
            "now": rating.get_band_display(),
        }
        trail.record(case, "rating_override_ended", data, about=[_stored(override)])
    return None


def make(case: Case, *, actor: User, band: str, reason: str) -> RatingOverride:
    """Override the band of a case.

    Raises RefusedError and PermissionDenied.
    """
    roles.require(actor, roles.REVIEW, case)
    if not reason.strip():
        raise RefusedError(_("Say why the case is rated otherwise."))
    try:
        with transaction.atomic():
            return _make(case, actor, band, reason.strip()[:LONGEST])
    except IntegrityError as exc:
        raise RefusedError(_("Somebody has just rated the case otherwise.")) from exc


def _make(case: Case, actor: User, band: str, reason: str) -> RatingOverride:
    state = _locked(case)
    if state is None or state.rating is None:
        raise RefusedError(_("The case is not rated yet."))
    was = state.rating.band
    if band not in ORDER or band == was:
        raise RefusedError(_("Choose another band than that of the policy."))
    goes_down = is_down(was, band)
    # The fact behind it, such as a confirmed match, must be taken back first.
    if goes_down and was == Band.PROHIBITED:
        raise RefusedError(
            _("Prohibited is not rated down. Take the match back that makes it so.")
        )
    if goes_down and ORDER.index(was) - ORDER.index(band) > 1:
        raise RefusedError(_("A case is rated down by one band at most."))
    if current(case):
        raise RefusedError(_("It is rated otherwise already. Take that back first."))
    status = Status.PROPOSED if goes_down else Status.STANDING
    override = RatingOverride.objects.create(
        case=case,
        was=was,
        band=band,
        reason=reason,
        status=status,
        made_by=actor,
        needs_second=goes_down,
    )
    what = "rating_override_proposed" if goes_down else "rating_overridden"
    _record(override, what, actor, reason=reason)
    _write_band(state, override)
    return override


@transaction.atomic
def approve(override: RatingOverride, *, actor: User) -> None:
    """Agree to a proposed override as the second person.

    Raises RefusedError and PermissionDenied.
    """
    case = override.case
    roles.require(actor, roles.APPROVE, case)
    if actor.pk == override.made_by_id:
        raise PermissionDenied(_("Another person must agree to what you propose."))
    deactivation = roles.deactivation_of(override.made_by)
    if deactivation:
        raise RefusedError(deactivation)
    state = _locked(case)
    if not override.move(Status.STANDING, second_by=actor, second_at=now()):
        raise RefusedError(_("It does not wait any more."))
    _record(override, "rating_override_approved", actor)
    _write_band(state, override)


@transaction.atomic
def take_back(override: RatingOverride, *, actor: User) -> None:
    """End an override, so that the band of the policy applies again.

    To end a raise makes the case look better. If it was made by somebody else, that needs the
    permission to agree as the second person. Raises RefusedError and PermissionDenied.
    """
    case = override.case
    is_proposed = override.status == Status.PROPOSED
    is_of_actor = actor.pk == override.made_by_id
    makes_better = not is_proposed and not is_down(override.was, override.band)
    if makes_better and not is_of_actor:
        needed = roles.APPROVE
    else:
        needed = roles.REVIEW
    roles.require(actor, needed, case)
    state = _locked(case)
    to = Status.ENDED
    changes: dict[str, object] = {"ended_at": now()}
    # Somebody else ends a proposal: they refuse it as the second person.
    if is_proposed and not is_of_actor:
        to = Status.REFUSED
        changes |= {"second_by": actor, "second_at": now()}
    if not override.move(to, **changes):
        raise RefusedError(_("It does not stand any more."))
    _record(override, "rating_override_taken_back", actor)
    _write_band(state, None)


def _locked(case: Case) -> RatingState | None:
    # The case first: a decision, which has its lock, makes its rating due.
    Case.objects.select_for_update(no_key=True).filter(pk=case.pk).first()
    rows = RatingState.objects.select_for_update().filter(case=case)
    return rows.first()


def _write_band(state: RatingState | None, override: RatingOverride | None) -> None:
    if state is None or state.rating is None:
        return
    band = effective_band(state.rating, override)
    RatingState.objects.filter(pk=state.pk).update(band=band, updated_at=now())
    show_in_queue(state.case, band)


def show_in_queue(case: Case, band: str) -> None:
    """Update the copy of the band on the case, which the queue sorts by.

    `updated_at` does not change, so the revision of an open form stays valid.
    """
    Case.objects.filter(pk=case.pk).update(risk_band=RiskBand.of(band))


def _stored(override: RatingOverride) -> RatingOverride:
    return RatingOverride.objects.get(pk=override.pk)


@english()
def _record(
    override: RatingOverride, what: str, actor: User, *, reason: str = ""
) -> None:
    data = {"band": override.get_band_display(), "was": override.get_was_display()}
    if reason:
        data["reason"] = reason
    trail.record(override.case, what, data, user=actor, about=[_stored(override)])
