"""Records the parties of a case from its data, when it is submitted, imported or changed.

Recording the same data again changes nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from itertools import product
from typing import NamedTuple

from django.db import models, transaction
from django.utils.timezone import now

from reviews.audit import trail
from reviews.models import Case, CaseEvent
from reviews.models.parties import (
    CaseParty,
    Party,
    PartyRelation,
    PartyStatement,
    Source,
)
from reviews.parties import attested, identity
from reviews.parties.attested import Entry, Stated
from reviews.parties.shares import Share


@dataclass
class Changes:
    """The rows that were created or changed, and the number of new parties."""

    rows: list[models.Model] = field(default_factory=list)
    new_parties: int = 0


class Key(NamedTuple):
    """A strong number, as a hash, and the kind of its party.

    `name`: the hash of a name that must be equal, too; empty where the number alone is enough.
    """

    number: str
    kind: str
    name: str = ""


def record(
    case: Case, *, original: Case | None = None, is_new: bool = False
) -> Changes:
    """Update the parties of a case to match its data.

    `original` is a case with the same data: a party is the one that it has at the same place.
    `is_new`: the case was made in this transaction, so it has no parties yet.
    Runs in the transaction of the caller, who records the rows of the result in the trail.
    """
    if case.erased_at is not None:
        return Changes()
    earlier = {} if is_new else _links(case)
    return _Recording(case, original, earlier).run(attested.entries(case))


@transaction.atomic
def record_with_line(case: Case) -> Changes:
    """Like `record`, with its own line of the trail: for old cases and for changed data."""
    case = Case.objects.select_for_update().get(pk=case.pk)
    changes = record(case)
    if changes.rows:
        data = {"counts": {"parties": changes.new_parties, "rows": len(changes.rows)}}
        actor = CaseEvent.Actor.SYSTEM
        trail.record(case, "parties_recorded", data, actor=actor, about=changes.rows)
    return changes


class _Recording:
    """One pass over the parties of one case, with few queries."""

    def __init__(
        self, case: Case, original: Case | None, earlier: dict[str, CaseParty]
    ) -> None:
        self.case = case
        self.changes = Changes()
        self.earlier = earlier
        self.by_place = dict(self.earlier)
        self.original = _links(original) if original else {}

    def run(self, entries: Sequence[Entry]) -> Changes:
        # Links first: statements and relations refer to them.
        self._link(entries)
        self._state(entries)
        self._relate(entries)
        return self.changes

    def _link(self, entries: Sequence[Entry]) -> None:
        new = [entry for entry in entries if entry.place not in self.by_place]
        party_by_key = _known_parties(new)
        parties = [self._party(entry, party_by_key) for entry in new]
        # Of two entries with one number the second has the new party of the first.
        unsaved = {id(party): party for party in parties if party._state.adding}
        Party.objects.bulk_create(unsaved.values())
        self.changes.new_parties += len(unsaved)
        self.changes.rows += unsaved.values()
        links = []
        for entry, party in zip(new, parties, strict=True):
            link = CaseParty(
                case=self.case, party=party, role=entry.role, place=entry.place
            )
            links.append(link)
        CaseParty.objects.bulk_create(links)
        for link in links:
            self.by_place[link.place] = link
        self.changes.rows += links

    def _party(self, entry: Entry, party_by_key: dict[Key, Party]) -> Party:
        """The party of the original, that with one of the strong numbers of the entry, or a new one.

        A new one is not stored yet.

        The original comes first: people may have said that a number in it is wrong.
        """
        keys = list(_keys(entry))
        party = None
        same = self.original.get(entry.place)
        if same and same.party.kind == entry.kind:
            party = same.party
        if party is None:
            known = (party_by_key[key] for key in keys if key in party_by_key)
            party = next(known, None)
        if party is None:
            party = Party(kind=entry.kind)
        for key in keys:
            # The same number twice in one case means the same party, too.
            party_by_key.setdefault(key, party)
        return party

    def _state(self, entries: Sequence[Entry]) -> None:
        # Statements that are not met below are no longer in the data.
        before = self._statements({entry.place for entry in entries})
        wrong = self._wrong_numbers()
        new = []
        for entry in entries:
            link = self.by_place[entry.place]
            for stated in entry.statements:
                if before.pop((link.pk, stated), None) is not None:
                    continue
                row = _statement(link, stated)
                if (entry.place, stated) in wrong:
                    row.digest = ""
                new.append(row)
        PartyStatement.objects.bulk_create(new)
        self.changes.rows += new
        self._replace(before.values())

    def _statements(
        self, places: Collection[str]
    ) -> dict[tuple[int, Stated], PartyStatement]:
        """What an earlier recording has stored of the parties at these places."""
        links = [link for place, link in self.earlier.items() if place in places]
        statements: dict[tuple[int, Stated], PartyStatement] = {}
        # Most cases are new.
        if not links:
            return statements
        rows = PartyStatement.objects.filter(
            case_party__in=links, source=Source.ATTESTED, replaced_at=None
        )
        for row in rows.select_related("case_party__case"):
            stated = Stated(row.kind, row.label, row.value, row.issuer)
            statements[row.case_party_id, stated] = row
        return statements

    def _wrong_numbers(self) -> set[tuple[str, Stated]]:
        """The numbers, by place, that lead nobody to their party, in the original."""
        wrong: set[tuple[str, Stated]] = set()
        if not self.original:
            return wrong
        rows = PartyStatement.objects.filter(
            case_party__in=list(self.original.values()),
            kind=PartyStatement.Kind.IDENTIFIER,
            digest="",
        )
        for row in rows.select_related("case_party__case"):
            stated = Stated(row.kind, row.label, row.value, row.issuer)
            wrong.add((row.case_party.place, stated))
        return wrong

    def _relate(self, entries: Sequence[Entry]) -> None:
        before = self._relations_before()
        new = []
        for entry in entries:
            if not entry.above:
                continue
            for relation in self._relations(entry):
                if before.pop(_of_relation(relation), None) is None:
                    new.append(relation)
        PartyRelation.objects.bulk_create(new)
        self.changes.rows += new
        self._replace(before.values())

    def _relations_before(self) -> dict[tuple[object, ...], PartyRelation]:
        """What an earlier recording has stored of relations."""
        # Most cases are new, and to write a statement for nothing takes as long as for much.
        if not self.earlier:
            return {}
        rows = PartyRelation.objects.filter(
            holder__in=self.earlier.values(),
            source=Source.ATTESTED,
            replaced_at=None,
        )
        before = {}
        for row in rows.select_related("holder__case"):
            before[_of_relation(row)] = row
        return before

    def _relations(self, entry: Entry) -> Iterator[PartyRelation]:
        yield self._relation(entry, entry.relation, entry.detail)
        if entry.means:
            controls = replace(entry, share=None, votes=None)
            yield self._relation(controls, PartyRelation.Kind.CONTROLLER, entry.means)

    def _relation(self, entry: Entry, kind: str, detail: str) -> PartyRelation:
        holder, held = self.by_place[entry.place], self.by_place[entry.above]
        if entry.is_held:
            holder, held = held, holder
        share, votes = _bounds(entry.share), _bounds(entry.votes)
        return PartyRelation(
            holder=holder,
            held=held,
            kind=kind,
            share_min=share[0],
            share_max=share[1],
            votes_min=votes[0],
            votes_max=votes[1],
            detail=detail,
            since=_date(entry.since),
            until=_date(entry.until),
            source=Source.ATTESTED,
        )

    def _replace(self, rows: Iterable[PartyStatement | PartyRelation]) -> None:
        """Mark rows as replaced now, because the data no longer state them. They stay stored."""
        moment = now()
        for row in rows:
            row.replaced_at = moment
            row.save(update_fields=["replaced_at"])
            self.changes.rows.append(row)


def _links(case: Case) -> dict[str, CaseParty]:
    """The links of a case to its parties, by the place in its data."""
    rows = CaseParty.objects.filter(case=case).select_related("party")
    return {row.place: row for row in rows}


def _known_parties(entries: Iterable[Entry]) -> dict[Key, Party]:
    """Existing parties by what makes them the same.

    If several parties have the number, the oldest is used; people see the others as possible
    duplicates.
    """
    keys = {key for entry in entries for key in _keys(entry)}
    if not keys:
        return {}
    rows = PartyStatement.objects.filter(
        digest__in={key.number for key in keys},
        kind=PartyStatement.Kind.IDENTIFIER,
        replaced_at=None,
    )
    found = list(rows.select_related("case_party__party").order_by("case_party__party"))
    names = _names_of(found, {key.name for key in keys} - {""})
    party_by_key: dict[Key, Party] = {}
    for row in found:
        party = row.case_party.party
        for name in ("", *names.get(row.case_party_id, ())):
            key = Key(row.digest, party.kind, name)
            party_by_key.setdefault(key, party)
    return party_by_key


def _names_of(
    numbers: Iterable[PartyStatement], names: Collection[str]
) -> dict[int, list[str]]:
    """Those of the hashes of names that the case of each number states, too, by its link."""
    if not names:
        return {}
    rows = PartyStatement.objects.filter(
        case_party__in={row.case_party_id for row in numbers},
        kind=PartyStatement.Kind.NAME,
        digest__in=names,
        replaced_at=None,
    )
    by_link: dict[int, list[str]] = {}
    for link, digest in rows.values_list("case_party", "digest"):
        by_link.setdefault(link, []).append(digest)
    return by_link


def _keys(entry: Entry) -> Iterator[Key]:
    """What makes another party the same as that of the entry."""
    names = [_digest(one) for one in entry.statements if one.kind == "name"]
    names = list(filter(None, names))
    for stated in entry.statements:
        if stated.kind != "identifier":
            continue
        if not identity.is_strong(stated.label, stated.issuer, entry.kind):
            continue
        # Parties of earlier versions have other hashes.
        issuers = [stated.issuer]
        numbers = identity.digests_of_number(stated.value, stated.label, issuers)
        keys = names
        if not identity.is_of_a_place(stated.label, stated.issuer):
            keys = [""]
        for number, name in product(sorted(numbers), keys):
            yield Key(number, entry.kind, name)


def _digest(stated: Stated) -> str:
    return identity.digest(
        stated.kind,
        stated.label,
        stated.value,
        stated.issuer,
    )


def _statement(link: CaseParty, stated: Stated) -> PartyStatement:
    return PartyStatement(
        case_party=link,
        kind=stated.kind,
        label=stated.label,
        value=stated.value,
        issuer=stated.issuer,
        digest=_digest(stated),
        source=Source.ATTESTED,
    )


def _of_relation(row: PartyRelation) -> tuple[object, ...]:
    """The identity of a relation. Its end is left out, because people may have entered it."""
    return (
        row.holder_id,
        row.held_id,
        row.kind,
        row.share_min,
        row.share_max,
        row.votes_min,
        row.votes_max,
        row.detail,
        row.since,
    )


def _bounds(share: Share | None) -> tuple[Decimal | None, Decimal | None]:
    if share is None:
        return (None, None)
    return (share.low, share.high)


def _date(text: str) -> date | None:
    try:
        if text:
            return date.fromisoformat(text)
        return None
    except ValueError:
        return None
