"""The values that people chose, over REST."""

from __future__ import annotations

import pytest

from reviews.models import ValueChoice
from tests.reviews.api.calling import Caller
from tests.reviews.pages.case.unsure_rows import NAMES, unsure_case
from tests.reviews.rows import decide, one_person, someone

pytestmark = pytest.mark.django_db


@pytest.fixture
def caller():
    return Caller(someone("analyst"))


def unsure_finding(caller, case):
    findings = caller.get(f"/cases/{case.pk}/review-state").json()["findings"]
    [finding] = [one for one in findings if one["candidates"]]
    return finding


def test_a_candidate_is_chosen_by_its_number(caller):
    case, document = unsure_case()
    finding = unsure_finding(caller, case)
    values = [(one["candidate"], one["value"]) for one in finding["candidates"]]
    assert values == [(1, NAMES[0]), (2, NAMES[1])]
    assert finding["candidates"][0]["places"][0]["page"] == 1
    assert finding["value_choice"] is None
    body = {"field_key": finding["field_key"], "candidate": 1}
    response = caller.post(f"/cases/{case.pk}/value-choices", body)
    assert response.status_code == 201
    choice = response.json()
    assert choice["value"] == NAMES[0]
    assert choice["document_id"] == str(document.pk)
    state = caller.get(f"/cases/{case.pk}/review-state").json()
    assert [check["is_open"] for check in state["checks"]] == [False]
    assert unsure_finding(caller, case)["value_choice"] == choice


def test_the_choices_are_listed_and_taken_back(caller):
    case, _document = unsure_case()
    key = unsure_finding(caller, case)["field_key"]
    address = f"/cases/{case.pk}/value-choices"
    caller.post(address, {"field_key": key, "candidate": 2})
    caller.post(address, {"field_key": key, "value": "Northwind Bakery plc"})
    newest, first = caller.get(address).json()["items"]
    assert (newest["kind"], newest["value"]) == ("none", "Northwind Bakery plc")
    assert first["ended_at"]
    response = caller.call("delete", f"/value-choices/{newest['id']}")
    assert response.status_code == 200
    assert response.json()["ended_at"]
    assert caller.call("delete", f"/value-choices/{newest['id']}").status_code == 404


def test_what_cannot_be_chosen_says_why(caller):
    case, _document = unsure_case()
    key = unsure_finding(caller, case)["field_key"]
    address = f"/cases/{case.pk}/value-choices"
    assert caller.post(address, {"field_key": key, "candidate": 7}).status_code == 422
    assert caller.post(address, {"field_key": key}).status_code == 422
    assert caller.post(address, {"field_key": "k", "candidate": 1}).status_code == 409
    caller.post(address, {"field_key": key, "candidate": 1})
    one_person()
    decide(case, someone("senior"))
    choice = ValueChoice.objects.get()
    assert caller.post(address, {"field_key": key, "candidate": 2}).status_code == 422
    assert caller.call("delete", f"/value-choices/{choice.pk}").status_code == 422


def test_the_document_states_none(caller):
    case, _document = unsure_case()
    key = unsure_finding(caller, case)["field_key"]
    address = f"/cases/{case.pk}/value-choices"
    response = caller.post(address, {"field_key": key, "candidate": 0})
    assert response.status_code == 201
    choice = response.json()
    assert (choice["kind"], choice["value"]) == ("absent", "")
    assert unsure_finding(caller, case)["value_choice"] == choice
