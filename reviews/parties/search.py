"""Lists and searches the parties that a person may see, by kind, whole name or number.

A page costs the same for any number of parties. Merged parties are few, because people merge them,
and have a statement of their own. With one condition for both, PostgreSQL would read all links.
"""

from __future__ import annotations

from operator import attrgetter

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
    """Return up to `most` heads of parties of cases that the user may see, newest first.

    `before`: only parties with a smaller primary key. `query`: only those with this whole name or
    number. `kind`: only those of this kind.
    """
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
    newest_first = sorted(rows.values(), key=attrgetter("pk"), reverse=True)
    return newest_first[:most]


def _stating(user: Person, query: str) -> set[int]:
    """Return the heads of the parties for which a visible case states this whole name or number.

    There are several statements, and each uses an index. For one joined statement PostgreSQL would
    read all parties, newest first, until it has enough matches, and there may be only one.
    """
    rows = PartyStatement.objects.filter(digest__in=_digests(query))
    # The index is partial: it holds no empty digest. With more than a hundred values PostgreSQL does
    # not see by itself that none of them is empty.
    rows = rows.exclude(digest="").order_by()
    stating = set(rows.values_list("case_party", flat=True))
    links = visibility.all_links(user).filter(pk__in=stating)
    heads = set()
    for head, party in links.values_list("party__head", "party"):
        heads.add(head or party)
    return heads


def _digests(query: str) -> set[str]:
    """Return the hashes of a name or number. The values are encrypted, so only hashes can be searched.

    Any country may have issued a number, so there is a hash for each.
    """
    digests = {identity.digest("name", "name", query)}
    issuers = ("", *countries.NAMES)
    for label in sorted(set(labels.IDENTIFIERS.values()) | labels.STRONG):
        digests |= identity.digests_of_number(query, label, issuers)
    return digests - {""}
