"""Each check says where it is: from its first moment to its end, in messages that are true."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from django.db import connection

from agenthub.jobs import lifecycle
from checks import registry, samples
from tests.agenthub.conftest import Caller, make_caller

pytestmark = pytest.mark.django_db
INCORPORATION = "kyb.incorporation_document_verification"


@pytest.fixture
def caller() -> Caller:
    result = make_caller()
    result.kyb.checks = []
    result.kyb.save()
    return result


def messages(caller: Caller, job: Any) -> dict[str, list[str]]:
    """The messages of each check, in the order of their times."""
    body = caller.get("getCheckResults", job_id=job.job_id).json()
    for result in body:
        times = [one["timestamp"] for one in result["status_messages"]]
        assert times == sorted(times)
    return {
        one["check_id"]: [m["message"] for m in one["status_messages"]] for one in body
    }


def test_a_check_of_the_data_says_what_it_does(caller):
    job = caller.job()
    lifecycle.advance(job)
    outcome = messages(caller, job)
    name = "kyb.sanctions_screening_check_v2"
    assert outcome[name][:3] == ["Waiting", "Started", "Screening against the lists"]
    results = caller.get("getCheckResults", job_id=job.job_id).json()
    for result in results:
        assert outcome[result["check_id"]][0] == "Waiting"
        assert outcome[result["check_id"]][1] == "Started"
        assert outcome[result["check_id"]][-1] == result["result"]["explanation"]
    ended = {
        one["check_id"]
        for one in results
        if one["result"]["verdict"] != "not_applicable"
    }
    data = {check_id for check_id in ended if not registry.get(check_id).documents}
    assert all(
        outcome[check_id][2] == registry.get(check_id).doing for check_id in data
    )


def test_no_message_shows_a_name_to_who_has_the_database_alone(caller):
    owner = {"first_name": "Jorvelina", "last_name": "Smackerstein"}
    body = caller.kyb_body()
    body["kyb_schema"]["self_attested_data"]["beneficial_owners"] = [owner]
    job = caller.job(input_payload=body)
    lifecycle.advance(job)
    assert "Smackerstein" in str(messages(caller, job))
    with connection.cursor() as cursor:
        cursor.execute("SELECT status_messages FROM agenthub_checkrun")
        stored = [bytes(value) for (value,) in cursor]
    assert stored
    assert not any(b"Smackerstein" in value for value in stored)


def test_a_check_without_documents_does_not_say_that_it_read_one(caller):
    job = caller.job()
    lifecycle.advance(job)
    message = messages(caller, job)[INCORPORATION]
    assert message[:2] == ["Waiting", "Started"]
    assert not any("Reading" in words or "Comparing" in words for words in message)
    assert len(message) == 3


def test_a_check_of_documents_tells_each_step(caller):
    document = {
        "type": "Document",
        "b64_document": base64.b64encode(samples.good_certificate().content).decode(),
        "file_name": "incorporation.pdf",
    }
    body = caller.kyb_body()
    body["kyb_schema"]["self_attested_data"]["incorporation_documents"] = [document]
    job = caller.job(input_payload=body, check_ids=[INCORPORATION])
    lifecycle.advance(job)
    message = messages(caller, job)[INCORPORATION]
    assert message[:3] == ["Waiting", "Started", "Reading the documents"]
    assert "Comparing with the data" in message
    tools = [tool.id for tool in registry.get(INCORPORATION).tools]
    examined = [
        words for words in message if words.startswith("Document 1 examined by")
    ]
    assert len(examined) == len(tools)
    result = caller.get("getCheckResults", job_id=job.job_id).json()[0]["result"]
    assert message[-1] == result["explanation"]


@pytest.mark.parametrize("check_id", [*registry.all_checks()])
def test_every_check_has_words_for_what_it_does(check_id):
    words = registry.get(check_id).doing
    assert words[0].isupper()
    assert not words.endswith(".")
