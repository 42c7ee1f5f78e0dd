"""Makes ratings due of the companies that parties of a case own, directly or through others."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import islice

from django.db.models import QuerySet

from reviews.models import Case, CaseParty, Kind, PartyRelation
from reviews.parties import visibility
from reviews.risk import schedule

CHUNK = 500  # parties or cases of one statement
# Parties below those of one case. Further ones are rated when they or the policy change.
MOST_OWNED = 20_000
_OWNING = (PartyRelation.Kind.OWNER, PartyRelation.Kind.CONTROLLER)


def rate(case: Case, *, heartbeat: Callable[[], None]) -> None:
    """Make the ratings due of the parties of the case, and of the companies that they own.

    It may run twice: a case whose rating stays the same gets no new one. The cases that become due
    make no further cases due. Otherwise owners who own each other would never end.
    """
    heads = _heads(CaseParty.objects.filter(case=case))
    # Relations are of one case: what its parties hold elsewhere, another case states.
    if not _are_in_others(heads, case):
        return
    for chunk in _chunks(sorted(_below(heads))):
        subjects = _links(chunk).filter(
            place="subject", case__kind=Kind.KYB, case__erased_at=None
        )
        cases = subjects.exclude(case=case.pk).values_list("case", flat=True)
        for keys in _chunks(sorted(set(cases))):
            heartbeat()
            schedule.rate_cases(keys)


def _are_in_others(heads: set[int], case: Case) -> bool:
    """Whether another case names one of these parties."""
    for chunk in _chunks(sorted(heads)):
        if _links(chunk).exclude(case=case.pk).exists():
            return True
    return False


def _below(heads: set[int]) -> set[int]:
    """These parties, and all that they own or control, directly or through others."""
    visited = set(heads)
    frontier = set(heads)
    while frontier and len(visited) < MOST_OWNED:
        held: set[int] = set()
        for chunk in _chunks(sorted(frontier)):
            links = list(_links(chunk).values_list("pk", flat=True))
            for holders in _chunks(links):
                rows = PartyRelation.objects.filter(
                    holder__in=holders, kind__in=_OWNING, replaced_at=None
                )
                parties = rows.values_list("held__party__head", "held__party")
                held |= {head or party for head, party in parties}
        frontier = held - visited
        visited |= frontier
    return visited


def _links(heads: Collection[int]) -> QuerySet[CaseParty]:
    return CaseParty.objects.filter(party__in=visibility.joined_with(heads))


def _heads(links: QuerySet[CaseParty]) -> set[int]:
    return {head or party for head, party in links.values_list("party__head", "party")}


def _chunks(keys: Sequence[int]) -> Iterator[list[int]]:
    rest = iter(keys)
    while chunk := list(islice(rest, CHUNK)):
        yield chunk
