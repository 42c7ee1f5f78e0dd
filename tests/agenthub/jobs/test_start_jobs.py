from __future__ import annotations

import uuid
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import orjson
import pytest
from django.db import connection

from agenthub.models import Agent, AgentJob
from tests.agenthub.conftest import KYB, KYC, details, make_caller

EXISTS = "Job with the provided ID already exists."
UUID = "e85e0cc4-b1e8-40b0-9a3d-83c328eee0f4"


def test_a_kyb_job_is_started_and_answered_as_the_interface_says(caller):
    body = caller.kyb_body(
        webhook_url="https://client.test/jobs",
        tool_webhook_url="https://client.test/tools",
    )
    answer = caller.post(KYB, body)

    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/json"
    data = answer.json()
    assert set(data) == {"status", "job_id", "message", "job"}
    assert data["status"] == "ok"
    assert data["message"]
    assert data["job"]["id"] == data["job_id"] == str(uuid.UUID(data["job_id"]))
    assert data["job"]["status"] == "PENDING"
    assert data["job"]["agent_id"] == caller.kyb.key
    assert data["job"]["input_payload"] == body
    assert data["job"]["created_at"].endswith("Z")
    assert data["job"]["updated_at"].endswith("Z")
    assert set(data["job"]) == {
        *("id", "status", "created_at", "updated_at", "agent_id", "input_payload")
    }

    job = AgentJob.objects.get()
    assert str(job.job_id) == data["job_id"]
    assert (job.account, job.agent, job.case_id) == (
        caller.account,
        caller.kyb,
        "case-001",
    )
    assert job.status == AgentJob.Status.PENDING
    assert job.input_payload == body
    assert job.webhook_url == "https://client.test/jobs"
    assert job.tool_webhook_url == "https://client.test/tools"
    assert job.slack_webhook_url == ""


def test_a_kyc_job_is_started(caller):
    body = caller.kyc_body(
        slack_webhook_url="https://slack.test/x",
        tool_webhook_url="https://client.test/tools",
    )
    answer = caller.post(KYC, body)

    assert answer.status_code == 200
    job = AgentJob.objects.get()
    assert job.agent == caller.kyc
    assert job.input_payload == answer.json()["job"]["input_payload"] == body
    assert job.slack_webhook_url == "https://slack.test/x"
    assert job.tool_webhook_url == "https://client.test/tools"


def test_members_that_the_interface_does_not_name_are_kept(caller):
    body = caller.kyb_body(
        run_config={"a": [1, 2.5, None]}, run_in_parallel=True, mine="ours"
    )
    body["kyb_schema"]["associated_entities"] = [{"id": "e"}]
    body["kyb_schema"]["self_attested_data"]["partners"] = ["A", {"name": "B"}]
    body["kyb_schema"]["self_attested_data"]["unheard_of"] = {"deep": True}

    assert caller.post(KYB, body).json()["job"]["input_payload"] == body
    assert AgentJob.objects.get().input_payload == body


@pytest.mark.parametrize("write", [str, lambda x: x.hex, lambda x: str(x).upper()])
def test_a_job_id_is_taken_with_or_without_dashes_and_sent_with_them(caller, write):
    job_id = uuid.uuid4()
    answer = caller.post(KYB, caller.kyb_body(job_id=write(job_id)))

    assert answer.json()["job_id"] == str(job_id)


@pytest.mark.fault("F12", "a start is repeated under its id")
def test_a_repeated_job_id_is_409_and_changes_nothing(caller):
    body = caller.kyb_body(job_id=str(uuid.uuid4()))
    assert caller.post(KYB, body).status_code == 200

    for again in (body, {**body, "job_id": uuid.UUID(body["job_id"]).hex}):
        answer = caller.post(KYB, again)
        assert answer.status_code == 409
        assert answer.json() == {"error": EXISTS, "job_id": body["job_id"]}
    crosswise = caller.post(KYC, caller.kyc_body(job_id=body["job_id"]))
    assert crosswise.status_code == 409
    assert crosswise.json() == {"error": EXISTS, "job_id": body["job_id"]}
    assert AgentJob.objects.get().agent == caller.kyb


def test_another_account_may_use_the_same_job_id(caller, other):
    job_id = str(uuid.uuid4())
    assert caller.post(KYB, caller.kyb_body(job_id=job_id)).status_code == 200
    assert other.post(KYB, other.kyb_body(job_id=job_id)).status_code == 200


@pytest.mark.parametrize("null", [{}, {"job_id": None}])
def test_without_a_job_id_every_start_is_a_job(caller, null):
    first, second = (caller.post(KYB, caller.kyb_body(**null)).json() for _ in range(2))
    assert first["job_id"] != second["job_id"]


def test_optional_members_may_be_null(caller):
    body = caller.kyb_body(
        webhook_url=None, tool_webhook_url=None, slack_webhook_url=None, check_ids=None,
        batch_id=None,
    )  # fmt: skip
    body["kyb_schema"]["associated_individuals"] = None
    body["kyb_schema"]["self_attested_data"] |= {
        "website": None,
        "address_of_incorporation": {"street_1": "1 Main St", "street_2": None},
        "address_of_operation": None,
        "incorporation_date": None,
        "incorporation_documents": None,
        "tin_number": None,
    }
    assert caller.post(KYB, body).status_code == 200
    job = AgentJob.objects.get()
    assert (job.webhook_url, job.check_ids) == ("", [])


@pytest.mark.parametrize(
    "website", ["northwind.test", ["northwind.test", "https://n.test"]]
)
def test_a_website_stands_in_for_the_name(caller, website):
    body = caller.kyb_body()
    body["kyb_schema"]["self_attested_data"] = {"website": website}
    assert caller.post(KYB, body).status_code == 200


@pytest.mark.parametrize("name", ["business_name", "registered_business_name"])
def test_either_name_of_a_business_will_do_however_long(caller, name):
    body = caller.kyb_body()
    body["kyb_schema"]["self_attested_data"] = {name: "N" * 400}
    assert caller.post(KYB, body).status_code == 200
    assert AgentJob.objects.get().schema["self_attested_data"][name] == "N" * 400


@pytest.mark.parametrize("case_id", ["", "c" * 256, 7, None, ["c"]])
def test_a_case_id_is_a_string_of_1_to_255_characters(caller, case_id):
    body = caller.kyb_body()
    body["kyb_schema"]["id"] = case_id
    assert list(details(caller.post(KYB, body))) == [("kyb_schema", "id")]

    body["kyb_schema"]["id"] = "ü" * 255
    assert caller.post(KYB, body).status_code == 200
    assert AgentJob.objects.get().case_id == "ü" * 255


@pytest.mark.parametrize(
    "job_id", ["", "7", 7, "your-job", "{" + UUID + "}", "x" * 32,
               "urn:uuid:" + UUID, UUID[:-1], [], {}, True,
               UUID.replace("-", "", 1)],
)  # fmt: skip
def test_what_is_no_uuid_is_no_job_id(caller, job_id):
    assert details(caller.post(KYB, caller.kyb_body(job_id=job_id))) == {
        ("job_id",): "not_a_uuid"
    }


URLS = [
    *(
        "",
        "client.test",
        "//client.test/x",
        "ftp://client.test/x",
        "http://",
        "https:///x",
    ),
    *(
        "javascript:alert(1)",
        "http://client.test:99999/",
        "http://[::1/",
        "https://[fe80::1%25a%41]/",
        "http://user@a.test/",
    ),
    *(
        "http://a.test/ b",
        "http://a.test\\@b.test/",
        "http://a.test/\n",
        7,
        [],
        {"url": "x"},
    ),
    "https://client.test/" + "x" * 2048,
]


@pytest.mark.parametrize("url", URLS)
@pytest.mark.parametrize(
    "name", ["webhook_url", "tool_webhook_url", "slack_webhook_url"]
)
def test_a_webhook_goes_to_an_http_address_with_a_host(caller, name, url):
    assert list(details(caller.post(KYB, caller.kyb_body(**{name: url})))) == [(name,)]


def test_a_long_address_with_a_path_like_a_user_is_taken(caller):
    url = "https://client.test:8443/@us/" + "x" * 2000
    assert caller.post(KYB, caller.kyb_body(webhook_url=url)).status_code == 200


CHECK = "kyb.incorporation_document_verification"


def test_checks_are_chosen_by_id(caller):
    assert caller.post(KYB, caller.kyb_body(check_ids=[CHECK])).status_code == 200
    assert AgentJob.objects.get().check_ids == [CHECK]


@pytest.mark.parametrize(
    "check_id", ["kyb.adverse_media_check", "nothing", "", 7, None]
)
def test_a_check_that_does_not_exist_is_named(caller, check_id):
    answer = caller.post(KYB, caller.kyb_body(check_ids=[CHECK, check_id]))
    assert list(details(answer)) == [("check_ids", 1)]
    assert str(check_id or "") in answer.json()["message"] or not isinstance(
        check_id, str
    )


def test_a_check_for_businesses_is_not_for_individuals(caller):
    answer = caller.post(KYC, caller.kyc_body(check_ids=[CHECK]))
    assert details(answer) == {("check_ids", 0): "wrong_kind"}
    assert CHECK in answer.json()["message"]


@pytest.mark.parametrize("tool_id", ["another_tool", "", 7, None])
@pytest.mark.parametrize("endpoint", [KYB, "runCheck", "enqueueFromCSV"])
def test_a_tool_that_does_not_exist_is_named(caller, endpoint, tool_id):
    ids = ["kyb.incorporation_document_extractor", tool_id]
    body = caller.kyb_body(
        check_id=CHECK, csv="business_name\nNorthwind\n", tool_webhook_ids=ids
    )
    answer = caller.post(endpoint, body)
    assert list(details(answer)) == [("tool_webhook_ids", 1)]
    assert str(tool_id or "") in answer.json()["message"] or not isinstance(
        tool_id, str
    )
    assert not AgentJob.objects.exists()
    assert (
        caller.post(endpoint, {**body, "tool_webhook_ids": ids[:1]}).status_code == 200
    )
    assert AgentJob.objects.get().input_payload["tool_webhook_ids"]


@pytest.mark.parametrize("check_ids", ["kyb.x", {}, 7])
def test_check_ids_is_a_list(caller, check_ids):
    assert list(details(caller.post(KYB, caller.kyb_body(check_ids=check_ids)))) == [
        ("check_ids",)
    ]


def test_the_agents_of_others_and_of_nobody_are_refused_alike(caller, other):
    answers = [
        caller.post(KYB, caller.kyb_body(agent_key=key))
        for key in (other.kyb.key, "nobody")
    ]
    assert [answer.status_code for answer in answers] == [403, 403]
    assert answers[0].content == answers[1].content
    assert set(answers[0].json()) == {"error", "message"}
    assert answers[0].json()["error"] == "Forbidden"


def test_the_schema_is_judged_before_the_agent_and_the_agent_before_the_job_id(caller):
    job_id = str(caller.job().job_id)
    broken = caller.kyb_body(agent_key="nobody", job_id=job_id, webhook_url="x")
    assert caller.post(KYB, broken).status_code == 400
    assert (
        caller.post(KYB, caller.kyb_body(agent_key="nobody", job_id=job_id)).status_code
        == 403
    )
    assert caller.post(KYB, caller.kyb_body(job_id=job_id)).status_code == 409


def test_an_agent_for_the_other_kind_of_case_is_a_400_that_says_so(caller):
    answer = caller.post(KYB, caller.kyb_body(agent_key=caller.kyc.key))
    assert details(answer) == {("agent_key",): "wrong_kind"}
    assert "kyc" in answer.json()["message"]


def test_an_inactive_agent_runs_nothing(caller):
    Agent.objects.filter(pk=caller.kyb.pk).update(is_active=False)
    answer = caller.post(KYB, caller.kyb_body())
    assert answer.status_code == 403
    assert "not active" in answer.json()["message"]


@pytest.mark.django_db(transaction=True)
def test_of_fifty_racing_starts_exactly_one_makes_the_job():
    caller = make_caller()
    body = caller.kyb_body(job_id=str(uuid.uuid4()))
    together = Barrier(50)

    def start(_: int) -> tuple[int, Any]:
        try:
            together.wait(timeout=30)
            answer = caller.post(KYB, body)
            return answer.status_code, orjson.loads(answer.content)
        finally:
            connection.close()

    with ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(start, range(50)))

    assert sorted(status for status, _ in answers) == [200] + [409] * 49
    assert all(
        text == {"error": EXISTS, "job_id": body["job_id"]}
        for status, text in answers
        if status == 409
    )
    assert AgentJob.objects.count() == 1
