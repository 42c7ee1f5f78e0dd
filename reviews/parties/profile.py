"""The profile of one party, computed from the statements of all cases that the person may see."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import date

from django.db.models import Q
from django.utils.translation import gettext as _

from reviews.models import (
    Case,
    CaseParty,
    Party,
    PartyMerge,
    PartyStatement,
    RiskBand,
)
from reviews.parties import labels, visibility
from reviews.parties.visibility import Person
from reviews.results.words import country_name

MOST_LINKS = 200


@dataclass
class Line:
    """A name, a number or a fact, with all statements of it, the oldest first."""

    label: str
    value: str
    issuer: str
    statements: list[PartyStatement] = field(default_factory=list)
    is_country: bool = False

    @property
    def cases(self) -> list[Case]:
        by_key = {}
        for s in self.statements:
            by_key[s.case_party.case_id] = s.case_party.case
        return list(by_key.values())

    @property
    def value_in_words(self) -> str:
        return country_name(self.value) if self.is_country else self.value

    @property
    def issuer_in_words(self) -> str:
        return country_name(self.issuer)

    @property
    def is_replaced(self) -> bool:
        """Whether no case states it any more."""
        return all(statement.replaced_at for statement in self.statements)


@dataclass
class Profile:
    head: Party
    links: list[CaseParty]
    names: list[Line]
    identifiers: list[Line]
    facts: list[Line]
    merges: list[PartyMerge]

    @property
    def name(self) -> str:
        """The newest name that a case states."""
        current = [line for line in self.names if not line.is_replaced]
        for line in current or self.names:
            return line.value
        # A wallet has no name, but its address.
        for line in self.identifiers:
            if line.statements[0].label in labels.OF_THINGS:
                return line.value
        return _("Party %(number)d") % {"number": self.head.pk}


def read(user: Person, head: Party) -> Profile:
    """The profile of a party that the user may see."""
    # The status of a case in words asks for a pause of its service.
    related = ("case__connection__pause", "party")
    visible = visibility.counting(visibility.links(user, [head.pk]))
    visible = visible.select_related(*related)
    links = list(visible.order_by("-case_id", "id")[:MOST_LINKS])
    by_link = {link.pk: link for link in links}
    statements = PartyStatement.objects.filter(case_party__in=by_link)
    statements = statements.select_related("by")
    rows = list(statements.order_by("-case_party__case", "id"))
    for row in rows:
        row.case_party = by_link[row.case_party_id]
    merges = PartyMerge.objects.filter(
        Q(first=head) | Q(second=head) | Q(first__head=head) | Q(second__head=head)
    )
    return Profile(
        head=head,
        links=links,
        names=_lines(rows, PartyStatement.Kind.NAME),
        identifiers=_lines(rows, PartyStatement.Kind.IDENTIFIER),
        facts=_lines(rows, PartyStatement.Kind.FACT),
        merges=list(merges.select_related("by", "undone_by", "first", "second")),
    )


def _lines(rows: Iterable[PartyStatement], kind: str) -> list[Line]:
    """Statements with an equal value as one line: the newest case first, then in their order."""
    lines: dict[tuple[str, str, str], Line] = {}
    for row in rows:
        if row.kind == kind:
            key = (row.label, row.value, row.issuer)
            label = str(labels.LABELS.get(row.label, row.label))
            line = Line(label, row.value, row.issuer)
            line.is_country = row.label in labels.COUNTRIES
            line = lines.setdefault(key, line)
            line.statements.append(row)
    return list(lines.values())


def riskiest(links: Iterable[CaseParty]) -> Case | None:
    """The case of the highest risk band. Cases in which the party is e.g. a director do not count."""
    rated = []
    for link in links:
        if link.role == CaseParty.Role.SUBJECT and link.case.risk_band != RiskBand.NONE:
            rated.append(link.case)
    # Bands are sorted so that the smallest value is the highest risk.
    return min(rated, key=lambda case: case.risk_band, default=None)


def next_review(links: Iterable[CaseParty]) -> date | None:
    """The earliest review date of the cases about the party."""
    days = []
    for link in links:
        if link.role == CaseParty.Role.SUBJECT and link.case.review_on:
            days.append(link.case.review_on)
    return min(days, default=None)


def names_of(user: Person, heads: Iterable[int]) -> dict[int, str]:
    """The newest name of each party, by the primary key of its head."""
    return names_in(visibility.newest_links(user, list(heads)))


def names_in(links: Collection[CaseParty]) -> dict[int, str]:
    """The newest name that these links state of each party, by the number of its head.

    A wallet or an account without a name has its number.
    """
    return newest_names(links, stated_names(links))


def stated_names(links: Iterable[CaseParty]) -> list[PartyStatement]:
    """All names that these links state, then the numbers of wallets, accounts and vessels.

    First those that are still stated, the newest case first. A screening names a party without a
    name by its number.
    """
    rows = PartyStatement.objects.filter(
        Q(kind=PartyStatement.Kind.NAME) | Q(label__in=labels.OF_THINGS),
        case_party__in=[link.pk for link in links],
    )
    rows = rows.order_by("replaced_at", "-case_party__case", "id")
    # NULL sorts first or last depending on the database, so the order is set here.
    return sorted(rows, key=_names_first)


def _names_first(row: PartyStatement) -> tuple[bool, bool]:
    return row.kind != PartyStatement.Kind.NAME, row.replaced_at is not None


def newest_names(
    links: Iterable[CaseParty], stated: Iterable[PartyStatement]
) -> dict[int, str]:
    """The first of these names for each party, by the number of its head."""
    by_link = {link.pk: link for link in links}
    names: dict[int, str] = {}
    for row in stated:
        party = by_link[row.case_party_id].party
        names.setdefault(party.head_id_or_own, row.value)
    return names


def names_by_link(stated: Iterable[PartyStatement]) -> dict[int, list[str]]:
    """All names that each link states, by the primary key of the link."""
    names: dict[int, list[str]] = {}
    for row in stated:
        names.setdefault(row.case_party_id, []).append(row.value)
    return names
