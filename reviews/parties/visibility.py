"""Which parties a person may see: those of visible cases, with what these cases state."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Window
from django.db.models.functions import Coalesce, RowNumber
from django.http import Http404

from reviews.access import roles
from reviews.models import Case, CaseParty, Party, PartyRelation, PartyStatement

Person = User | AnonymousUser | roles.Audience
# The number of links that a list reads for one party. A bank may own the companies of many cases.
MOST_LINKS = 200
# The beginning of the place of a party that people added to a case.
ADDED = "added/"


def links(user: Person, parties: Collection[int]) -> QuerySet[CaseParty]:
    """The links of these parties, and of those merged with them, to cases that the user may
    see.
    """
    return all_links(user).filter(party__in=joined_with(parties))


def counting(rows: QuerySet[CaseParty]) -> QuerySet[CaseParty]:
    """The links without those that only a relation made which was placed at another party since."""
    relations = PartyRelation.objects.filter(replaced_at=None)
    statements = PartyStatement.objects.filter(case_party=OuterRef("pk"))
    return rows.filter(
        ~Q(place__startswith=ADDED)
        | Exists(relations.filter(holder=OuterRef("pk")))
        | Exists(relations.filter(held=OuterRef("pk")))
        | Exists(statements)
    )


def newest_links(user: Person, heads: Collection[int]) -> list[CaseParty]:
    """Return the links of these parties, and of those merged with them, to cases that the user may see.

    At most MOST_LINKS for each party, the newest first.
    """
    newest_first = Window(
        RowNumber(),
        partition_by=Coalesce("party__head", "party"),
        order_by=[F("case").desc(), F("pk").asc()],
    )
    rows = counting(links(user, heads)).annotate(rank=newest_first)
    rows = rows.filter(rank__lte=MOST_LINKS).select_related("party", "case")
    # The list shows little of a case. Its data are long and encrypted.
    of_case = ("case__reference", "case__risk_band", "case__review_on")
    newest = rows.only("role", "party__kind", "party__head", *of_case)
    return list(newest.order_by("-case_id", "id"))


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


def statements(user: Person) -> QuerySet[PartyStatement]:
    """The statements of cases that the user may see."""
    rows = PartyStatement.objects.filter(case_party__case__erased_at=None)
    return roles.only_visible(user, rows, "case_party__case__connection")


def relations(user: Person) -> QuerySet[PartyRelation]:
    """The relations that visible cases state now."""
    rows = PartyRelation.objects.filter(
        holder__case__erased_at=None,
        replaced_at=None,
    )
    return roles.only_visible(user, rows, "holder__case__connection")


def party(user: Person, pk: int) -> Party:
    """The head of a party that the user may see. Raises Http404."""
    row = Party.objects.select_related("head").filter(pk=pk).first()
    if row is None:
        raise Http404
    head = row.head or row
    if not links(user, [head.pk]).exists():
        raise Http404
    fill_kinds([head])
    return head


def fill_kinds(heads: Iterable[Party]) -> None:
    """Give heads that are "person or company" the kind of a party joined with them, in memory only."""
    unknown = {head.pk: head for head in heads if head.kind == Party.Kind.UNKNOWN}
    if not unknown:
        return
    rows = Party.objects.filter(head__in=unknown).exclude(kind=Party.Kind.UNKNOWN)
    # A merge allows only one kind beside "person or company".
    for head, kind in rows.order_by("-pk").values_list("head", "kind"):
        if head is not None:
            unknown[head].kind = kind


def subject_of(case: Case) -> Party | None:
    """The head of the subject of a case; None without a recorded subject."""
    rows = CaseParty.objects.filter(
        case=case,
        place="subject",
        case__erased_at=None,
    )
    link = rows.select_related("party__head").first()
    if link is None:
        return None
    return link.party.head or link.party
