"""Parties of a person's case, over the wire: all are screened, and the person is none of them."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from agenthub.jobs import lifecycle
from agenthub.models import Agent, AgentJob
from agenthub.screening import catalogue, loading, sample_lists
from checks.base import alerts_of
from tests.agenthub.conftest import KYC, Caller, make_caller
from tests.agenthub.screening.test_checks import (
    CLEAR,
    LISTED,
    LISTED_NAME,
    SANCTIONS,
    lists,
)
from tests.factories import make_user
from tests.reviews.pages.case.rows import add_check_result, reviewed_case, words

pytestmark = pytest.mark.django_db
__all__ = ["lists"]

PARTIES = "kyc.associated_parties_screening"
LISTED_FIRM = "Blue Heron Maritime Trading"
DOCUMENT = {
    "type": "Document",
    "url": "https://files.example/a.pdf",
    "file_name": "a.pdf",
}


@pytest.fixture
def caller() -> Caller:
    result = make_caller()
    Agent.objects.filter(pk=result.kyc.pk).update(checks=[{"check_id": PARTIES}])
    return result


def over_the_wire(
    caller: Caller, data: dict[str, Any], beside: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Start a job of a person with these members, run it, and fetch the result of the check."""
    schema = {"id": "case-1", "self_attested_data": CLEAR | data} | (beside or {})
    response = caller.post(KYC, caller.kyc_body(kyc_schema=schema, check_ids=[PARTIES]))
    assert response.status_code == 200, response.json()
    job_id = response.json()["job_id"]
    lifecycle.advance(AgentJob.objects.get(job_id=job_id))
    [results] = caller.get("getCheckResults", job_id=job_id).json()
    result: dict[str, Any] = results["result"]
    return result


@pytest.mark.parametrize(
    ("data", "place"),
    [
        ({"spouse": LISTED_NAME}, "spouse"),
        ({"spouse": {"first_name": "Teodor", "last_name": "Korbutski"}}, "spouse"),
        ({"spouse_first_name": "Teodor", "spouse_last_name": "Korbutski"}, "spouse"),
        ({"spouseName": LISTED_NAME}, "spouse name"),
        ({"father": {"full_name": LISTED_NAME}}, "father"),
        ({"father's name": LISTED_NAME}, "father s name"),
        ({"next_of_kin": f"{LISTED_NAME} (brother)"}, "next of kin"),
        ({"relatives": [{"name": LISTED_NAME, "relation": "uncle"}]}, "relatives 1"),
        ({"family": {"spouse": {"name": LISTED_NAME}, "children": 2}}, "family, spouse"),
        ({"family_members": [LISTED_NAME]}, "family members 1"),
        ({"close_associates": f"{LISTED_NAME}; Ana Reyes"}, "close associates"),
        ({"politically_exposed_persons": [LISTED_NAME]}, "politically exposed persons 1"),
        ({"employer": LISTED_FIRM}, "employer"),
        ({"employer_name": LISTED_FIRM}, "employer name"),
        ({"employment": {"employer": {"name": LISTED_FIRM}}}, "employment, employer"),
        ({"companies_owned": [LISTED_FIRM]}, "companies owned 1"),
        ({"companies_directed": f"Acme Ltd, {LISTED_FIRM}"}, "companies directed"),
        ({"companies": [{"name": "Acme Ltd", "owners": [LISTED_NAME]}]}, "companies 1, owners 1"),
        ({"directorships": [{"company": LISTED_FIRM}]}, "directorships 1, company"),
        ({"business_interests": LISTED_FIRM}, "business interests"),
        ({"trusts": [{"name": "Reyes Trust", "trustee": LISTED_NAME}]}, "trusts 1, trustee"),
        ({"beneficiary": LISTED_NAME}, "beneficiary"),
        ({"beneficial_owner": LISTED_NAME}, "beneficial owner"),
        ({"account_holder": LISTED_NAME}, "account holder"),
        ({"power_of_attorney": LISTED_NAME}, "power of attorney"),
        ({"attorney": {"name": LISTED_NAME}}, "attorney"),
        ({"guardian": {"givenName": "Teodor", "surname": "Korbutski"}}, "guardian"),
        ({"sponsor": LISTED_NAME}, "sponsor"),
        ({"visa": {"sponsor": LISTED_FIRM}}, "visa, sponsor"),
        ({"co_applicant": LISTED}, "co applicant"),
        ({"emergency_contact": {"name": LISTED_NAME}}, "emergency contact"),
        ({"inheritance": {"name": LISTED_NAME, "relationship": "father"}}, "inheritance"),
        ({"whoever": {"first_name": "Teodor", "last_name": "Korbutski"}}, "whoever"),
        ({"whoever": [{"first_name": "Teodor", "last_name": "Korbutski"}]}, "whoever 1"),
        ({"custom_fields": [{"label": "Spouse", "value": LISTED_NAME}]}, "custom fields 1, spouse"),
        ({"ehepartner": LISTED_NAME}, "ehepartner"),
        ({"customer": {"spouse": LISTED_NAME}}, "customer, spouse"),
    ],
)  # fmt: skip
def test_everybody_beside_the_person_is_screened(lists, caller, data, place):
    result = over_the_wire(caller, data)
    assert result["verdict"] in {"review", "fail"}, result["explanation"]
    worst = result["payload"]["people_screening"]["people"][0]
    assert worst["place"] == place


@pytest.mark.parametrize(
    "beside",
    [
        {"associated_individuals": [{"id": "i", "self_attested_data": LISTED}]},
        {
            "associated_entities": [
                {"self_attested_data": {"business_name": LISTED_FIRM}}
            ]
        },
        {"associated_parties": [LISTED_NAME]},
    ],
)
def test_parties_beside_the_attested_data_are_screened(lists, caller, beside):
    assert over_the_wire(caller, {}, beside)["verdict"] in {"review", "fail"}


OWN = {
    "first_name": "Teodor", "middle_name": "Ivan", "last_name": "Korbutski",
    "date_of_birth": "1961-03-14",
}  # fmt: skip


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"aliases": ["Teddy Korbutski"], "former_names": [{"first_name": "Teo", "last_name": "K"}]},
        {"full_name": LISTED_NAME, "family_name": "Korbutski", "mothers_maiden_name": "Korbutskaya"},
        {"government_id_verification_data": {"id_data": {
            "first_name": "TEODOR", "last_name": "KORBUTSKI", "mrz": ["P<BLRKORBUTSKI<<TEODOR"],
            "vendor_data": {"holder": LISTED_NAME, "person": {"name": LISTED_NAME}}}}},
        {"identity_documents": [{"first_name": "T. I.", "last_name": "KORBUTSKI"}]},
        {"passport": {"holder": "KORBUTSKI T. I."}},
        {"address": {"type": "Address", "street_1": "1 Guardian Street", "city": "Minsk"}},
        {"associated_addresses": [{"type": "Address", "street_1": "Korbutski 1"}]},
        {"occupation": "Director at Blue Heron Maritime Trading", "title": "Partner"},
        {"account_holder": "KORBUTSKI Teodor", "beneficial_owner": "Téodor Ivan Korbutski"},
        {"personal_details": {"first_name": "Teodor", "last_name": "Korbutski"}},
        {"customer": {"full_name": "T. Korbutski"}, "person": {"name": "Teodor K."}},
        {"custom_fields": [{"label": "Customer name", "value": "T. Korbutski"}]},
        {"beneficiary": "self", "beneficial_owner": "The applicant"},
        {"employer": "Self-employed", "spouse": "none", "guardian": "n/a"},
        {"spouse": {}, "father": {"first_name": "", "last_name": None}, "sponsor": {"answer": "No"}},
        {"children": {"count": 2}, "dependents": 3, "number_of_children": "2"},
        {"politically_exposed_person": "No", "marital_status": "Married", "home_ownership": "Rent"},
        {"power_of_attorney": [DOCUMENT], "proof_of_address_documents": [DOCUMENT]},
        {"company_founded": "May 2010", "nature_of_business": LISTED_FIRM},
    ],
)  # fmt: skip
def test_the_person_is_no_party_of_the_case(lists, caller, data):
    result = over_the_wire(caller, OWN | data)
    assert result["verdict"] == "not_applicable", result["explanation"]
    assert result["payload"]["people_screening"]["people"] == []


@pytest.mark.parametrize(
    "data",
    [
        {"father": {"name": LISTED_NAME}},
        {"account_holder": {"name": LISTED_NAME, "date_of_birth": "1990-01-01"}},
    ],
)
def test_another_person_of_the_same_name_is_a_party(lists, caller, data):
    result = over_the_wire(caller, OWN | data)
    assert result["payload"]["people_screening"]["people"]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({"spouse": "a teacher"}, "Could not be read as names: spouse (“a teacher”)."),
        (
            {"relatives": [{"relation": "father"}]},
            "No name could be read: relatives 1.",
        ),
        (
            {"power_of_attorney": {"signed": True}},
            "No name could be read: power of attorney.",
        ),
    ],
)
def test_a_party_without_a_name_passes_nobody(lists, caller, data, text):
    result = over_the_wire(caller, data)
    assert result["verdict"] == "inconclusive"
    assert text in result["explanation"]
    assert text in alerts_of(result)


@pytest.mark.parametrize(
    "data",
    [
        {"children": "two"},
        {"siblings": "2 brothers"},
        {"employer": "the state"},
        {"sponsor": "University scholarship"},
        {"account_holder": "Joint"},
        {"home_owner": "Rents"},
        {"business": "Retail"},
        {"family": "my wife and two children"},
    ],
)
def test_what_may_only_be_described_is_reported_and_changes_nothing(
    lists, caller, data
):
    result = over_the_wire(caller, data)
    assert result["verdict"] == "not_applicable"
    assert "Not read as names, and not screened: " in result["explanation"]


def test_a_relative_is_a_person_and_an_employer_of_one_word_a_company(lists, caller):
    result = over_the_wire(
        caller, {"spouse": "Ana Reyes", "employer": {"name": "Quillfeather"}}
    )
    page = result["payload"]["people_screening"]["people"]
    schemas = {(one["name"], one["schema"]) for one in page}
    assert schemas == {("Ana Reyes", "Person"), ("Quillfeather", "Organization")}


def test_an_agent_that_names_no_checks_runs_it(lists):
    caller = make_caller()
    Agent.objects.filter(pk=caller.kyc.pk).update(checks=[])
    listed = caller.get("getAvailableChecks", agent_key=caller.kyc.key).json()
    assert PARTIES in [one["check_id"] for one in listed["checks"]]
    response = caller.post(KYC, caller.kyc_body())
    job = AgentJob.objects.get(job_id=response.json()["job_id"])
    lifecycle.advance(job)
    assert job.check_runs.get(check_id=PARTIES).result["verdict"] == "not_applicable"


def test_a_case_that_names_nobody_is_approved_as_before(lists):
    caller = make_caller()
    checks = [{"check_id": SANCTIONS}, {"check_id": PARTIES}]
    Agent.objects.filter(pk=caller.kyc.pk).update(checks=checks)
    schema = {"id": "case-1", "self_attested_data": CLEAR}
    response = caller.post(KYC, caller.kyc_body(kyc_schema=schema))
    job = AgentJob.objects.get(job_id=response.json()["job_id"])
    lifecycle.advance(job)
    job.refresh_from_db()
    assert job.recommendation == "Approve"


def test_a_party_that_is_listed_later_starts_the_case_again(caller, tmp_path, work_off):
    whole = sample_lists.ofac_sdn_xml()
    without = whole.decode()
    for name in ("KORBUTSKY", "KORBUTSKIY", "КАРБУЦКІ"):
        without = without.replace(name, "ZZYZXOV")
    (tmp_path / "sdn").write_bytes(without.encode())
    loading.load(catalogue.source("ofac_sdn"), tmp_path / "sdn")
    assert over_the_wire(caller, {"spouse": LISTED})["verdict"] != "fail"

    (tmp_path / "sdn").write_bytes(whole)
    loading.load(catalogue.source("ofac_sdn"), tmp_path / "sdn")
    work_off()
    again, first = AgentJob.objects.order_by("-pk")
    assert again.schema == first.schema
    assert again.check_runs.get(check_id=PARTIES).result["verdict"] == "fail"


def test_the_page_shows_each_party_with_its_lists(lists, caller, client: Client):
    result = over_the_wire(caller, {"spouse": LISTED, "employer": "Quillfeather Ltd"})
    client.force_login(make_user())
    case, job = reviewed_case()
    add_check_result(job, result | {"check_id": PARTIES}, check_id=PARTIES)
    text = words(client, f"/cases/{case.pk}/?check={PARTIES}")
    assert "Parties of the case" in text
    assert "Teodor Korbutski: sanctions, fail" in text
    assert "Quillfeather Ltd: sanctions, pass" in text
