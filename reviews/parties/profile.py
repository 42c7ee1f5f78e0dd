"""The profile of one party, computed from the statements of all cases that the person may see."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db.models import Q
from django.utils.translation import gettext as _

from compliance.pages.phrases import in_sentence
from reviews.models import (
    Case,
    CaseParty,
    Party,
    PartyMerge,
    PartyStatement,
)
from reviews.parties import labels, visibility
from reviews.parties.visibility import Person
from reviews.results.words import country_name

MOST_LINKS = 200
MOST_DUPLICATES = 20
# Statements among which duplicates are looked for.
MOST_COMPARED = 400


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
class Duplicate:
    """A party that may be the same, with the reasons."""

    party: Party
    name: str
    reasons: list[str] = field(default_factory=list)


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
        return _("Party %(number)d") % {"number": self.head.pk}


def read(user: Person, head: Party) -> Profile:
    """The profile of a party that the user may see."""
    related = ("case__connection", "case__analyst", "party")
    visible = visibility.links(user, [head.pk]).select_related(*related)
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


def names_of(user: Person, heads: Iterable[int]) -> dict[int, str]:
    """The newest name of each party, by the primary key of its head."""
    return names_in(visibility.newest_links(user, list(heads)))


def names_in(links: Iterable[CaseParty]) -> dict[int, str]:
    """The newest name that these links state of each party, by the number of its head."""
    by_link = {link.pk: link for link in links}
    statements = PartyStatement.objects.filter(
        case_party__in=by_link, kind=PartyStatement.Kind.NAME
    )
    rows = statements.order_by("replaced_at", "-case_party__case", "id")
    names: dict[int, str] = {}
    # NULL sorts first or last depending on the database, so the order is set here: names that
    # are still stated come first.
    ordered = sorted(rows, key=lambda row: row.replaced_at is not None)
    for row in ordered:
        party = by_link[row.case_party_id].party
        names.setdefault(party.head_id_or_own, row.value)
    return names


def names_by_link(links: Iterable[CaseParty]) -> dict[int, list[str]]:
    """All names that each link states, by the primary key of the link."""
    rows = PartyStatement.objects.filter(
        case_party__in=[link.pk for link in links], kind=PartyStatement.Kind.NAME
    )
    names: dict[int, list[str]] = {}
    for row in rows:
        names.setdefault(row.case_party_id, []).append(row.value)
    return names


def duplicates(user: Person, profile: Profile) -> list[Duplicate]:
    """Other parties with an equal name or number, those with the most in common first."""
    digests = _digests(profile)
    if not digests:
        return []
    head = profile.head
    # The party itself and those merged with it are no duplicates.
    is_own = Q(case_party__party=head.pk) | Q(case_party__party__head=head.pk)
    links = visibility.all_links(user)
    rows = PartyStatement.objects.filter(pk__in=_newest_stating(digests))
    rows = rows.filter(case_party__in=links).exclude(is_own)
    rows = rows.select_related("case_party__party__head")
    others: dict[int, Duplicate] = {}
    # More rows than results: several statements may belong to one party.
    for row in rows.order_by("-id")[: MOST_DUPLICATES * 10]:
        party = row.case_party.party.head or row.case_party.party
        if not _may_be_same(head, party):
            continue
        other = others.setdefault(party.pk, Duplicate(party, ""))
        label = labels.LABELS.get(row.label, row.label)
        reason = _("same %(label)s") % {"label": in_sentence(label)}
        if reason not in other.reasons:
            other.reasons.append(reason)
    ranked = sorted(others.values(), key=_rank)
    # Names are read for the best results only.
    best = ranked[:MOST_DUPLICATES]
    keys = [other.party.pk for other in best]
    names = names_of(user, keys)
    for other in best:
        pk = other.party.pk
        other.name = names.get(pk, _("Party %(number)d") % {"number": pk})
    return best


def _newest_stating(digests: set[str]) -> list[int]:
    """The newest statements of these names and numbers: thousands may have one name, and of all of them
    the cases and parties would be read."""
    # The index holds no empty ones. Of more than a hundred values PostgreSQL does not see that none is.
    rows = PartyStatement.objects.filter(digest__in=digests).exclude(digest="")
    keys = rows.order_by().values_list("pk", flat=True)
    return sorted(keys, reverse=True)[:MOST_COMPARED]


def _rank(duplicate: Duplicate) -> tuple[int, int]:
    return -len(duplicate.reasons), duplicate.party.pk


def _may_be_same(first: Party, second: Party) -> bool:
    return first.kind == second.kind or Party.Kind.UNKNOWN in {first.kind, second.kind}


def _digests(profile: Profile) -> set[str]:
    digests = set()
    for line in (*profile.names, *profile.identifiers):
        digests |= {statement.digest for statement in line.statements}
    return digests - {""}
