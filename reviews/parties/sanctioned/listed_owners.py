"""Whether a party counts as listed because of its owners: the answer that a rating stores."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from ownership.control import of_side, together
from ownership.graph import Graph
from ownership.listed import EU, OFAC, Blocked
from ownership.shares import NOTHING, ONE, Interval
from reviews.findings.review_state import ReviewState
from reviews.models import Party
from reviews.parties import profile, structure, visibility
from reviews.parties.sanctioned import listed
from reviews.parties.sanctioned.listed import ListHit
from reviews.parties.structure import Structure
from reviews.parties.visibility import Person

# Cases whose hits are read for one party. A worker has more time than a page.
MOST_CASES = 60
# The rules that the labels stand for. What the rule of the UK reaches, that of the EU reaches, too.
_RULES = (("blocked", OFAC), ("controlled", EU))


@dataclass(frozen=True)
class Answer:
    """What its owners make of a party.

    - `label`: as in the factor "ownership" of a rating; "" if it is not known
    - `owners`: the direct owners on the listed side, with their shares
    - `together`: their sum
    - `listed`: the parties with hits from which it follows
    - `changes_on`: the next day on which a relation begins, or counts no more
    """

    label: str = ""
    owners: Sequence[tuple[int, Interval]] = ()
    together: Interval = NOTHING
    listed: Sequence[int] = ()
    changes_on: date | None = None


def read(
    viewer: Person, head: Party, states: Mapping[int, ReviewState] | None = None
) -> Answer:
    """The answer from what the viewer sees. `states`: cases that were read before, by their keys."""
    around = structure.above(viewer, head)
    # A hit on the party itself is another reason.
    others = around.parties.keys() - {head.pk}
    if not others:
        return Answer(changes_on=around.changes_on)
    links = visibility.newest_links(viewer, others)
    names = profile.names_by_link(profile.stated_names(links))
    hits = listed.hits(links, names, states=states, most=MOST_CASES)
    confirmed = set()
    suspected = set()
    for key, of_party in hits.items():
        if any(map(_is_match, of_party)):
            confirmed.add(key)
        if any(hit.is_open for hit in of_party):
            suspected.add(key)
    answer = judge(around, confirmed, suspected - confirmed)
    is_clear = answer.label in ("none", "minority")
    is_whole = around.is_whole and not listed.cases_unread(links, MOST_CASES)
    # What was not read may be a listed owner.
    label = "" if is_clear and not is_whole else answer.label
    return Answer(
        label, answer.owners, answer.together, answer.listed, around.changes_on
    )


def _is_match(hit: ListHit) -> bool:
    return hit.is_open and hit.is_confirmed


def judge(
    around: Structure, confirmed: Collection[int], suspected: Collection[int]
) -> Answer:
    """`confirmed`: parties that people matched with a list of sanctions; `suspected`: those with a
    hit that nobody dismissed.
    """
    graph = around.graph(with_nominees=True)
    center = around.center
    above = graph.above(center) - {center}
    if not above:
        # No owner is known.
        return Answer()
    certain = above & set(confirmed)
    possible = certain | (above & set(suspected))
    if not possible:
        return Answer("none")
    # In this order: what is certain, what unknown shares allow, what open hits allow.
    label, answer = _certain(around, certain)
    if answer is None:
        label, answer = "possible", _reached(around, certain)
    if answer:
        return _of(answer, label, certain)
    if certain and center in around.could_be_blocked(certain):
        return _with_unnamed(around, graph, certain)
    if answer := _reached(around, possible):
        return _of(answer, "suspected", possible)
    return _minority(graph, center, possible)


def _certain(around: Structure, side: set[int]) -> tuple[str, Blocked | None]:
    for label, rule in _RULES:
        answer = around.blocked(side, rule).get(around.center)
        if answer and answer.is_certain:
            return label, answer
    return "", None


def _reached(around: Structure, side: set[int]) -> Blocked | None:
    """The answer of the first rule that the upper ends of the shares reach."""
    answers = (around.blocked(side, rule).get(around.center) for _, rule in _RULES)
    return next(filter(None, answers), None)


def _of(answer: Blocked, label: str, listed_parties: set[int]) -> Answer:
    return Answer(label, answer.owners, answer.together, sorted(listed_parties))


def _with_unnamed(around: Structure, graph: Graph, certain: set[int]) -> Answer:
    """The part that no owner is named for may belong to the listed side, too."""
    row = graph.capital.get(around.center, {})
    side = certain | around.could_be_blocked(certain)
    others = {key for key in row if key not in side}
    most = ONE - together(row, others).low
    share = Interval(together(row, certain).low, most)
    return Answer("possible", of_side(row, side), share, sorted(certain))


def _minority(graph: Graph, center: int, side: set[int]) -> Answer:
    row = graph.capital.get(center, {})
    return Answer("minority", of_side(row, side), together(row, side), sorted(side))
