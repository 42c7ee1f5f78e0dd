"""The parties of a case beside its subject, as a report of suspicious activity names them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from ownership import shares
from ownership.shares import Interval
from reviews.models import Case
from reviews.models.parties import CaseParty, Party, PartyRelation, PartyStatement
from reviews.parties import relations

# Who owns, controls, directs or signs. Relatives and associates took no part in what is reported.
KINDS = (
    PartyRelation.Kind.OWNER,
    PartyRelation.Kind.CONTROLLER,
    PartyRelation.Kind.DIRECTOR,
    PartyRelation.Kind.SIGNATORY,
)
_BY_NAME = "name"


@dataclass
class Related:
    """A party that the case names. `values`: what the case states of it, by label."""

    is_person: bool
    reasons: list[str] = field(default_factory=list)
    values: dict[str, list[str]] = field(default_factory=dict)
    # The countries that issued the numbers, by label.
    issuers: dict[str, str] = field(default_factory=dict)

    def first(self, label: str) -> str:
        return next(iter(self.values.get(label, [])), "")

    @property
    def name(self) -> str:
        return self.first(_BY_NAME) or self.first("registered_name")


def parties(case: Case) -> list[Related]:
    """Owners, controllers, directors and signatories, of the subject and of its owners."""
    links = {link.pk: link for link in _links(case)}
    results = {pk: Related(_is_person(link)) for pk, link in links.items()}
    statements = PartyStatement.objects.filter(
        case_party__in=links,
        replaced_at=None,
    )
    for statement in statements:
        result = results[statement.case_party_id]
        values = result.values.setdefault(statement.label, [])
        values.append(statement.value)
        result.issuers.setdefault(statement.label, statement.issuer)
    for relation in _relations(links):
        holder = results[relation.holder_id]
        held = results[relation.held_id]
        holder.reasons.append(_reason(relation, held))
    related = []
    for result in results.values():
        if result.reasons and result.name:
            related.append(result)
    return related


def _links(case: Case) -> Iterable[CaseParty]:
    return case.case_parties.select_related("party", "party__head")


def _is_person(link: CaseParty) -> bool:
    party = link.party.head or link.party
    return party.kind == Party.Kind.PERSON


def _relations(links: Iterable[int]) -> list[PartyRelation]:
    rows = PartyRelation.objects.filter(
        holder__in=links, held__in=links, kind__in=KINDS, replaced_at=None
    )
    return [row for row in rows if relations.is_current(row)]


def _reason(relation: PartyRelation, held: Related) -> str:
    words = f"{relation.get_kind_display()} of {held.name}"
    if relation.share_min is not None and relation.share_max is not None:
        low = Fraction(relation.share_min) / 100
        high = Fraction(relation.share_max) / 100
        return f"{words}, {shares.words(Interval(low, high))}"
    return words
