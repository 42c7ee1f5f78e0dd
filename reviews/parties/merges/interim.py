"""What was recorded while two parties were merged, after the merge was undone.

What a case states belongs to the party of that case, and is with it again at once. What people
recorded on the common page may be about either party. It stays where it is, and the page shows it
until a person says which party it is about.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.utils.timezone import now
from django.utils.translation import gettext as _

from reviews.access import roles
from reviews.audit import trail
from reviews.models import (
    Case,
    CaseParty,
    Decision,
    LookUp,
    Party,
    PartyMerge,
    PartyRelation,
)
from reviews.models.parties import Source
from reviews.parties import visibility
from reviews.parties.relations import RelationError, link_to
from reviews.parties.visibility import Person

MOST_ROWS = 60  # rows of each kind that one merge shows
MOST_MERGES = 40  # undone merges of one party

Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True)
class Unplaced:
    """A relation that people recorded during a merge, and the parties that it may be about."""

    relation: PartyRelation
    merge: PartyMerge
    # The heads that a person may choose from.
    parties: tuple[int, ...]
    # The head that the relation is about now.
    party: int


@dataclass(frozen=True)
class Between:
    """What was recorded while the party was merged with others, the newest first."""

    relations: tuple[Unplaced, ...] = ()
    # Merges with the merged party that were not undone.
    merges: tuple[PartyMerge, ...] = ()
    look_ups: tuple[LookUp, ...] = ()
    # Cases that were submitted then, and decisions about the merged party, also automatic ones.
    cases: tuple[Case, ...] = ()
    decisions: tuple[Decision, ...] = ()

    def __bool__(self) -> bool:
        return any(
            (self.relations, self.merges, self.look_ups, self.cases, self.decisions)
        )


def between(user: Person, head: Party) -> Between:
    """What was recorded while the party, or one that is merged with it, was merged with others."""
    own_pks = set(visibility.joined_with([head.pk]).values_list("pk", flat=True))
    undone = PartyMerge.objects.exclude(undone_at=None)
    merges = undone.filter(Q(first__in=own_pks) | Q(second__in=own_pks))
    periods = []
    for merge in merges[:MOST_MERGES]:
        # If its parties are merged again, there is nothing to place.
        if _is_separate_again(merge):
            periods.append((merge, _component(merge)))
    if not periods:
        return Between()
    return Between(
        relations=_relations(user, periods),
        merges=_newest(_merges(periods)),
        look_ups=_newest(_look_ups(user, periods)),
        cases=_newest(_cases(user, periods)),
        decisions=_newest(_decisions(user, periods)),
    )


# An undone merge, and all parties that were merged during it.
Period = tuple[PartyMerge, set[int]]


def _newest(rows: Iterable[Row]) -> tuple[Row, ...]:
    """The rows without duplicates, the newest first: two merges may have been in force at once."""
    row_by_pk = {row.pk: row for row in rows}
    keys = sorted(row_by_pk, reverse=True)
    return tuple(row_by_pk[key] for key in keys)


def _component(merge: PartyMerge) -> set[int]:
    """The parties that were merged with each other at any moment of the merge."""
    keys = {merge.first_id, merge.second_id}
    while True:
        rows = PartyMerge.objects.filter(Q(first__in=keys) | Q(second__in=keys))
        rows = rows.filter(at__lte=merge.undone_at).exclude(undone_at__lt=merge.at)
        larger = keys | {
            key for pair in rows.values_list("first", "second") for key in pair
        }
        if larger == keys:
            return keys
        keys = larger


def _is_separate_again(merge: PartyMerge) -> bool:
    rows = Party.objects.filter(pk__in=(merge.first_id, merge.second_id))
    return len({party.head_id_or_own for party in rows}) > 1


def _during(name: str, merge: PartyMerge) -> Q:
    return Q(**{f"{name}__gte": merge.at, f"{name}__lte": merge.undone_at})


def _relations(user: Person, periods: Iterable[Period]) -> tuple[Unplaced, ...]:
    visible = visibility.relations(user).values("pk")
    unplaced_by_pk: dict[int, Unplaced] = {}
    for merge, keys in periods:
        heads = _heads(keys)
        rows = _unplaced(merge, keys).filter(pk__in=visible)
        rows = rows.select_related("holder__party", "held__party", "holder__case", "by")
        for row in rows.order_by("-pk")[:MOST_ROWS]:
            side = row.held if row.held.party_id in keys else row.holder
            unplaced = Unplaced(row, merge, heads, side.party.head_id_or_own)
            # A relation of two merges is shown once.
            unplaced_by_pk.setdefault(row.pk, unplaced)
    newest_first = sorted(unplaced_by_pk, reverse=True)
    return tuple(unplaced_by_pk[key] for key in newest_first)


def _unplaced(merge: PartyMerge, keys: Collection[int]) -> QuerySet[PartyRelation]:
    """Relations that people recorded during the merge, and that nobody has placed since it ended."""
    rows = PartyRelation.objects.filter(
        Q(held__party__in=keys) | Q(holder__party__in=keys), _during("learnt_at", merge)
    )
    rows = rows.exclude(source=Source.ATTESTED)
    return rows.filter(
        Q(placed_at=None) | Q(placed_at__lt=merge.undone_at), replaced_at=None
    )


def _heads(keys: Collection[int]) -> tuple[int, ...]:
    rows = Party.objects.filter(pk__in=keys)
    return tuple(sorted({party.head_id_or_own for party in rows}))


def _merges(periods: Iterable[Period]) -> Iterable[PartyMerge]:
    for merge, keys in periods:
        rows = PartyMerge.objects.filter(
            Q(first__in=keys) | Q(second__in=keys), _during("at", merge), undone_at=None
        )
        yield from rows.select_related("by").order_by("-pk")[:MOST_ROWS]


def _look_ups(user: Person, periods: Iterable[Period]) -> Iterable[LookUp]:
    for merge, keys in periods:
        rows = LookUp.objects.filter(_during("at", merge), party__in=keys)
        rows = rows.filter(Q(case=None) | Q(case__erased_at=None))
        rows = roles.only_visible(user, rows, "connection")
        yield from rows.select_related("by").order_by("-pk")[:MOST_ROWS]


def _subjects(user: Person, keys: Collection[int]) -> QuerySet[CaseParty]:
    rows = visibility.all_links(user).filter(party__in=keys)
    return rows.filter(role=CaseParty.Role.SUBJECT)


def _cases(user: Person, periods: Iterable[Period]) -> Iterable[Case]:
    for merge, keys in periods:
        links = _subjects(user, keys).filter(_during("case__created_at", merge))
        rows = Case.objects.filter(pk__in=links.values("case"))
        yield from rows.order_by("-pk")[:MOST_ROWS]


def _decisions(user: Person, periods: Iterable[Period]) -> Iterable[Decision]:
    for merge, keys in periods:
        cases = _subjects(user, keys).values("case")
        rows = Decision.objects.filter(_during("made_at", merge), case__in=cases)
        rows = rows.select_related("case", "made_by", "policy")
        yield from rows.order_by("-pk")[:MOST_ROWS]


@transaction.atomic
def place(relation: PartyRelation, party: Party, *, actor: User) -> PartyRelation:
    """Say that a relation which was recorded during a merge is about `party`.

    If it is with another party now, it is replaced by a copy with `party`, stated by `actor`.
    Raises RelationError and PermissionDenied.
    """
    case = Case.objects.select_for_update().get(pk=relation.holder.case_id)
    roles.require(actor, roles.PARTIES, case)
    row = PartyRelation.objects.select_for_update().get(pk=relation.pk)
    unplaced = _of_relation(row, party)
    if unplaced is None:
        raise RelationError(_("It is not among what came in while they were merged."))
    moment = now()
    row.placed_at = moment
    rows: list[Model] = [row]
    result = row
    if unplaced.party != party.head_id_or_own:
        row.replaced_at = moment
        result = _at_party(row, party, unplaced, actor=actor, moment=moment, rows=rows)
    row.save(update_fields=["placed_at", "replaced_at"])
    data = {"relation": result.pk, "party": party.pk}
    trail.record(case, "relation_placed", data, user=actor, about=rows)
    return result


def _of_relation(row: PartyRelation, party: Party) -> Unplaced | None:
    """The relation as one to place; None unless it was recorded while `party` was merged."""
    merges = PartyMerge.objects.filter(
        at__lte=row.learnt_at, undone_at__gte=row.learnt_at
    )
    if row.placed_at is not None:
        # A person has placed it. Only a merge that was undone later asks again.
        merges = merges.filter(undone_at__gt=row.placed_at)
    for merge in merges:
        keys = _component(merge)
        heads = _heads(keys)
        for side in (row.held, row.holder):
            if side.party_id in keys and party.head_id_or_own in heads:
                return Unplaced(row, merge, heads, side.party.head_id_or_own)
    return None


def _at_party(
    row: PartyRelation,
    party: Party,
    unplaced: Unplaced,
    *,
    actor: User,
    moment: datetime,
    rows: list[Model],
) -> PartyRelation:
    """The same relation at the other party, in the same case."""
    holder, held = row.holder, row.held
    if held.party.head_id_or_own == unplaced.party:
        held = link_to(row.holder.case, party, held.role, rows)
    else:
        holder = link_to(row.holder.case, party, holder.role, rows)
    if holder.party.head_id_or_own == held.party.head_id_or_own:
        raise RelationError(_("Both are the same party."))
    copy = PartyRelation(
        holder=holder, held=held, source=row.source, by=actor, placed_at=moment
    )
    for name in _COPIED:
        setattr(copy, name, getattr(row, name))
    copy.save()
    rows.append(copy)
    return copy


_COPIED = (
    "kind", "share_min", "share_max", "votes_min", "votes_max", "detail", "since", "until",
)  # fmt: skip
