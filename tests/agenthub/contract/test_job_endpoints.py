"""The tables of the interface, word for word: fields of §2 and §4, errors of §7."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import pytest

from agenthub.models import AgentJob, CheckRun

STRING, OBJECT, ARRAY, INTEGER = str, dict, list, int
UNAUTHORIZED = {"error": "Unauthorized", "message": "Invalid API key provided"}

# The interface's own example of a start request.
START_KYB = """{
  "agent_key": "your-agent-key",
  "kyb_schema": {
    "id": "case-001",
    "self_attested_data": {
      "business_name": "Example Corp",
      "incorporation_documents": [
        {
          "url": "https://example.com/document.pdf",
          "type": "Document",
          "file_name": "incorporation.pdf"
        }
      ]
    }
  },
  "webhook_url": "https://your-webhook-url.com/job-callback",
  "tool_webhook_url": "https://your-webhook-url.com/tool-callback"
}"""

JOB = {
    "id": STRING,
    "status": STRING,
    "created_at": STRING,
    "updated_at": STRING,
    "agent_id": STRING,
    "input_payload": OBJECT,
}
CHECK_RESULT = {
    "id": STRING,
    "check_id": STRING,
    "status": STRING,
    "result": OBJECT,
    "status_messages": ARRAY,
    "created_at": STRING,
    "updated_at": STRING,
}
RESULT_OF_CASE = {"id": STRING, "type": STRING, "status": STRING, "result": OBJECT}
MESSAGE = {"timestamp": STRING, "message": STRING}


def holds(table: Mapping[str, type], result: dict[str, Any]) -> bool:
    """Every field of the table is there with its type; timestamps are ISO 8601 in UTC."""
    for name, kind in table.items():
        assert type(result[name]) is kind, name
        if name in {"created_at", "updated_at", "timestamp"}:
            assert result[name].endswith("Z")
            datetime.fromisoformat(result[name])
    return True


@pytest.fixture
def job(caller) -> AgentJob:
    """A job with a result, made by the example of the interface."""
    body = {**json.loads(START_KYB), "agent_key": caller.kyb.key}
    answer = caller.post("startKYBAgentJob", body).json()
    row = AgentJob.objects.get(job_id=answer["job_id"])
    CheckRun.objects.create(
        job=row,
        check_id="kyb.incorporation_document_verification",
        status=CheckRun.Status.COMPLETED,
        result={"passed": True},
        status_messages=[
            {"message": "Check started", "timestamp": "2026-03-02T10:00:00Z"}
        ],
    )
    return row


def test_the_example_starts_a_job(caller):
    body = {**json.loads(START_KYB), "agent_key": caller.kyb.key}
    answer = caller.post("startKYBAgentJob", body)
    assert answer.status_code == 200
    data = answer.json()
    assert holds(
        {"status": STRING, "job_id": STRING, "message": STRING, "job": OBJECT}, data
    )
    assert data["status"] == "ok"
    assert holds(JOB, data["job"])
    assert data["job"]["status"] == "PENDING"
    assert data["job"]["input_payload"]["kyb_schema"]["id"] == "case-001"


def test_the_least_kyc_schema_starts_a_job(caller):
    answer = caller.post("startKYCAgentJob", caller.kyc_body())
    assert answer.status_code == 200
    assert holds(JOB, answer.json()["job"])


def test_a_job_is_fetched_by_id_with_its_results(caller, job):
    body = caller.get(
        "getJobById", job_id=job.job_id, include_check_results="true"
    ).json()
    assert holds(JOB, body)
    assert body["input_payload"]["id"] == "case-001"
    assert holds(CHECK_RESULT, body["check_results"][0])


def test_the_jobs_of_a_case_are_listed_with_their_results(caller, job):
    body = caller.get(
        "getJobsByCaseId",
        case_id="case-001",
        agent_key=caller.kyb.key,
        include_check_results="true",
        include_status_messages="true",
    ).json()
    assert holds({"jobs": ARRAY, "count": INTEGER}, body)
    [result] = body["jobs"]
    assert holds(JOB, result)
    assert result["input_payload"]["id"] == "case-001"
    assert holds(RESULT_OF_CASE, result["check_results"][0])
    assert holds(MESSAGE, result["status_messages"][0])


def test_check_results_are_an_array(caller, job):
    [result] = caller.get("getCheckResults", job_id=job.job_id).json()
    assert holds(CHECK_RESULT, result)
    assert holds(MESSAGE, result["status_messages"][0])


def error(answer, status: int) -> dict[str, Any]:
    assert answer.status_code == status
    assert answer["Content-Type"] == "application/json"
    body: dict[str, Any] = answer.json()
    assert type(body["error"]) is str
    return body


@pytest.mark.parametrize(
    ("method", "endpoint"),
    [("POST", "startKYBAgentJob"), ("POST", "startKYCAgentJob"), ("GET", "getJobById"),
     ("GET", "getJobsByCaseId"), ("GET", "getCheckResults")],
)  # fmt: skip
def test_any_endpoint_without_a_valid_key_401(caller, method, endpoint):
    headers = {"Authorization": "Bearer nothing"}
    answer = caller.client.generic(method, f"/api/v1/{endpoint}", headers=headers)
    assert error(answer, 401) == UNAUTHORIZED


def test_get_jobs_by_case_id_404(caller):
    query = {"case_id": "nothing", "agent_key": caller.kyb.key}
    assert "message" in error(caller.get("getJobsByCaseId", **query), 404)


def test_get_jobs_by_case_id_403(caller, other):
    query = {"case_id": "case-001", "agent_key": other.kyb.key}
    assert "message" in error(caller.get("getJobsByCaseId", **query), 403)


@pytest.mark.parametrize("endpoint", ["getJobsByCaseId", "getCheckResults"])
def test_internal_server_error_500(caller, settings, endpoint):
    settings.API_RATE = None
    assert "message" in error(caller.get(endpoint), 500)


@pytest.mark.parametrize("endpoint", ["startKYBAgentJob", "startKYCAgentJob"])
def test_start_with_a_job_id_that_exists_409(caller, job, endpoint):
    body = caller.kyb_body() if "KYB" in endpoint else caller.kyc_body()
    body["job_id"] = str(job.job_id)
    assert error(caller.post(endpoint, body), 409) == {
        "error": "Job with the provided ID already exists.",
        "job_id": str(job.job_id),
    }


def test_get_check_results_404(caller):
    assert "message" in error(caller.get("getCheckResults", job_id=uuid.uuid4()), 404)
