"""Endpoints for parties: who is behind customers, ownership, relations that users add, and
look-ups.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal
from fractions import Fraction

from django.contrib.auth.models import User
from django.http import Http404
from rest_framework.request import Request
from rest_framework.response import Response

from compliance.http.api.errors import Problem
from compliance.http.api.operations import operation
from reviews.api import paging
from reviews.api.base import DeskView
from reviews.api.parts import searches
from reviews.api.parts.common import LIMIT
from reviews.findings import look_ups
from reviews.models import (
    Case,
    CaseParty,
    LookUp,
    Party,
    PartyRelation,
    RiskBand,
    Scope,
)
from reviews.parties import (
    profile,
    relations,
    search,
    shares,
    structure,
    visibility,
)
from reviews.parties.profile import Line, Profile
from reviews.parties.sanctioned import listed
from reviews.parties.structure import Structure
from reviews.wire import JsonObject


class Parties(DeskView):
    @operation(
        "The parties of the cases that you may see", Scope.READ, answer="Parties", query=searches.PARTIES,
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        return Response(_parties_page(self.params, self.actor))


class PartySearch(DeskView):
    """Search by POST: a name must not appear in an address."""

    is_reading = True

    @operation(
        "Finds parties by a whole name or number", Scope.READ, answer="Parties",
        body="PartySearch",
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        return Response(_parties_page(self.body, self.actor))


def _parties_page(params: JsonObject, actor: User) -> JsonObject:
    query = params.get("q", "")
    kind = params.get("kind", "")
    before = paging.number_in(params)
    limit = params.get("limit", LIMIT)
    # One more than fits shows whether more follow.
    rows = search.search(actor, query=query, kind=kind, before=before, most=limit + 1)
    page = rows[:limit]
    links = visibility.newest_links(actor, [row.pk for row in page])
    names = profile.names_in(links)
    cases = _cases_of(links)
    items = []
    for row in page:
        items.append(
            {
                "id": row.pk,
                "kind": row.kind,
                "name": names.get(row.pk, ""),
                "cases": cases.get(row.pk, []),
            }
        )
    if len(rows) > limit:
        next_cursor = paging.cursor_behind(page[-1])
    else:
        next_cursor = None
    return {"items": items, "next_cursor": next_cursor}


class OneParty(DeskView):
    @operation(
        "Who a party is, who owns it, and how great its risk is", Scope.READ, answer="Party",
        errors=(404,),
    )  # fmt: skip
    def get(self, request: Request, pk: int) -> Response:
        head = visibility.party(self.actor, pk)
        return Response(_party(self.actor, head))


class Relations(DeskView):
    @operation(
        "Records in a case that somebody has a relation to this party", Scope.DECIDE, status=201,
        answer="Relation", body="NewRelation", errors=(404, 409),
        description="`holder_id` names a party that there is; else a new one of `name` and "
        "`holder_kind` is made. The case is one of the party.",
    )  # fmt: skip
    def post(self, request: Request, pk: int) -> Response:
        head = visibility.party(self.actor, pk)
        body = self.body
        holder_id = body.get("holder_id")
        if holder_id:
            holder = visibility.party(self.actor, holder_id)
        else:
            holder = None
        try:
            row = relations.add(
                self._case(head, body["case_id"]),
                actor=self.actor,
                held=head,
                kind=body["kind"],
                holder=holder,
                name=body.get("name", ""),
                holder_kind=body.get("holder_kind", Party.Kind.PERSON),
                share=_share(body, "share"),
                votes=_share(body, "votes"),
                since=_day(body.get("since")),
                until=_day(body.get("until")),
                detail=body.get("detail", ""),
                source=body.get("source", "analyst"),
            )
        except relations.RelationError as exc:
            raise Problem(409, str(exc), code="not_now") from exc
        rows = PartyRelation.objects.select_related(*_RELATED)
        row = rows.get(pk=row.pk)
        heads = {_head(row.holder).pk, _head(row.held).pk}
        names = profile.names_of(self.actor, heads)
        return Response(_relation(row, names), status=201)

    def _case(self, head: Party, pk: int) -> Case:
        links = visibility.links(self.actor, [head.pk]).filter(case=pk)
        if not links.exists():
            raise Http404
        return self.case(pk)


class LookUps(DeskView):
    @operation(
        "Looks a name, a part of one, or a number up in the lists of a service", Scope.DECIDE,
        status=201, answer="LookUp", body="NewLookUp", errors=(404, 409),
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        body = self.body
        if "case_id" in body:
            case = self.case(body["case_id"])
        else:
            case = None
        connection = case.connection if case else None
        connection = connection or look_ups.connections(self.actor).first()
        if connection is None:
            raise Problem(409, "There is no service to ask.", code="not_now")
        day = _day(body.get("date_of_birth"))
        try:
            row = look_ups.look_up(
                connection,
                actor=self.actor,
                name=body["name"],
                date_of_birth=day.isoformat() if day else "",
                lists=body.get("lists", ()),
                case=case,
            )
        except look_ups.LookUpError as exc:
            raise Problem(409, str(exc), code="not_now") from exc
        return Response(_look_up(row), status=201)


class OneLookUp(DeskView):
    @operation(
        "What was looked up, by whom, and what the lists held", Scope.READ, answer="LookUp",
        errors=(404,),
    )  # fmt: skip
    def get(self, request: Request, pk: int) -> Response:
        rows = look_ups.visible(self.actor).select_related("by", "case")
        row = rows.filter(pk=pk).first()
        if row is None:
            raise Http404
        return Response(_look_up(row))


def _look_up(row: LookUp) -> JsonObject:
    return {
        "id": row.pk,
        "case_id": row.case_id,
        "by": row.by.get_username(),
        "at": row.at,
        "query": row.query,
        "hits": row.hit_count,
        "answer": row.answer,
    }


_RELATED = ("holder__party__head", "held__party__head", "holder__case", "by")


def _cases_of(links: Iterable[CaseParty]) -> dict[int, list[int]]:
    """The cases of each party, by the number of its head."""
    cases: dict[int, list[int]] = {}
    for link in links:
        own = cases.setdefault(link.party.head_id_or_own, [])
        if link.case_id not in own:
            own.append(link.case_id)
    return cases


def _party(user: User, head: Party) -> JsonObject:
    read = profile.read(user, head)
    around = structure.around(user, head)
    names = profile.names_of(user, around.parties)
    subjects = []
    for link in read.links:
        if link.role == CaseParty.Role.SUBJECT:
            subjects.append(link.case)
    days = []
    for case in subjects:
        if case.review_on:
            days.append(case.review_on)
    # Bands are numbered so that the smallest value is the highest risk.
    bands = [case.risk_band for case in subjects]
    band = RiskBand(min(bands, default=RiskBand.NONE))
    return {
        "id": head.pk,
        "kind": head.kind,
        "name": read.name,
        "names": [_line(line) for line in read.names],
        "identifiers": [_line(line) for line in read.identifiers],
        "facts": [_line(line) for line in read.facts],
        "cases": [_link(link) for link in read.links],
        "risk_band": band.word,
        "review_on": min(days, default=None),
        "is_listed": _listed(read),
        "relations": [
            _relation(row, names) for edge in around.edges for row in edge.rows
        ],
        "owners": _owners(head, around, names),
        "is_whole": around.is_whole,
    }


def _line(line: Line) -> JsonObject:
    return {
        "label": line.label,
        "value": line.value,
        "issuer": line.issuer,
        "cases": [case.pk for case in line.cases],
        "is_replaced": line.is_replaced,
    }


def _link(link: CaseParty) -> JsonObject:
    return {
        "case_id": link.case_id,
        "role": link.role,
        "risk_band": RiskBand(link.case.risk_band).word,
        "review_on": link.case.review_on,
    }


def _listed(read: Profile) -> str:
    names = profile.names_by_link(profile.stated_names(read.links))
    hits = listed.hits(read.links, names).get(read.head.pk, [])
    # Dismissed hits do not count.
    against = [hit for hit in hits if hit.is_open]
    if any(hit.is_strong or hit.is_confirmed for hit in against):
        return "yes"
    return "perhaps" if against else "no"


def _owners(
    head: Party, around: Structure, names: Mapping[int, str]
) -> list[JsonObject]:
    # A person has no owners.
    if head.kind not in (Party.Kind.COMPANY, Party.Kind.TRUST, Party.Kind.UNKNOWN):
        return []
    owners: list[JsonObject] = []
    for owner in around.ownership().owners:
        owners.append(
            {
                "party_id": owner.party,
                "name": names.get(owner.party, ""),
                "share_min": _percent(owner.share.low),
                "share_max": _percent(owner.share.high),
                "reasons": [
                    reason.name.lower() for reason in (*owner.certain, *owner.possible)
                ],
                "is_certain": owner.is_certain,
            }
        )
    return owners


def _percent(share: Fraction) -> str:
    # Six decimals are enough for any share, and hide rounding errors of floats.
    return str(round(float(share) * 100, 6))


def _relation(row: PartyRelation, names: Mapping[int, str]) -> JsonObject:
    holder, held = _head(row.holder), _head(row.held)
    return {
        "id": row.pk,
        "case_id": row.holder.case_id,
        "kind": row.kind,
        "holder_id": holder.pk,
        "holder": names.get(holder.pk, ""),
        "held_id": held.pk,
        "held": names.get(held.pk, ""),
        "share_min": _decimal(row.share_min),
        "share_max": _decimal(row.share_max),
        "votes_min": _decimal(row.votes_min),
        "votes_max": _decimal(row.votes_max),
        "since": row.since,
        "until": row.until,
        "detail": row.detail,
        "source": row.source,
        "by": row.by.get_username() if row.by else "",
    }


def _head(link: CaseParty) -> Party:
    return link.party.head or link.party


def _decimal(value: Decimal | None) -> str | None:
    if value is None:
        return None
    return str(value)


def _share(body: JsonObject, name: str) -> shares.Share | None:
    text = str(body.get(name, ""))
    share = shares.read(text)
    if text.strip() and share is None:
        words = "Enter a share from 0 to 100 %, such as 25 or 25-50 %, or none."
        fault = {"pointer": f"#/{name}", "detail": words}
        raise Problem(422, f"{name}: {words}", faults=[fault])
    return share


def _day(text: str | None) -> date | None:
    if text:
        return date.fromisoformat(text)
    return None
