"""The list of parties: all that a person may see, or those of a kind, or of a whole name or number.

A page costs the same however many parties there are. The parties that are joined with others are
few, since people have joined them, so they are asked for in a question of their own: a condition of
both makes PostgreSQL read all links that there are.
"""

from __future__ import annotations

from django.db.models import Exists, OuterRef

from compliance.db import masks
from papers import countries
from reviews.models import Party, PartyStatement
from reviews.parties import identity, labels, visibility
from reviews.parties.visibility import Person

LONGEST = 400
# What the database can hold as a number.
GREATEST = 2**63 - 1


def search(
    user: Person,
    *,
    most: int,
    before: int | None = None,
    query: str = "",
    kind: str = "",
) -> list[Party]:
    """Up to `most` heads of the parties of cases that the user may see, the newest first; `before`:
    those with a smaller number."""
    # A user from whom names are hidden must not find out by a search who a party is.
    if query and masks.is_hidden():
        return []
    heads = Party.objects.filter(head=None)
    if kind in Party.Kind.values:
        heads = heads.filter(kind=kind)
    if before is not None:
        heads = heads.filter(pk__lt=min(before, GREATEST))
    heads = heads.order_by("-pk")
    if query:
        stating = _stating(user, query[:LONGEST])
        return list(heads.filter(pk__in=stating)[:most])
    links = visibility.all_links(user)
    is_linked = Exists(links.filter(party=OuterRef("pk")))
    rows = {party.pk: party for party in heads.filter(is_linked)[:most]}
    joined = Party.objects.exclude(head=None).filter(is_linked)
    for party in heads.filter(pk__in=joined.values("head"))[:most]:
        rows[party.pk] = party
    newest_first = sorted(rows.values(), key=_number_of, reverse=True)
    return newest_first[:most]


def _number_of(party: Party) -> int:
    return party.pk


def _stating(user: Person, query: str) -> set[int]:
    """The heads of the parties of which a visible case states this whole name or number.

    In steps, each by an index: of one question PostgreSQL reads all parties, newest first, until it
    has enough that state it, and there may be one.
    """
    rows = PartyStatement.objects.filter(digest__in=_digests(query))
    # The index holds no empty ones. Of more than a hundred values PostgreSQL does not see that none is.
    rows = rows.exclude(digest="").order_by()
    stating = set(rows.values_list("case_party", flat=True))
    links = visibility.all_links(user).filter(pk__in=stating)
    heads = set()
    for head, party in links.values_list("party__head", "party"):
        heads.add(head or party)
    return heads


def _digests(query: str) -> set[str]:
    """The hashes of a name or number. Names and numbers are encrypted: only these can be searched.
    Any country may have issued it; to ask the statements for theirs would read all of them."""
    digests = {identity.digest("name", "name", query)}
    issuers = ("", *countries.NAMES)
    for label in sorted(set(labels.IDENTIFIERS.values()) | labels.STRONG):
        digests |= identity.digests_of_number(query, label, issuers)
    return digests - {""}
