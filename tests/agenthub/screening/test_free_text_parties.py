"""Parties in free text, over the wire: screened with their place, or the check says that it could not."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from agenthub.jobs import lifecycle
from agenthub.models import Agent, AgentJob
from checks.base import alerts_of
from tests.agenthub.conftest import KYB, Caller, make_caller
from tests.agenthub.screening.test_checks import LISTED_NAME, PARTIES, lists, run
from tests.factories import make_user
from tests.reviews.pages.case.rows import add_check_result, reviewed_case, words

pytestmark = pytest.mark.django_db
__all__ = ["lists"]

LISTED_FIRM = "Blue Heron Maritime Trading"


@pytest.fixture
def caller() -> Caller:
    result = make_caller()
    Agent.objects.filter(pk=result.kyb.pk).update(checks=[{"check_id": PARTIES}])
    return result


@pytest.fixture
def analyst(client: Client) -> Client:
    client.force_login(make_user())
    return client


def over_the_wire(caller: Caller, **data: Any) -> dict[str, Any]:
    """Start a job with these members, run it, and fetch the result of the check."""
    schema = {"id": "case-1", "self_attested_data": {"business_name": "Acme"} | data}
    response = caller.post(KYB, caller.kyb_body(kyb_schema=schema, check_ids=[PARTIES]))
    assert response.status_code == 200, response.json()
    job_id = response.json()["job_id"]
    lifecycle.advance(AgentJob.objects.get(job_id=job_id))
    results = caller.get("getCheckResults", job_id=job_id).json()
    [match] = [one for one in results if one["check_id"] == PARTIES]
    result: dict[str, Any] = match["result"]
    return result


@pytest.mark.parametrize(
    ("data", "place"),
    [
        ({"ownership": f"Marguerite Oyelaran 60 %, {LISTED_NAME} 40%"}, "ownership"),
        ({"ownership": f"{LISTED_NAME} 60 %, Acme Holdings Ltd 40%"}, "ownership"),
        (
            {"ownership": f"Marguerite Oyelaran 60 %, {LISTED_FIRM} Ltd 40%"},
            "ownership",
        ),
        (
            {"ownership": f"The company is owned by {LISTED_NAME} and his family."},
            "ownership",
        ),
        ({"ownership_structure": f"100 % {LISTED_NAME}"}, "ownership structure"),
        (
            {"owners": f"1. Marguerite Oyelaran (60 %)\n2. {LISTED_NAME} (40 %)"},
            "owners",
        ),
        ({"owners": ["Marguerite Oyelaran 60 %", f"{LISTED_NAME} 40 %"]}, "owners 2"),
        ({"owners": {"2": LISTED_NAME}}, "owners 2"),
        ({"owners": {LISTED_NAME: 40}}, "owners"),
        ({"owners": [{"name": f"Marguerite Oyelaran and {LISTED_NAME}"}]}, "owners 1"),
        (
            {"directors": f"CEO: Marguerite Oyelaran; Director: {LISTED_NAME}"},
            "directors",
        ),
        ({"directors": f"Marguerite Oyelaran (CEO), {LISTED_NAME} (CFO)"}, "directors"),
        ({"directors": "Korbutski, Teodor"}, "directors"),
        ({"directors": f"Managing director {LISTED_NAME}"}, "directors"),
        ({"board": f"Marguerite Oyelaran; {LISTED_NAME}"}, "board"),
        ({"management": f"{LISTED_NAME} - CEO"}, "management"),
        ({"customers": [f"{LISTED_FIRM} Ltd", "small businesses"]}, "customers 1"),
        ({"suppliers": f"Siemens AG, {LISTED_FIRM}"}, "suppliers"),
        ({"key_personnel": f"{LISTED_NAME}, CEO"}, "key personnel"),
        ({"shareholders": '[{"name": "Teodor Korbutski"}]'}, "shareholders 1"),
    ],
)
def test_a_listed_party_in_a_free_text_is_found(lists, caller, data, place):
    result = over_the_wire(caller, **data)
    assert result["verdict"] in {"review", "fail"}, result["explanation"]
    worst = result["payload"]["people_screening"]["people"][0]
    assert worst["place"] == place
    if worst["source"] == "free_text":
        assert worst["explanation"].startswith(
            f"Read from the free text of “{place}”. "
        )


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"ownership": "the founders and their families"}, "ownership (“the founders … their families”)"),
        ({"ownership": "Various private investors"}, "ownership (“Various private investors”)"),
        ({"owners": "Marguerite Oyelaran 60 %, other investors 40 %"}, "owners (“other investors”)"),
        ({"beneficial_owners": ["Marguerite Oyelaran", "see attached"]}, "beneficial owners 2 (“see attached”)"),
        ({"directors": "Managing director"}, "directors (“Managing director”)"),
        ({"parent_company": "a group in the north"}, "parent company (“a group in the north”)"),
        ({"management": "run by the brothers"}, "management (“run by the brothers”)"),
    ],
)  # fmt: skip
def test_a_text_that_is_not_names_passes_nobody(lists, caller, data, message):
    result = over_the_wire(caller, **data)
    assert result["verdict"] == "inconclusive"
    sentence = f"Could not be read as names: {message}."
    assert sentence in result["explanation"]
    assert sentence in alerts_of(result)
    [text] = result["payload"]["people_screening"]["not_names"]
    assert message == f"{text['place']} (“{text['text']}”)"


def test_a_hit_counts_more_than_what_could_not_be_read(lists, caller):
    result = over_the_wire(caller, ownership=f"{LISTED_NAME} and the founders")
    assert result["verdict"] == "review"
    assert (
        "Could not be read as names: ownership (“the founders”)."
        in result["explanation"]
    )


def test_names_alone_pass(lists, caller):
    result = over_the_wire(
        caller, ownership="Marguerite Oyelaran 60 %, Quillfeather Holdings Ltd 40 %"
    )
    page = result["payload"]["people_screening"]
    sanctions = [one for one in page["people"] if one["what"] == "sanctions"]
    assert {(one["name"], one["verdict"]) for one in sanctions} == {
        ("Marguerite Oyelaran", "pass"), ("Quillfeather Holdings Ltd", "pass"),
    }  # fmt: skip
    assert page["not_names"] == []


@pytest.mark.parametrize(
    "data",
    [
        {"customers": "small businesses in the north"},
        {"suppliers": ["local farms", "wholesalers"]},
        {"staff": "25 people", "team": "Sales"},
        {"main_business": "wholesale of shoes"},
        {"customers": [{"country": "DE"}]},
    ],
)
def test_what_may_only_be_described_is_reported_and_changes_nothing(lists, data):
    result = run("kyb", PARTIES, {"business_name": "Acme"} | data)
    assert result["verdict"] == "not_applicable"
    quoted = "Not read as names, and not screened: " in result["explanation"]
    assert quoted is any(
        isinstance(one, str) or isinstance(one[0], str) for one in data.values()
    )


def test_what_names_no_party_makes_nothing_inconclusive(lists):
    described = {
        "description": "The founders and their families own it", "industry": "Owner of shops",
        "business_purpose": "Management of houses for owners", "source_of_funds": ["Sale of a house"],
        "ownership": "Private", "ownership_type": "held by a family", "risk_management": "by the board",
        "customer_countries": ["DE"], "address_of_operation": {"street_1": "1 Owner Street"},
        "owners": "None", "directors": "n/a", "is_owner": "yes he is", "website": "https://a.example",
    }  # fmt: skip
    result = run("kyb", PARTIES, {"business_name": "Acme"} | described)
    assert result["verdict"] == "not_applicable", result["explanation"]


def test_the_page_and_the_report_say_what_was_read_from_a_text(lists, analyst):
    result = run(
        "kyb",
        PARTIES,
        {"business_name": "Acme", "ownership": f"{LISTED_NAME} 60 %, others 40 %"},
    )
    case, job = reviewed_case()
    add_check_result(job, result | {"check_id": PARTIES}, check_id=PARTIES)
    text = words(analyst, f"/cases/{case.pk}/?check={PARTIES}")
    assert "Read from the free text of “ownership”." in text
    assert "Could not be read as names: ownership (“others”)." in text
    report = words(analyst, f"/cases/{case.pk}/report/")
    assert "Could not be read as names: ownership (“others”)." in report
