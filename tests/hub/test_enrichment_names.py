"""Enrichment from the account's own cases: no way to write a name hides a case, and more facts that
agree never find less."""

from __future__ import annotations

import itertools
import uuid
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agenthub import enrichment, jobs
from agenthub.models import AgentJob
from tests.agenthub.conftest import Caller, make_caller

pytestmark = pytest.mark.django_db
BRIEF = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture
def caller() -> Caller:
    return make_caller()


def keep(caller: Caller, kind: str, case_id: str, **attested: Any) -> AgentJob:
    agent = getattr(caller, kind)
    schema = {"id": case_id, "self_attested_data": attested}
    job, _ = jobs.create(agent=agent, job_id=uuid.uuid4(), input_payload={f"{kind}_schema": schema})
    return job


def person(caller: Caller, **facts: str) -> dict[str, Any]:
    return enrichment.OwnCases().person(caller.account, facts).to_wire()


def company(caller: Caller, **facts: str) -> dict[str, Any]:
    return enrichment.OwnCases().company(caller.account, facts).to_wire()


@pytest.mark.parametrize(
    "asked",
    [
        "Parcha Labs, Inc.", "PARCHA LABS INC", "parcha labs inc", "Parcha Labs Incorporated",
        "Parcha Labs", "Parchá Labs, Inc", "PARCHA  LABS,INC.",
    ],
)  # fmt: skip
def test_no_way_to_write_a_company_hides_it(caller, asked):
    keep(caller, "kyb", "c-1", business_name="Parcha Labs, Inc.")
    assert company(caller, name=asked)["data"]["case_id"] == "c-1"


def test_and_is_a_sign_or_a_word_and_every_name_of_a_business_counts(caller):
    keep(
        caller, "kyb", "c-1",
        business_name="Fenwick & Sons", registered_business_name="Zylotharn Trading Limited",
    )  # fmt: skip
    for asked in ("Fenwick and Sons", "FENWICK & SONS LTD", "Zylotharn Trading Ltd"):
        assert company(caller, name=asked)["data"]["case_id"] == "c-1"


@pytest.mark.parametrize(
    "asked",
    [
        "Ana Reyes", "Ana María Reyes", "ANA M REYES", "Reyes, Ana", "ana maria reyes ortega",
        "Ana Maria Reyes", "Reyes Ana Maria",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "attested",
    [
        {"first_name": "Ana", "last_name": "Reyes"},
        {"first_name": "Ana", "middle_name": "Maria", "last_name": "Reyes"},
    ],
)
def test_no_way_to_write_a_person_hides_them(caller, attested, asked):
    keep(caller, "kyc", "p-1", **attested)
    assert person(caller, full_name=asked)["data"]["case_id"] == "p-1"


@pytest.mark.parametrize("asked", ["Ana Lopez", "Reyes", "Pedro Reyes", "Maria Ortega"])
def test_another_person_is_not_found(caller, asked):
    keep(caller, "kyc", "p-1", first_name="Ana", last_name="Reyes")
    assert person(caller, full_name=asked)["status"] == "not_found"


@pytest.mark.parametrize("asked", ["Southwind Ltd", "Ltd", "Labs Inc", "Parcha Bakery"])
def test_another_company_is_not_found(caller, asked):
    keep(caller, "kyb", "c-1", business_name="Parcha Labs, Inc.")
    assert company(caller, name=asked)["status"] == "not_found"


ATTESTED = {
    "first_name": "Ana", "middle_name": "Maria", "last_name": "Reyes",
    "email": "ana@example.org", "phone": "+44 20 7946 0958",
}  # fmt: skip
AGREEING = {
    "full_name": ("Ana Reyes", "ANA MARIA REYES", "Reyes, Ana", "Ana Reyes-Ortega"),
    "email": ("ana@example.org", "ANA@example.org"),
    "phone": ("+44 20 7946 0958", "+442079460958", "+44 (20) 7946-0958"),
}


def test_more_that_agrees_never_finds_less(caller):
    keep(caller, "kyc", "p-1", **ATTESTED)
    keep(caller, "kyc", "p-2", first_name="Teodor", last_name="Korbutski", email="t@example.org")
    for size in (1, 2, 3):
        for names in itertools.combinations(AGREEING, size):
            for values in itertools.product(*(AGREEING[name] for name in names)):
                facts = dict(zip(names, values, strict=True))
                if facts == {"full_name": "Ana Reyes-Ortega"}:
                    continue  # alone it may be somebody else
                assert person(caller, **facts)["data"].get("case_id") == "p-1", facts


def test_what_contradicts_is_another_subject(caller):
    keep(caller, "kyc", "p-1", **ATTESTED)
    other = {"full_name": "Ana Reyes", "email": "another@example.org"}
    assert person(caller, **other)["status"] == "not_found"
    assert person(caller, email="ana@example.org", full_name="Teodor Korbutski")["status"] == "not_found"  # fmt: skip


def test_several_subjects_of_one_name_are_said_to_be_several(caller):
    for number, born in enumerate(("1988-04-12", "1990-01-01")):
        keep(
            caller, "kyc", f"p-{number}", first_name="Ana", last_name="Reyes", date_of_birth=born,
            email=f"ana{number}@example.org",
        )  # fmt: skip
    both = person(caller, full_name="Ana Reyes")
    assert both["data"]["ambiguous"] is True
    assert {one["case_id"] for one in both["data"]["candidates"]} == {"p-0", "p-1"}
    assert "date_of_birth" not in both["data"]
    one = person(caller, full_name="Ana Reyes", email="ana1@example.org")
    assert (one["data"]["case_id"], one["data"]["date_of_birth"]) == ("p-1", "1990-01-01")


def test_cases_that_agree_are_one_subject(caller):
    keep(caller, "kyb", "c-1", business_name="Northwind Ltd", tin_number="12-1")
    keep(caller, "kyb", "c-2", business_name="NORTHWIND LIMITED")
    data = company(caller, name="Northwind Ltd")["data"]
    assert (data["case_id"], data["other_cases"]) == ("c-2", ["c-1"])


def test_accounts_stay_apart(caller):
    keep(make_caller(), "kyb", "theirs", business_name="Northwind Ltd")
    assert company(caller, name="Northwind Ltd")["status"] == "not_found"


WORDS = st.sampled_from(["Quill", "Zylo", "Harbour", "Osprey", "Tallow", "Fenwick", "Brume"])
FORMS = st.sampled_from(["", " Inc", ", Inc.", " Incorporated", " INC.", ",INC"])
CASES = st.sampled_from([str, str.upper, str.lower, str.title])


@BRIEF
@given(st.lists(WORDS, min_size=2, max_size=3, unique=True), FORMS, FORMS, CASES)
def test_any_company_is_found_under_any_of_its_spellings(words, form, other, spelled):
    caller = make_caller()
    keep(caller, "kyb", "c-1", business_name=" ".join(words) + form)
    asked = spelled(" ".join(words)) + other
    assert company(caller, name=asked)["data"]["case_id"] == "c-1"


FIRST = st.sampled_from(["Marguerite", "Teodor", "Ngozi", "Élodie", "Zoë", "Bjørn"])
LAST = st.sampled_from(["Oyelaran", "Korbutski", "Adeyemi", "Núñez", "O'Brien", "Sjöberg"])
MIDDLE = st.sampled_from(["", "Anna", "Q.", "Jean Paul"])


@BRIEF
@given(FIRST, MIDDLE, LAST, MIDDLE, CASES)
def test_any_person_is_found_with_and_without_a_middle_name(first, middle, last, other, spelled):
    caller = make_caller()
    keep(caller, "kyc", "p-1", first_name=first, middle_name=middle, last_name=last)
    if middle and other and middle != other:
        other = ""  # another middle name may be another person
    asked = spelled(" ".join(filter(None, [first, other, last])))
    assert person(caller, full_name=asked)["data"]["case_id"] == "p-1"
