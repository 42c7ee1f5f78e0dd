"""The checks over lists, at the hub and on the page of a case."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils.timezone import now

from agenthub.jobs import lifecycle
from agenthub.models import AgentJob
from agenthub.models.lists import ListVersion
from agenthub.screening import catalogue, loading, sample_lists
from checks.base import alerts_of
from tests.factories import make_hub

pytestmark = pytest.mark.django_db

SANCTIONS = "kyc.sanctions_screening_check_v2"


@pytest.fixture
def lists(tmp_path):
    (tmp_path / "sdn").write_bytes(sample_lists.ofac_sdn_xml())
    loading.load(catalogue.source("ofac_sdn"), tmp_path / "sdn")


def run(kind: str, check_id: str, attested: dict[str, Any], **more) -> dict[str, Any]:
    hub = make_hub()
    job, _ = lifecycle.create(
        agent=hub[kind], job_id=AgentJob._meta.get_field("job_id").default(), check_ids=[check_id],
        input_payload={f"{kind}_schema": {"id": "c1", "self_attested_data": attested, **more}},
    )  # fmt: skip
    lifecycle.advance(job)
    return job.check_runs.get().result


LISTED = {
    "first_name": "Teodor", "last_name": "Korbutski", "date_of_birth": "1961-03-14",
    "country_of_nationality": "BY",
}  # fmt: skip
CLEAR = {
    "first_name": "Marguerite",
    "last_name": "Oyelaran",
    "date_of_birth": "1988-04-17",
}


def test_a_true_hit_fails_and_says_why(lists):
    result = run("kyc", SANCTIONS, LISTED)
    assert result["verdict"] == "fail"
    content = result["payload"]["screening"]
    [match] = content["matches"]
    assert match["entry"]["programs"] == ["DEMO-SANCTIONS"]
    assert {f["field"]: f["stand"] for f in match["facts"]}[
        "birth_date"
    ] == "corroborates"
    assert content["lists"][0]["sha256"] == ListVersion.objects.get().sha256
    assert len(content["versions"]["policy"]["hash"]) == 16


def test_a_clear_person_passes(lists):
    assert run("kyc", SANCTIONS, CLEAR)["verdict"] == "pass"


def test_a_possible_hit_is_for_a_person_to_review(lists):
    attested = {"first_name": "Marisol", "last_name": "Quintero"}
    assert run("kyc", SANCTIONS, attested)["verdict"] == "review"


def test_without_a_list_nothing_passes():
    result = run("kyc", SANCTIONS, CLEAR)
    assert (result["verdict"], result["passed"]) == ("inconclusive", False)
    assert "No sanctions list is loaded." in alerts_of(result)


def test_a_list_of_another_topic_is_none(lists):
    assert run("kyc", "kyc.pep_screening_check_v2", CLEAR)["verdict"] == "inconclusive"


def test_a_stale_list_does_not_pass_anybody(lists):
    ListVersion.objects.update(loaded_at=now() - timedelta(days=30))
    assert run("kyc", SANCTIONS, CLEAR)["verdict"] == "inconclusive"
    assert run("kyc", SANCTIONS, LISTED)["verdict"] == "fail"


def test_a_business_is_found_by_its_number(lists):
    attested = {
        "business_name": "Coral Tern",
        "business_registration_number": "CN-4471902",
    }
    result = run("kyb", "kyb.sanctions_screening", attested)
    assert result["verdict"] == "fail"
    assert result["payload"]["screening"]["best_band"] == "identifier_match"


def test_the_people_of_a_business_are_screened(lists):
    people = [{"self_attested_data": CLEAR}, {"self_attested_data": LISTED}]
    check = "kyb.associated_individuals_screening"
    result = run("kyb", check, {"business_name": "Acme"}, associated_individuals=people)
    assert result["verdict"] == "fail"
    assert any("Korbutski" in alert for alert in alerts_of(result))
    assert run("kyb", check, {"business_name": "Acme"})["verdict"] == "not_applicable"


def test_a_new_entry_raises_the_case_again_and_a_known_one_does_not(tmp_path, work_off):
    """Nobody stands on the first list; the second adds the person of the case."""
    whole = sample_lists.ofac_sdn_xml()
    without = whole.decode()
    for name in ("KORBUTSKY", "KORBUTSKIY", "КАРБУЦКІ"):
        without = without.replace(name, "ZZYZXOV")
    (tmp_path / "sdn").write_bytes(without.encode())
    loading.load(catalogue.source("ofac_sdn"), tmp_path / "sdn")
    run("kyc", SANCTIONS, LISTED)
    run("kyc", SANCTIONS, CLEAR)
    assert {job.recommendation for job in AgentJob.objects.all()} == {"Approve"}

    (tmp_path / "sdn").write_bytes(whole)
    loading.load(catalogue.source("ofac_sdn"), tmp_path / "sdn")
    work_off()
    assert AgentJob.objects.count() == 3
    raised = AgentJob.objects.first()
    assert raised is not None
    assert (raised.schema["self_attested_data"], raised.recommendation) == (
        LISTED,
        "Deny",
    )

    (tmp_path / "sdn").write_bytes(whole.replace(b"QUINTERO", b"CUARTERO"))
    loading.load(catalogue.source("ofac_sdn"), tmp_path / "sdn")
    work_off()
    assert AgentJob.objects.count() == 3


PARTIES = "kyb.associated_individuals_screening"
LISTED_NAME = "Teodor Korbutski"


@pytest.mark.parametrize(
    ("beside", "data"),
    [
        ({}, {"owners": [{"full_name": LISTED_NAME}]}),
        ({}, {"owners": [{"name": LISTED_NAME}]}),
        ({}, {"beneficial_owners": [{"legal_name": LISTED_NAME}]}),
        ({}, {"beneficialOwners": [{"firstName": "Teodor", "lastName": "Korbutski"}]}),
        ({}, {"directors": {"a": {"name": {"first": "Teodor", "last": "Korbutski"}}}}),
        ({}, {"director": {"given_name": "Teodor", "surname": "Korbutski"}}),
        ({}, {"partners": [LISTED_NAME]}),
        ({}, {"owner_name": LISTED_NAME}),
        ({}, {"ownership": {"shareholders": [{"person": {"full_name": LISTED_NAME}}]}}),
        ({}, {"owners": [{"business_name": "Holding", "owners": [{"name": LISTED_NAME}]}]}),
        ({"associated_individuals": [{"kyc_schema": {"self_attested_data": LISTED}}]}, {}),
        ({"controllers": [LISTED]}, {}),
        ({}, {"owners": [{"business_name": "Blue Heron Maritime Trading"}]}),
        ({}, {"owners": [{"name": "Blue Heron Maritime Trading"}]}),
        ({}, {"parent_company": {"registered_business_name": "Blue Heron Maritime Trading"}}),
        ({}, {"owner_1": LISTED_NAME}),
        ({}, {"owner2": {"name": LISTED_NAME}}),
        ({}, {"owner_name_3": LISTED_NAME}),
        ({}, {"owner_1_first_name": "Teodor", "owner_1_last_name": "Korbutski"}),
        ({}, {"ubo_first_name": "Teodor", "ubo_last_name": "Korbutski"}),
        ({}, {"owners": f"Ana Reyes; {LISTED_NAME}"}),
        ({}, {"owners": f"Ana Reyes, {LISTED_NAME}"}),
        ({}, {"persons_with_significant_control": [{"name": LISTED_NAME}]}),
        ({}, {"key_personnel": [{"name": LISTED_NAME}]}),
        ({}, {"psc": [{"name": LISTED_NAME}]}),
        ({}, {"gesellschafter": [LISTED_NAME]}),
        ({}, {"beneficiaires_effectifs": [LISTED_NAME]}),
        ({}, {"cap_table": [{"name": LISTED_NAME, "share": "40 %"}]}),
        ({}, {"whoever": [{"first_name": "Teodor", "last_name": "Korbutski"}]}),
        ({}, {"structure": {"levels": [{"entity": {"name": LISTED_NAME}}]}}),
        ({}, {"structure": {"level_2": [{"holding": {"name": LISTED_NAME, "share": 51}}]}}),
        ({}, {"acme_topco": {"name": LISTED_NAME, "percentage": "51"}}),
        ({}, {"whoever": {"first_name": "Teodor", "last_name": "Korbutski"}}),
        ({}, {"somebody": {"full_name": LISTED_NAME, "role": "Nominee"}}),
        ({}, {"custom_fields": [{"label": "Beneficial owner", "value": LISTED_NAME}]}),
        ({"extra": [{"pages": [[{"shareholders": [LISTED_NAME]}]]}]}, {}),
        ({"associated_entities": [{"self_attested_data": {"legal_name": "Blue Heron Maritime Trading"}}]}, {}),
    ],
)  # fmt: skip
def test_every_party_is_screened_under_whatever_member(lists, beside, data):
    result = run("kyb", PARTIES, {"business_name": "Acme"} | data, **beside)
    assert result["verdict"] in {"review", "fail"}, result["explanation"]


@pytest.mark.parametrize(
    "data",
    [
        {"owners": [{"ownership_percentage": 40}]},
        {"directors": [{"name": ""}, CLEAR]},
        {"partners": {"document_number": "000000000"}},
    ],
)
def test_a_party_without_a_name_passes_nobody(lists, data):
    result = run("kyb", PARTIES, {"business_name": "Acme"} | data)
    assert result["verdict"] == "inconclusive"
    assert "No name could be read: " in result["explanation"]
    assert any("No name could be read: " in alert for alert in alerts_of(result))


def test_what_describes_the_business_is_no_party(lists):
    data = {
        "business_name": "Acme", "registered_business_name": "Acme Ltd", "legal_name": "Acme",
        "nature_of_business": "Blue Heron Maritime Trading", "number_of_owners": "3",
        "business_ownership_documents": [{"file_name": "a.pdf"}], "staff": "25 people", "team": "Sales",
        "address_of_registered_agent": "1 Main Street", "contact": {"email": "a@b.example"},
        "incorporation_documents": [{"type": "Document", "name": "Certificate of Incorporation"}],
        "products": [{"name": "Blue Heron"}], "brand": {"name": "Blue Heron", "since": "1990"},
        "registration": {"business_name": "Acme", "ownership": "private", "shares": 100}, "custom_fields": [{"label": "Colour", "value": "Blue"}],
    }  # fmt: skip
    assert run("kyb", PARTIES, data)["verdict"] == "not_applicable"
