"""Legal holds: cases that must not be erased, whatever a rule or a request demands."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.timezone import now
from django.utils.translation import gettext as _

from reviews.access import roles
from reviews.audit import trail
from reviews.models import Case, LegalHold


def of_case(case: Case) -> QuerySet[LegalHold]:
    """The holds in force for a case: on the case, or on its reference."""
    return LegalHold.standing_of(case).select_related("by")


def without(cases: QuerySet[Any]) -> QuerySet[Any]:
    """The cases that are not on hold."""
    holds = LegalHold.standing()
    of_case = holds.filter(case=OuterRef("pk"))
    of_reference = holds.filter(reference=OuterRef("reference"))
    cases = cases.exclude(Exists(of_case))
    return cases.exclude(Exists(of_reference))


@transaction.atomic
def place(
    *,
    actor: User,
    reason: str,
    case: Case | None = None,
    reference: str = "",
    until: datetime | None = None,
) -> LegalHold:
    """Put a case, or all cases with a reference, on hold.

    Raises ValueError and PermissionDenied.
    """
    roles.require(actor, roles.HOLD, case)
    if not reason.strip():
        raise ValueError(_("Say why the case must be kept."))
    if case is not None:
        # A worker may be about to erase it.
        case = Case.objects.select_for_update(no_key=True).get(pk=case.pk)
        if case.erased_at is not None:
            raise ValueError(_("The personal data of this case were erased."))
    else:
        # As above, for each case with the reference.
        rows = Case.objects.filter(reference=reference.strip()).order_by("pk")
        list(rows.select_for_update(no_key=True).values_list("pk", flat=True))
    if case is None and not reference.strip():
        raise ValueError(_("Say which case must be kept."))
    if until is not None and until <= now():
        raise ValueError(_("The end of the hold is in the past."))
    hold = LegalHold.objects.create(
        case=case,
        reference=reference.strip(),
        reason=reason.strip(),
        by=actor,
        until=until,
    )
    data = {"hold": hold.pk, "reason": hold.reason}
    if hold.reference:
        data["reference"] = hold.reference
    if until is not None:
        data["until"] = until.isoformat()
    trail.record(case, "hold_placed", data, user=actor, about=[hold])
    return hold


@transaction.atomic
def lift(hold: LegalHold, *, actor: User, reason: str) -> bool:
    """Lift a hold. Returns False if it was lifted before.

    Raises ValueError and PermissionDenied.
    """
    roles.require(actor, roles.HOLD, hold.case)
    if not reason.strip():
        raise ValueError(_("Say why the case need not be kept any more."))
    rows = LegalHold.objects.filter(pk=hold.pk, lifted_at=None)
    changes = {
        "lifted_at": now(),
        "lifted_by": actor,
        "lifted_reason": reason.strip(),
    }
    if not rows.update(**changes):
        return False
    hold.refresh_from_db()
    data = {"hold": hold.pk, "reason": hold.lifted_reason}
    trail.record(hold.case, "hold_lifted", data, user=actor, about=[hold])
    return True
