"""Queries of the registers of companies that were loaded here (`manage.py load_registry`)."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db import connection
from django.db.models import QuerySet

from agenthub.companies.loading import key_of
from agenthub.models.companies import RegistryCompany, RegistryLoad
from checks.lookups import Registered
from checks.screening import engine
from checks.screening.matching import blocking_keys
from checks.screening.matching.names import Name
from papers import countries

# A company with a lower score is a different one.
LEAST = 0.85
# A key that more than MOST_COMPANIES share is ignored. Of the other companies COMPARED are compared.
MOST_COMPANIES, COMPARED = 4_000, 20


@dataclass(frozen=True, slots=True)
class RegistryMatch:
    """The best match for a name. `alike`: how many other companies match equally well."""

    company: RegistryCompany
    score: float
    alike: int

    @property
    def source(self) -> str:
        return self.company.load.title

    def data(self) -> dict[str, object]:
        """The facts, named as in self-attested data; the likelihood of the match from 1 to 10."""
        company = self.company
        values = {
            "business_name": company.name,
            "lei": company.lei,
            "business_registration_number": company.number,
            "country": company.country,
            **company.facts,
        }
        data: dict[str, object] = {}
        for name, value in values.items():
            if value:
                data[name] = value
        # Each other company with an equal score reduces the likelihood.
        data["likelihood"] = max(1, round(self.score * 10) - min(4, self.alike))
        return data


class _Scored(NamedTuple):
    score: float
    company: RegistryCompany


def company(facts: Mapping[str, str]) -> RegistryMatch | None:
    """The company with this name in any loaded register; None if there is none.

    `facts`: "name", and optionally "location", which excludes companies of other countries.
    """
    rows = _rows()
    name = facts.get("name", "")
    key = key_of(name)
    if not key or not rows.exists():
        return None
    # Before any limit: many companies of other countries may have the name.
    if country := countries.code(facts.get("location", "")):
        rows = rows.filter(country__in=["", country])
    same_key = rows.filter(key=key).order_by("pk")
    matches = []
    for row in same_key[:COMPARED]:
        matches.append(_Scored(1.0, row))
    if not matches:
        matches = _near(rows, name, key)
    if not matches:
        return None
    best = max(matches, key=_rank)
    alike = []
    for match in matches:
        if match.score == best.score:
            alike.append(match)
    others = len(alike) - 1
    return RegistryMatch(best.company, best.score, others)


def _rank(match: _Scored) -> tuple[float, bool]:
    is_issued = match.company.facts.get("status") == "ISSUED"
    return match.score, is_issued


class DatabaseRegistry:
    """The registry lookup of a job's checks."""

    def is_loaded(self) -> bool:
        return _active_loads().filter(has_leis=True).exists()

    def by_lei(self, lei: str) -> Registered | None:
        lei = lei.strip().upper()
        row = _rows().filter(lei=lei).exclude(lei="").first()
        if row is None:
            return None
        return Registered(
            name=row.name,
            source=str(row.load),
            lei=row.lei,
            number=row.number,
            country=row.country,
            status=row.facts.get("status", ""),
            city=row.facts.get("city", ""),
        )


def titles() -> list[str]:
    """The titles of the loaded registers."""
    loads = _active_loads().order_by("slug")
    return list(loads.values_list("title", flat=True))


def _active_loads() -> QuerySet[RegistryLoad]:
    return RegistryLoad.objects.filter(status=RegistryLoad.Status.ACTIVE)


def _rows() -> QuerySet[RegistryCompany]:
    rows = RegistryCompany.objects.filter(load__status=RegistryLoad.Status.ACTIVE)
    return rows.select_related("load")


def _near(rows: QuerySet[RegistryCompany], name: str, key: str) -> list[_Scored]:
    """The companies with similar names, with their scores."""
    words = tuple(key.split())
    weights = blocking_keys.of_query(Name(words, "", person=False))
    postings = []
    for posting_key, companies in _postings(list(weights)):
        posting = blocking_keys.Posting(weights[posting_key], companies)
        postings.append(posting)
    counts = _active_loads().values_list("company_count", flat=True)
    total = sum(counts)
    best = blocking_keys.rank(postings, total=total, limit=COMPARED)
    matches = []
    for row in rows.filter(pk__in=best):
        score = engine.compare(name, row.name, schema="Organization")
        if score >= LEAST:
            matches.append(_Scored(score, row))
    return matches


def _postings(posting_keys: Sequence[int]) -> list[tuple[int, array[int]]]:
    """Key → ids of companies, for keys that exist and are not too common."""
    marks = ", ".join(["%s"] * len(posting_keys))
    sql = (
        "SELECT posting.key, posting.companies FROM agenthub_registryposting posting"  # noqa: S608
        " JOIN agenthub_registryload load ON load.id = posting.load_id"
        f" WHERE posting.key IN ({marks}) AND load.status = 'active'"
        f" AND posting.count <= {MOST_COMPANIES}"
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, list(posting_keys))
        rows = cursor.fetchall()
    postings: list[tuple[int, array[int]]] = []
    for key, companies in rows:
        postings.append((key, _numbers(companies)))
    return postings


def _numbers(content: bytes | memoryview) -> array[int]:
    numbers: array[int] = array("Q")
    numbers.frombytes(content)
    return numbers
