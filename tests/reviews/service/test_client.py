"""Every endpoint of the service, as the client calls it over a real socket."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from compliance.http import signatures
from reviews.service.client import Service, ServiceError
from tests import fakeservice
from tests.fakeservice import FakeService, Step

BATCH = "5f0c2b0e-93a1-4d0c-8e37-0c1a6b2d9f11"


@pytest.fixture
def fake() -> Iterator[FakeService]:
    with fakeservice.running() as running:
        yield running


@pytest.fixture
def service(fake) -> Service:
    return Service(url=fake.url, api_key="ck_live_of-tests")


GETS: list[tuple[Callable[[Service], Any], str, dict[str, str]]] = [
    (lambda s: s.get_latest_application_state("case-1", agent_key="a"), "getLatestApplicationState", {"agent_key": "a", "application_id": "case-1"}),
    (lambda s: s.get_check_info("kyb.x"), "getCheckInfo", {"check_id": "kyb.x"}),
    (lambda s: s.get_batch_jobs(BATCH, agent_key="a", limit="5", status="failed"), "getBatchJobs", {"batch_id": BATCH, "agent_key": "a", "limit": "5", "status": "failed"}),
    (lambda s: s.get_jobs_by_case("case-1", agent_key="a"), "getJobsByCaseId", {"case_id": "case-1", "agent_key": "a"}),
]  # fmt: skip
POSTS: list[tuple[Callable[[Service], Any], str, dict[str, Any]]] = [
    (lambda s: s.run_check("kyb.x", agent_key="a", case_id="c"), "runCheck", {"agent_key": "a", "check_id": "kyb.x", "case_id": "c"}),
    (lambda s: s.enrich_person(full_name="Ana Reyes", email="ana@example.com"), "enrichPerson", {"full_name": "Ana Reyes", "email": "ana@example.com"}),
    (lambda s: s.enrich_company(name="Northwind Ltd"), "enrichCompany", {"name": "Northwind Ltd"}),
    (lambda s: s.test_webhook(webhook_url="https://x.example/"), "testWebhook", {"webhook_url": "https://x.example/"}),
    (lambda s: s.test_webhook(tool_webhook_url="https://x.example/", tool_webhook_ids=["t"]), "testWebhook", {"tool_webhook_url": "https://x.example/", "tool_webhook_ids": ["t"]}),
    (lambda s: s.upload_document(b"%PDF", file_name="a.pdf"), "uploadB64Document", {"b64_document": "JVBERg==", "file_name": "a.pdf"}),
    (lambda s: s.send_feedback("j", feedback="Wrong.", check_id="kyb.x"), "sendFeedback", {"job_id": "j", "feedback": "Wrong.", "check_id": "kyb.x"}),
    (lambda s: s.send_feedback("j", feedback="Wrong."), "sendFeedback", {"job_id": "j", "feedback": "Wrong."}),
]  # fmt: skip
LISTS: list[tuple[Callable[[Service], Any], str, dict[str, str], str]] = [
    (lambda s: s.get_available_checks(case_type="kyb"), "getAvailableChecks", {"case_type": "kyb"}, "checks"),
    (lambda s: s.get_job_batches(agent_key="a", limit="5"), "getJobBatches", {"agent_key": "a", "limit": "5"}, "batches"),
]  # fmt: skip
FILES: list[tuple[Callable[[Service], Any], str, dict[str, str]]] = [
    (lambda s: s.export_csv_batch(BATCH, agent_key="a"), "exportCSVBatch", {"batch_id": BATCH, "agent_key": "a"}),
    (lambda s: s.download_report("case-1", agent_key="a"), "downloadReport", {"case_id": "case-1", "agent_key": "a"}),
]  # fmt: skip
ALL = [call for call, *_ in (*GETS, *POSTS, *LISTS, *FILES)]


@pytest.mark.parametrize(("call", "endpoint", "query"), GETS)
def test_what_is_asked_for_stands_in_the_query(fake, service, call, endpoint, query):
    fake.plan = [Step(body=b'{"said": 1}')]
    assert call(service) == {"said": 1}
    assert fake.headers[-1]["User-Agent"] == "compliance-desk"
    assert fake.paths() == [f"GET {endpoint}"]
    assert fake.queries == [query]
    assert fake.headers[0]["Authorization"] == "Bearer ck_live_of-tests"


@pytest.mark.parametrize(("call", "endpoint", "body"), POSTS)
def test_what_is_sent_stands_in_the_body(fake, service, call, endpoint, body):
    fake.plan = [Step(body=b'{"said": 1}')]
    assert call(service) == {"said": 1}
    assert fake.asked == [("POST", endpoint, body)]


@pytest.mark.parametrize(("call", "endpoint", "query", "member"), LISTS)
@pytest.mark.parametrize("wrapped", [True, False])
def test_lists_come_bare_or_in_an_object(
    fake, service, call, endpoint, query, member, wrapped
):
    listed = [{"id": "one"}, "no object", {"id": "two"}]
    fake.plan = [
        Step(body=json.dumps({member: listed} if wrapped else listed).encode())
    ]
    assert call(service) == [{"id": "one"}, {"id": "two"}]
    assert fake.paths() == [f"GET {endpoint}"]
    assert fake.queries == [query]


@pytest.mark.parametrize(("call", "endpoint", "query"), FILES)
def test_files_come_as_they_are(fake, service, call, endpoint, query):
    fake.plan = [Step(body=b"job_id\r\n\xff")]
    assert call(service) == b"job_id\r\n\xff"
    assert fake.paths() == [f"GET {endpoint}"]
    assert fake.queries == [query]


@pytest.mark.parametrize("call", ALL)
def test_every_refusal_is_told_in_the_words_of_the_service(fake, service, call):
    refusal = {
        "error": "Forbidden",
        "message": "This API key has no access to the agent.",
    }
    fake.plan = [Step(status=403, body=json.dumps(refusal).encode())]
    with pytest.raises(ServiceError, match="no access to the agent") as raised:
        call(service)
    assert raised.value.permanent
    assert raised.value.status == 403


@pytest.mark.fault("F13", "the service answers nonsense")
@pytest.mark.parametrize("call", ALL)
@pytest.mark.parametrize("body", [b"[[1]", b'"text"', b"7"])
def test_an_answer_that_is_none_may_be_asked_for_again(fake, service, call, body):
    fake.plan = [Step(status=502, body=body)]
    with pytest.raises(ServiceError) as raised:
        call(service)
    assert not raised.value.permanent


def test_a_file_of_cases_goes_as_a_form(fake, service):
    fake.plan = [Step(body=b'{"batch_id": "x"}')]
    result = service.enqueue_from_csv(
        b"id,business_name\n1,\xc3\x89clair",
        agent_key="a",
        file_name='m"arch.csv',
        batch_id=BATCH,
    )
    assert result == {"batch_id": "x"}
    [(method, path, body)] = fake.asked
    assert (method, path) == ("POST", "enqueueFromCSV")
    assert fake.headers[0]["Content-Type"].startswith("multipart/form-data; boundary=")
    assert b'name="agent_key"\r\n\r\na\r\n' in body
    assert f'name="batch_id"\r\n\r\n{BATCH}'.encode() in body
    assert b"id,business_name\n1,\xc3\x89clair\r\n" in body
    assert b'filename="m%22arch.csv"' in body


def test_a_batch_that_was_started_before_is_accepted(fake, service):
    fake.plan = [Step(status=409, body=b'{"error": "exists", "batch_id": "x"}')]
    assert service.enqueue_from_csv(b"id", agent_key="a")["batch_id"] == "x"


def test_a_batch_of_other_rows_is_not_accepted(fake, service):
    body = b'{"error": "exists", "batch_id": "x", "same_rows": false}'
    fake.plan = [Step(status=409, body=body)]
    with pytest.raises(ServiceError, match="other rows") as failure:
        service.enqueue_from_csv(b"id", agent_key="a")
    assert (failure.value.status, failure.value.permanent) == (409, True)


def test_a_webhook_test_that_failed_is_an_answer(fake, service):
    data = {"error": "Bad Request", "message": "HTTP 500", "results": [{"ok": False}]}
    fake.plan = [Step(status=400, body=json.dumps(data).encode())]
    assert service.test_webhook(webhook_url="https://x.example/") == data


def test_a_signed_body_is_sent_as_it_is(fake, service):
    body = b'{"id":  "spaces stay"}'
    signed = signatures.headers(body, "secret", case_id=None)
    fake.plan = [Step(body=b'{"message": "verified"}')]
    assert service.test_webhook_receiver(body, headers=signed) == {
        "message": "verified"
    }
    assert fake.headers[0][signatures.FULL_HEADER] == signed[signatures.FULL_HEADER]
    fake.plan = [Step(status=401, body=b'{"error": "Unauthorized"}')]
    with pytest.raises(ServiceError):
        service.test_webhook_receiver(body, headers={})


def test_the_key_is_not_in_what_is_printed_of_a_service(service):
    assert "ck_live" not in repr(service)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"detail": "Insufficient credits"}, "Insufficient credits"),
        (
            {"detail": ["No credits.", {"loc": ["body"], "msg": "empty"}]},
            "No credits.; body: empty",
        ),
        ({"error": {"code": 7, "message": "Too early"}}, "Too early"),
        ({"error": {"error": {"detail": "Deep down"}}}, "Deep down"),
        ({"message": "No.", "detail": "Not on Sundays."}, "No. (Not on Sundays.)"),
        ({"detail": 7}, "no reason given"),
        ([], "no reason given"),
    ],
)
def test_the_words_of_an_error_are_kept_in_any_form(fake, service, body, words):
    fake.plan = [Step(status=402, body=json.dumps(body).encode())]
    with pytest.raises(ServiceError) as raised:
        service.get_check_info("kyb.x")
    assert str(raised.value) == f"getCheckInfo: 402 {words}"
