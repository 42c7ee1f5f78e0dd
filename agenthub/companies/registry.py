"""Answers from the registers of companies that were loaded here (`manage.py load_registry`)."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import connection
from django.db.models import QuerySet

from agenthub.companies.loading import key_of
from agenthub.models.companies import RegistryCompany, RegistryLoad
from checks.lookups import Registered
from checks.screening import engine
from checks.screening.matching import blocking_keys
from checks.screening.matching.names import Name
from papers import countries

# Below this score a company is another one.
LEAST = 0.85
# A key that more companies have tells nothing apart; of the rest so many are compared.
MOST_COMPANIES, COMPARED = 4_000, 20


@dataclass(frozen=True, slots=True)
class Found:
    """The best company of a name. `alike` is how many others of that very name were found."""

    company: RegistryCompany
    score: float
    alike: int

    @property
    def source(self) -> str:
        return self.company.load.title

    def data(self) -> dict[str, object]:
        """The facts by the names of self-attested data, with how sure the match is, of 10."""
        company = self.company
        known = {
            "business_name": company.name, "lei": company.lei,
            "business_registration_number": company.number, "country": company.country,
            **company.facts,
        }  # fmt: skip
        likelihood = max(1, round(self.score * 10) - min(4, self.alike))
        return {name: said for name, said in known.items() if said} | {"likelihood": likelihood}


def company(facts: Mapping[str, str]) -> Found | None:
    """The company of a name, in whatever register has it; `location` narrows the search."""
    rows = _rows()
    name = facts.get("name", "")
    key = key_of(name)
    if not key or not rows.exists():
        return None
    found = [(1.0, row) for row in rows.filter(key=key)[:COMPARED]] or _near(rows, name, key)
    country = countries.code(facts.get("location", ""))
    if country:
        found = [one for one in found if one[1].country in {"", country}]
    if not found:
        return None
    best = max(found, key=lambda one: (one[0], one[1].facts.get("status") == "ISSUED"))
    alike = [row for score, row in found if score == best[0] and row.pk != best[1].pk]
    return Found(best[1], best[0], len(alike))


class DatabaseRegistry:
    """The registers as the checks of a job ask them."""

    def is_loaded(self) -> bool:
        return RegistryLoad.objects.filter(
            status=RegistryLoad.Status.ACTIVE, has_leis=True
        ).exists()

    def by_lei(self, lei: str) -> Registered | None:
        row = _rows().filter(lei=lei.strip().upper()).exclude(lei="").first()
        if row is None:
            return None
        return Registered(
            name=row.name, source=str(row.load), lei=row.lei, number=row.number,
            country=row.country, status=row.facts.get("status", ""),
            city=row.facts.get("city", ""),
        )  # fmt: skip


def titles() -> list[str]:
    """What the registers that were loaded are called."""
    active = RegistryLoad.objects.filter(status=RegistryLoad.Status.ACTIVE).order_by("slug")
    return list(active.values_list("title", flat=True))


def _rows() -> QuerySet[RegistryCompany]:
    rows = RegistryCompany.objects.filter(load__status=RegistryLoad.Status.ACTIVE)
    return rows.select_related("load")


def _near(
    rows: QuerySet[RegistryCompany], name: str, key: str
) -> list[tuple[float, RegistryCompany]]:
    """The companies whose names come near, with their scores."""
    wanted = blocking_keys.of_query(Name(tuple(key.split()), "", person=False))
    postings = [blocking_keys.Posting(wanted[key], found) for key, found in _postings(list(wanted))]
    active = RegistryLoad.objects.filter(status=RegistryLoad.Status.ACTIVE)
    total = sum(active.values_list("company_count", flat=True))
    best = blocking_keys.rank(postings, total=total, limit=COMPARED)
    scored = [
        (engine.compare(name, row.name, schema="Organization"), row)
        for row in rows.filter(pk__in=best)
    ]
    return [one for one in scored if one[0] >= LEAST]


def _postings(wanted: Sequence[int]) -> list[tuple[int, array[int]]]:
    marks = ", ".join(["%s"] * len(wanted))
    sql = (
        "SELECT posting.key, posting.companies FROM agenthub_registryposting posting"  # noqa: S608
        " JOIN agenthub_registryload load ON load.id = posting.load_id"
        f" WHERE posting.key IN ({marks}) AND load.status = 'active'"
        f" AND posting.count <= {MOST_COMPANIES}"
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, list(wanted))
        return [(key, _numbers(found)) for key, found in cursor.fetchall()]


def _numbers(found: bytes | memoryview) -> array[int]:
    made: array[int] = array("Q")
    made.frombytes(found)
    return made
