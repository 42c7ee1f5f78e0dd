# ruff: noqa: ERA001 - gettext reads comments of its own
"""The context of the page of one party."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from compliance.pages.phrases import filled
from ownership.chains import chains
from ownership.gaps import Gap, Unknown
from ownership.graph import Graph
from ownership.listed import EU, OFAC, RULES, UK
from ownership.owners import Owner, Reason
from reviews.access import roles
from reviews.models import (
    Party,
    PartyMerge,
    PartyRelation,
)
from reviews.pages.parties import risk
from reviews.pages.parties.picture import Link, Node, Picture, draw
from reviews.parties import profile, share_words, structure, visibility
from reviews.parties.merges import duplicates, interim, separating
from reviews.parties.merges.interim import Unplaced
from reviews.parties.sanctioned import listed
from reviews.parties.sanctioned.listed import ListHit
from reviews.parties.structure import Edge, Structure

REASONS = {
    Reason.OWNERSHIP: gettext_lazy("owns at least a quarter over all chains"),
    Reason.CONTROL: gettext_lazy(
        "controls it: a majority at each level, or by other means"
    ),
    Reason.CONTROLLED_OWNERS: gettext_lazy(
        "controls owners who hold at least a quarter together"
    ),
    Reason.OWNS_CONTROLLER: gettext_lazy(
        "owns at least a quarter of a company that controls it"
    ),
}
GAPS = {
    Gap.NO_OWNER: gettext_lazy("no owner is named"),
    Gap.PART: gettext_lazy("owners are named for a part only"),
    Gap.SHARE: gettext_lazy("a share is not known exactly"),
    Gap.CYCLE: gettext_lazy(
        "its owners own each other, and nobody outside of them is named"
    ),
    Gap.OVERSTATED: filled(
        gettext_lazy("more than %(share)s is stated"), share="100 %"
    ),
}
GAP_OF_NOMINEE = gettext_lazy("a nominee holds for somebody who is not named")
MOST_SHOWN = 60
MOST_CHAINS = 5


@dataclass(frozen=True)
class Named:
    """A party with its name and its hits on lists."""

    party: int
    name: str
    kind: str
    hits: Sequence[ListHit] = ()

    @property
    def tone(self) -> str:
        """ "fail" for a party on a sanctions list, "warn" for one that may be on it, ""
        otherwise.
        """
        open_hits = [hit for hit in self.hits if hit.is_open]
        if any(hit.is_strong or hit.is_confirmed for hit in open_hits):
            return "fail"
        return "warn" if open_hits else ""


@dataclass(frozen=True)
class OwnerLine:
    who: Named
    share: str
    reasons: Sequence[str]
    is_certain: bool
    # The names of each chain, from the owner on, and its share.
    chains: Sequence[tuple[Sequence[str], str]]


@dataclass(frozen=True)
class RelationLine:
    """A row of the table that has the same content as the picture."""

    holder: Named
    held: Named
    kind: str
    share: str
    votes: str
    rows: Sequence[PartyRelation]


@dataclass(frozen=True)
class StatementLine:
    """A relation that does not count now, with the names of its parties."""

    row: PartyRelation
    holder: str
    held: str


def context(user: User, head: Party) -> dict[str, object]:
    # The profile is about the party itself; the structure adds all parties around it.
    read = profile.read(user, head)
    around = structure.around(user, head)
    # Names and hits of all parties come from the same links and names.
    links = visibility.newest_links(user, list(around.parties))
    stated = profile.stated_names(links)
    names = profile.newest_names(links, stated)
    hits = listed.hits(links, profile.names_by_link(stated), center=head.pk)
    party_by_pk = {}
    for key, party in around.parties.items():
        name = names.get(key, _("Party %(number)d") % {"number": key})
        party_by_pk[key] = Named(key, name, party.get_kind_display(), hits.get(key, ()))
    _add_nominees(around, party_by_pk)
    # Computed from the relations that the user may see.
    ownership = around.ownership()
    graph = around.graph()
    relation_lines = []
    for edge in around.edges:
        relation_lines.append(_relation_line(edge, party_by_pk))
    may_change = user.has_perm(roles.PARTIES)
    between = interim.between(user, head)
    # Merges that still hold are shown apart from those that were undone.
    own_merges = []
    for merge in read.merges:
        if merge.undone_at is None:
            own_merges.append(merge)
    return {
        "nav": "parties",
        "party": head,
        "profile": read,
        "who": party_by_pk[head.pk],
        **risk.context(user, read),
        "picture": _picture(head.pk, party_by_pk, around.edges),
        "relations": relation_lines,
        "earlier": _statements(around.earlier, party_by_pk),
        "later": _statements(around.later, party_by_pk),
        "is_whole": around.is_whole,
        "ownership": ownership,
        "owners": [
            _owner_line(owner, graph, party_by_pk, head.pk)
            for owner in ownership.owners
        ],
        "holders": [
            _owner_line(owner, graph, party_by_pk, head.pk)
            for owner in ownership.holders
        ],
        "gaps": [
            (party_by_pk[gap.business], _gap(gap), share_words.percent(gap.share))
            for gap in ownership.unknown
            if gap.business in party_by_pk
        ],
        "unattributed": share_words.percent(ownership.unattributed),
        "managers": [
            party_by_pk[key] for key in around.managers() if key in party_by_pk
        ],
        "is_owned": head.kind
        in (Party.Kind.COMPANY, Party.Kind.TRUST, Party.Kind.UNKNOWN),
        "blocks": _blocks(around, party_by_pk),
        "duplicates": duplicates.duplicates(user, read),
        "merges": own_merges,
        "separations": separating.of_links(read.links),
        "separable": separating.separable(read.links) if may_change else (),
        "between": between,
        "unplaced": _unplaced(user, between.relations),
        "cases_unread": listed.cases_unread(links, center=head.pk),
        "undone": [merge for merge in read.merges if merge.undone_at],
        "may_change": may_change,
        "kinds": PartyRelation.Kind.choices,
        "party_kinds": Party.Kind.choices,
    }


def _statements(
    rows: Sequence[PartyRelation], party_by_pk: Mapping[int, Named]
) -> list[StatementLine]:
    lines = []
    for row in rows[:MOST_SHOWN]:
        names = []
        for link in (row.holder, row.held):
            who = party_by_pk.get(link.party.head_id_or_own)
            names.append(who.name if who else "")
        lines.append(StatementLine(row, *names))
    return lines


def _add_nominees(around: Structure, party_by_pk: dict[int, Named]) -> None:
    """Add the unknown owner behind each nominee. Its key is the nominee's number, negated."""
    for edge in around.edges:
        if edge.is_nominee and edge.holder in party_by_pk:
            nominee = party_by_pk[edge.holder]
            words = _("whoever %(nominee)s holds for") % {"nominee": nominee.name}
            party_by_pk[-edge.holder] = Named(edge.holder, words, nominee.kind)


def _gap(gap: Unknown) -> str:
    if gap.business < 0:
        return str(GAP_OF_NOMINEE)
    return str(GAPS[gap.gap])


@dataclass(frozen=True)
class UnplacedLine:
    """A relation to place, with the names of its parties and of those that it may be about."""

    relation: PartyRelation
    merge: PartyMerge
    holder: str
    held: str
    choices: Sequence[tuple[int, str, bool]]


def _unplaced(user: User, items: Sequence[Unplaced]) -> list[UnplacedLine]:
    heads: set[int] = set()
    for item in items:
        row = item.relation
        heads.update(item.parties)
        heads |= {row.holder.party.head_id_or_own, row.held.party.head_id_or_own}
    names = profile.names_of(user, heads)
    lines = []
    for item in items:
        row = item.relation
        choices = []
        # A party that only cases of another team state is no choice.
        for key in item.parties:
            if key in names:
                choices.append((key, names[key], key == item.party))
        holder = names.get(row.holder.party.head_id_or_own, "")
        held = names.get(row.held.party.head_id_or_own, "")
        lines.append(UnplacedLine(row, item.merge, holder, held, choices))
    return lines


# Tone of a party → text in its box.
STATES = {
    "fail": gettext_lazy("on a sanctions list"),
    "warn": gettext_lazy("perhaps on a list"),
}


def _picture(
    center: int, party_by_pk: Mapping[int, Named], edges: Iterable[Edge]
) -> Picture:
    nodes = {}
    for key, who in party_by_pk.items():
        # The unknown owner behind a nominee has no box of its own.
        if key < 0:
            continue
        # A hit is part of the text as well as of the colour, for users who cannot see colours.
        state = STATES.get(who.tone)
        if state:
            subtitle = f"{who.kind}, {state}"
        else:
            subtitle = who.kind
        nodes[key] = Node(who.name, subtitle, who.tone)
    # Several relations between the same two parties share one line, with joined labels.
    links: dict[tuple[int, int], Link] = {}
    for edge in edges:
        is_owner = edge.kind == PartyRelation.Kind.OWNER
        if is_owner:
            label = _share(edge)
        else:
            label = edge.rows[0].get_kind_display()
        pair = (edge.holder, edge.held)
        if pair in links:
            earlier = links[pair]
            label = f"{earlier.label}, {label.lower()}"
            is_owner = is_owner or earlier.is_owner
        links[pair] = Link(edge.holder, edge.held, label, is_owner)
    return draw(center, nodes, links.values())


def _share(edge: Edge) -> str:
    if edge.share:
        return share_words.words(edge.share)
    return _("share not known")


def _relation_line(edge: Edge, party_by_pk: Mapping[int, Named]) -> RelationLine:
    # Only an owner has a share.
    is_owner = edge.kind == PartyRelation.Kind.OWNER
    votes = edge.votes
    return RelationLine(
        holder=party_by_pk[edge.holder],
        held=party_by_pk[edge.held],
        kind=edge.rows[0].get_kind_display(),
        share=_share(edge) if is_owner else "",
        votes=share_words.words(votes) if votes else "",
        rows=edge.rows,
    )


def _owner_line(
    owner: Owner, graph: Graph, party_by_pk: Mapping[int, Named], target: int
) -> OwnerLine:
    certain = []
    for reason in owner.certain:
        certain.append(str(REASONS[reason]))
    possible = []
    for reason in owner.possible:
        possible.append(_("perhaps %(reason)s") % {"reason": REASONS[reason]})
    # The largest chains explain the computed share.
    ways = chains(graph, owner.party, target)
    shown = []
    for chain in ways.chains[:MOST_CHAINS]:
        names = [party_by_pk[key].name for key in chain.parties]
        shown.append((names, share_words.words(chain.share)))
    return OwnerLine(
        who=party_by_pk[owner.party],
        share=share_words.words(owner.share),
        reasons=[*certain, *possible],
        is_certain=owner.is_certain,
        chains=shown,
    )


class Block(NamedTuple):
    """The result of one rule on sanctioned owners for the party."""

    rule: str
    state: str
    tone: str
    holders: Sequence[Named]
    together: str  # the combined share as text


RULE_NAMES = {
    # xgettext:no-python-format
    OFAC.name: gettext_lazy("OFAC 50 % rule"),
    # xgettext:no-python-format
    EU.name: gettext_lazy("EU, more than 50 % or control"),
    # xgettext:no-python-format
    UK.name: gettext_lazy("UK, more than 50 % or control"),
}


def _blocks(around: Structure, party_by_pk: Mapping[int, Named]) -> list[Block]:
    """The result of each rule. Empty if no other party in the structure may be on a sanctions
    list.
    """
    # The rules are about the owners of the party. That it is on a list itself is another matter.
    others = {key: who.tone for key, who in party_by_pk.items()}
    others.pop(around.center, None)
    certain = {key for key, tone in others.items() if tone == "fail"}
    possible = certain | {key for key, tone in others.items() if tone == "warn"}
    if not possible:
        return []
    lines = []
    for rule in RULES:
        answer = around.blocked(certain, rule).get(around.center)
        is_certain = answer is not None and answer.is_certain
        # Not certain: check again as if all possible hits were right.
        if answer is None:
            answer = around.blocked(possible, rule).get(around.center)
        holders = []
        together = tone = ""
        if answer is not None:
            for key, _share in answer.owners:
                holders.append(party_by_pk[key])
            together = share_words.words(answer.together)
            if answer.is_by_votes:
                together = _("%(share)s of the votes") % {"share": together}
            tone = "fail" if is_certain else "warn"
        state = _state(is_certain=is_certain, is_possible=answer is not None)
        name = str(RULE_NAMES[rule.name])
        lines.append(Block(name, state, tone, holders, together))
    return lines


def _state(*, is_certain: bool, is_possible: bool) -> str:
    if is_certain:
        return _("Counts as listed")
    if is_possible:
        return _(
            "Counts as listed if the hits are right, or the shares are at their upper ends"
        )
    return _("Does not count as listed by what is known")
