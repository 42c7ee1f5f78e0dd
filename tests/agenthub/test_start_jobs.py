from __future__ import annotations

import uuid
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import orjson
import pytest
from django.db import connection

from agenthub.models import Agent, AgentJob
from tests.agenthub.conftest import KYB, KYC, make_caller

EXISTS = "Job with the provided ID already exists."


def details(answer) -> dict[tuple[Any, ...], str]:
    """The types of what is wrong, by place."""
    assert answer.status_code == 400, answer.content
    body = answer.json()
    assert set(body) == {"error", "message", "detail"}
    assert body["error"] == "Bad Request"
    assert body["message"]
    assert all(set(item) == {"loc", "msg", "type"} for item in body["detail"])
    return {tuple(item["loc"]): item["type"] for item in body["detail"]}


def test_a_kyb_job_is_started_and_answered_as_the_interface_says(caller):
    body = caller.kyb_body(
        webhook_url="https://client.test/jobs", tool_webhook_url="https://client.test/tools"
    )
    answer = caller.post(KYB, body)

    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/json"
    said = answer.json()
    assert set(said) == {"status", "job_id", "message", "job"}
    assert said["status"] == "ok"
    assert said["message"]
    assert said["job"]["id"] == said["job_id"] == str(uuid.UUID(said["job_id"]))
    assert said["job"]["status"] == "PENDING"
    assert said["job"]["agent_id"] == caller.kyb.key
    assert said["job"]["input_payload"] == body
    assert said["job"]["created_at"].endswith("Z")
    assert said["job"]["updated_at"].endswith("Z")
    assert set(said["job"]) == {
        *("id", "status", "created_at", "updated_at", "agent_id", "input_payload")
    }

    job = AgentJob.objects.get()
    assert str(job.job_id) == said["job_id"]
    assert (job.account, job.agent, job.case_id) == (caller.account, caller.kyb, "case-001")
    assert job.status == AgentJob.Status.PENDING
    assert job.input_payload == body
    assert job.webhook_url == "https://client.test/jobs"
    assert job.tool_webhook_url == "https://client.test/tools"
    assert job.slack_webhook_url == ""


def test_a_kyc_job_is_started(caller):
    body = caller.kyc_body(
        slack_webhook_url="https://slack.test/x", tool_webhook_url="https://client.test/tools"
    )
    answer = caller.post(KYC, body)

    assert answer.status_code == 200
    job = AgentJob.objects.get()
    assert job.agent == caller.kyc
    assert job.input_payload == answer.json()["job"]["input_payload"] == body
    assert job.slack_webhook_url == "https://slack.test/x"
    assert job.tool_webhook_url == "https://client.test/tools"


def test_members_that_the_interface_does_not_name_are_kept(caller):
    body = caller.kyb_body(run_config={"a": [1, 2.5, None]}, run_in_parallel=True, mine="ours")
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


@pytest.mark.parametrize("website", ["northwind.test", ["northwind.test", "https://n.test"]])
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


NAME_IS_MISSING = {("kyb_schema", "self_attested_data", "business_name"): "missing"}


@pytest.mark.parametrize(
    "data",
    [{}, {"business_name": ""}, {"business_name": "  ", "website": ""}, {"website": []},
     {"website": ["", " "]}, {"registered_business_name": None, "description": "x"}],
)  # fmt: skip
def test_a_business_without_any_name_is_refused(caller, data):
    body = caller.kyb_body()
    body["kyb_schema"]["self_attested_data"] = data
    assert details(caller.post(KYB, body)) == NAME_IS_MISSING


def test_all_that_is_missing_is_told_at_once(caller):
    assert details(caller.post(KYB, {})) == {
        ("agent_key",): "missing",
        ("kyb_schema",): "missing",
    }
    assert details(caller.post(KYC, {"agent_key": "x", "kyc_schema": {}})) == {
        ("kyc_schema", "id"): "missing",
        ("kyc_schema", "self_attested_data"): "missing",
    }
    body = {"agent_key": "x", "kyc_schema": {"id": "c", "self_attested_data": {}}}
    assert details(caller.post(KYC, body)) == {
        ("kyc_schema", "self_attested_data", "first_name"): "missing",
        ("kyc_schema", "self_attested_data", "last_name"): "missing",
    }


ADDRESS = {"address_of_operation": {"country_code": "USA"}}
PLACES = [
    ({"incorporation_date": "2024-02-30"}, ("incorporation_date",)),
    ({"incorporation_date": "20240229"}, ("incorporation_date",)),
    ({"incorporation_date": "02/03/2024"}, ("incorporation_date",)),
    ({"incorporation_date": ""}, ("incorporation_date",)),
    ({"incorporation_date": 20240101}, ("incorporation_date",)),
    ({"business_name": 5}, ("business_name",)),
    ({"business_name": ["N"]}, ("business_name",)),
    ({"description": True}, ("description",)),
    ({"website": 5}, ("website",)),
    ({"website": {"url": "x"}}, ("website",)),
    ({"website": ["x", None]}, ("website",)),
    ({"address_of_operation": "1 Main St"}, ("address_of_operation",)),
    ({"address_of_operation": {"city": 3}}, ("address_of_operation", "city")),
    (ADDRESS, ("address_of_operation", "country_code")),
    ({"incorporation_documents": {}}, ("incorporation_documents",)),
    ({"incorporation_documents": [None]}, ("incorporation_documents", 0)),
    ({"incorporation_documents": ["x"]}, ("incorporation_documents", 0)),
    ({"ein_documents": [{"url": "https://n.test/a"}, {}]}, ("ein_documents", 1, "url")),
    ({"ein_documents": [{"url": None, "b64_document": None}]}, ("ein_documents", 0, "url")),
    ({"ein_documents": [{"b64_document": ""}]}, ("ein_documents", 0, "b64_document")),
    ({"ein_documents": [{"url": "file:///etc/passwd"}]}, ("ein_documents", 0, "url")),
    ({"ein_documents": [{"url": "https://n.test/a", "type": "Paper"}]},
     ("ein_documents", 0, "type")),
    ({"ein_documents": [{"url": "https://n.test/a", "num_pages": "many"}]},
     ("ein_documents", 0, "num_pages")),
]  # fmt: skip


@pytest.mark.parametrize(("data", "place"), PLACES)
def test_what_breaks_the_schema_is_told_with_its_place(caller, data, place):
    body = caller.kyb_body()
    body["kyb_schema"]["self_attested_data"] |= data
    assert list(details(caller.post(KYB, body))) == [("kyb_schema", "self_attested_data", *place)]
    assert not AgentJob.objects.exists()


def test_the_data_of_an_individual_are_checked_to_the_depth(caller):
    body = caller.kyc_body()
    body["kyc_schema"]["self_attested_data"] |= {
        "date_of_birth": "1980-13-01",
        "country_of_nationality": "Spain",
        "associated_addresses": [{"city": "Porto"}, {"country_code": "P"}],
        "proof_of_address_documents": [{"file_name": "bill.pdf"}],
        "government_id_verification_data": {
            "id_data": {"expiration_date": "soon", "mrz": [7], "vendor_validated": "yes"}
        },
    }
    data = ("kyc_schema", "self_attested_data")
    id_data = (*data, "government_id_verification_data", "id_data")
    assert set(details(caller.post(KYC, body))) == {
        (*data, "date_of_birth"),
        (*data, "country_of_nationality"),
        (*data, "associated_addresses", 1, "country_code"),
        (*data, "proof_of_address_documents", 0, "url"),
        (*id_data, "expiration_date"),
        (*id_data, "mrz", 0),
        (*id_data, "vendor_validated"),
    }


def test_associated_individuals_are_kyc_schemas(caller):
    body = caller.kyb_body()
    body["kyb_schema"]["associated_individuals"] = [{"id": "i", "self_attested_data": {}}]
    place = ("kyb_schema", "associated_individuals", 0, "self_attested_data")
    assert set(details(caller.post(KYB, body))) == {(*place, "first_name"), (*place, "last_name")}


def test_the_full_schema_of_both_kinds_is_taken(caller):
    address = {
        "type": "Address", "street_1": "1 Main St", "street_2": None, "city": "Dover",
        "state": "DE", "country_code": "US", "postal_code": "19901",
    }  # fmt: skip
    documents = [
        {"type": "Document", "url": "https://n.test/a.pdf?sig=1", "file_name": "a.pdf",
         "description": None, "source_type": "file_url", "num_pages": None},
        {"b64_document": "JVBERi0xLjQ=", "file_name": "b.pdf", "num_pages": 1},
    ]  # fmt: skip
    individual = {
        "first_name": "Ana", "last_name": "Reyes", "middle_name": "", "name_prefix": "Dr",
        "date_of_birth": "1980-01-31", "address": address, "associated_addresses": [address],
        "country_of_nationality": "ES", "country_of_residence": "PT",
        "place_of_birth": "Madrid, Spain", "sex": "F", "email": "ana@n.test", "phone": "+351 1",
        "title": "Director", "proof_of_address_documents": documents,
        "government_id_verification_data": {"id_data": {
            "first_name": "Ana", "front_image_url": "https://n.test/f.png", "mrz": ["P<ESP"],
            "vendor_validated": True, "vendor_data": {"score": 0.9}, "address": address,
        }},
    }  # fmt: skip
    business = {
        "business_name": "Northwind Ltd", "registered_business_name": "Northwind Limited",
        "address_of_incorporation": address, "address_of_operation": address,
        "website": ["northwind.test"], "business_purpose": "trade", "description": "Trades.",
        "industry": "retail", "tin_number": "12-3456789", "incorporation_date": "2023-12-25",
        "customer_countries": ["US"], "mcc_code": "5411", "incorporation_documents": documents,
    }  # fmt: skip
    kyc = {"id": "case-2", "self_attested_data": individual}
    kyb = {"id": "case-1", "self_attested_data": business, "associated_individuals": [kyc],
           "research_data": {}, "external_validation_data": []}  # fmt: skip

    assert caller.post(KYC, caller.kyc_body(kyc_schema=kyc)).status_code == 200
    assert caller.post(KYB, caller.kyb_body(kyb_schema=kyb)).status_code == 200


@pytest.mark.parametrize("case_id", ["", "c" * 256, 7, None, ["c"]])
def test_a_case_id_is_a_string_of_1_to_255_characters(caller, case_id):
    body = caller.kyb_body()
    body["kyb_schema"]["id"] = case_id
    assert list(details(caller.post(KYB, body))) == [("kyb_schema", "id")]

    body["kyb_schema"]["id"] = "ü" * 255
    assert caller.post(KYB, body).status_code == 200
    assert AgentJob.objects.get().case_id == "ü" * 255


@pytest.mark.parametrize(
    "job_id", ["", "7", 7, "your-job", "{" + str(uuid.uuid4()) + "}", "x" * 32,
               "urn:uuid:" + str(uuid.uuid4()), str(uuid.uuid4())[:-1], [], {}, True,
               str(uuid.uuid4()).replace("-", "", 1)],
)  # fmt: skip
def test_what_is_no_uuid_is_no_job_id(caller, job_id):
    assert details(caller.post(KYB, caller.kyb_body(job_id=job_id))) == {("job_id",): "not_a_uuid"}


URLS = [
    *("", "client.test", "//client.test/x", "ftp://client.test/x", "http://", "https:///x"),
    *("javascript:alert(1)", "http://client.test:99999/", "http://[::1/", "http://user@a.test/"),
    *("http://a.test/ b", "http://a.test\\@b.test/", "http://a.test/\n", 7, [], {"url": "x"}),
    "https://client.test/" + "x" * 2048,
]


@pytest.mark.parametrize("url", URLS)
@pytest.mark.parametrize("name", ["webhook_url", "tool_webhook_url", "slack_webhook_url"])
def test_a_webhook_goes_to_an_http_address_with_a_host(caller, name, url):
    assert list(details(caller.post(KYB, caller.kyb_body(**{name: url})))) == [(name,)]


def test_a_long_address_with_a_path_like_a_user_is_taken(caller):
    url = "https://client.test:8443/@us/" + "x" * 2000
    assert caller.post(KYB, caller.kyb_body(webhook_url=url)).status_code == 200


CHECK = "kyb.incorporation_document_verification"


def test_checks_are_chosen_by_id(caller):
    assert caller.post(KYB, caller.kyb_body(check_ids=[CHECK])).status_code == 200
    assert AgentJob.objects.get().check_ids == [CHECK]


@pytest.mark.parametrize("check_id", ["kyb.adverse_media_check", "nothing", "", 7, None])
def test_a_check_that_does_not_exist_is_named(caller, check_id):
    answer = caller.post(KYB, caller.kyb_body(check_ids=[CHECK, check_id]))
    assert list(details(answer)) == [("check_ids", 1)]
    assert str(check_id or "") in answer.json()["message"] or not isinstance(check_id, str)


def test_a_check_for_businesses_is_not_for_individuals(caller):
    answer = caller.post(KYC, caller.kyc_body(check_ids=[CHECK]))
    assert details(answer) == {("check_ids", 0): "wrong_kind"}
    assert CHECK in answer.json()["message"]


@pytest.mark.parametrize("check_ids", ["kyb.x", {}, 7])
def test_check_ids_is_a_list(caller, check_ids):
    assert list(details(caller.post(KYB, caller.kyb_body(check_ids=check_ids)))) == [("check_ids",)]


def test_the_agents_of_others_and_of_nobody_are_refused_alike(caller, other):
    answers = [
        caller.post(KYB, caller.kyb_body(agent_key=key)) for key in (other.kyb.key, "nobody")
    ]
    assert [answer.status_code for answer in answers] == [403, 403]
    assert answers[0].content == answers[1].content
    assert set(answers[0].json()) == {"error", "message"}
    assert answers[0].json()["error"] == "Forbidden"


def test_the_schema_is_judged_before_the_agent_and_the_agent_before_the_job_id(caller):
    job_id = str(caller.job().job_id)
    broken = caller.kyb_body(agent_key="nobody", job_id=job_id, webhook_url="x")
    assert caller.post(KYB, broken).status_code == 400
    assert caller.post(KYB, caller.kyb_body(agent_key="nobody", job_id=job_id)).status_code == 403
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
        said == {"error": EXISTS, "job_id": body["job_id"]}
        for status, said in answers
        if status == 409
    )
    assert AgentJob.objects.count() == 1
