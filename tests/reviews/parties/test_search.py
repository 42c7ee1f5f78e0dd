"""The list of parties: what it finds, and that it costs the same however many there are."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from compliance.security import data_keys
from reviews.intake import cases
from reviews.models import Case, CaseParty, Party, PartyStatement, Team
from reviews.parties import identity, search, visibility
from reviews.parties.merges import merging
from tests.factories import make_agent, make_connection, make_user
from tests.reviews.parties.test_recording import COMPANY
from tests.reviews.rows import someone

pytestmark = pytest.mark.django_db
MANY = 4000


@pytest.fixture
def agent():
    return make_agent(make_connection())


@pytest.fixture
def analyst():
    return someone("analyst")


def submit(agent, data=COMPANY):
    subject = cases.subject_of(data)
    return cases.submit(
        actor=None, agent=agent, subject=subject, data=data, documents=[]
    )


def party_at(case, place="subject"):
    return CaseParty.objects.get(case=case, place=place).party


def make_parties(service, count, *, kind="person", name="Ann Lee"):
    """Parties of cases of their own, each with one name."""
    keys = data_keys.create_many(count)
    rows = []
    for number, key in enumerate(keys):
        case = Case(
            connection=service,
            kind="kyc",
            reference=f"{kind}-{number}",
            data_key=key,
        )
        rows.append(case)
    Case.objects.bulk_create(rows)
    parties = Party.objects.bulk_create(Party(kind=kind) for _ in rows)
    links = []
    for case, party in zip(rows, parties, strict=True):
        links.append(CaseParty(case=case, party=party, role="subject", place="subject"))
    CaseParty.objects.bulk_create(links)
    digest = identity.digest("name", "name", name)
    PartyStatement.objects.bulk_create(
        PartyStatement(
            case_party=link,
            kind="name",
            label="name",
            value=name,
            digest=digest,
            source="attested",
        )
        for link in links
    )
    return parties


def statements(work) -> list[str]:
    with CaptureQueriesContext(connection) as queries:
        work()
    return [query["sql"] for query in queries]


def test_a_page_takes_as_many_statements_with_many_parties(client, agent, analyst):
    client.force_login(analyst)
    submit(agent)
    client.get("/parties/")
    few = statements(lambda: client.get("/parties/"))
    make_parties(agent.connection, 60)
    # Their keys are read once, and remembered.
    client.get("/parties/")
    many = statements(lambda: client.get("/parties/"))
    assert len(many) == len(few) <= 11


def test_pages_hold_each_party_once(agent, analyst):
    parties = make_parties(agent.connection, 7)
    found = []
    before = None
    while True:
        page = search.search(analyst, most=3, before=before)
        if not page:
            break
        found += [party.pk for party in page]
        before = page[-1].pk
    assert found == sorted((party.pk for party in parties), reverse=True)


def test_a_head_is_found_by_the_case_of_one_that_is_joined(agent, analyst):
    ours = make_agent(make_connection(slug="ours"))
    first = party_at(submit(agent), "owners/1")
    second = party_at(submit(ours), "owners/1")
    merging.merge(first, second, actor=make_user("sam"), reason="Same passport.")
    team = Team.objects.create(name="Theirs")
    team.connections.add(agent.connection)
    pages = [
        search.search(analyst, most=10),
        search.search(analyst, most=10, query="Bob Stone"),
        search.search(analyst, most=10, kind="person"),
    ]
    for page in pages:
        numbers = [party.pk for party in page]
        assert first.pk in numbers
        assert second.pk not in numbers
        assert len(numbers) == len(set(numbers))


def test_a_number_is_found_whatever_country_issued_it(agent, analyst):
    """Also if no other number of that country is recorded."""
    data = {
        **COMPANY,
        "business_registration_number": "HRB 99887",
        "address_of_incorporation": {"country_code": "KI"},
    }
    subject = party_at(submit(agent, data))
    (party,) = search.search(analyst, most=10, query="hrb-99887")
    assert party == subject


def test_no_more_of_a_party_is_read_than_is_shown(client, agent, analyst, monkeypatch):
    monkeypatch.setattr(visibility, "MOST_LINKS", 3)
    first, *others = make_parties(agent.connection, 5)
    CaseParty.objects.filter(party__in=others).update(party=first)
    newest = visibility.newest_links(analyst, [first.pk])
    assert len(newest) == 3
    assert newest[0].case_id == max(Case.objects.values_list("pk", flat=True))
    client.force_login(analyst)
    assert '<td class="num">3+</td>' in client.get("/parties/").content.decode()


@pytest.mark.skipif(
    connection.vendor != "postgresql", reason="plans are those of PostgreSQL"
)
@pytest.mark.parametrize("query", ["", "?kind=vessel", "?before={middle}"])
def test_no_page_reads_a_table_as_a_whole(client, agent, analyst, query):
    """Nor as many rows as there are parties."""
    parties = make_parties(agent.connection, MANY)
    make_parties(agent.connection, 60, kind="vessel", name="Blue Star")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    client.force_login(analyst)
    address = "/parties/" + query.format(middle=parties[MANY // 2].pk)
    client.get(address)
    for sql in statements(lambda: client.get(address)):
        if "reviews_party" not in sql:
            continue
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN (ANALYZE, TIMING OFF) {sql}")
            plan = "\n".join(line for (line,) in cursor.fetchall())
        for table in ("reviews_case ", "reviews_caseparty", "reviews_partystatement"):
            assert f"Seq Scan on {table}" not in plan, plan
        assert "Seq Scan on reviews_party " not in plan, plan


@pytest.mark.skipif(
    connection.vendor != "postgresql", reason="plans are those of PostgreSQL"
)
def test_a_number_of_any_country_is_looked_for_by_the_index(agent, analyst):
    """It holds no empty hashes, which PostgreSQL does not prove of a long list by itself."""
    make_parties(agent.connection, 1)
    sent = statements(lambda: search.search(analyst, most=10, query="HRB 99887"))
    (sql,) = [sql for sql in sent if '"digest" IN' in sql]
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"EXPLAIN {sql}")
        plan = "\n".join(line for (line,) in cursor.fetchall())
    assert "reviews_party_same" in plan
