"""Texts and lists that no check could read in time are refused, with the member that is too long."""

from __future__ import annotations

from typing import Any

import pytest

from tests.agenthub.api.test_hostile_requests import error
from tests.agenthub.conftest import KYB, KYC, details

MEGABYTES = "x" * (10 << 20)
LINE = 1_000


def attested(body: dict[str, Any], kind: str = "kyb") -> dict[str, Any]:
    members: dict[str, Any] = body[f"{kind}_schema"]["self_attested_data"]
    return members


@pytest.mark.parametrize(
    "member",
    [
        "business_name",
        "registered_business_name",
        "tin_number",
        "industry",
        "description",
        "business_purpose",
        "contact_phone_number",
        "mcc_code",
        # Not declared; checks read some of these, too.
        "partners",
        "anything",
    ],
)
def test_a_text_of_ten_megabytes_is_refused(caller, member):
    body = caller.kyb_body()
    attested(body)[member] = MEGABYTES
    answer = caller.post(KYB, body)
    assert len(answer.content) < 2000
    assert "max_length" in details(answer).values()
    assert member in error(answer, 400)["message"]


@pytest.mark.parametrize("member", ["first_name", "last_name", "email", "title", "sex"])
def test_a_text_of_a_person_is_refused(caller, member):
    body = caller.kyc_body()
    attested(body, "kyc")[member] = MEGABYTES
    assert "max_length" in details(caller.post(KYC, body)).values()


def test_a_name_is_taken_up_to_its_limit(caller):
    body = caller.kyb_body()
    attested(body)["business_name"] = "é" * LINE
    assert caller.post(KYB, body).status_code == 200
    attested(body)["business_name"] += "é"
    body["kyb_schema"]["id"] = "another"
    place = ("kyb_schema", "self_attested_data", "business_name")
    assert details(caller.post(KYB, body)) == {place: "max_length"}


@pytest.mark.parametrize(
    ("member", "entry"),
    [
        ("incorporation_documents", {"url": "https://example.com/a.pdf"}),
        ("website", "https://example.com"),
        ("partners", {"name": "A"}),
    ],
)
def test_a_list_of_a_million_entries_is_refused(caller, member, entry):
    body = caller.kyb_body()
    attested(body)[member] = [entry] * (200_000 if member != "website" else 1_000_000)
    answer = caller.post(KYB, body)
    assert len(answer.content) < 2000
    assert "max_length" in details(answer).values()


def test_a_thousand_people_are_taken_and_one_more_is_not(caller):
    body = caller.kyb_body()
    person = {"id": "p", "self_attested_data": {"first_name": "A", "last_name": "B"}}
    body["kyb_schema"]["associated_individuals"] = [person] * 1001
    place = ("kyb_schema", "associated_individuals")
    assert details(caller.post(KYB, body)) == {place: "max_length"}
    body["kyb_schema"]["associated_individuals"] = [person] * 1000
    assert caller.post(KYB, body).status_code == 200


def test_names_of_checks_and_keys_are_not_repeated_at_length(caller):
    body = caller.kyb_body(check_ids=[MEGABYTES], tool_webhook_ids=[MEGABYTES])
    answer = caller.post(KYB, body)
    assert len(answer.content) < 2000
    answer = caller.post(KYB, caller.kyb_body(agent_key=MEGABYTES))
    assert "max_length" in details(answer).values()


def test_a_long_word_of_another_member_is_kept(caller):
    """Members that are not declared come from other providers, and are longer than names."""
    body = caller.kyb_body()
    attested(body)["vendor"] = "y" * 100_000
    assert caller.post(KYB, body).status_code == 200
