"""People merge parties that are the same, and undo that.

Nothing is moved: a merge is a row. The head of each party, under which it is shown, is computed
from the merges in force.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.timezone import now
from django.utils.translation import gettext as _

from compliance.pages.phrases import in_sentence
from reviews.access import roles
from reviews.audit import trail
from reviews.models import CaseParty, Party, PartyMerge
from reviews.parties import visibility


class MergeError(ValueError):
    """The parties were not merged or separated. The text says why."""


@transaction.atomic
def merge(first: Party, second: Party, *, actor: User, reason: str) -> PartyMerge:
    """Merge two parties. Raises MergeError and PermissionDenied."""
    _require(actor, first, second)
    if not reason.strip():
        raise MergeError(_("Say why they are the same."))
    # A merge is stored with the smaller key first, so that the unique constraint finds
    # duplicates.
    low, high = sorted([first.pk, second.pk])
    rows = _locked_component({first.pk, second.pk})
    first_row, second_row = rows[first.pk], rows[second.pk]
    if first_row.head_id_or_own == second_row.head_id_or_own:
        raise MergeError(_("They are one party already."))
    # Also those that were joined before count: what is "person or company" may be joined with a person.
    kinds = {row.kind for row in rows.values()} - {Party.Kind.UNKNOWN.value}
    if len(kinds) > 1:
        kind, other_kind = (str(Party.Kind(kind).label) for kind in sorted(kinds)[:2])
        raise MergeError(
            _("A %(kind)s is no %(other_kind)s.")
            % {"kind": in_sentence(kind), "other_kind": in_sentence(other_kind)}
        )
    try:
        with transaction.atomic():
            row = PartyMerge.objects.create(
                first_id=low, second_id=high, reason=reason.strip(), by=actor
            )
    except IntegrityError as exc:
        raise MergeError(_("They are one party already.")) from exc
    changed = _compute_heads(rows.values())
    data = {"merge": row.pk, "first": low, "second": high}
    trail.record(None, "parties_merged", data, user=actor, about=[row, *changed])
    return row


@transaction.atomic
def undo(row: PartyMerge, *, actor: User, reason: str) -> None:
    """Undo a merge: the parties are separate again. Raises MergeError and PermissionDenied."""
    rows = _locked_component({row.first_id, row.second_id})
    _require_sides(actor, row, rows)
    if not reason.strip():
        raise MergeError(_("Say why they are not the same."))
    standing = PartyMerge.objects.filter(pk=row.pk, undone_at=None)
    is_undone = standing.update(
        undone_at=now(),
        undone_by=actor,
        undone_reason=reason.strip(),
    )
    if not is_undone:
        raise MergeError(_("This merge was undone before."))
    row.refresh_from_db()
    changed = _compute_heads(rows.values())
    data = {"merge": row.pk, "first": row.first_id, "second": row.second_id}
    trail.record(None, "parties_parted", data, user=actor, about=[row, *changed])


def _require(actor: User, *parties: Party) -> None:
    roles.require(actor, roles.PARTIES)
    for party in parties:
        if not visibility.links(actor, [party.pk]).exists():
            raise PermissionDenied(_("This party belongs to cases of another team."))


def _require_sides(actor: User, row: PartyMerge, joined: Iterable[int]) -> None:
    """Require that the actor may see a case on each side of the merge, as to make it.

    What the merge itself makes visible does not count: the head shows the cases of all parties.
    A side that no case states any more needs nobody: with its last case a party is erased.
    """
    roles.require(actor, roles.PARTIES)
    pairs = set(_standing(joined)) - {(row.first_id, row.second_id)}
    sides = [_reachable(row.first_id, pairs), _reachable(row.second_id, pairs)]
    stated = [side for side in sides if _is_stated(side)]
    for side in stated or sides:
        if not visibility.all_links(actor).filter(party__in=side).exists():
            raise PermissionDenied(_("This party belongs to cases of another team."))


def _is_stated(parties: set[int]) -> bool:
    rows = CaseParty.objects.filter(party__in=parties, case__erased_at=None)
    return rows.exists()


def _reachable(start: int, pairs: set[tuple[int, int]]) -> set[int]:
    """The parties that are joined with one by these merges, and itself."""
    reached = {start}
    size = 0
    while len(reached) > size:
        size = len(reached)
        for pair in pairs:
            if not reached.isdisjoint(pair):
                reached.update(pair)
    return reached


def _locked_component(keys: set[int]) -> dict[int, Party]:
    """These parties and all parties connected to them by merges, with locked rows.

    The locks are taken in the order of the primary keys, so two calls cannot deadlock.
    """
    component = set(keys)
    while True:
        merges = _standing(component)
        larger = component | {key for pair in merges for key in pair}
        rows = Party.objects.select_for_update().filter(pk__in=larger).order_by("pk")
        parties = {party.pk: party for party in rows}
        # Somebody may have merged one of them before the locks were taken. Then try again with
        # the larger group.
        after = {key for pair in _standing(larger) for key in pair}
        if after <= larger:
            return parties
        component = larger | after


def _standing(keys: Iterable[int]) -> list[tuple[int, int]]:
    keys = list(keys)
    rows = PartyMerge.objects.filter(
        Q(first__in=keys) | Q(second__in=keys), undone_at=None
    )
    return list(rows.values_list("first", "second"))


def _compute_heads(parties: Iterable[Party]) -> list[Party]:
    """Set the head of each party to the oldest party connected to it.

    Returns the changed parties.
    """
    by_key = {party.pk: party for party in parties}
    oldest = {key: key for key in by_key}
    merges = _standing(by_key)
    is_changed = True
    # Spread the smallest key over the merges until nothing changes.
    while is_changed:
        is_changed = False
        for first, second in merges:
            low = min(oldest[first], oldest[second])
            if oldest[first] != low or oldest[second] != low:
                oldest[first] = oldest[second] = low
                is_changed = True
    changed = []
    for key, party in by_key.items():
        # The oldest party itself has no head.
        if oldest[key] != key:
            head = oldest[key]
        else:
            head = None
        if party.head_id != head:
            Party.objects.filter(pk=key).update(head=head)
            party.head_id = head
            changed.append(party)
    return changed
