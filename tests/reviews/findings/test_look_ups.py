"""Looking a name up in the lists: through the page, kept, and in the trail."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.utils.timezone import now

from reviews.audit import trail
from reviews.findings import look_ups
from reviews.models import CaseEvent, LookUp
from reviews.parties import recording
from reviews.privacy import erasing
from reviews.records import evidence_pack
from tests import fakeservice
from tests.fakeservice import Step
from tests.reviews.pages.case.rows import words
from tests.reviews.risk.rows import screened_case
from tests.reviews.rows import someone

pytestmark = pytest.mark.django_db

ENTRY = {
    "id": "ofac-1",
    "schema": "Person",
    "names": [{"text": "Teodor Korbutsky", "kind": "primary"}],
    "programs": ["BELARUS"],
}
PAIR = {"query": "korb", "listed": "korbutsky", "how": "begins with it", "score": 0.9}
ANSWER = {
    "hits": [
        {
            "list": {"slug": "ofac_sdn", "title": "OFAC SDN"},
            "entry": ENTRY,
            "name": {"query": "korb", "listed": "Teodor Korbutsky", "kind": "primary"},
            "score": 0.9,
            "alignment": [PAIR],
        }
    ],
    "not_shown": 0,
    "not_compared": ["Names in Thai cannot be compared reliably."],
    "lists": [
        {"title": "OFAC SDN", "entities": 13, "loaded_at": "2026-11-20T00:00:00Z"}
    ],
}


@pytest.fixture
def service():
    with fakeservice.running() as running:
        yield running


@pytest.fixture
def case(service):
    case, _ = screened_case()
    case.connection.base_url = service.url
    case.connection.save()
    return case


def test_what_is_looked_up_is_kept_with_who_and_why(client, service, case):
    client.force_login(someone("analyst"))
    service.plan = [Step(body=json.dumps(ANSWER).encode())]
    data = {"name": " korb ", "connection": case.connection_id, "lists": "ofac_sdn"}
    answer = client.post("/look-ups/", data)
    row = LookUp.objects.get()
    assert (answer.status_code, answer["Location"]) == (303, f"/look-ups/{row.pk}/")
    assert service.asked[-1] == (
        "POST",
        "lookUpName",
        {"name": "korb", "lists": ["ofac_sdn"]},
    )
    page_text = words(client, f"/look-ups/{row.pk}/")
    for text in (
        "Teodor Korbutsky",
        "OFAC SDN",
        "begins with it",
        "BELARUS",
        "Names in Thai",
        "1 hit",
    ):
        assert text in page_text
    assert "korb" in words(client, "/look-ups/")
    line = CaseEvent.objects.get(what="looked_up")
    assert (line.user, line.data["hits"]) == (row.by, 1)
    stored = LookUp.objects.values_list("query").get()[0]
    assert b"korb" not in bytes(stored.token)


def test_a_look_up_of_a_party_belongs_to_its_case_and_is_erased_with_it(
    client, service, case
):
    recording.record(case)
    party = case.case_parties.get(place="subject").party
    ana = someone("analyst")
    client.force_login(ana)
    assert f"/look-ups/?party={party.pk}" in client.get(f"/parties/{party.pk}/").text
    assert 'value="Northwind Ltd"' in client.get(f"/look-ups/?party={party.pk}").text
    data = {"name": "Northwind", "party": party.pk, "connection": case.connection_id}
    client.post("/look-ups/", data)
    row = LookUp.objects.get()
    assert (row.case, row.party) == (case, party)
    assert case.events.filter(what="looked_up").exists()
    pack = evidence_pack.to_json(evidence_pack.case_to_wire(case))
    assert json.loads(pack)["look_ups"][0]["query"] == {"name": "Northwind"}
    erasing.erase(case, at=now())
    row = LookUp.objects.get()
    assert (row.query, row.answer) == ({}, {})
    assert client.get(f"/look-ups/{row.pk}/").status_code == 404


def test_an_answer_of_another_kind_is_told_and_nothing_is_kept(client, service, case):
    client.force_login(someone("analyst"))
    data = {"name": "Bo", "connection": case.connection_id}
    service.plan = [Step(status=404, body=b"{}")]
    answer = client.post("/look-ups/", data)
    assert answer.status_code == 422
    assert "has no look-up" in answer.text
    assert not LookUp.objects.exists()
    # Whatever else it answers is shown as far as it can be read.
    service.plan = [
        Step(body=b'{"hits": [7, {"entry": []}], "not_shown": "x", "lists": {}}')
    ]
    page = client.post("/look-ups/", data, follow=True)
    assert page.status_code == 200


def test_only_analysts_look_up_and_those_of_no_case_go_after_five_years(
    client, service, case
):
    old = LookUp.objects.create(connection=case.connection, by=someone("senior"))
    LookUp.objects.update(at=now() - look_ups.KEPT - timedelta(days=1))
    client.force_login(someone("auditor"))
    data = {"name": "Bo", "connection": case.connection_id}
    assert client.post("/look-ups/", data).status_code == 403
    assert client.get(f"/look-ups/{old.pk}/").status_code == 200
    client.force_login(someone("analyst"))
    client.post("/look-ups/", data)
    assert not LookUp.objects.filter(pk=old.pk).exists()
    trail.seal_all()
    assert not list(trail.verify())
