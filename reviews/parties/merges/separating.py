"""A party of a case is made a party of its own, because the number that joined it with others is wrong.

Equal strong numbers join parties by themselves. A typing error may so give two companies one number.
What the case states goes with it; the case still shows the number as it was stated.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, Model, OuterRef
from django.utils.translation import gettext as _

from reviews.access import roles
from reviews.audit import trail
from reviews.models import Case, CaseEvent, CaseParty, Party, PartyStatement
from reviews.parties import identity
from reviews.parties.merges.merging import MergeError

SEPARATED = "party_separated"
PUT_BACK = "party_put_back"
MOST_LONG = 500  # letters of a reason


@dataclass(frozen=True)
class Separation:
    """A party of a case that a person has made a party of its own, by its newest line."""

    link: CaseParty
    line: CaseEvent

    @property
    def party(self) -> int:
        """The party that it was before."""
        return int(str(self.line.data["before"]))

    @property
    def reason(self) -> str:
        return str(self.line.personal.get("reason", ""))


def separable(links: Iterable[CaseParty]) -> list[CaseParty]:
    """The links whose party has another link, too. Parties that people have merged are parted by
    undoing the merge.
    """
    keys = [link.pk for link in links]
    others = CaseParty.objects.filter(
        party=OuterRef("party"),
        case__erased_at=None,
    )
    others = others.exclude(pk=OuterRef("pk"))
    rows = CaseParty.objects.filter(Exists(others), pk__in=keys)
    shared = set(rows.values_list("pk", flat=True))
    return [link for link in links if link.pk in shared]


def of_links(links: Collection[CaseParty]) -> list[Separation]:
    """The separations in force of these links, the newest first."""
    link_by_pk = {link.pk: link for link in links}
    lines = CaseEvent.objects.filter(
        case__in={link.case_id for link in links}, what__in=(SEPARATED, PUT_BACK)
    )
    newest: dict[int, CaseEvent] = {}
    for line in lines.select_related("user", "case").order_by("-pk"):
        newest.setdefault(int(str(line.data["link"])), line)
    return [
        Separation(link_by_pk[key], line)
        for key, line in newest.items()
        if key in link_by_pk and line.what == SEPARATED
    ]


@transaction.atomic
def separate(link: CaseParty, *, actor: User, reason: str) -> Party:
    """Make the party of this link a new party. Raises MergeError and PermissionDenied."""
    link = _locked(link, actor)
    if not reason.strip():
        raise MergeError(_("Say why they are not the same."))
    if not separable([link]):
        raise MergeError(_("No other case states this party."))
    wrong = _shared_numbers(link)
    old = link.party
    party = Party.objects.create(kind=old.kind)
    for row in wrong:
        # Without it, the number leads nobody to this party.
        row.digest = ""
        row.save(update_fields=["digest"])
    _move(link, party)
    _record(SEPARATED, link, (old, party), actor, reason, [party, link, *wrong])
    return party


@transaction.atomic
def put_back(link: CaseParty, *, actor: User, reason: str) -> Party:
    """Undo a separation. Returns the earlier party. Raises MergeError and PermissionDenied."""
    link = _locked(link, actor)
    if not reason.strip():
        raise MergeError(_("Say why they are the same."))
    separations = of_links([link])
    if not separations:
        raise MergeError(_("It is no party of its own any more."))
    separated = link.party
    party = Party.objects.get(pk=separations[0].party)
    numbers = PartyStatement.objects.filter(
        case_party=link, kind=PartyStatement.Kind.IDENTIFIER, digest=""
    )
    rows = list(numbers.select_related("case_party__case"))
    for row in rows:
        row.digest = identity.digest(row.kind, row.label, row.value, row.issuer)
        row.save(update_fields=["digest"])
    _move(link, party)
    _record(PUT_BACK, link, (separated, party), actor, reason, [link, *rows])
    return party


def _locked(link: CaseParty, actor: User) -> CaseParty:
    case = Case.objects.select_for_update(no_key=True).get(pk=link.case_id)
    roles.require(actor, roles.PARTIES, case)
    if case.erased_at is not None:
        raise MergeError(_("The case is erased."))
    return CaseParty.objects.select_related("party", "case").get(pk=link.pk)


def _shared_numbers(link: CaseParty) -> list[PartyStatement]:
    """The numbers of the link that another link of the same party states, too."""
    others = PartyStatement.objects.filter(case_party__party=link.party_id)
    others = others.exclude(case_party=link).exclude(digest="")
    own = PartyStatement.objects.filter(
        case_party=link, kind=PartyStatement.Kind.IDENTIFIER
    )
    shared = []
    for row in own.exclude(digest="").select_related("case_party__case"):
        # Earlier versions have stored other hashes of the same number.
        digests = identity.digests_of_number(row.value, row.label, [row.issuer])
        if others.filter(digest__in={row.digest, *digests}).exists():
            shared.append(row)
    return shared


def _move(link: CaseParty, party: Party) -> None:
    link.party = party
    link.save(update_fields=["party"])


def _record(
    what: str,
    link: CaseParty,
    parties: tuple[Party, Party],
    actor: User,
    reason: str,
    rows: list[Model],
) -> None:
    before, after = parties
    data: dict[str, object] = {
        "link": link.pk,
        "before": before.pk,
        "after": after.pk,
        "reason": reason.strip()[:MOST_LONG],
    }
    trail.record(link.case, what, data, user=actor, about=rows)
