"""What happened to the parties of a case since a moment, in any case: relations and alarms."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from django.db.models import QuerySet

from reviews.models import Case, CaseEvent, CaseParty, PartyRelation, PartyStatement
from reviews.parties import visibility

# Lines by which the service, and no person, takes a case back to people.
ALARMS = ("alarm", "reopened")
MOST_PARTIES = 500
MOST_RELATIONS = 2_000


@dataclass(frozen=True, slots=True)
class Change:
    """A relation that was learnt or has ended. `day`: when that was."""

    relation: PartyRelation
    day: date
    has_ended: bool


@dataclass(frozen=True)
class News:
    relations: Sequence[Change] = ()
    alarms: Sequence[CaseEvent] = ()
    # Cases that were submitted since, about the same subject.
    cases: Sequence[Case] = field(default_factory=list)


def since(case: Case, moment: datetime) -> News:
    """What is new about the parties that the case names."""
    heads = heads_of(case)
    if not heads:
        return News()
    return News(
        relations=_relations(heads, moment),
        alarms=_alarms(case, heads, moment),
        cases=_cases(case, moment),
    )


def heads_of(case: Case) -> set[int]:
    """The numbers under which the parties of the case are shown."""
    links = CaseParty.objects.filter(case=case)
    return _heads(links[:MOST_PARTIES])


def _heads(links: QuerySet[CaseParty]) -> set[int]:
    """A party that was joined with others is shown under the number of their head."""
    heads = set()
    for head, party in links.values_list("party__head", "party"):
        heads.add(head or party)
    return heads


def links_of(heads: Collection[int]) -> QuerySet[CaseParty]:
    """The links of these parties, and of those joined with them, to all cases that are kept."""
    parties = visibility.joined_with(heads)
    return CaseParty.objects.filter(party__in=parties, case__erased_at=None)


def _relations(heads: Collection[int], moment: datetime) -> list[Change]:
    links = links_of(heads).values("pk")
    rows = PartyRelation.objects.filter(
        held__in=links,
        holder__case__erased_at=None,
        replaced_at=None,
    )
    rows = rows.select_related("holder__party", "held__party", "holder__case")
    relations = list(rows[:MOST_RELATIONS])
    names = _name_digests(relations)
    keys: set[tuple[object, ...]] = set()
    for row in relations:
        if row.learnt_at <= moment:
            keys.update(_keys(row, names))
    changes = []
    for row in relations:
        is_later = row.learnt_at > moment
        if is_later and keys.isdisjoint(_keys(row, names)):
            day = row.learnt_at.date()
            changes.append(Change(row, day, has_ended=False))
        # A relation may be stated with its end: that is news on the day of the end.
        if row.until and row.until > moment.date():
            changes.append(Change(row, row.until, has_ended=True))
    return changes


def _keys(
    row: PartyRelation, names: dict[int, set[str]]
) -> Iterable[tuple[object, ...]]:
    """What two cases that state the same relation have in common: who holds it, by number or name."""
    held = row.held.party.head_id_or_own
    yield row.kind, held, row.holder.party.head_id_or_own
    for digest in names.get(row.holder_id, ()):
        yield row.kind, held, digest


def _name_digests(relations: Iterable[PartyRelation]) -> dict[int, set[str]]:
    """The digests of the names of those who hold, by the number of their link."""
    holders = {row.holder_id for row in relations}
    names = PartyStatement.objects.filter(
        case_party__in=holders,
        kind=PartyStatement.Kind.NAME,
    )
    rows = names.exclude(digest="")
    digests: dict[int, set[str]] = {}
    for link, digest in rows.values_list("case_party", "digest"):
        of_link = digests.setdefault(link, set())
        of_link.add(digest)
    return digests


def _alarms(case: Case, heads: Collection[int], moment: datetime) -> list[CaseEvent]:
    subjects = links_of(heads).filter(role=CaseParty.Role.SUBJECT)
    others = subjects.exclude(case=case)
    rows = CaseEvent.objects.filter(
        case__in=others.values("case"),
        what__in=ALARMS,
        actor=CaseEvent.Actor.AGENT,
        at__gt=moment,
    )
    rows = rows.select_related("case")
    return list(rows.order_by("at"))


def _cases(case: Case, moment: datetime) -> list[Case]:
    own = CaseParty.objects.filter(case=case, place="subject")
    heads = _heads(own)
    links = links_of(heads).filter(place="subject", case__created_at__gt=moment)
    others = links.exclude(case=case)
    rows = Case.objects.filter(pk__in=others.values("case"))
    return list(rows.order_by("pk"))
