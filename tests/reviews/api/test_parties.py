"""Parties over REST: found, read with relations and owners, and related."""

from __future__ import annotations

from typing import Any

import pytest

from reviews.audit import trail, verification
from reviews.intake import cases
from reviews.models import Case, CaseParty, PartyRelation, RiskBand, Team
from tests.factories import make_agent, make_connection, make_user
from tests.reviews.api.calling import Caller

pytestmark = pytest.mark.django_db
COMPANY: dict[str, Any] = {
    "business_name": "Acme Holdings Ltd",
    "business_registration_number": "HRB 12345",
    "address_of_incorporation": {"country_code": "DE"},
    "owners": [
        {
            "business_name": "Mid GmbH",
            "registration_number": "HRB 777",
            "country": "DE",
            "ownership_percentage": 60,
            "owners": [{"full_name": "Ann Lee", "percentage": 80}],
        },
        {"full_name": "Bob Stone", "percentage": 40},
    ],
}


@pytest.fixture
def case() -> Case:
    agent = make_agent(make_connection())
    return cases.submit(
        actor=None, agent=agent, subject="Acme", data=COMPANY, documents=[]
    )


@pytest.fixture
def caller(case) -> Caller:
    return Caller(make_user("ana"))


def party_at(case: Case, place: str) -> int:
    return CaseParty.objects.get(case=case, place=place).party_id


def test_they_are_found_by_a_whole_name_or_number(caller, case):
    subject = party_at(case, "subject")
    for query in ("Acme Holdings Ltd", "ltd acme HOLDINGS", "HRB-12345"):
        (row,) = caller.post("/parties/search", {"q": query}).json()["items"]
        assert (row["id"], row["kind"]) == (subject, "company")
        assert row["name"] == "Acme Holdings Ltd"
        assert row["cases"] == [case.pk]
    assert caller.post("/parties/search", {"q": "Acme"}).json()["items"] == []
    assert len(caller.get("/parties").json()["items"]) == 4
    people = caller.get("/parties?kind=person").json()["items"]
    assert sorted(row["name"] for row in people) == ["Ann Lee", "Bob Stone"]


def test_they_are_paged(caller, case):
    rows: list[int] = []
    address = "/parties?limit=3"
    while True:
        page = caller.get(address).json()
        rows += [row["id"] for row in page["items"]]
        if page["next_cursor"] is None:
            break
        address = f"/parties?limit=3&cursor={page['next_cursor']}"
    assert len(rows) == len(set(rows)) == 4
    assert caller.get("/parties?cursor=x").status_code == 400


def test_one_has_its_statements_relations_owners_and_risk(caller, case):
    Case.objects.filter(pk=case.pk).update(
        risk_band=RiskBand.HIGH, review_on="2030-01-02"
    )
    body = caller.get(f"/parties/{party_at(case, 'subject')}").json()
    assert body["identifiers"][0]["value"] == "HRB 12345"
    assert body["risk_band"] == "high"
    assert body["review_on"] == "2030-01-02"
    assert body["is_listed"] == "no"
    assert body["cases"][0]["role"] == "subject"
    by_holder = {row["holder"]: row for row in body["relations"]}
    assert by_holder["Mid GmbH"]["share_min"].startswith("60")
    assert by_holder["Ann Lee"]["held"] == "Mid GmbH"
    assert {row["source"] for row in body["relations"]} == {"attested"}
    owners = {row["name"]: row for row in body["owners"]}
    assert owners["Ann Lee"]["share_min"] == "48.0"
    assert owners["Bob Stone"]["share_min"] == "40.0"
    assert all(row["is_certain"] for row in owners.values())


def test_a_relation_is_recorded_with_its_source_and_a_line(caller, case):
    subject = party_at(case, "subject")
    data = {
        "case_id": case.pk, "kind": "director", "name": "Cy Dean",
        "since": "2024-02-03", "detail": "By the register.", "source": "file",
    }  # fmt: skip
    answer = caller.post(f"/parties/{subject}/relations", data)
    assert answer.status_code == 201
    row = answer.json()
    assert (row["holder"], row["kind"], row["source"], row["by"]) == (
        "Cy Dean", "director", "file", "ana",
    )  # fmt: skip
    stored = PartyRelation.objects.get(pk=row["id"])
    assert stored.detail == "By the register."
    line = case.events.get(what="relation_added")
    assert line.user == caller.user
    trail.seal_all()
    assert not [fault for fault in verification.faults() if "relation" in fault]
    holder = party_at(case, "owners/1")
    data = {"case_id": case.pk, "kind": "owner", "holder_id": holder, "share": "5 %"}
    row = caller.post(f"/parties/{subject}/relations", data).json()
    assert (row["holder_id"], row["share_min"]) == (holder, "5.000000")


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"share": "120 %"}, 422),
        ({"kind": "friend"}, 422),
        ({"since": "3 May"}, 422),
        ({"name": ""}, 409),
        ({"since": "2024-02-03", "until": "2023-02-03"}, 409),
        ({"holder_id": 99_999}, 404),
        ({"case_id": 99_999}, 404),
        ({"since": "2024-02-31"}, 422),
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_is_written(
    caller, case, changes, status
):
    subject = party_at(case, "subject")
    before = PartyRelation.objects.count()
    data = {"case_id": case.pk, "kind": "owner", "name": "Bo Ek", **changes}
    answer = caller.post(f"/parties/{subject}/relations", data)
    assert answer.status_code == status, answer.content
    assert PartyRelation.objects.count() == before


def test_another_team_sees_nothing_of_them(case):
    team = Team.objects.create(name="Others")
    team.connections.add(case.connection)
    caller = Caller(make_user("zoe"))
    subject = party_at(case, "subject")
    assert caller.get("/parties").json()["items"] == []
    assert caller.get(f"/parties/{subject}").status_code == 404
    data = {"case_id": case.pk, "kind": "owner", "name": "Bo Ek"}
    assert caller.post(f"/parties/{subject}/relations", data).status_code == 404


def test_the_queries_do_not_grow_with_the_parties(
    caller, case, django_assert_max_num_queries
):
    with django_assert_max_num_queries(16):
        caller.get("/parties")
    with django_assert_max_num_queries(32):
        caller.get(f"/parties/{party_at(case, 'subject')}")
