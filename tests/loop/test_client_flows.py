"""What programs do that were written for services with this interface, against a hub over real
sockets: each flow as such a program goes about it, with the members and nulls that it sends."""

from __future__ import annotations

import base64
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import requests

from checks import samples
from tests.factories import make_hub

pytestmark = pytest.mark.django_db(transaction=True)

PROFILE, CODE = "kyb.basic_business_profile_check", "kyb.mcc_code_check_v3"
TIMEOUT = 30


class Program:
    """A client of the hub as such programs are: it raises on every error, and reads what it reads."""

    def __init__(
        self, base: str, key: str, agents: dict[str, str], work: Callable[[], object]
    ):
        self.base, self.agents, self._work = base, agents, work
        self.session = requests.Session()
        self.session.headers["Authorization"] = f"Bearer {key}"

    def get(self, endpoint: str, **params: Any) -> Any:
        answer = self.session.get(
            f"{self.base}/{endpoint}", params=params, timeout=TIMEOUT
        )
        answer.raise_for_status()
        return answer.json()

    def post(self, endpoint: str, body: dict[str, Any]) -> Any:
        answer = self.session.post(
            f"{self.base}/{endpoint}", json=body, timeout=TIMEOUT
        )
        answer.raise_for_status()
        return answer.json()

    def refused(
        self, method: str, endpoint: str, **values: Any
    ) -> tuple[int, dict[str, Any]]:
        answer = self.session.request(
            method, f"{self.base}/{endpoint}", timeout=TIMEOUT, **values
        )
        body: dict[str, Any] = answer.json()
        return answer.status_code, body

    def start(self, kind: str, schema: dict[str, Any], **more: Any) -> dict[str, Any]:
        """With the members that a typed client sends: those that are not given are null."""
        unset = dict.fromkeys(
            ("webhook_url", "slack_webhook_url", "run_config", "check_ids")
        )
        body = {
            "agent_key": self.agents[kind],
            f"{kind}_schema": schema,
            **unset,
            "run_in_parallel": True,
            **more,
        }
        answer: dict[str, Any] = self.post(f"start{kind.upper()}AgentJob", body)
        return answer

    def until_complete(self, job_id: str) -> tuple[dict[str, Any], list[str]]:
        """Poll, and read the last message of every check each time. Returns the job and those."""
        rows: list[str] = []
        for _ in range(20):
            job = self.get("getJobById", job_id=job_id, include_check_results=True)
            rows += [
                f"{result['command_id']}: {result['status_messages'][-1]['message']}"
                for result in job["check_results"]
            ]
            if job["status"] == "complete":
                return job, rows
            self._work()
        raise AssertionError(job["status"])


@pytest.fixture
def program(served, work_off) -> Iterator[Program]:
    result = make_hub()
    for agent in (result["kyb"], result["kyc"]):
        agent.checks = []
        agent.save()
    agents = {"kyb": result["kyb"].key, "kyc": result["kyc"].key}
    item = Program(f"{served}/api/v1", result["api_key"], agents, work_off)
    yield item
    item.session.close()


def test_a_business_of_which_the_website_is_known_is_started_and_polled(program):
    attested = {"website": "https://www.northwind.example"}
    started = program.start("kyb", {"id": "northwind", "self_attested_data": attested})
    assert (started["status"], started["job"]["status"]) == ("ok", "PENDING")
    assert (
        started["job"]["input_payload"]["kyb_schema"]["self_attested_data"] == attested
    )
    job, pages = program.until_complete(started["job_id"])
    assert job["recommendation"] in {"Approve", "Review", "Deny"}
    assert pages
    for result in job["check_results"]:
        assert result["status"] in {"completed", "failed"}
        assert result["agent_instance_id"] == job["id"]
        alerts = result["result"]["alerts"]
        assert alerts is None or all(isinstance(one, str) for one in alerts.values())


def test_the_checks_that_such_programs_name_run(program):
    schema = {
        "id": "example-business-case",
        "self_attested_data": {
            "business_name": "Example Corp",
            "website": "https://example.com",
            "description": "Cloud software for small businesses",
            "industry": "Software",
        },
    }
    started = program.start("kyb", schema, check_ids=[PROFILE, CODE])
    job, _ = program.until_complete(started["job_id"])
    by_id = {result["command_id"]: result["result"] for result in job["check_results"]}
    assert set(by_id) == {PROFILE, CODE}
    assert by_id[PROFILE]["verdict"] == "review"
    assert "No address of the business was attested." in by_id[PROFILE]["explanation"]
    assert by_id[CODE]["payload"]["mcc_code"] == "7372"
    one = program.get(
        "getCheckResultFromJob",
        job_id=job["id"], check_id=CODE, agent_instance_id=job["id"], case_type="KYB",
    )  # fmt: skip
    assert one["result"] == by_id[CODE]
    # What needs the open web is refused in words, and not left out.
    status, body = program.refused(
        "POST", "startKYBAgentJob",
        json={"agent_key": program.agents["kyb"], "kyb_schema": schema,
              "check_ids": [PROFILE, "kyb.adverse_media_check"]},
    )  # fmt: skip
    assert status == 400
    assert "needs the open web" in body["message"]


def test_one_check_is_run_by_its_older_form(program):
    body = {
        "agent_key": program.agents["kyb"],
        "check_id": PROFILE,
        "payload": {
            "id": "basic-profile-check-001",
            "self_attested_data": {
                "business_name": "Northwind Labs Inc",
                "business_description": "Verification of businesses",
                "industry": "Financial Technology Services",
                "website": "https://northwind.example",
            },
        },
    }
    started = program.post("runCheck", body)
    assert started["status"] == "PENDING"
    job, _ = program.until_complete(started["id"])
    [result] = program.get("getCheckResults", job_id=job["id"])
    assert result["check_id"] == PROFILE
    rows = [one["message"] for one in result["status_messages"]]
    assert rows[:2] == ["Waiting", "Started"]
    assert rows[-1] == result["result"]["explanation"]


def test_a_person_is_started_and_the_jobs_of_the_case_are_listed(program):
    attested = {
        "first_name": "Jane", "last_name": "Doe", "date_of_birth": "1990-01-01",
        "address": {"street_1": "123 Main St", "city": "Dover", "state": "DE",
                    "country_code": "US", "postal_code": "19901"},
        "country_of_nationality": "US", "country_of_residence": "US",
        "email": "jane.doe@example.com", "phone": "+13025550123",
    }  # fmt: skip
    started = program.start(
        "kyc", {"id": "kyc-demo-001", "self_attested_data": attested}
    )
    program.until_complete(started["job_id"])
    query = {"case_id": "kyc-demo-001", "agent_key": program.agents["kyc"]}
    listed = program.get(
        "getJobsByCaseId",
        **query,
        include_check_results=True,
        include_status_messages=True,
    )
    assert listed["count"] == 1
    assert listed["jobs"][0]["status"] == "completed"
    assert listed["jobs"][0]["status_messages"]
    state = program.get(
        "getLatestApplicationState",
        agent_key=program.agents["kyc"],
        application_id="kyc-demo-001",
    )
    assert state["application_status"] == "COMPLETE"


def test_a_job_id_makes_a_start_safe_to_repeat(program):
    job_id = str(uuid.uuid4())
    schema = {"id": "c-1", "self_attested_data": {"business_name": "Acme Corp"}}
    program.start("kyb", schema, job_id=job_id)
    body = {"agent_key": program.agents["kyb"], "kyb_schema": schema, "job_id": job_id}
    status, answer = program.refused("POST", "startKYBAgentJob", json=body)
    assert (status, answer["job_id"]) == (409, job_id)
    assert program.get("getJobById", job_id=job_id)["id"] == job_id
    # An id that is no UUID is one that nobody has.
    for endpoint in ("getJobById", "getCheckResults", "getJobStatusSummary"):
        assert (
            program.refused("GET", endpoint, params={"job_id": "job-12345-abcde"})[0]
            == 404
        )


def test_a_document_is_lent_and_read(program):
    content = base64.b64encode(samples.good_certificate().content).decode()
    lent = program.post(
        "uploadB64Document",
        {"b64_document": content, "document_name": "incorporation.pdf"},
    )
    assert lent["expiration"]
    assert lent["document"]["file_name"] == "incorporation.pdf"
    attested = {
        "business_name": "Northwind Ltd",
        "incorporation_documents": [lent["document"]],
    }
    check = "kyb.incorporation_document_verification"
    schema = {"id": "c-doc", "self_attested_data": attested}
    started = program.start("kyb", schema, check_ids=[check])
    job, _ = program.until_complete(started["job_id"])
    [result] = job["check_results"]
    payload = result["result"]["payload"]
    assert len(payload["valid_documents"]) + len(payload["invalid_documents"]) == 1
    rows = [one["message"] for one in result["status_messages"]]
    assert "Reading the documents" in rows
    assert "Comparing with the data" in rows


def test_feedback_a_report_and_a_batch(program):
    csv = "Company Name,EIN\nNorthwind Ltd,\nSouthwind Ltd,\n"
    mapped = program.post("mapCsvColumns", {"case_type": "kyb", "csv": csv})
    batch = program.post(
        "enqueueFromCSV",
        {
            "agent_key": program.agents["kyb"],
            "csv": csv,
            "column_mapping": mapped["mapping"],
        },
    )
    schemas = [{"id": "s-1", "self_attested_data": {"business_name": "Eastwind Ltd"}}]
    more = program.post(
        "enqueueKybSchemas",
        {"agent_key": program.agents["kyb"], "kyb_schemas": schemas},
    )
    assert (batch["accepted"], more["accepted"]) == (2, 1)
    job_id = more["jobs"][0]["job_id"]
    program.until_complete(job_id)
    row = program.get("getBatchJobs", batch_id=more["batch_id"], status="complete")
    assert [job["job_id"] for job in row["jobs"]] == [job_id]
    program.post(
        "sendFeedback",
        {"jobId": job_id, "key": "name", "comment": "Right.", "value": "Eastwind"},
    )
    [stored] = program.get("getFeedbackInputsByKey", key="name")["feedback_inputs"]
    assert (stored["comment"], stored["value"]) == ("Right.", "Eastwind")
    summary = program.get("getJobStatusSummary", job_id=job_id)
    assert summary["status"] == "complete"
    answer = program.session.post(
        f"{program.base}/downloadReport",
        json={
            "agent_key": program.agents["kyb"],
            "case_id": "s-1",
            "download_test_report": True,
        },
        timeout=TIMEOUT,
    )
    assert answer.content.startswith(b"%PDF")
    names = {check["check_id"] for check in program.get("checks")["checks"]}
    assert {PROFILE, CODE} <= names
