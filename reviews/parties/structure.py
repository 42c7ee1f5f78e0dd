"""The ownership structure around a party, and what follows from it.

It is built from the relations that the visible cases state now. What follows are beneficial
owners, and parties that are held by listed owners.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction

from django.db import models
from django.db.models import Q
from django.utils.timezone import now

from ownership.graph import Control, Graph, Holding
from ownership.listed import OFAC, Blocked, ListedRule, blocked, could_be_blocked
from ownership.owners import OwnerPolicy, Ownership, ownership
from ownership.shares import UNKNOWN, Interval
from reviews.models import Case, CaseParty, Party, PartyRelation
from reviews.models.parties import Source
from reviews.parties import labels, visibility
from reviews.parties.visibility import Person

MOST_PARTIES = 300
DEEPEST = 12
Kind = PartyRelation.Kind
# Relations that are control by other means than shares. A director does not control, but counts
# as manager if no owner is known.
CONTROLLING = frozenset({Kind.CONTROLLER.value})
# Columns of a case that no relation shows: they are long, and most are encrypted.
_NOT_SHOWN = [
    f"holder__case__{field.name}"
    for field in Case._meta.concrete_fields
    if field.name not in ("id", "reference")
]


@dataclass(frozen=True)
class Edge:
    """One relation between two heads, from all rows that state it, the newest row first."""

    holder: int
    held: int
    kind: str
    rows: tuple[PartyRelation, ...]

    @property
    def share(self) -> Interval | None:
        """The share of an owner, from all rows. None: not an owner, or no share stated."""
        if self.kind != Kind.OWNER:
            return None
        return self._of_rows(lambda row: (row.share_min, row.share_max))

    @property
    def votes(self) -> Interval | None:
        if self.kind != Kind.OWNER:
            return None
        return self._of_rows(lambda row: (row.votes_min, row.votes_max))

    @property
    def is_nominee(self) -> bool:
        """Whether the holder is said to hold for somebody else."""
        if self.kind != Kind.OWNER:
            return False
        return any(labels.NOMINEE.search(row.detail.casefold()) for row in self.rows)

    def _of_rows(self, bounds: Callable[[PartyRelation], Bounds]) -> Interval | None:
        """The shares of one list are added up. Where two lists differ, it may be either or both.

        A list is a member of the data of a case, such as its shareholders, or what people added.
        """
        by_source: dict[tuple[str, str], list[Bounds]] = {}
        for row in self.rows:
            by_source.setdefault(_list_of(row), []).append(bounds(row))
        sums = []
        for rows in by_source.values():
            share = _sum(rows)
            if share:
                sums.append(share)
        if not sums:
            return None
        if len(set(sums)) == 1:
            return sums[0]
        least = min(share.low for share in sums)
        most = sum((share.high for share in sums), Fraction(0))
        return Interval(least, min(most, Fraction(1)))


def _list_of(row: PartyRelation) -> tuple[str, str]:
    """Where a relation is stated: "shareholders" and "beneficial_owners" often name the same people."""
    if row.source != Source.ATTESTED:
        return row.source, ""
    # The deeper place is that of the entry: an owner of the party, or what the party owns.
    place = max(row.holder.place, row.held.place, key=_depth_of)
    return row.source, place.rpartition("/")[0]


def _depth_of(place: str) -> int:
    return place.count("/")


# The least and the most of a share, in percent. None: not known.
Bounds = tuple[Decimal | None, Decimal | None]


def _sum(bounds: Iterable[Bounds]) -> Interval | None:
    low = high = Fraction(0)
    is_known = False
    for least, most in bounds:
        # An unknown share may be anything up to the whole.
        if least is None or most is None:
            high = Fraction(1)
            continue
        is_known = True
        low += Fraction(least) / 100
        high += Fraction(most) / 100
    if not is_known:
        return None
    whole = Fraction(1)
    return Interval(min(low, whole), min(high, whole))


@dataclass
class Structure:
    """The parties and relations around `center`.

    `earlier` has relations that do not count any more: they ended, or the newest case does not state
    them. `later` has those that begin on a later day. If not `is_whole`, the limits cut parties off. `changes_on`: the next day on which a
    relation begins, or counts no more.
    """

    center: int
    parties: dict[int, Party] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    earlier: list[PartyRelation] = field(default_factory=list)
    later: list[PartyRelation] = field(default_factory=list)
    is_whole: bool = True
    changes_on: date | None = None

    def graph(self, *, with_nominees: bool = False) -> Graph:
        """The graph for the computations in `ownership`.

        A nominee owns nothing: in the place of the holder stands a party without a name, whose number
        is that of the nominee below zero. `with_nominees`: nominees hold, as for listed owners.
        """
        people = set()
        for key, party in self.parties.items():
            if party.kind == Party.Kind.PERSON:
                people.add(key)
        holdings = []
        controls = []
        for edge in self.edges:
            # Nobody holds a person.
            if edge.held in people:
                continue
            if edge.kind == Kind.OWNER:
                holder = edge.holder
                if edge.is_nominee and not with_nominees:
                    holder = -edge.holder
                share = edge.share or UNKNOWN
                holdings.append(Holding(holder, edge.held, share, edge.votes))
            elif edge.kind in CONTROLLING and edge.holder != edge.held:
                means = edge.rows[0].detail or edge.rows[0].get_kind_display()
                controls.append(Control(edge.holder, edge.held, means))
        return Graph(
            frozenset(people),
            tuple(holdings),
            tuple(controls),
        )

    def ownership(self, policy: OwnerPolicy | None = None) -> Ownership:
        return ownership(self.graph(), self.center, policy)

    def managers(self) -> list[int]:
        """The directors of the party. The law takes them as owners if no owner is known."""
        managers: list[int] = []
        for edge in self.edges:
            if edge.held == self.center and edge.kind == Kind.DIRECTOR:
                managers.append(edge.holder)
        return managers

    def blocked(
        self, listed: Collection[int], rule: ListedRule = OFAC
    ) -> dict[int, Blocked]:
        return blocked(self.graph(with_nominees=True), listed, rule)

    def could_be_blocked(self, listed: Collection[int]) -> set[int]:
        return could_be_blocked(self.graph(with_nominees=True), listed)


def around(user: Person, head: Party) -> Structure:
    """Read everything above the party, what it holds directly, and who is close to it."""
    return _read(user, head, deepest=DEEPEST, has_held=True)


def above(user: Person, head: Party) -> Structure:
    """Read everything above the party, through any number of levels."""
    # Each level has a party at least.
    return _read(user, head, deepest=MOST_PARTIES, has_held=False)


def _read(user: Person, head: Party, *, deepest: int, has_held: bool) -> Structure:
    structure = Structure(head.pk, {head.pk: head})
    rows: dict[int, PartyRelation] = {}
    frontier = {head.pk}
    # One level of owners per pass. Only the first pass also reads downwards.
    for depth in range(deepest):
        level = _rows(user, frontier, downwards=has_held and depth == 0)
        rows.update({row.pk: row for row in level})
        frontier = _add_parties(structure, level)
        if not frontier or len(structure.parties) > MOST_PARTIES:
            break
    structure.is_whole = not frontier
    visibility.fill_kinds(structure.parties.values())
    today = now().date()
    _count(structure, rows.values(), today)
    structure.changes_on = min(_days_of_change(rows.values(), today), default=None)
    return structure


def _add_parties(structure: Structure, rows: Iterable[PartyRelation]) -> set[int]:
    """Add the parties of these relations.

    Returns the new parties whose owners must be read, too.
    """
    new: set[int] = set()
    for row in rows:
        for link in (row.holder, row.held):
            party = link.party.head or link.party
            if party.pk in structure.parties:
                continue
            structure.parties[party.pk] = party
            if _is_above(row, link.pk):
                new.add(party.pk)
    return new


def _is_above(row: PartyRelation, link: int) -> bool:
    is_of_business = row.kind in (Kind.OWNER, Kind.CONTROLLER)
    return is_of_business and row.holder_id == link


def _rows(
    user: Person, heads: Collection[int], *, downwards: bool
) -> list[PartyRelation]:
    linked = CaseParty.objects.filter(party__in=visibility.joined_with(heads))
    # As a list, because a subquery within the OR below could not use an index.
    links = list(linked.values_list("pk", flat=True))
    condition = Q(held__in=links)
    if downwards:
        condition |= Q(holder__in=links)
    relations = visibility.relations(user).filter(condition).order_by("-pk")
    keys = list(relations.values_list("pk", flat=True)[: MOST_PARTIES * 4])
    # Nothing is above most parties, and to write what follows takes longer than to ask.
    if not keys:
        return []
    whole = PartyRelation.objects.filter(pk__in=keys).order_by("-pk")
    rows = list(whole.select_related("holder__case", "held").defer(*_NOT_SHOWN))
    # Parties and people are read by themselves: to plan a statement over nine tables takes
    # PostgreSQL longer than to answer it.
    models.prefetch_related_objects(rows, "by")
    links_of_rows = [link for row in rows for link in (row.holder, row.held)]
    parties = Party.objects.select_related("head").in_bulk(
        {link.party_id for link in links_of_rows}
    )
    for link in links_of_rows:
        link.party = parties[link.party_id]
    return rows


def _count(structure: Structure, rows: Iterable[PartyRelation], today: date) -> None:
    """Fill edges and earlier relations.

    For each party, the owners attested by its newest case count, those of its newest file of
    relations, and what people have added.
    Two cases of one company name the same owners, who are different parties until somebody
    merges them: counted together, they would hold twice the whole.
    """
    current = []
    newest_first = sorted(rows, key=_number_of, reverse=True)
    for row in newest_first:
        if row.until and row.until < today:
            structure.earlier.append(row)
        elif row.since and row.since > today:
            structure.later.append(row)
        else:
            current.append(row)
    newest = _newest_cases(current)
    # Several rows may state one relation between the same two heads.
    groups: dict[tuple[int, int, str], list[PartyRelation]] = {}
    for row in current:
        holder = row.holder.party.head_id_or_own
        held = row.held.party.head_id_or_own
        if _is_superseded(row, held, newest):
            structure.earlier.append(row)
            continue
        if holder in structure.parties and held in structure.parties:
            group = groups.setdefault((holder, held, row.kind), [])
            group.append(row)
    for (holder, held, kind), members in groups.items():
        edge = Edge(holder, held, kind, tuple(members))
        structure.edges.append(edge)


def _days_of_change(rows: Iterable[PartyRelation], today: date) -> Iterator[date]:
    for row in rows:
        if row.since and row.since > today:
            yield row.since
        # The last day still counts.
        if row.until and today <= row.until < date.max:
            yield row.until + timedelta(days=1)


def _number_of(row: PartyRelation) -> int:
    return row.pk


def _is_superseded(
    row: PartyRelation, held: int, newest: Mapping[tuple[int, str], int]
) -> bool:
    """Whether a newer case has owners of the same party from the same source."""
    return _is_replaceable(row) and row.holder.case_id != newest[held, row.source]


def _newest_cases(rows: Iterable[PartyRelation]) -> dict[tuple[int, str], int]:
    """For each party and source, the newest case with owners of the party."""
    newest: dict[tuple[int, str], int] = {}
    for row in rows:
        if _is_replaceable(row):
            key = (row.held.party.head_id_or_own, row.source)
            newest[key] = max(newest.get(key, 0), row.holder.case_id)
    return newest


def _is_replaceable(row: PartyRelation) -> bool:
    # What an analyst has added counts until somebody ends it.
    return row.kind == Kind.OWNER and row.source != Source.ANALYST
