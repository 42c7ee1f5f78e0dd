"""Enrichment from the account's own cases: no way to write a name hides a case, and more facts that
agree never find less."""

from __future__ import annotations

import itertools
import uuid
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agenthub.enrichment import providers
from agenthub.jobs import lifecycle
from agenthub.models import AgentJob
from agenthub.subjects import names as subjects
from tests.agenthub.conftest import Caller, make_caller

pytestmark = pytest.mark.django_db
BRIEF = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@pytest.fixture
def caller() -> Caller:
    return make_caller()


def keep(caller: Caller, kind: str, case_id: str, **attested: Any) -> AgentJob:
    agent = getattr(caller, kind)
    schema = {"id": case_id, "self_attested_data": attested}
    job, _ = lifecycle.create(
        agent=agent, job_id=uuid.uuid4(), input_payload={f"{kind}_schema": schema}
    )
    return job


def person(caller: Caller, **facts: str) -> dict[str, Any]:
    return providers.OwnCases().person(caller.account, facts).to_wire()


def company(caller: Caller, **facts: str) -> dict[str, Any]:
    return providers.OwnCases().company(caller.account, facts).to_wire()


@pytest.mark.parametrize(
    "query",
    [
        "Parcha Labs, Inc.", "PARCHA LABS INC", "parcha labs inc", "Parcha Labs Incorporated",
        "Parcha Labs", "Parchá Labs, Inc", "PARCHA  LABS,INC.",
    ],
)  # fmt: skip
def test_no_way_to_write_a_company_hides_it(caller, query):
    keep(caller, "kyb", "c-1", business_name="Parcha Labs, Inc.")
    assert company(caller, name=query)["data"]["case_id"] == "c-1"


def test_and_is_a_sign_or_a_word_and_every_name_of_a_business_counts(caller):
    keep(
        caller, "kyb", "c-1",
        business_name="Fenwick & Sons", registered_business_name="Zylotharn Trading Limited",
    )  # fmt: skip
    for query in ("Fenwick and Sons", "FENWICK & SONS LTD", "Zylotharn Trading Ltd"):
        assert company(caller, name=query)["data"]["case_id"] == "c-1"


@pytest.mark.parametrize(
    "query",
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
def test_no_way_to_write_a_person_hides_them(caller, attested, query):
    keep(caller, "kyc", "p-1", **attested)
    assert person(caller, full_name=query)["data"]["case_id"] == "p-1"


@pytest.mark.parametrize("query", ["Ana Lopez", "Reyes", "Pedro Reyes", "Maria Ortega"])
def test_another_person_is_not_found(caller, query):
    keep(caller, "kyc", "p-1", first_name="Ana", last_name="Reyes")
    assert person(caller, full_name=query)["status"] == "not_found"


@pytest.mark.parametrize("query", ["Southwind Ltd", "Ltd", "Labs Inc", "Parcha Bakery"])
def test_another_company_is_not_found(caller, query):
    keep(caller, "kyb", "c-1", business_name="Parcha Labs, Inc.")
    assert company(caller, name=query)["status"] == "not_found"


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
    keep(
        caller,
        "kyc",
        "p-2",
        first_name="Teodor",
        last_name="Korbutski",
        email="t@example.org",
    )
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
    assert (one["data"]["case_id"], one["data"]["date_of_birth"]) == (
        "p-1",
        "1990-01-01",
    )


def test_cases_that_agree_are_one_subject(caller):
    keep(caller, "kyb", "c-1", business_name="Northwind Ltd", tin_number="12-1")
    keep(caller, "kyb", "c-2", business_name="NORTHWIND LIMITED")
    data = company(caller, name="Northwind Ltd")["data"]
    assert (data["case_id"], data["other_cases"]) == ("c-2", ["c-1"])


def test_accounts_stay_apart(caller):
    keep(make_caller(), "kyb", "theirs", business_name="Northwind Ltd")
    assert company(caller, name="Northwind Ltd")["status"] == "not_found"


WORDS = st.sampled_from(
    ["Quill", "Zylo", "Harbour", "Osprey", "Tallow", "Fenwick", "Brume"]
)
FORMS = st.sampled_from(["", " Inc", ", Inc.", " Incorporated", " INC.", ",INC"])
CASES = st.sampled_from([str, str.upper, str.lower, str.title])


@BRIEF
@given(st.lists(WORDS, min_size=2, max_size=3, unique=True), FORMS, FORMS, CASES)
def test_any_company_is_found_under_any_of_its_spellings(words, form, other, spelled):
    caller = make_caller()
    keep(caller, "kyb", "c-1", business_name=" ".join(words) + form)
    query = spelled(" ".join(words)) + other
    assert company(caller, name=query)["data"]["case_id"] == "c-1"


FIRST = st.sampled_from(["Marguerite", "Teodor", "Ngozi", "Élodie", "Zoë", "Bjørn"])
LAST = st.sampled_from(
    ["Oyelaran", "Korbutski", "Adeyemi", "Núñez", "O'Brien", "Sjöberg"]
)
MIDDLE = st.sampled_from(["", "Anna", "Q.", "Jean Paul"])


@BRIEF
@given(FIRST, MIDDLE, LAST, MIDDLE, CASES)
def test_any_person_is_found_with_and_without_a_middle_name(
    first, middle, last, other, spelled
):
    caller = make_caller()
    keep(caller, "kyc", "p-1", first_name=first, middle_name=middle, last_name=last)
    if middle and other and middle != other:
        other = ""  # another middle name may be another person
    result = spelled(" ".join(filter(None, [first, other, last])))
    assert person(caller, full_name=result)["data"]["case_id"] == "p-1"


def many(caller: Caller, kind: str, names: list[dict[str, str]]) -> None:
    agent = getattr(caller, kind)
    rows = []
    for number, attested in enumerate(names):
        schema: dict[str, Any] = {
            "id": f"many-{number}",
            "self_attested_data": attested,
        }
        rows.append(
            AgentJob(
                account=caller.account, agent=agent, job_id=uuid.uuid4(), case_id=schema["id"],
                input_payload={f"{kind}_schema": schema}, status="complete", due_at=None,
                subject_key=subjects.key_of(schema, kind=kind),
            )
        )  # fmt: skip
    AgentJob.objects.bulk_create(rows)


COMMON = ["".join(three) for three in itertools.product(("ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na"), repeat=3)]  # fmt: skip


@pytest.mark.parametrize(
    ("listed", "query"),
    [
        ("General Trading LLC", "GENERAL TRADING, L.L.C."),
        ("Zylotarn Trading LLC", "Zylotarn Trading"),
        ("Al Noor General Trading LLC", "Al Noor General Trading"),
    ],
)
def test_words_that_many_companies_have_hide_none(caller, listed, query):
    keep(caller, "kyb", "c-1", business_name=listed)
    many(
        caller,
        "kyb",
        [{"business_name": f"{word} General Trading LLC"} for word in COMMON[:1100]],
    )
    assert company(caller, name=query)["data"].get("case_id") == "c-1"


def test_names_that_many_people_have_hide_nobody_and_are_not_one_person(caller):
    keep(caller, "kyc", "p-1", first_name="Mohammed", last_name="Zylotarn")
    keep(
        caller,
        "kyc",
        "p-2",
        first_name="Maria",
        last_name="Garcia",
        email="m@x.example",
    )
    people = [
        {"first_name": "Maria", "middle_name": word, "last_name": "Garcia"}
        for word in COMMON[:600]
    ]
    people += [
        {"first_name": "Mohammed", "middle_name": "Ali", "last_name": word}
        for word in COMMON[:1100]
    ]
    many(caller, "kyc", people)
    assert (
        person(caller, full_name="Zylotarn, Mohammed Ali")["data"]["case_id"] == "p-1"
    )
    data = person(caller, full_name="Maria Garcia")["data"]
    assert data["explanation"] == "At least 20 different subjects fit. Give more facts."
    # Who has the address that was asked for, not the latest of that name.
    result = person(caller, full_name="Maria Garcia", email="m@x.example")
    assert result["data"]["case_id"] == "p-2"


def test_cases_of_one_business_under_either_name_are_one_subject(caller):
    keep(caller, "kyb", "c-1", business_name="Zylotarn Trading LLC")
    keep(
        caller,
        "kyb",
        "c-2",
        business_name="Quill",
        registered_business_name="Zylotarn Trading LLC",
    )
    keep(caller, "kyb", "c-3", business_name="Zylotarn Trading")
    data = company(caller, name="Zylotarn Trading")["data"]
    assert (data["case_id"], data["other_cases"]) == ("c-3", ["c-2", "c-1"])


LEGAL = ["Inc", "INC.", "Ltd", "", "GmbH", "LLC"]


@BRIEF
@given(
    order=st.permutations(["Nordlicht", "Quillon", "Velarde"]), form=st.sampled_from(LEGAL),
    upper=st.booleans(), comma=st.sampled_from([" ", ", ", "  ", " - "]),
)  # fmt: skip
def test_no_order_no_comma_and_no_form_hides_a_company(
    caller, order, form, upper, comma
):
    if not AgentJob.objects.filter(case_id="c-1").exists():
        keep(caller, "kyb", "c-1", business_name="Nordlicht Quillon Velarde Inc")
    text = f"{' '.join(order)}{comma}{form}".strip(" ,-")
    result = company(caller, name=text.upper() if upper else text)
    assert result["data"].get("case_id") == "c-1", text


@BRIEF
@given(
    order=st.permutations(["Ana", "Maria", "Reyes"]), dropped=st.sampled_from(["", "Maria"]),
    added=st.sampled_from(["", "Ortega", "O."]), upper=st.booleans(),
)  # fmt: skip
def test_no_order_and_no_further_name_hides_a_person(
    caller, order, dropped, added, upper
):
    if not AgentJob.objects.filter(case_id="p-1").exists():
        keep(
            caller,
            "kyc",
            "p-1",
            first_name="Ana",
            middle_name="Maria",
            last_name="Reyes",
        )
    text = " ".join([*(word for word in order if word != dropped), added]).strip()
    if dropped and added:
        return  # another name in place of hers: that may be another person
    result = person(caller, full_name=text.upper() if upper else text)
    assert result["data"].get("case_id") == "p-1", text


@pytest.mark.parametrize(
    "query", ["Владимир Иванов", "Vladimir Ivanov", "ВЛАДИМИР ИВАНОВ"]
)
def test_no_script_hides_a_person(caller, query):
    keep(caller, "kyc", "p-1", first_name="Vladimir", last_name="Ivanov")
    result = person(caller, full_name=query)
    assert result["data"].get("case_id") == "p-1"
