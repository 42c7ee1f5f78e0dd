"""Searches the active lists for a name or number, for a person who may know only a part of it.

It stores nothing; the caller stores the answer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import get_args

from agenthub.models.lists import ListName, ListVersion
from agenthub.screening.index import DatabaseLists
from checks.screening import look_up as fitting
from checks.screening import readable
from checks.screening.identifiers.normal_forms import IdentifierType
from checks.screening.look_up import Fit, Result
from checks.screening.matching import names
from checks.screening.matching.names import Name
from checks.screening.policy import ENGINE_VERSION
from checks.screening.records import Identifier, ListedName, Payload, Subject

MOST_SHOWN = 50
# The most names compared: those that share most keys with the query, and those that contain its
# words.
CANDIDATES = 200
HOLDING = 1000
# Nearly every name contains a shorter word.
SHORTEST_WORD = 2


@dataclass(frozen=True, slots=True)
class _Best:
    name: ListedName
    fit: Fit


def not_active(slugs: Collection[str]) -> set[str]:
    """Those of the slugs that name no active list: a search would leave them out."""
    active = ListVersion.objects.filter(
        status=ListVersion.Status.ACTIVE, source__slug__in=slugs
    )
    return {*slugs}.difference(active.values_list("source__slug", flat=True))


def look_up(text: str, *, birth_date: str = "", slugs: Collection[str] = ()) -> Payload:
    """Search for a name or number. Returns the hits as JSON. `slugs`: only these lists.

    `birth_date` is compared with the hits for display. `is_cut` in the result: there were more
    names to compare than HOLDING.
    """
    lists = DatabaseLists(slugs=slugs)
    best: dict[int, _Best] = {}
    is_cut = False
    for query in _queries(text):
        candidates, was_cut = _candidates(query, lists)
        is_cut = is_cut or was_cut
        for number, name, listed in candidates:
            fit = fitting.fit(query, listed)
            earlier = best.get(number)
            if fit.is_shown and (earlier is None or _rank(fit) > _rank(earlier.fit)):
                best[number] = _Best(name, fit)
    by_number = _with_number(text, lists)
    results = []
    for number, entry in lists.entities({*best, *by_number}).items():
        match = best.get(number)
        is_number = number in by_number
        results.append(
            Result(
                entry=entry,
                name=match.name if match else entry.entity.names[0],
                query=text,
                fit=match.fit if match and not is_number else None,
                facts=fitting.facts_of(entry.entity, name=text, birth_date=birth_date),
            )
        )
    results.sort(key=_order)
    return {
        "hits": [result.to_wire() for result in results[:MOST_SHOWN]],
        "not_shown": max(0, len(results) - MOST_SHOWN),
        "is_cut": is_cut,
        "not_compared": readable.not_compared(Subject([text], "LegalEntity")),
        "lists": [version.to_wire() for version in lists.versions()],
        "engine": ENGINE_VERSION,
    }


def _queries(text: str) -> list[Name]:
    """The text in every way in which a screening reads it.

    Nobody says whether it names a person or an organisation, so both are tried.
    """
    queries: dict[Name, None] = {}
    for person in (True, False):
        for reading in names.readings(text, person=person):
            query = names.parse(text, person=person, reading=reading)
            if query.tokens:
                queries[query] = None
    return list(queries)


def _rank(fit: Fit) -> tuple[float, float]:
    return fit.score, fit.whole


def _order(result: Result) -> tuple[float, float, str]:
    if result.fit:
        whole = result.fit.whole
    else:
        whole = 1.0
    return -result.score, -whole, result.name.text


def _candidates(
    query: Name, lists: DatabaseLists
) -> tuple[list[tuple[int, ListedName, Name]], bool]:
    """Names that may match, with their entries; and whether more names contain the words."""
    rows: dict[tuple[int, str, str], tuple[int, ListedName, Name]] = {}
    for candidate in lists.candidates(query, limit=CANDIDATES):
        key = (candidate.entity, candidate.listed_name.text, candidate.name.text)
        rows[key] = (candidate.entity, candidate.listed_name, candidate.name)
    holding = list(_holding(query, lists))
    for entity, name, parsed in holding[:HOLDING]:
        rows.setdefault(
            (entity, name.text, parsed.text),
            (entity, name, parsed),
        )
    return list(rows.values()), len(holding) > HOLDING


def _holding(
    query: Name, lists: DatabaseLists
) -> Iterator[tuple[int, ListedName, Name]]:
    """The names that contain every word of the query, also inside of longer words.

    Reads all names.
    """
    words = [word for word in query.tokens if len(word) >= SHORTEST_WORD]
    if not words:
        return
    # Exclude entries of a version that is still being loaded.
    statuses = (ListVersion.Status.ACTIVE, ListVersion.Status.RETIRED)
    rows = ListName.objects.filter(
        person=query.person,
        entity__source__slug__in=[version.slug for version in lists.versions()],
        entity__last_version=None,
        entity__first_version__status__in=statuses,
    )
    for word in words:
        rows = rows.filter(tokens__contains=word)
    columns = ("entity_id", "text", "kind", "tokens", "script", "person")
    for entity, text, kind, tokens, script, person in rows.order_by("pk").values_list(
        *columns
    )[: HOLDING + 1]:
        name = Name.read(tokens, script, person=person)
        yield entity, ListedName(text, kind), name


def _with_number(text: str, lists: DatabaseLists) -> set[int]:
    """The ids of entries with this number, as any kind of identifier."""
    if not any(map(str.isdigit, text)):
        return set()
    kinds: Sequence[IdentifierType] = get_args(IdentifierType)
    numbers = [Identifier(kind, text) for kind in kinds]
    return {entity for entity, _ in lists.with_identifiers(numbers)}
