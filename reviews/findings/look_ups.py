"""Look-ups: a person searches the lists of a service, and the desk stores query and answer."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.timezone import now
from django.utils.translation import gettext as _

from reviews.access import roles
from reviews.audit import trail
from reviews.models import Case, Connection, LookUp, Party
from reviews.results.reading import items, number
from reviews.service import pauses
from reviews.service.client import ServiceError
from reviews.wire import JsonObject

LONGEST = 200  # characters of a query
# Retention of due diligence records: five years (AMLR, article 77). A look-up for a case is
# kept as long as the case.
KEPT = timedelta(days=5 * 366)


class LookUpError(ValueError):
    """The look-up did not take place. The text says why."""


def visible(user: User | AnonymousUser) -> QuerySet[LookUp]:
    """The look-ups at connections that the user may see, without those of erased cases."""
    not_erased = Q(case=None) | Q(case__erased_at=None)
    rows = LookUp.objects.filter(not_erased)
    return roles.only_visible(user, rows, "connection")


def connections(user: User | AnonymousUser) -> QuerySet[Connection]:
    """The connections at which the user may look up names."""
    rows = Connection.objects.filter(is_active=True)
    return roles.only_visible(user, rows, "pk").order_by("pk")


def look_up(
    connection: Connection,
    *,
    actor: User,
    name: str,
    date_of_birth: str = "",
    lists: Sequence[str] = (),
    case: Case | None = None,
    party: Party | None = None,
) -> LookUp:
    """Ask the service, and store the query and the answer.

    Raises LookUpError and PermissionDenied.
    """
    roles.require(actor, roles.LOOK_UP, case)
    text = " ".join(name.split())
    if not text:
        raise LookUpError(_("Enter a name or a number."))
    if len(text) > LONGEST:
        raise LookUpError(_("Enter at most %(most)d characters.") % {"most": LONGEST})
    query: JsonObject = {"name": text}
    if date_of_birth:
        query["date_of_birth"] = date_of_birth
    if lists:
        query["lists"] = [*lists]
    # The call to the service comes before the transaction: no connection of the database waits
    # for it.
    answer = _ask(connection, query)
    not_shown = int(number(answer.get("not_shown")) or 0)
    with transaction.atomic():
        row = LookUp.objects.create(
            connection=connection,
            case=case,
            party=party,
            by=actor,
            query=query,
            answer=answer,
            hit_count=len(items(answer.get("hits"))) + max(0, not_shown),
        )
        data = {"look_up": row.pk, "hits": row.hit_count}
        # Each new look-up deletes some that are past their retention, so no extra task is
        # needed.
        old = list(_old())
        trail.record(case, "looked_up", data, user=actor, about=[row], gone=old)
        LookUp.objects.filter(pk__in=[one.pk for one in old]).delete()
    return row


def _ask(connection: Connection, query: JsonObject) -> JsonObject:
    try:
        with pauses.asking(connection) as service:
            return service.look_up_name(**query)
    except ServiceError as exc:
        if exc.status == 404:
            raise LookUpError(_("This service has no look-up in its lists.")) from exc
        raise LookUpError(
            _("The service did not answer: %(reason)s") % {"reason": exc}
        ) from exc


def _old() -> QuerySet[LookUp]:
    """Look-ups without a case whose retention has ended; 100 at most."""
    rows = LookUp.objects.filter(case=None, at__lt=now() - KEPT)
    return rows.order_by("pk")[:100]
