from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.test import Client

from agenthub.jobs import lifecycle
from agenthub.models import Account, Agent, AgentJob
from tests.agenthub.contract import described
from tests.factories import make_hub

KYB = "startKYBAgentJob"
KYC = "startKYCAgentJob"


@dataclass
class Caller:
    """A client of the hub, over the real addresses, with one key."""

    account: Account
    api_key: str
    kyb: Agent
    kyc: Agent
    client: Client = field(
        default_factory=lambda: Client(raise_request_exception=False)
    )

    def get(self, endpoint: str, **query: Any) -> Any:
        answer = self.client.get(f"/api/v1/{endpoint}", query, headers=self.headers)
        # Every answer of every test is held against the description of the interface.
        assert described.holds("get", endpoint, answer)
        return answer

    def post(
        self,
        endpoint: str,
        body: Any,
        content_type: str = "application/json",
        **more: Any,
    ) -> Any:
        """`body` is bytes, sent as they are, or what becomes JSON; or a form, see `send`."""
        answer = self.client.post(
            f"/api/v1/{endpoint}",
            body,
            content_type=content_type,
            headers={**self.headers, **more},
        )
        assert described.holds("post", endpoint, answer)
        return answer

    def send(self, endpoint: str, form: dict[str, Any]) -> Any:
        """A form with files, as browsers and curl -F send it."""
        answer = self.client.post(f"/api/v1/{endpoint}", form, headers=self.headers)
        assert described.holds("post", endpoint, answer)
        return answer

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.api_key}"}

    def kyb_body(self, **values: Any) -> dict[str, Any]:
        data = {"business_name": "Northwind Ltd"}
        schema = {"id": "case-001", "self_attested_data": data}
        return {"agent_key": self.kyb.key, "kyb_schema": schema, **values}

    def kyc_body(self, **values: Any) -> dict[str, Any]:
        data = {"first_name": "Ana", "last_name": "Reyes"}
        schema = {"id": "case-001", "self_attested_data": data}
        return {"agent_key": self.kyc.key, "kyc_schema": schema, **values}

    def job(self, **values: Any) -> AgentJob:
        body = self.kyb_body()
        job, created = lifecycle.create(
            **{
                "agent": self.kyb,
                "job_id": uuid.uuid4(),
                "input_payload": body,
                **values,
            }
        )
        assert created
        return job


def make_caller() -> Caller:
    result = make_hub()
    return Caller(
        account=result["account"],
        api_key=result["api_key"],
        kyb=result["kyb"],
        kyc=result["kyc"],
    )


def details(answer) -> dict[tuple[Any, ...], str]:
    """The types of what is wrong, by place."""
    assert answer.status_code == 400, answer.content
    body = answer.json()
    assert set(body) == {"error", "message", "detail"}
    assert body["error"] == "Bad Request"
    assert body["message"]
    assert all(set(item) == {"loc", "msg", "type"} for item in body["detail"])
    return {tuple(item["loc"]): item["type"] for item in body["detail"]}


@pytest.fixture
def caller(db) -> Caller:
    return make_caller()


@pytest.fixture
def other(db) -> Caller:
    """A client of the hub with an account of its own."""
    return make_caller()


@pytest.fixture
def every_check(caller) -> None:
    """The caller's agents name no checks, so that they have every one."""
    Agent.objects.filter(account=caller.account).update(checks=[])
    for agent in (caller.kyb, caller.kyc):
        agent.refresh_from_db()
