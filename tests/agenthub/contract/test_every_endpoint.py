"""Rules that hold for each endpoint, walked through as tables: key, agent, account, method, body."""

from __future__ import annotations

import base64
import uuid
from collections.abc import Callable
from typing import Any

import pytest

from agenthub.api.urls import urlpatterns
from agenthub.batches import processing
from agenthub.models import AgentJob, ApiKey, CheckRun, Feedback, JobBatch, Upload
from agenthub.schemas import description, examples
from compliance.http import signatures
from tests.agenthub.conftest import Caller, details
from tests.agenthub.contract import described
from tests.agenthub.contract.test_job_endpoints import UNAUTHORIZED, error
from tests.factories import SECRET

CHECK = "kyb.incorporation_document_verification"
Ask = Callable[[Caller, "Preparation"], Any]


class Preparation:
    """What an account has: a finished job in a batch, with a result, as others must not see it."""

    def __init__(self, owner: Caller) -> None:
        self.owner = owner
        self.batch = processing.of(owner.kyb, uuid.uuid4())
        self.job = owner.job(batch=self.batch)
        CheckRun.objects.create(
            job=self.job,
            check_id=CHECK,
            status="completed",
            result={"verdict": "pass", "explanation": "Well.", "alerts": None},
        )
        AgentJob.objects.filter(pk=self.job.pk).update(
            status="COMPLETE", recommendation="Approve"
        )
        self.agent = owner.kyb.key


# How each endpoint is asked for what an account has.
ASK: dict[tuple[str, str], Ask] = {
    ("post", "startKYBAgentJob"): lambda c, g: c.post(
        "startKYBAgentJob", g.owner.kyb_body()
    ),
    ("post", "startKYCAgentJob"): lambda c, g: c.post(
        "startKYCAgentJob", g.owner.kyc_body()
    ),
    ("post", "retryJob"): lambda c, g: c.post(
        "retryJob", {"job_id": str(g.job.job_id)}
    ),
    ("get", "getJobById"): lambda c, g: c.get(
        "getJobById", job_id=g.job.job_id, include_check_results=True
    ),
    ("get", "getJobsByCaseId"): lambda c, g: c.get(
        "getJobsByCaseId",
        case_id="case-001",
        agent_key=g.agent,
        include_check_results=True,
    ),
    ("get", "getCheckResults"): lambda c, g: c.get(
        "getCheckResults", job_id=g.job.job_id
    ),
    ("get", "getJobStatusSummary"): lambda c, g: c.get(
        "getJobStatusSummary", job_id=g.job.job_id
    ),
    ("get", "getCheckResultFromJob"): lambda c, g: c.get(
        "getCheckResultFromJob", job_id=g.job.job_id, check_id=CHECK
    ),
    ("get", "checks"): lambda c, g: c.get("checks", agent_key=g.agent),
    ("get", "getFeedbackInputsByKey"): lambda c, g: c.get(
        "getFeedbackInputsByKey", key=CHECK
    ),
    ("post", "enqueueKybSchemas"): lambda c, g: c.post(
        "enqueueKybSchemas",
        {"agent_key": g.agent, "kyb_schemas": [c.kyb_body()["kyb_schema"]]},
    ),
    ("post", "mapCsvColumns"): lambda c, g: c.post(
        "mapCsvColumns", {"agent_key": g.agent, "columns": ["Company Name"]}
    ),
    ("post", "runCheck"): lambda c, g: c.post(
        "runCheck", {"agent_key": g.agent, "check_id": CHECK, "case_id": "case-001"}
    ),
    ("get", "getAvailableChecks"): lambda c, g: c.get(
        "getAvailableChecks", agent_key=g.agent
    ),
    ("get", "getCheckInfo"): lambda c, g: c.get("getCheckInfo", check_id=CHECK),
    ("get", "getLatestApplicationState"): lambda c, g: c.get(
        "getLatestApplicationState", agent_key=g.agent, application_id="case-001"
    ),
    ("post", "downloadReport"): lambda c, g: c.post(
        "downloadReport", {"agent_key": g.agent, "case_id": "case-001"}
    ),
    ("get", "downloadReport"): lambda c, g: c.get(
        "downloadReport", agent_key=g.agent, job_id=g.job.job_id
    ),
    ("post", "eraseCase"): lambda c, g: c.post("eraseCase", {"case_id": "case-001"}),
    ("post", "lookUpName"): lambda c, g: c.post("lookUpName", {"name": "Korbuts"}),
    ("post", "sendFeedback"): lambda c, g: c.post(
        "sendFeedback",
        {"job_id": str(g.job.job_id), "feedback": "Well done.", "check_id": CHECK},
    ),
    ("post", "uploadB64Document"): lambda c, g: c.post(
        "uploadB64Document", {"b64_document": base64.b64encode(b"%PDF-1.7").decode()}
    ),
    ("post", "enrichPerson"): lambda c, g: c.post(
        "enrichPerson", {"full_name": "Ana Reyes"}
    ),
    ("post", "enrichCompany"): lambda c, g: c.post(
        "enrichCompany", {"name": "Northwind Ltd"}
    ),
    ("post", "enqueueFromCSV"): lambda c, g: c.post(
        "enqueueFromCSV",
        {"agent_key": g.agent, "csv": "business_name\nNorthwind Ltd\n"},
    ),
    ("get", "getJobBatches"): lambda c, g: c.get("getJobBatches", agent_key=g.agent),
    ("get", "getBatchJobs"): lambda c, g: c.get(
        "getBatchJobs", batch_id=g.batch.batch_id
    ),
    ("get", "exportCSVBatch"): lambda c, g: c.get(
        "exportCSVBatch", batch_id=g.batch.batch_id, agent_key=g.agent
    ),
    ("post", "testWebhook"): lambda c, g: c.post("testWebhook", {}),
    ("post", "testWebhookReceiver"): lambda c, g: c.post(
        "testWebhookReceiver",
        b"{}",
        **{signatures.FULL_HEADER: signatures.sign(b"{}", SECRET)},
    ),
}
IDS = [f"{method} {endpoint}" for method, endpoint in ASK]
every = pytest.mark.parametrize(("method", "endpoint"), ASK, ids=IDS)

# What a foreign account is told of these; those that are not here know nothing of the other's.
FOREIGN = {
    403: {
        *("startKYBAgentJob", "startKYCAgentJob", "getJobsByCaseId", "runCheck"),
        *("getAvailableChecks", "getLatestApplicationState", "downloadReport"),
        *("enqueueFromCSV", "getJobBatches", "exportCSVBatch"),
        *("checks", "enqueueKybSchemas", "mapCsvColumns"),
    },
    404: {
        "getJobStatusSummary",
        "getCheckResultFromJob",
        "retryJob",
        "getJobById",
        "getCheckResults",
        "sendFeedback",
        "getBatchJobs",
    },
}


def test_the_tables_name_every_endpoint_that_is_served():
    served = {str(one.pattern) for one in urlpatterns if str(one.pattern).isalnum()}
    assert {endpoint for _, endpoint in ASK} == served
    described_ = {(one.method, one.path[1:]) for one in description.ENDPOINTS}
    assert set(ASK) == described_


@every
def test_it_answers_its_owner_as_described(caller, method, endpoint):
    answer = ASK[method, endpoint](caller, Preparation(caller))
    assert answer.status_code == (400 if endpoint == "testWebhook" else 200)


@every
def test_it_shows_nothing_to_another_account(caller, other, method, endpoint):
    item = Preparation(caller)
    before = [
        model.objects.count() for model in (AgentJob, JobBatch, Feedback, CheckRun)
    ]
    answer = ASK[method, endpoint](other, item)
    expected = next(
        (code for code, names in FOREIGN.items() if endpoint in names), None
    )
    if expected:
        error(answer, expected)
        assert [
            m.objects.count() for m in (AgentJob, JobBatch, Feedback, CheckRun)
        ] == before
    text = b"".join(answer.streaming_content) if answer.streaming else answer.content
    assert str(item.job.job_id).encode() not in text
    assert b"case-001" not in text


@every
def test_it_refuses_whoever_has_no_key(caller, method, endpoint):
    headers = {"Authorization": "Bearer ck_live_nothing"}
    answer = caller.client.generic(
        method.upper(), f"/api/v1/{endpoint}", b"{}", headers=headers
    )
    assert described.holds(method, endpoint, answer)
    assert error(answer, 401) == UNAUTHORIZED


@every
def test_a_revoked_key_ends_at_once(caller, method, endpoint):
    item = Preparation(caller)
    caller.get("getJobById")
    from agenthub.accounts import api_keys

    api_keys.revoke(ApiKey.objects.get(account=caller.account))
    assert error(ASK[method, endpoint](caller, item), 401) == UNAUTHORIZED


@every
def test_too_many_requests_are_told_when_to_return(caller, settings, method, endpoint):
    item = Preparation(caller)
    settings.API_RATE = 0
    answer = ASK[method, endpoint](caller, item)
    error(answer, 429)
    assert 0 < int(answer["Retry-After"]) <= 60


@every
def test_another_method_is_not_allowed(caller, method, endpoint):
    for wrong in {"GET", "POST"} - {m.upper() for m, name in ASK if name == endpoint}:
        answer = caller.client.generic(
            wrong,
            f"/api/v1/{endpoint}",
            b"{}",
            "application/json",
            headers=caller.headers,
        )
        error(answer, 405)
        assert method.upper() in answer["Allow"]


@every
def test_a_fault_is_500_in_the_same_shape(caller, settings, method, endpoint):
    item = Preparation(caller)
    settings.API_RATE = None
    assert set(error(ASK[method, endpoint](caller, item), 500)) == {"error", "message"}


posts = pytest.mark.parametrize(
    "endpoint", [name for method, name in ASK if method == "post"]
)


@posts
def test_a_body_is_an_object_of_json(caller, endpoint):
    for body in (b"", b"{", b"[]", b"7", b'{"a": "\xff"}'):
        assert caller.post(endpoint, body).status_code == 400
    assert error(caller.post(endpoint, b"<a/>", "application/xml"), 415)


@posts
def test_a_body_beyond_the_limit_is_413(caller, settings, endpoint):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 64
    body = b'{"agent_key": "' + b"x" * 80 + b'"}'
    assert error(caller.post(endpoint, body, **{signatures.FULL_HEADER: "x"}), 413)


@posts
def test_a_body_needs_its_length(caller, endpoint):
    headers = {**caller.headers, "Transfer-Encoding": "chunked"}
    answer = caller.client.post(
        f"/api/v1/{endpoint}",
        content_type="application/json",
        headers=headers,
        CONTENT_LENGTH="",
    )
    assert described.holds("post", endpoint, answer)
    assert answer.status_code in {400, 411}


# What each request cannot be without, and what is told where it is missing.
REQUIRED = [
    ("startKYBAgentJob", {}, {("agent_key",): "missing", ("kyb_schema",): "missing"}),
    ("startKYCAgentJob", {}, {("agent_key",): "missing", ("kyc_schema",): "missing"}),
    ("startKYCAgentJob", {"agent_key": "a", "kyc_schema": {"id": "c", "self_attested_data": {}}}, {
        ("kyc_schema", "self_attested_data", "first_name"): "missing",
        ("kyc_schema", "self_attested_data", "last_name"): "missing"}),
    ("retryJob", {}, {("job_id",): "missing"}),
    ("runCheck", {}, {("agent_key",): "missing", ("check_id",): "missing"}),
    ("downloadReport", {"agent_key": "a"}, {("case_id",): "missing"}),
    ("eraseCase", {}, {("case_id",): "missing"}),
    ("lookUpName", {}, {("name",): "missing"}),
    ("sendFeedback", {}, {("job_id",): "missing", ("feedback",): "missing"}),
    ("uploadB64Document", {}, {("b64_document",): "missing"}),
    ("uploadB64Document", {"b64_document": "%%%"}, {("b64_document",): "not_base64"}),
    ("enrichPerson", {}, {("full_name",): "missing"}),
    ("enrichPerson", {"first_name": "Ana"}, {("full_name",): "missing"}),
    ("enrichPerson", {"email": 7}, {("email",): "invalid"}),
    ("enrichPerson", {"email": "nobody"}, {("email",): "not_an_email"}),
    ("enrichCompany", {"name": "  "}, {("name",): "missing"}),
    ("enqueueFromCSV", {}, {("agent_key",): "missing"}),
    ("enqueueFromCSV", {"agent_key": "a"}, {("file",): "missing"}),
    ("enqueueKybSchemas", {}, {("agent_key",): "missing", ("kyb_schemas",): "missing"}),
    ("mapCsvColumns", {}, {("case_type",): "missing"}),
    ("mapCsvColumns", {"case_type": "kyb"}, {("file",): "missing"}),
    ("testWebhook", {}, {("webhook_url",): "missing"}),
    ("testWebhook", {"webhook_url": "ftp://x"}, {("webhook_url",): "not_a_url"}),
    ("testWebhook", {"tool_webhook_url": "http://a.test/", "tool_webhook_ids": ["nothing"]},
     {("tool_webhook_ids", 0): "unknown_tool"}),
    ("testWebhookReceiver", {}, {(): "missing_header"}),
]  # fmt: skip
QUERIES: list[tuple[str, dict[str, str], dict[tuple[str, ...], str]]] = [
    ("getJobById", {}, {("job_id",): "missing"}),
    ("getJobsByCaseId", {}, {("case_id",): "missing", ("agent_key",): "missing"}),
    ("getJobsByCaseId", {"case_id": "c", "agent_key": "a", "limit": "0"}, {("limit",): "not_a_number"}),
    ("getCheckResults", {}, {("job_id",): "missing"}),
    ("getJobStatusSummary", {}, {("job_id",): "missing"}),
    ("getCheckResultFromJob", {}, {("job_id",): "missing", ("check_id",): "missing"}),
    ("getFeedbackInputsByKey", {}, {("key",): "missing"}),
    ("getCheckInfo", {}, {("check_id",): "missing"}),
    ("getAvailableChecks", {"case_type": "x"}, {("case_type",): "not_a_choice"}),
    ("getLatestApplicationState", {}, {("agent_key",): "missing", ("application_id",): "missing"}),
    ("downloadReport", {"agent_key": "a"}, {("case_id",): "missing"}),
    ("getJobBatches", {}, {("agent_key",): "missing"}),
    ("getJobBatches", {"agent_key": "a", "limit": "x"}, {("limit",): "not_a_number"}),
    ("getBatchJobs", {}, {("batch_id",): "missing"}),
    ("getBatchJobs", {"batch_id": "x", "status": "y"}, {("batch_id",): "not_a_uuid", ("status",): "not_a_choice"}),
    ("exportCSVBatch", {}, {("batch_id",): "missing", ("agent_key",): "missing"}),
]  # fmt: skip


@pytest.mark.parametrize(("endpoint", "body", "wrong"), REQUIRED)
def test_what_a_body_lacks_is_told_with_its_place(caller, endpoint, body, wrong):
    assert details(caller.post(endpoint, body)) == wrong


@pytest.mark.parametrize(("endpoint", "query", "wrong"), QUERIES)
def test_what_a_query_lacks_is_told_with_its_place(caller, endpoint, query, wrong):
    assert details(caller.get(endpoint, **query)) == wrong


def test_uploads_belong_to_the_account_that_lends_them(caller, other):
    ASK["post", "uploadB64Document"](caller, Preparation(caller))
    assert Upload.objects.get().account == caller.account
    assert other.account.uploads.count() == 0


@pytest.mark.parametrize("name", examples.REQUESTS)
def test_the_examples_of_requests_are_taken(caller, name):
    if name in {
        "retryJob",
        "sendFeedback",
        "downloadReport",
        "testWebhook",
        "testWebhookReceiver",
    }:
        pytest.skip("it asks for a job, or sends to an address, that does not exist")
    body = dict(examples.REQUESTS[name])
    if "agent_key" in body:
        body["agent_key"] = (
            caller.kyc if name == "startKYCAgentJob" else caller.kyb
        ).key
    assert caller.post(name, body).status_code == 200
