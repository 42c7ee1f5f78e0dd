"""What came in while two parties were joined, after they were parted again: for people to place.

What a case states belongs to its own party, and is there again at once. What people recorded on the
page of both may be about either. It stays where it is, and is shown until a person says where it belongs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

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

MOST_ROWS = 60  # of each kind, on the page of one party
MOST_MERGES = 40  # undone merges whose time is looked at


@dataclass(frozen=True)
class Unplaced:
    """A relation that people recorded between, and the parties that it may be about."""

    relation: PartyRelation
    merge: PartyMerge
    parties: tuple[int, ...]
    # The head that it is about as it stands.
    party: int


@dataclass(frozen=True)
class Between:
    """What came in while the party was joined with others, the newest first."""

    relations: tuple[Unplaced, ...] = ()
    # Merges of that time that still stand: they were made with the joined party.
    merges: tuple[PartyMerge, ...] = ()
    look_ups: tuple[LookUp, ...] = ()
    # Cases of that time, and decisions that people made with the joined party before them.
    cases: tuple[Case, ...] = ()
    decisions: tuple[Decision, ...] = ()

    def __bool__(self) -> bool:
        return any(
            (self.relations, self.merges, self.look_ups, self.cases, self.decisions)
        )


def between(user: Person, head: Party) -> Between:
    """What came in while the party, or one that is joined with it, was joined with others."""
    own_pks = set(visibility.joined_with([head.pk]).values_list("pk", flat=True))
    undone = PartyMerge.objects.exclude(undone_at=None)
    merges = list(
        undone.filter(Q(first__in=own_pks) | Q(second__in=own_pks))[:MOST_MERGES]
    )
    parts = [(merge, _component(merge)) for merge in merges]
    # A merge that is joined again leaves nothing to place.
    parts = [(merge, keys) for merge, keys in parts if _is_parted(merge)]
    if not parts:
        return Between()
    return Between(
        relations=tuple(_relations(user, parts, own_pks)),
        merges=tuple(_merges(parts)),
        look_ups=tuple(_look_ups(user, parts)),
        cases=tuple(_cases(user, parts)),
        decisions=tuple(_decisions(user, parts)),
    )


Part = tuple[PartyMerge, set[int]]


def _component(merge: PartyMerge) -> set[int]:
    """The parties that were joined with each other at any moment of the merge."""
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


def _is_parted(merge: PartyMerge) -> bool:
    rows = Party.objects.filter(pk__in=(merge.first_id, merge.second_id))
    return len({party.head_id_or_own for party in rows}) > 1


def _during(name: str, merge: PartyMerge) -> Q:
    return Q(**{f"{name}__gte": merge.at, f"{name}__lte": merge.undone_at})


def _relations(
    user: Person, parts: Iterable[Part], own: Collection[int]
) -> Iterable[Unplaced]:
    done: set[int] = set()
    for merge, keys in parts:
        rows = _unplaced(merge, keys).filter(
            pk__in=visibility.relations(user).values("pk")
        )
        related = rows.select_related(
            "holder__party", "held__party", "holder__case", "by"
        )
        for row in related.order_by("-pk")[:MOST_ROWS]:
            if row.pk not in done:
                done.add(row.pk)
                side = row.held if row.held.party_id in keys else row.holder
                heads = _heads(keys)
                yield Unplaced(row, merge, heads, side.party.head_id_or_own)


def _unplaced(merge: PartyMerge, keys: Collection[int]) -> QuerySet[PartyRelation]:
    """Relations that people recorded then, and that nobody has placed since."""
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


def _merges(parts: Iterable[Part]) -> Iterable[PartyMerge]:
    for merge, keys in parts:
        rows = PartyMerge.objects.filter(
            Q(first__in=keys) | Q(second__in=keys), _during("at", merge), undone_at=None
        )
        yield from rows.select_related("by").order_by("-pk")[:MOST_ROWS]


def _look_ups(user: Person, parts: Iterable[Part]) -> Iterable[LookUp]:
    for merge, keys in parts:
        rows = LookUp.objects.filter(_during("at", merge), party__in=keys)
        rows = rows.filter(Q(case=None) | Q(case__erased_at=None))
        rows = roles.only_visible(user, rows, "connection")
        yield from rows.select_related("by").order_by("-pk")[:MOST_ROWS]


def _subjects(user: Person, keys: Collection[int]) -> QuerySet[CaseParty]:
    rows = visibility.all_links(user).filter(party__in=keys)
    return rows.filter(role=CaseParty.Role.SUBJECT)


def _cases(user: Person, parts: Iterable[Part]) -> Iterable[Case]:
    for merge, keys in parts:
        links = _subjects(user, keys).filter(_during("case__created_at", merge))
        rows = Case.objects.filter(pk__in=links.values("case"))
        yield from rows.order_by("-pk")[:MOST_ROWS]


def _decisions(user: Person, parts: Iterable[Part]) -> Iterable[Decision]:
    for merge, keys in parts:
        cases = _subjects(user, keys).values("case")
        rows = Decision.objects.filter(_during("made_at", merge), case__in=cases)
        rows = rows.exclude(made_by=None).select_related("case", "made_by")
        yield from rows.order_by("-pk")[:MOST_ROWS]


@transaction.atomic
def place(relation: PartyRelation, party: Party, *, actor: User) -> PartyRelation:
    """Say that a relation which came in between is about `party`. Raises RelationError and PermissionDenied.

    If it is about another party than it stands at, it counts no more, and one like it stands at that
    party, stated by `actor`.
    """
    case = Case.objects.select_for_update().get(pk=relation.holder.case_id)
    roles.require(actor, roles.PARTIES, case)
    row = PartyRelation.objects.select_for_update().get(pk=relation.pk)
    unplaced = _of_relation(row, party)
    if unplaced is None:
        raise RelationError(_("It is not among what came in while they were joined."))
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
    """The merge in whose time the relation came, if `party` was joined then."""
    if row.placed_at is None:
        unsettled = Q()
    else:
        unsettled = Q(undone_at__gt=row.placed_at)
    merges = PartyMerge.objects.filter(
        unsettled, at__lte=row.learnt_at, undone_at__gte=row.learnt_at
    )
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
