"""Relations that people add to a case or end. Relations from attested data are not changed."""

from __future__ import annotations

from datetime import date

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Model, Q
from django.utils.timezone import now
from django.utils.translation import gettext as _

from reviews.access import roles
from reviews.audit import trail
from reviews.models import Case, CaseParty, Party, PartyRelation, PartyStatement
from reviews.models.parties import Source
from reviews.parties import identity, visibility
from reviews.parties.shares import Share


class RelationError(ValueError):
    """The relation was not recorded. The text says why."""


@transaction.atomic
def add(
    case: Case,
    *,
    actor: User,
    held: Party,
    kind: str,
    holder: Party | None = None,
    name: str = "",
    holder_kind: str = Party.Kind.PERSON,
    share: Share | None = None,
    votes: Share | None = None,
    since: date | None = None,
    until: date | None = None,
    detail: str = "",
    source: str = Source.ANALYST,
) -> PartyRelation:
    """Record in a case that `holder` has a relation to `held`.

    Without a `holder`, a new party is created with `name` and `holder_kind`. Raises
    RelationError and PermissionDenied.
    """
    roles.require(actor, roles.PARTIES, case)
    case = Case.objects.select_for_update().get(pk=case.pk)
    check(
        held,
        kind=kind,
        holder=holder,
        since=since,
        until=until,
    )
    # All new rows are collected, so that the line of the trail binds them.
    rows: list[Model] = []
    held_link = link_to(case, held, CaseParty.Role.OWNED, rows)
    if holder is None:
        holder = _new_party(name, holder_kind, rows)
        holder_link = link_to(case, holder, _role(kind), rows)
        _state_name(holder_link, name, actor, source, rows)
    else:
        holder_link = link_to(case, holder, _role(kind), rows)
    if holder_link.party.head_id_or_own == held_link.party.head_id_or_own:
        raise RelationError(_("Both are the same party."))
    relation = PartyRelation.objects.create(
        holder=holder_link,
        held=held_link,
        kind=kind,
        share_min=share.low if share else None,
        share_max=share.high if share else None,
        votes_min=votes.low if votes else None,
        votes_max=votes.high if votes else None,
        detail=detail.strip()[:400],
        since=since,
        until=until,
        source=source,
        by=actor,
    )
    data = {"relation": relation.pk, "kinds": [kind]}
    trail.record(case, "relation_added", data, user=actor, about=[relation, *rows])
    return relation


def check(
    held: Party,
    *,
    kind: str,
    holder: Party | None,
    since: date | None,
    until: date | None,
) -> None:
    """Raise RelationError if such a relation is impossible."""
    if kind not in PartyRelation.Kind.values:
        raise RelationError(_("There is no such relation."))
    if since and until and until < since:
        raise RelationError(_("It ends before it begins."))
    if held.kind == Party.Kind.PERSON and kind in _OF_BUSINESSES:
        raise RelationError(_("Nobody owns, controls or directs a person."))
    if holder and holder.head_id_or_own == held.head_id_or_own:
        raise RelationError(_("Both are the same party."))


_OF_BUSINESSES = (
    PartyRelation.Kind.OWNER,
    PartyRelation.Kind.CONTROLLER,
    PartyRelation.Kind.DIRECTOR,
    PartyRelation.Kind.SIGNATORY,
)


@transaction.atomic
def end(relation: PartyRelation, *, actor: User, until: date) -> None:
    """Set the last day of a relation, or correct one that has not come yet.

    Raises RelationError and PermissionDenied.
    """
    case = relation.holder.case
    roles.require(actor, roles.PARTIES, case)
    if relation.since and until < relation.since:
        raise RelationError(_("It ends before it begins."))
    goes_on = Q(until=None) | Q(until__gte=now().date())
    standing = PartyRelation.objects.filter(goes_on, pk=relation.pk, replaced_at=None)
    if not standing.update(until=until):
        raise RelationError(_("It has an end already."))
    relation.refresh_from_db()
    data = {"relation": relation.pk, "until": until.isoformat()}
    trail.record(case, "relation_ended", data, user=actor, about=[relation])


def is_current(relation: PartyRelation, day: date | None = None) -> bool:
    """Whether the relation holds on a day; default: today."""
    day = day or now().date()
    if relation.since and relation.since > day:
        return False
    return relation.until is None or relation.until >= day


def _role(kind: str) -> str:
    return str(CaseParty.Role(kind))


def link_to(case: Case, party: Party, role: str, rows: list[Model]) -> CaseParty:
    """The link of the case to the party or to a party merged with it; created if missing."""
    head = party.head_id_or_own
    for link in CaseParty.objects.filter(case=case).select_related("party", "case"):
        if link.party.head_id_or_own == head:
            return link
    link = CaseParty(case=case, party=party, role=role)
    link.place = f"{visibility.ADDED}{CaseParty.objects.filter(case=case).count()}"
    link.save()
    rows.append(link)
    return link


def _new_party(name: str, kind: str, rows: list[Model]) -> Party:
    if not name.strip():
        raise RelationError(_("Choose a party, or enter the name of a new one."))
    if kind not in Party.Kind.values:
        raise RelationError(_("There is no such kind of party."))
    party = Party.objects.create(kind=kind)
    rows.append(party)
    return party


def _state_name(
    link: CaseParty, name: str, actor: User, source: str, rows: list[Model]
) -> None:
    text = " ".join(name.split())[:400]
    row = PartyStatement.objects.create(
        case_party=link,
        kind=PartyStatement.Kind.NAME,
        label="name",
        value=text,
        digest=identity.digest("name", "name", text),
        source=source,
        by=actor,
    )
    rows.append(row)
