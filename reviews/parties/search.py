"""Which parties a person sees, narrowed by a kind, and by a whole name or number."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from reviews.models import Party, PartyStatement
from reviews.parties import identity, labels, visibility
from reviews.parties.visibility import Person

LONGEST = 400
MOST_ISSUERS = 300


def parties(user: Person, *, query: str = "", kind: str = "") -> QuerySet[Party]:
    """The heads of the parties of cases that the user may see."""
    links = visibility.all_links(user).filter(
        Q(party=OuterRef("pk")) | Q(party__head=OuterRef("pk"))
    )
    if query:
        links = links.filter(Exists(_statements(query[:LONGEST])))
    rows = Party.objects.filter(Exists(links), head=None)
    return rows.filter(kind=kind) if kind in Party.Kind.values else rows


def _statements(query: str) -> QuerySet[PartyStatement]:
    """The statements of a whole name or number: names are encrypted, and only their hashes can be
    searched."""
    digests = {identity.digest("name", "name", query)}
    issuers = ["", *sorted(_issuers())]
    for label in sorted(set(labels.IDENTIFIERS.values()) | labels.STRONG):
        for issuer in issuers:
            digests.add(identity.digest("identifier", label, query, issuer))
    return PartyStatement.objects.filter(
        case_party=OuterRef("pk"), digest__in=digests - {""}
    )


def _issuers() -> set[str]:
    used = PartyStatement.objects.exclude(issuer="").values_list("issuer", flat=True)
    return set(used.distinct().order_by()[:MOST_ISSUERS])
