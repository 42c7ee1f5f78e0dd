"""Creates a case with a company, its owners and their owners, among many other parties.

Uses the configured database. Prints a session key, and the ids of the case and its parties.

Above the first 20,000 the parties are copies of these rows, with their encrypted texts, made by
PostgreSQL: so each of their names is of several parties, and a million take minutes.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import django
from django.core.management import call_command

if TYPE_CHECKING:
    from reviews.models import CaseParty, Connection

CHUNK = 2000
OWNERS = [
    {"full_name": "Ingrid Solberg", "date_of_birth": "1970-02-03", "percentage": 60},
    {
        "registered_business_name": "Nordlys Holding AS", "percentage": 40,
        "owners": [{"full_name": "Lars Dahl", "percentage": 100}],
    },
]  # fmt: skip
# One of so many parties has a common name.
COMMON = 500
MOST_MADE = 20_000


def _fill(service: Connection, first: int, last: int) -> None:
    """Create cases with these numbers, each with its own party: name, date of birth, country and
    key.

    One in three parties has a relation to the next one.
    """
    for start in range(first, last, CHUNK):
        numbers = range(start, min(last, start + CHUNK))
        links = _make_links(service, numbers)
        _state(links)


def _make_links(service: Connection, numbers: range) -> list[CaseParty]:
    from compliance.security import data_keys
    from reviews.models import Case, CaseParty, Party

    keys = data_keys.create_many(len(numbers))
    cases = []
    for number, key in zip(numbers, keys, strict=True):
        case = Case(
            connection=service, kind="kyc", reference=f"F-{number}", subject=_name(number),
            status="decided", data_key=key, self_attested_data={"first_name": "F"},
        )  # fmt: skip
        cases.append(case)
    Case.objects.bulk_create(cases)
    parties = Party.objects.bulk_create(Party(kind="person") for _ in numbers)
    return CaseParty.objects.bulk_create(
        CaseParty(case=case, party=party, role="subject", place="subject")
        for case, party in zip(cases, parties, strict=True)
    )


def _state(links: list[CaseParty]) -> None:
    from reviews.models import PartyRelation, PartyStatement
    from reviews.parties import identity

    rows = []
    for link in links:
        name = _name(link.case.pk)
        facts: list[tuple[str, str, str, str]] = [
            ("name", "name", name, identity.digest("name", "name", name)),
            ("fact", "date_of_birth", "1970-01-01", ""),
            ("fact", "nationality", "NO", ""),
        ]
        for kind, label, value, digest in facts:
            rows.append(
                PartyStatement(
                    case_party=link,
                    kind=kind,
                    label=label,
                    value=value,
                    digest=digest,
                    source="attested",
                )
            )
    PartyStatement.objects.bulk_create(rows)
    PartyRelation.objects.bulk_create(
        PartyRelation(
            holder=links[at + 1], held=links[at], kind="associate", source="attested"
        )
        for at in range(0, len(links) - 1, 3)
    )


def _copy(first: int, last: int) -> None:
    """Copy all parties, and what cases state of them, until there are `last` instead of `first`."""
    from django.db import connection

    from reviews.models import Case, CaseParty, Party, PartyRelation, PartyStatement

    models = (Case, Party, CaseParty, PartyStatement, PartyRelation)
    with connection.cursor() as cursor:
        steps: dict[Any, tuple[int, str]] = {}
        for model in models:
            table = model._meta.db_table
            sql = f"SELECT max(id), pg_get_serial_sequence(%s, 'id') FROM {table}"  # noqa: S608
            cursor.execute(sql, [table])
            steps[model] = cursor.fetchone()
        for copy in range(1, last // first):
            for model in models:
                cursor.execute(_copy_sql(model, steps, copy))
        for most, sequence in steps.values():
            cursor.execute("SELECT setval(%s, %s)", [sequence, most * (last // first)])


def _copy_sql(model: Any, steps: dict[Any, tuple[int, str]], copy: int) -> str:
    """The statement that copies the first rows of a table, with other numbers."""
    most = steps[model][0]
    columns = []
    values = []
    for field in model._meta.concrete_fields:
        target = field.related_model or model
        value = f'"{field.column}"'
        if (field.primary_key or field.is_relation) and target in steps:
            value = f"{value} + {steps[target][0] * copy}"
        elif field.name == "reference":
            value = f"{value} || '-{copy}'"
        columns.append(f'"{field.column}"')
        values.append(value)
    table = model._meta.db_table
    return (
        f"INSERT INTO {table} ({', '.join(columns)})"  # noqa: S608
        f" SELECT {', '.join(values)} FROM {table} WHERE id <= {most}"
    )


def _name(number: int) -> str:
    if number % COMMON == 0:
        return "Ingrid Solberg"
    return f"Person {number:x} of the Bench"


def _make_case() -> dict[str, Any]:
    """Create an ordinary case. Returns its id and the ids of its company and of one owner."""
    from bench import case_page_seed
    from reviews.models import CaseParty
    from reviews.parties import recording

    case = case_page_seed._make_case(documents=2, pages=3, indicators=10)
    case.self_attested_data = {**case_page_seed.ATTESTED, "owners": OWNERS}
    case.save()
    recording.record_with_line(case)
    subject, owner, *_ = CaseParty.objects.filter(case=case).order_by("pk")
    return {"case": case.pk, "company": subject.party_id, "person": owner.party_id}


def main(count: int) -> None:
    from django.db import connection

    from bench.queue_seed import session_of
    from bench.seed import _make
    from compliance.pages import vendored
    from reviews.models import Connection

    vendored.publish()
    _make("http://127.0.0.1:9", [])
    service = Connection.objects.earliest("pk")
    made = min(count, MOST_MADE)
    _fill(service, 0, made)
    _copy(made, count)
    seeded = _make_case()
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    print(json.dumps({"session": session_of("of-the-bench"), **seeded}))


if __name__ == "__main__":
    django.setup()
    call_command("migrate", verbosity=0, interactive=False)
    main(int(sys.argv[1]))
