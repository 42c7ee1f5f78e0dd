"""What is new since a moment about the parties of a case: relations, alarms and other cases."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from django.db.models import Min, Q, QuerySet

from reviews.models import (
    Case,
    CaseEvent,
    CaseParty,
    Decision,
    HitLabel,
    Outcome,
    PartyMerge,
    PartyRelation,
    PartyStatement,
)
from reviews.parties import visibility
from reviews.parties.structure import Bounds

# Events in which the service, not a person, returned a case to the reviewers.
ALARMS = ("alarm", "reopened")
MOST_PARTIES = 500
MOST_RELATIONS = 2_000


@dataclass(frozen=True, slots=True)
class Change:
    """A relation that was added or has ended on `day`."""

    relation: PartyRelation
    day: date
    has_ended: bool


@dataclass(frozen=True, slots=True)
class Act:
    """What a person did in another case, whose subject is a party of this one."""

    case: int
    at: datetime


@dataclass(frozen=True)
class News:
    relations: Sequence[Change] = ()
    alarms: Sequence[CaseEvent] = ()
    # Hits that people confirmed in other cases of the parties, and rejections of these cases.
    matches: Sequence[Act] = ()
    rejections: Sequence[Act] = ()
    # Cases about the same subject that were submitted since.
    cases: Sequence[Case] = field(default_factory=list)

    @property
    def moments_of_alarms(self) -> list[datetime]:
        """When something happened that makes the review due at once."""
        moments = [event.at for event in self.alarms]
        moments += [act.at for act in self.matches]
        moments += [act.at for act in self.rejections]
        return moments


def since(case: Case, moment: datetime) -> News:
    """What is new since `moment` about the parties that the case names."""
    heads = heads_of(case)
    if not heads:
        return News()
    return News(
        relations=_relations(case, heads, moment),
        alarms=_alarms(case, heads, moment),
        matches=_matches(case, heads, moment),
        rejections=_rejections(case, heads, moment),
        cases=_cases(case, moment),
    )


def heads_of(case: Case, *, known_before: bool = False) -> set[int]:
    """The ids of the parties of the case, as they are shown.

    `known_before`: only those of earlier cases. A new case brings no news about the others.
    """
    links = CaseParty.objects.filter(case=case)
    if known_before:
        # People have added nothing to a case that is new.
        links = links.filter(party__created_at__lt=case.created_at)
    else:
        links = visibility.counting(links)
    return _heads(links[:MOST_PARTIES])


def _heads(links: QuerySet[CaseParty]) -> set[int]:
    """The ids of the parties. A joined party counts as its head."""
    heads = set()
    for head, party in links.values_list("party__head", "party"):
        heads.add(head or party)
    return heads


def links_of(heads: Collection[int]) -> QuerySet[CaseParty]:
    """The links of these parties, and of those joined with them, to all cases that are not
    erased.
    """
    parties = visibility.joined_with(heads)
    rows = CaseParty.objects.filter(
        party__in=parties,
        case__erased_at=None,
    )
    return visibility.counting(rows)


def _relations(case: Case, heads: Collection[int], moment: datetime) -> list[Change]:
    links = links_of(heads).values("pk")
    rows = PartyRelation.objects.filter(
        held__in=links,
        holder__case__erased_at=None,
        replaced_at=None,
    )
    rows = rows.select_related("holder__party", "held__party", "holder__case")
    relations = list(rows[:MOST_RELATIONS])
    names = _name_digests(relations)
    ends = _ends(relations, moment)
    joined = _joined_since(case, heads, moment)
    learnt = {row.pk: _learnt(row, joined) for row in relations}
    keys_by_pk = {row.pk: set(_keys(row, names)) for row in relations}
    # What the approver knew. A later case that states the same again is no news.
    known = _EarlierShares()
    known_ends: set[tuple[object, ...]] = set()
    for row in relations:
        if learnt[row.pk] > moment:
            continue
        known.add(row, keys_by_pk[row.pk])
        if row.until and row.pk not in ends:
            known_ends |= keys_by_pk[row.pk]
    changes = []
    for row in relations:
        keys = keys_by_pk[row.pk]
        learnt_on = learnt[row.pk].date()
        is_new = learnt[row.pk] > moment and not known.has(row, keys)
        if is_new:
            changes.append(Change(row, learnt_on, has_ended=False))
        # It counts from that day on.
        if row.since and row.since > max(learnt_on, moment.date()):
            changes.append(Change(row, row.since, has_ended=False))
        is_known = is_new or not known_ends.isdisjoint(keys)
        day = _end(row, moment, ends.get(row.pk), is_known=is_known)
        if day is not None:
            changes.append(Change(row, day, has_ended=True))
    return changes


class _EarlierShares:
    """The relations that an approver knew, each with the shares that counted then."""

    def __init__(self) -> None:
        # Key and source → the rows of the newest case, which replace those of earlier ones.
        self.rows: dict[tuple[object, ...], dict[str, list[PartyRelation]]] = {}

    def add(self, row: PartyRelation, keys: Iterable[tuple[object, ...]]) -> None:
        for key in keys:
            by_source = self.rows.setdefault(key, {})
            rows = by_source.setdefault(row.source, [])
            newest = max((each.holder.case_id for each in rows), default=0)
            if row.holder.case_id > newest:
                rows.clear()
            if row.holder.case_id >= newest:
                rows.append(row)

    def has(self, row: PartyRelation, keys: Iterable[tuple[object, ...]]) -> bool:
        """Whether it was known, with a share that this one may be, too."""
        for key in keys:
            for rows in self.rows.get(key, {}).values():
                if any(_may_be_same_share(row, other) for other in rows):
                    return True
        return False


def _may_be_same_share(row: PartyRelation, other: PartyRelation) -> bool:
    shares = (row.share_min, row.share_max), (other.share_min, other.share_max)
    votes = (row.votes_min, row.votes_max), (other.votes_min, other.votes_max)
    return _overlap(*shares) and _overlap(*votes)


def _overlap(new: Bounds, known: Bounds) -> bool:
    low, high = new
    least, most = known
    # It says nothing of the share.
    if low is None or high is None:
        return True
    # It says the share of which nothing was known.
    if least is None or most is None:
        return False
    return low <= most and least <= high


def _learnt(row: PartyRelation, joined: Mapping[int, datetime]) -> datetime:
    """When it was known of the customer: once stated, and once its party was joined."""
    since = joined.get(row.held.party_id, row.learnt_at)
    return max(since, row.learnt_at)


def _joined_since(
    case: Case, heads: Collection[int], moment: datetime
) -> dict[int, datetime]:
    """The parties that people have joined with those of the case after `moment`, and when."""
    joined = visibility.joined_with(heads)
    later = PartyMerge.objects.filter(
        first__in=joined,
        at__gt=moment,
        undone_at=None,
    )
    joined_at: dict[int, datetime] = {}
    for merge in later.select_related("first").order_by("at"):
        joined_at.setdefault(merge.first.head_id_or_own, merge.at)
    if not joined_at:
        return {}
    own = set(CaseParty.objects.filter(case=case).values_list("party", flat=True))
    # Those that were joined at the moment itself were known.
    before = PartyMerge.objects.filter(
        Q(first__in=joined) | Q(second__in=joined), at__lte=moment
    )
    before = before.exclude(undone_at__lte=moment)
    pairs = [{merge.first_id, merge.second_id} for merge in before]
    for _ in pairs:
        for pair in pairs:
            if own & pair:
                own |= pair
    since = {}
    for party in joined.exclude(pk__in=own):
        if party.head_id_or_own in joined_at:
            since[party.pk] = joined_at[party.head_id_or_own]
    return since


def _end(
    row: PartyRelation, moment: datetime, entered: date | None, *, is_known: bool
) -> date | None:
    """The day on which the end of a relation is a change; None if it is none.

    `entered`: when a person entered it, if that was after `moment`.
    """
    if row.until is None:
        return None
    # A relation may be stated with an end date. Its end is a change on that day.
    if row.until > moment.date():
        return row.until
    if is_known:
        return None
    # An earlier end that the approver did not know is a change on the day on which it was learnt.
    if row.learnt_at > moment:
        return row.learnt_at.date()
    return entered


def _ends(relations: Iterable[PartyRelation], moment: datetime) -> dict[int, date]:
    """The days on which people entered the ends of these relations after `moment`."""
    ended = {row.holder.case_id for row in relations if row.until}
    lines = CaseEvent.objects.filter(
        case__in=ended, what="relation_ended", at__gt=moment
    )
    return {int(line.data["relation"]): line.at.date() for line in lines}


def _keys(
    row: PartyRelation, names: dict[int, set[str]]
) -> Iterable[tuple[object, ...]]:
    """Keys that two statements of the same relation share: the holder's id, or a digest of its
    name.
    """
    held = row.held.party.head_id_or_own
    yield row.kind, held, row.holder.party.head_id_or_own
    for digest in names.get(row.holder_id, ()):
        yield row.kind, held, digest


def _name_digests(relations: Iterable[PartyRelation]) -> dict[int, set[str]]:
    """Digests of the holders' names, by the id of their case link."""
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


def _others(case: Case, heads: Collection[int]) -> QuerySet[CaseParty]:
    """The links to other cases about these parties. What happens in the case itself is no news to its reviewer."""
    subjects = links_of(heads).filter(role=CaseParty.Role.SUBJECT)
    return subjects.exclude(case=case)


def _matches(case: Case, heads: Collection[int], moment: datetime) -> list[Act]:
    """One act for each case: a hit on two lists has two rows."""
    rows = HitLabel.objects.filter(
        case__in=_others(case, heads).values("case"),
        kind=HitLabel.Kind.CONFIRMED,
        taken_back_at=None,
        at__gt=moment,
    )
    first = rows.order_by().values("case").annotate(first=Min("at"))
    acts = [Act(row["case"], row["first"]) for row in first]
    return sorted(acts, key=_moment_of)


def _rejections(case: Case, heads: Collection[int], moment: datetime) -> list[Act]:
    rows = Decision.objects.filter(
        case__in=_others(case, heads).values("case"),
        status=Decision.Status.STANDING,
        outcome=Outcome.REJECT,
    )
    acts = []
    for key, made_at, second_at in rows.values_list("case", "made_at", "second_at"):
        at = second_at or made_at
        if at > moment:
            acts.append(Act(key, at))
    return sorted(acts, key=_moment_of)


def _moment_of(act: Act) -> datetime:
    return act.at


def _alarms(case: Case, heads: Collection[int], moment: datetime) -> list[CaseEvent]:
    rows = CaseEvent.objects.filter(
        case__in=_others(case, heads).values("case"),
        what__in=ALARMS,
        actor=CaseEvent.Actor.AGENT,
        at__gt=moment,
    )
    rows = rows.select_related("case")
    return list(rows.order_by("at"))


def _cases(case: Case, moment: datetime) -> list[Case]:
    links = CaseParty.objects.filter(case=case, place="subject")
    heads = _heads(links)
    links = links_of(heads).filter(
        place="subject",
        case__created_at__gt=moment,
    )
    others = links.exclude(case=case)
    rows = Case.objects.filter(pk__in=others.values("case"))
    return list(rows.order_by("pk"))
