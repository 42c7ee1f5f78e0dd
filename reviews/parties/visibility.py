"""Which parties a person may see: those of cases of their teams, and of these only what such cases
state. They are searched by a kind, and by a whole name or number."""

from __future__ import annotations

from collections.abc import Collection

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404

from compliance.db import masks
from reviews.access import roles
from reviews.models import Case, CaseParty, Party, PartyRelation, PartyStatement
from reviews.parties import identity, labels

Person = User | AnonymousUser
LONGEST = 400
MOST_ISSUERS = 300


def links(user: Person, parties: Collection[int]) -> QuerySet[CaseParty]:
    """The links of these parties, and of those joined with them, to cases that the user may see."""
    return all_links(user).filter(party__in=joined_with(parties))


def joined_with(parties: Collection[int]) -> QuerySet[Party]:
    """These parties, and those joined with them. To be asked `__in`: of a condition on the party of a
    link or its head, PostgreSQL would read all links that there are."""
    return Party.objects.filter(Q(pk__in=parties) | Q(head__in=parties))


def all_links(user: Person) -> QuerySet[CaseParty]:
    """The links to cases that the user may see."""
    rows = CaseParty.objects.filter(case__erased_at=None)
    return roles.only_visible(user, rows, "case__connection")


def relations(user: Person) -> QuerySet[PartyRelation]:
    """The relations that cases which the user may see state now."""
    rows = PartyRelation.objects.filter(holder__case__erased_at=None, replaced_at=None)
    return roles.only_visible(user, rows, "holder__case__connection")


def party(user: Person, pk: int) -> Party:
    """The head of a party that the user may see. Raises Http404."""
    row = Party.objects.select_related("head").filter(pk=pk).first()
    if row is None:
        raise Http404
    head = row.head or row
    if not links(user, [head.pk]).exists():
        raise Http404
    return head


def subject_of(case: Case) -> int | None:
    """The number under which the party that the case is about is shown."""
    rows = CaseParty.objects.filter(case=case, place="subject", case__erased_at=None)
    row = rows.values_list("party__head", "party").first()
    if row is None:
        return None
    return row[0] or row[1]


def search(user: Person, *, query: str = "", kind: str = "") -> QuerySet[Party]:
    """The heads of the parties of cases that the user may see."""
    # Whoever sees no names must not find out by a search whose party it is.
    if query and masks.is_hidden():
        return Party.objects.none()
    links = all_links(user)
    if query:
        rows = Party.objects.filter(pk__in=_heads_of(links, query[:LONGEST]))
    else:
        # Two questions: one of both would join all links with all parties first.
        is_linked = Exists(links.filter(party=OuterRef("pk")))
        has_linked = Exists(links.filter(party__head=OuterRef("pk")))
        rows = Party.objects.filter(is_linked | has_linked, head=None)
    if kind in Party.Kind.values:
        return rows.filter(kind=kind)
    return rows


def _heads_of(links: QuerySet[CaseParty], query: str) -> set[int]:
    """The heads of the parties of which these links state a whole name or number."""
    stating = links.filter(pk__in=_statements(query).values("case_party"))
    heads = set()
    for head, party in stating.values_list("party__head", "party"):
        heads.add(head or party)
    return heads


def _statements(query: str) -> QuerySet[PartyStatement]:
    """The statements of a whole name or number: names are encrypted, and only their hashes can be
    searched."""
    digests = {identity.digest("name", "name", query)}
    issuers = ["", *sorted(_issuers())]
    for label in sorted(set(labels.IDENTIFIERS.values()) | labels.STRONG):
        for issuer in issuers:
            digests.add(identity.digest("identifier", label, query, issuer))
    return PartyStatement.objects.filter(digest__in=digests - {""})


def _issuers() -> set[str]:
    used = PartyStatement.objects.exclude(issuer="").values_list("issuer", flat=True)
    return set(used.distinct().order_by()[:MOST_ISSUERS])
