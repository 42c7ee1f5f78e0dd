"""Which parties a person may see: those of cases of their teams, and of these only what such cases
state."""

from __future__ import annotations

from collections.abc import Collection

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Q, QuerySet
from django.http import Http404

from reviews.access import roles
from reviews.models import Case, CaseParty, Party, PartyRelation

Person = User | AnonymousUser


def links(user: Person, parties: Collection[int]) -> QuerySet[CaseParty]:
    """The links of these parties, and of those joined with them, to cases that the user may see."""
    of_parties = Q(party__in=parties) | Q(party__head__in=parties)
    return all_links(user).filter(of_parties)


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
    return None if row is None else row[0] or row[1]
