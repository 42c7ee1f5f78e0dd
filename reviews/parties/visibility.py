"""Which parties a person may see: those of visible cases, with what these cases state.

Parties are searched by kind, and by a whole name or number.
"""

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
MOST_ISSUERS = 300  # countries that are tried as issuer of a searched number


def links(user: Person, parties: Collection[int]) -> QuerySet[CaseParty]:
    """The links of these parties, and of those merged with them, to cases that the user may
    see.
    """
    return all_links(user).filter(party__in=joined_with(parties))


def joined_with(parties: Collection[int]) -> QuerySet[Party]:
    """These parties, and those merged with them.

    Use the result with `__in`. With a condition on the party of a link or its head, PostgreSQL
    would read all links.
    """
    return Party.objects.filter(Q(pk__in=parties) | Q(head__in=parties))


def all_links(user: Person) -> QuerySet[CaseParty]:
    """The links to cases that the user may see."""
    rows = CaseParty.objects.filter(case__erased_at=None)
    return roles.only_visible(user, rows, "case__connection")


def relations(user: Person) -> QuerySet[PartyRelation]:
    """The relations that visible cases state now."""
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
    """The primary key of the head of the subject of a case; None without a recorded subject."""
    rows = CaseParty.objects.filter(case=case, place="subject", case__erased_at=None)
    row = rows.values_list("party__head", "party").first()
    if row is None:
        return None
    return row[0] or row[1]


def search(user: Person, *, query: str = "", kind: str = "") -> QuerySet[Party]:
    """The heads of the visible parties that match. Parties without a match are left out."""
    # A user from whom names are hidden must not find out by a search who a party is.
    if query and masks.is_hidden():
        return Party.objects.none()
    links = all_links(user)
    if query:
        rows = Party.objects.filter(pk__in=_heads_of(links, query[:LONGEST]))
    else:
        # Two EXISTS conditions: a single one with OR would first join all links with all
        # parties.
        is_linked = Exists(links.filter(party=OuterRef("pk")))
        has_linked = Exists(links.filter(party__head=OuterRef("pk")))
        rows = Party.objects.filter(is_linked | has_linked, head=None)
    if kind in Party.Kind.values:
        return rows.filter(kind=kind)
    return rows


def _heads_of(links: QuerySet[CaseParty], query: str) -> set[int]:
    """The heads of the parties for which these links state the whole name or number."""
    stating = links.filter(pk__in=_statements(query).values("case_party"))
    heads = set()
    for head, party in stating.values_list("party__head", "party"):
        heads.add(head or party)
    return heads


def _statements(query: str) -> QuerySet[PartyStatement]:
    """The statements of a whole name or number.

    Values are encrypted, so only their digests can be searched. The label and the issuer are
    part of a digest: all combinations are tried.
    """
    digests = {identity.digest("name", "name", query)}
    issuers = ["", *sorted(_issuers())]
    for label in sorted(set(labels.IDENTIFIERS.values()) | labels.STRONG):
        for issuer in issuers:
            digests.add(identity.digest("identifier", label, query, issuer))
    return PartyStatement.objects.filter(digest__in=digests - {""})


def _issuers() -> set[str]:
    used = PartyStatement.objects.exclude(issuer="").values_list("issuer", flat=True)
    return set(used.distinct().order_by()[:MOST_ISSUERS])
