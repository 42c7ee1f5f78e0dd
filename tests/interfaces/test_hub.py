"""Every endpoint of the hub against the description that it serves."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from agenthub.schemas import description, examples
from tests.agenthub.conftest import Caller, make_caller
from tests.interfaces import walking

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.sweep(whole=True),
    pytest.mark.all_values,
]
ADDRESS = "/api/v1/schema/"


@pytest.fixture
def caller(settings) -> Caller:
    settings.API_RATE = 1_000_000
    return make_caller()


def known(caller: Caller, path: str) -> dict[str, Any]:
    job = caller.job()
    agent = caller.kyb
    if "KYC" in path:
        agent = caller.kyc
    data = {"business_name": "Northwind", "first_name": "A", "last_name": "B"}
    schema = {"id": "case-001", "self_attested_data": data}
    return {
        "agent_key": agent.key,
        "agent_id": agent.key,
        "job_id": str(job.job_id),
        "case_id": "case-001",
        "application_id": "case-001",
        "kyb_schema": schema,
        "kyc_schema": schema,
        "check_id": "kyb.incorporation_document_verification",
        "batch_id": str(uuid.uuid4()),
        "csv": "id,business_name\n1,Northwind\n",
        "b64_document": "JVBERi0xLjcK",
    }


@pytest.mark.parametrize(
    "pair", [*walking.operations(description.document())], ids="-".join
)
def test_an_endpoint_is_what_its_description_says(caller, pair):
    values = known(caller, pair[1])
    if pair[1].startswith(("/start", "/runCheck")):
        # A job of that id is there.
        del values["job_id"]
    body = examples.REQUESTS.get(pair[1].strip("/"))

    def prepare(case: Any) -> None:
        if isinstance(case.body, dict) and isinstance(body, dict):
            # What fits, beside the members that were made up.
            case.body.update(body)
        walking.put(case, values)

    walking.walk(walking.described(ADDRESS), pair, key=caller.api_key, prepare=prepare)
