"""The list of parties, the page of one party, and the actions on it."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.dateparse import parse_date
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe

from compliance.http import numbers
from compliance.security import sealed_values
from reviews.access import roles
from reviews.access.decorators import person_of, readers_only
from reviews.models import (
    CaseParty,
    Party,
    PartyMerge,
    PartyRelation,
    RiskBand,
    SecondLook,
)
from reviews.pages.parties.context import context
from reviews.pages.queue.queue_rows import BANDS
from reviews.parties import (
    profile,
    relations,
    search,
    shares,
    visibility,
)
from reviews.parties.merges import interim, merging, separating

PAGE = 50


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def overview(request: HttpRequest) -> HttpResponse:
    user = person_of(request)
    sealed = request.GET.get("sealed", "")
    query = sealed_values.open_sealed(sealed, reader=user.pk).get("q", "")
    kind = request.GET.get("kind", "")
    before = numbers.parse(request.GET.get("before"))
    # One more than fits shows whether more follow.
    rows = search.search(user, query=query, kind=kind, before=before, most=PAGE + 1)
    page_rows = rows[:PAGE]
    page: dict[str, object] = {
        "nav": "parties",
        "rows": _rows(request, page_rows),
        "query": query,
        "sealed": sealed if query else "",
        "kind": kind,
        "kinds": Party.Kind.choices,
        "next": page_rows[-1].pk if len(rows) > PAGE else None,
    }
    return render(request, "reviews/parties.html", page)


@readers_only
@require_POST
def find(request: HttpRequest) -> HttpResponse:
    """Redirect to the list with a search. The words come in a POST and are encrypted in the
    address.
    """
    query = request.POST.get("q", "").strip()[:400]
    params = {"kind": request.POST.get("kind", "")[:40]}
    if query:
        reader = person_of(request).pk
        params["sealed"] = sealed_values.seal({"q": query}, reader=reader)
    address = f"{reverse('parties')}?{urlencode(params)}"
    return HttpResponseRedirect(address, status=HTTPStatus.SEE_OTHER)


def _rows(request: HttpRequest, parties: list[Party]) -> list[dict[str, object]]:
    keys = [party.pk for party in parties]
    newest = visibility.newest_links(person_of(request), keys)
    names = profile.names_in(newest)
    links: dict[int, list[CaseParty]] = {key: [] for key in keys}
    for link in newest:
        links[link.party.head_id_or_own].append(link)
    lines = []
    looks = SecondLook.objects.filter(status__in=SecondLook.WAITING)
    looks = looks.filter(case__in={link.case_id for link in newest})
    of_looks = set(looks.values_list("case", flat=True))
    for party in parties:
        party_links = links[party.pk]
        cases = {link.case_id: link.case for link in party_links}
        # Each role once, in the order of the cases.
        words = dict.fromkeys(link.get_role_display() for link in party_links)
        riskiest = profile.riskiest(party_links)
        lines.append(
            {
                "party": party,
                "name": names.get(
                    party.pk, _("Party %(number)d") % {"number": party.pk}
                ),
                "roles": ", ".join(words),
                "cases": len(cases),
                "may_have_more": len(party_links) == visibility.MOST_LINKS,
                "newest": next(iter(cases.values()), None),
                "band": riskiest and RiskBand(riskiest.risk_band),
                "color": riskiest and BANDS[RiskBand(riskiest.risk_band)],
                # Only an approved case has such a day, and who gives a second look must not know that.
                "review_on": profile.next_review(
                    link for link in party_links if link.case_id not in of_looks
                ),
            }
        )
    return lines


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def detail(request: HttpRequest, pk: int) -> HttpResponse:
    head = visibility.party(person_of(request), pk)
    # A merged party is shown under the number of its head.
    if head.pk != pk:
        return HttpResponseRedirect(reverse("party", args=[head.pk]))
    return _page(request, head)


def _page(request: HttpRequest, head: Party, *, fault: str = "") -> HttpResponse:
    page = context(person_of(request), head)
    page["fault"] = fault
    page["typed"] = request.POST
    status = HTTPStatus.UNPROCESSABLE_ENTITY if fault else HTTPStatus.OK
    return render(request, "reviews/party.html", page, status=status)


@readers_only
@require_POST
def merge(request: HttpRequest, pk: int) -> HttpResponse:
    user = person_of(request)
    roles.require(user, roles.PARTIES)
    head = visibility.party(user, pk)
    try:
        chosen = _number(request.POST.get("other", ""))
        other = visibility.party(user, chosen)
        reason = request.POST.get("reason", "")[:500]
        merging.merge(head, other, actor=user, reason=reason)
    except Http404:
        return _page(request, head, fault=_("There is no such party."))
    except merging.MergeError as exc:
        return _page(request, head, fault=str(exc))
    messages.success(request, _("The parties are merged."))
    # The oldest party becomes the head, and it has the smallest number.
    first = min(head.pk, other.pk)
    return HttpResponseRedirect(reverse("party", args=[first]))


@readers_only
@require_POST
def undo_merge(request: HttpRequest, pk: int) -> HttpResponse:
    user = person_of(request)
    roles.require(user, roles.PARTIES)
    rows = PartyMerge.objects.select_related("first", "second")
    row = get_object_or_404(rows, pk=pk)
    head = visibility.party(user, row.first_id)
    reason = request.POST.get("reason", "")[:500]
    try:
        merging.undo(row, actor=user, reason=reason)
    except merging.MergeError as exc:
        return _page(request, head, fault=str(exc))
    messages.success(request, _("The parties are two again."))
    # After an erasure, one of them may be stated by no case.
    stated = visibility.links(user, [row.first_id]).exists()
    pk = row.first_id if stated else row.second_id
    return HttpResponseRedirect(reverse("party", args=[pk]))


@readers_only
@require_POST
def separate(request: HttpRequest, pk: int) -> HttpResponse:
    """Make the party of a case a party of its own: its number is wrong."""
    user = person_of(request)
    roles.require(user, roles.PARTIES)
    head = visibility.party(user, pk)
    reason = request.POST.get("reason", "")
    try:
        link = _link(user, request.POST.get("link", ""))
        if link.party.head_id_or_own != head.pk:
            raise Http404
        party = separating.separate(link, actor=user, reason=reason)
    except Http404:
        return _page(request, head, fault=_("Choose a case of the party."))
    except merging.MergeError as exc:
        return _page(request, head, fault=str(exc))
    messages.success(request, _("It is a party of its own."))
    return HttpResponseRedirect(reverse("party", args=[party.pk]))


@readers_only
@require_POST
def put_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Undo a separation."""
    user = person_of(request)
    roles.require(user, roles.PARTIES)
    link = _link(user, str(pk))
    head = link.party.head or link.party
    reason = request.POST.get("reason", "")
    try:
        party = separating.put_back(link, actor=user, reason=reason)
    except merging.MergeError as exc:
        return _page(request, head, fault=str(exc))
    messages.success(request, _("It is at its earlier party again."))
    return HttpResponseRedirect(reverse("party", args=[party.head_id_or_own]))


def _link(user: User, number: str) -> CaseParty:
    """A link of a case that the user may see. Raises Http404."""
    links = visibility.all_links(user).select_related("party__head")
    return get_object_or_404(links, pk=_number(number))


@readers_only
@require_POST
def place_relation(request: HttpRequest, pk: int) -> HttpResponse:
    """Say which party a relation is about that came while parties were merged."""
    user = person_of(request)
    roles.require(user, roles.PARTIES)
    row = _relation(user, pk)
    party = row.held.party.head or row.held.party
    try:
        chosen = _number(request.POST.get("party", ""))
        party = visibility.party(user, chosen)
        interim.place(row, party, actor=user)
    except Http404:
        return _page(request, party, fault=_("There is no such party."))
    except relations.RelationError as exc:
        return _page(request, party, fault=str(exc))
    messages.success(request, _("The relation is placed."))
    return HttpResponseRedirect(reverse("party", args=[party.pk]))


def _relation(user: User, pk: int) -> PartyRelation:
    """A relation that the user may see. Raises Http404."""
    related = PartyRelation.objects.select_related(
        "held__party__head", "holder__party__head", "holder__case"
    )
    visible = visibility.relations(user).values("pk")
    return get_object_or_404(related.filter(pk__in=visible), pk=pk)


@readers_only
@require_POST
def add_relation(request: HttpRequest, pk: int) -> HttpResponse:
    """Add a relation of another party to this party, in one of its cases."""
    user = person_of(request)
    roles.require(user, roles.PARTIES)
    head = visibility.party(user, pk)
    sent = request.POST
    try:
        relations.add(
            _case(request, head),
            actor=user,
            held=head,
            kind=sent.get("kind", ""),
            holder=_holder(request),
            name=sent.get("name", "")[:400],
            holder_kind=sent.get("holder_kind", Party.Kind.PERSON),
            share=_share(sent.get("share", "")),
            since=parse_date(sent.get("since", "")),
            detail=sent.get("detail", ""),
        )
    except Http404:
        return _page(request, head, fault=_("There is no such party."))
    except ValueError as exc:
        return _page(request, head, fault=str(exc))
    messages.success(request, _("The relation is recorded."))
    return HttpResponseRedirect(reverse("party", args=[head.pk]))


def _case(request: HttpRequest, head: Party) -> Any:
    """The case that the user chose among those of the party; by default the newest."""
    links = visibility.links(person_of(request), [head.pk]).select_related("case")
    chosen = request.POST.get("case", "")
    if chosen:
        links = links.filter(case=_number(chosen))
    link = links.order_by("-case_id").first()
    if link is None:
        raise relations.RelationError(_("Choose a case of the party."))
    return link.case


def _holder(request: HttpRequest) -> Party | None:
    text = request.POST.get("holder", "").strip()
    if text:
        return visibility.party(person_of(request), _number(text))
    return None


def _share(text: str) -> shares.Share | None:
    share = shares.read(text)
    if text.strip() and share is None:
        sentence = _("Enter a share from 0 to %(most)s, such as %(example)s, or none.")
        words = sentence % {"most": "100 %", "example": "25, 25-50 %, > 50 %"}
        raise relations.RelationError(words)
    return share


@readers_only
@require_POST
def end_relation(request: HttpRequest, pk: int) -> HttpResponse:
    user = person_of(request)
    roles.require(user, roles.PARTIES)
    row = _relation(user, pk)
    head = row.held.party.head or row.held.party
    try:
        until = parse_date(request.POST.get("until", ""))
        if until is None:
            raise relations.RelationError(_("Enter the day until which it held."))
        relations.end(row, actor=user, until=until)
    except ValueError as exc:
        return _page(request, head, fault=str(exc))
    messages.success(request, _("The relation is ended."))
    return HttpResponseRedirect(reverse("party", args=[head.pk]))


def _number(text: str) -> int:
    """The number. Raises Http404."""
    number = numbers.parse(text)
    if number is None:
        raise Http404
    return number
