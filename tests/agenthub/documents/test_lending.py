"""Documents lent by clients, reports lent to them, what is known, and trials of webhooks."""

from __future__ import annotations

import base64
import io
import json
from datetime import timedelta
from typing import Any

import pikepdf
import pypdfium2
import pytest
import time_machine
from django.utils.timezone import now

from agenthub.documents import fetching, uploads
from agenthub.models import AgentJob, CheckRun, SigningSecret, ToolRun, Upload
from agenthub.tasks import UPLOADS
from checks import samples
from checks.samples.passports import draw_passport
from compliance.http import signatures, standard_webhooks
from tests import fakeservice
from tests.agenthub.conftest import details
from tests.checks import test_identity_barcode as barcodes
from tests.factories import SECRET
from tests.fakeservice import Step

CHECK = "kyb.incorporation_document_verification"


def lend(caller, content: bytes = b"%PDF-1.7 x", **more):
    body = {"b64_document": base64.b64encode(content).decode(), **more}
    return caller.post("uploadB64Document", body)


def test_a_lent_document_is_served_at_its_url_until_it_expires(caller, settings):
    body = lend(caller, file_name="../a.pdf").json()
    assert body["content_type"] == "application/pdf"
    path = body["url"].removeprefix(settings.CALLBACK_URL)
    answer = caller.client.get(path)
    assert b"".join(answer.streaming_content) == b"%PDF-1.7 x"
    assert answer["Content-Disposition"].startswith("attachment")
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert fetching.fetch({"url": body["url"]}, caller.job()) == b"%PDF-1.7 x"
    assert caller.client.get(path[:-2]).status_code == 404
    with time_machine.travel(
        now() + timedelta(seconds=settings.DOCUMENT_URL_SECONDS + 60)
    ):
        assert caller.client.get(path).status_code == 404


def test_a_document_may_be_named_as_document_name(caller):
    answer = lend(caller, document_name="b.pdf").json()
    assert answer["document"]["file_name"] == "b.pdf"
    assert answer["expiration"] == answer["expires_at"]


def test_a_lent_document_goes_when_its_urls_have_expired(caller, settings):
    body = lend(caller, file_name="a.pdf").json()
    upload = Upload.objects.get()
    lasts = timedelta(seconds=settings.DOCUMENT_URL_SECONDS) + uploads.GRACE
    assert upload.due_at is not None
    assert timedelta(0) <= now() + lasts - upload.due_at < timedelta(minutes=5)
    assert UPLOADS.drain() == 0
    Upload.objects.update(due_at=now() - timedelta(minutes=1))
    assert UPLOADS.drain() == 1
    assert upload.file.name
    assert not upload.file.storage.exists(upload.file.name)
    row = Upload.objects.get()
    assert (row.status, row.file.name, row.file_name) == ("gone", "", "")
    assert row.sha256 == body["sha256"]
    assert (
        caller.client.get(body["url"].removeprefix(settings.CALLBACK_URL)).status_code
        == 404
    )
    assert UPLOADS.drain() == 0


def test_a_lent_document_is_checked(caller, work_off):
    sample = samples.good_certificate()
    document = lend(caller, sample.content, file_name="c.pdf").json()["document"]
    body = caller.kyb_body(check_ids=[CHECK])
    data = body["kyb_schema"]["self_attested_data"]
    data |= sample.attested
    data["incorporation_documents"] = [document]
    job_id = caller.post("startKYBAgentJob", body).json()["job_id"]
    work_off()
    answer = caller.get("getJobById", job_id=job_id, include_check_results="1").json()
    assert (answer["status"], answer["recommendation"]) == ("complete", "Approve")


def test_the_picture_of_a_government_id_is_checked(caller, work_off):
    content, attested = draw_passport(7, expires=now().date() + timedelta(days=900))
    lent = lend(caller, content, file_name="passport.pdf").json()["document"]
    caller.kyc.checks = []
    caller.kyc.save()
    body = caller.kyc_body(check_ids=["kyc.identity_document_verification"])
    data = body["kyc_schema"]["self_attested_data"]
    data |= attested
    data["government_id_verification_data"]["id_data"]["front_image_url"] = lent["url"]
    answer = caller.post("startKYCAgentJob", body)
    assert answer.status_code == 200, answer.content
    work_off()
    job_id = answer.json()["job_id"]
    text = caller.get("getJobById", job_id=job_id, include_check_results="1").json()
    assert (text["status"], text["recommendation"]) == ("complete", "Review")
    assert text["recommendation_reasons"] == ["No list of sanctions is loaded."]
    assert [check["result"]["passed"] for check in text["check_results"]] == [True]
    assert attested["date_of_birth"] in json.dumps(text["check_results"])


def test_the_barcode_of_a_government_id_is_checked(caller, work_off):
    lent = lend(
        caller, barcodes.picture(barcodes.content()), file_name="back.jpg"
    ).json()
    caller.kyc.checks = []
    caller.kyc.save()
    body = caller.kyc_body(check_ids=["kyc.government_id_barcode"])
    card = barcodes.FRONT | {"back_image_url": lent["document"]["url"]}
    data = body["kyc_schema"]["self_attested_data"]
    data |= barcodes.PERSON | {"government_id_verification_data": {"id_data": card}}
    answer = caller.post("startKYCAgentJob", body)
    assert answer.status_code == 200, answer.content
    work_off()
    job_id = answer.json()["job_id"]
    text = caller.get("getJobById", job_id=job_id, include_check_results="1").json()
    assert (text["status"], text["recommendation"]) == ("complete", "Review")
    assert text["recommendation_reasons"] == ["No list of sanctions is loaded."]
    assert [check["result"]["passed"] for check in text["check_results"]] == [True]
    [result] = text["check_results"]
    assert result["check_id"] == "kyc.government_id_barcode"
    assert "T64235789" in json.dumps(result)


def test_a_data_url_is_taken_as_browsers_make_it(caller):
    body = {
        "b64_document": "data:application/pdf;base64,"
        + base64.b64encode(b"%PDF-1.7").decode()
    }
    assert caller.post("uploadB64Document", body).status_code == 200
    with Upload.objects.get().file.open() as stored:
        assert stored.read() == b"%PDF-1.7"


def test_a_document_that_is_too_large_is_refused(caller, settings):
    settings.MAX_DOCUMENT_BYTES = 4
    assert details(lend(caller)) == {("b64_document",): "not_base64"}


def words_of(answer) -> str:
    pdf = pypdfium2.PdfDocument(io.BytesIO(answer.content))
    return "\n".join(page.get_textpage().get_text_range() for page in pdf)


def test_the_report_says_what_was_found(caller, work_off):
    sample = samples.good_certificate()
    content = base64.b64encode(sample.content).decode()
    body = caller.kyb_body(check_ids=[CHECK])
    data = body["kyb_schema"]["self_attested_data"]
    data |= sample.attested
    data["incorporation_documents"] = [{"b64_document": content, "file_name": "c.pdf"}]
    caller.post("startKYBAgentJob", body)
    work_off()
    answer = caller.post(
        "downloadReport", {"agent_key": caller.kyb.key, "case_id": "case-001"}
    )
    assert answer["Content-Type"] == "application/pdf"
    result = words_of(answer)
    job = AgentJob.objects.get()
    for words in (
        job.subject,
        str(job.job_id),
        "Approve",
        "Incorporation documents",
        "As attested",
    ):
        assert words in result


HOSTILE = [
    "<b>bold</b> & <para> &amp; </font>",
    "Ünïcode Ελληνικά Кириллица 東京株式会社 한국 العربية 🏦",
    "x" * 5000,
    "a\u0000b".replace("\u0000", "\u0007") + "\u202e\ufffe",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_report_draws_whatever_came(caller, text):
    body = caller.kyb_body()
    body["kyb_schema"] = {
        "id": text[:255],
        "self_attested_data": {
            "business_name": text,
            "address_of_incorporation": {"street_1": text, "city": None},
            "partners": [text, {"deep": [{"er": text}]}] * 50,
            **{f"{text[:20]}{n}": text for n in range(80)},
        },
    }
    job = caller.job(input_payload=body)
    result = {
        "verdict": text,
        "explanation": text,
        "alerts": [text] * 40,
        "payload": {"a": text},
    }
    run = CheckRun.objects.create(
        job=job, check_id="gone.check", status="completed", result=result
    )
    payload = {
        "fraud_verification_data": {
            "verification_data": [{"type": text, "title": text}, 7]
        },
        "visual_inspection": {
            "visual_analysis": {"a": {"passed": False, "analysis": text}, "b": 1}
        },
        "other": [text],
    }
    ToolRun.objects.create(
        check_run=run,
        document=0,
        tool_id="t",
        results={"payload": payload, "explanation": text},
    )
    answer = caller.get("downloadReport", agent_key=caller.kyb.key, job_id=job.job_id)
    assert answer.status_code == 200
    with pikepdf.open(io.BytesIO(answer.content)) as pdf:
        assert len(pdf.pages) >= 1


def test_a_person_is_known_from_earlier_cases_of_the_account(caller, other):
    body = caller.kyc_body()
    body["kyc_schema"]["self_attested_data"] |= {
        "email": "Ana@Example.com",
        "phone": "+44 20 7946 0000",
        "proof_of_address_documents": [{"url": "https://a.test/x"}],
    }
    caller.job(agent=caller.kyc, input_payload=body)
    for facts in (
        {"full_name": "  ana  REYES "},
        {"first_name": "Ana", "last_name": "Reyes", "phone": "+44 (20) 79460000"},
        {"email": "ana@example.COM"},
        {"full_name": "Ana Reyes", "email": "ana@example.com", "company": "x"},
    ):
        answer = caller.post("enrichPerson", facts).json()
        assert answer["status"] == "success", facts
        assert answer["data"]["case_id"] == "case-001"
        assert "proof_of_address_documents" not in answer["data"]
        assert "earlier cases" in answer["source"]
        assert other.post("enrichPerson", facts).json()["status"] == "not_found"
    for facts in (
        {"full_name": "Ana"},
        {"full_name": "Ana Reyes", "email": "x@y.z"},
        {"profile": "x"},
    ):
        assert caller.post("enrichPerson", facts).json()["status"] == "not_found"


def test_a_company_is_known_by_name_or_website(caller, other):
    body = caller.kyb_body()
    body["kyb_schema"]["self_attested_data"]["website"] = [
        "https://www.northwind.test/about"
    ]
    caller.job(input_payload=body)
    for facts in ({"name": "NORTHWIND  LTD"}, {"website": "northwind.test"},
                  {"name": "Northwind"},
                  {"name": "Northwind Ltd", "website": "http://northwind.test"}):  # fmt: skip
        assert caller.post("enrichCompany", facts).json()["status"] == "success", facts
        assert other.post("enrichCompany", facts).json()["status"] == "not_found"
    for facts in (
        {"name": "Northwind Trading"},
        {"website": "wind.test"},
        {"ticker": "NW"},
    ):
        assert caller.post("enrichCompany", facts).json()["status"] == "not_found"


@pytest.fixture
def receiver(settings):
    with fakeservice.running() as service:
        host, _, port = (
            service.url.removeprefix("http://").partition("/")[0].partition(":")
        )
        settings.OUTBOUND_ALLOW = frozenset({(host, int(port))})
        yield service


def test_a_trial_sends_a_signed_sample_of_each_kind(caller, receiver):
    receiver.plan = [Step(status=200) for _ in range(100)]
    url = f"{receiver.url}/hook"
    answer = caller.post(
        "testWebhook", {"webhook_url": url, "tool_webhook_url": url}
    ).json()
    assert "successful" in answer["message"]
    tools = [one["tool_id"] for one in answer["results"] if one["kind"] == "tool"]
    catalogue = caller.get("getAvailableChecks").json()["checks"]
    every = {tool["tool_id"] for check in catalogue for tool in check["tools"]}
    assert set(tools) == every
    assert len(receiver.asked) == 1 + len(tools) == len(answer["results"])
    assert all(one["status"] == 200 for one in answer["results"])
    kinds = {bool(body.get("tool_id")): body for _, _, body in receiver.asked}
    assert kinds[False]["input_payload"]["id"] == "sample-case"
    assert all(body["sample"] is True for _, _, body in receiver.asked)
    assert {"explanation", "payload", "passed"} <= set(kinds[True]["results"])
    compact = [headers.get(signatures.COMPACT_HEADER) for headers in receiver.headers]
    assert compact.count(signatures.sign(b"sample-case", SECRET)) == 1
    assert all(signatures.FULL_HEADER in headers for headers in receiver.headers)
    assert all(
        standard_webhooks.SIGNATURE_HEADER in headers for headers in receiver.headers
    )


@pytest.mark.parametrize(
    "tool_id",
    [
        "kyb.incorporation_document_extraction_tool",
        "kyb.incorporation_document_extractor",
    ],
)
def test_a_trial_can_be_of_some_tools_only(caller, receiver, tool_id):
    receiver.plan = [Step(status=204)]
    body = {"tool_webhook_url": receiver.url, "tool_webhook_ids": [tool_id]}
    answer = caller.post("testWebhook", body).json()
    [result] = answer["results"]
    assert result["tool_id"] == "kyb.incorporation_document_extraction_tool"
    [(_, _, event)] = receiver.asked
    assert "is_valid_document" in event["results"]["payload"]["extraction_data"]


def test_a_trial_says_what_came_back(caller, receiver):
    receiver.plan = [Step(status=500, body=b"broken")]
    answer = caller.post("testWebhook", {"webhook_url": receiver.url})
    assert details_and_results(answer)[0]["status"] == 500
    assert answer.json()["results"][0]["response"] == "broken"
    nowhere = caller.post("testWebhook", {"webhook_url": "http://10.0.0.1/x"})
    [result] = details_and_results(nowhere)
    assert result["error"] == "The address is not allowed. OUTBOUND_ALLOW can allow it."


def details_and_results(answer) -> list[dict[str, Any]]:
    assert answer.status_code == 400
    body = answer.json()
    assert body["detail"][0]["type"] == "webhook_failed"
    results: list[dict[str, Any]] = body["results"]
    return results


def test_without_a_secret_nothing_is_sent(caller, receiver):
    SigningSecret.objects.all().delete()
    answer = caller.post("testWebhook", {"webhook_url": receiver.url})
    assert details(answer) == {(): "no_secret"}
    assert receiver.asked == []


BODY = b'{"input_payload": {"id": "case-1"}}'


@pytest.mark.parametrize(
    ("body", "signature", "compact", "status"),
    [
        (BODY, signatures.sign(BODY, SECRET), None, 200),
        (BODY, signatures.sign(BODY, SECRET), signatures.sign(b"case-1", SECRET), 200),
        (BODY, signatures.sign(BODY, SECRET), signatures.sign(b"case-2", SECRET), 401),
        (BODY, signatures.sign(BODY, "another"), None, 401),
        (BODY, "ä", None, 401),
        (b"{}", signatures.sign(BODY, SECRET), None, 401),
        (b"{}", signatures.sign(b"{}", SECRET), signatures.sign(b"", SECRET), 401),
        (BODY, None, None, 400),
        (b"{", signatures.sign(b"{", SECRET), None, 400),
        (b"[]", signatures.sign(b"[]", SECRET), None, 400),
    ],
)
def test_the_receiver_says_whether_a_webhook_is_signed_well(
    caller, body, signature, compact, status
):
    headers = {signatures.FULL_HEADER: signature, signatures.COMPACT_HEADER: compact}
    by_name = {name: value for name, value in headers.items() if value is not None}
    assert caller.post("testWebhookReceiver", body, **by_name).status_code == status


def test_the_receiver_verifies_the_signature_with_a_time_too(caller):
    stamp = int(now().timestamp())
    timed = standard_webhooks.headers("msg_1", stamp, BODY, SECRET)
    assert caller.post("testWebhookReceiver", BODY, **timed).status_code == 200
    bad = {**timed, signatures.FULL_HEADER: signatures.sign(BODY, "another")}
    assert caller.post("testWebhookReceiver", BODY, **bad).status_code == 401
    old = standard_webhooks.headers("msg_1", stamp - 400, BODY, SECRET)
    answer = caller.post("testWebhookReceiver", BODY, **old)
    assert (answer.status_code, "too old" in answer.json()["message"]) == (401, True)
    del timed["webhook-id"]
    assert caller.post("testWebhookReceiver", BODY, **timed).status_code == 401


def test_a_secret_that_has_ended_signs_no_more(caller, other):
    signed = {signatures.FULL_HEADER: signatures.sign(BODY, "newer")}
    assert caller.post("testWebhookReceiver", BODY, **signed).status_code == 401
    newer = SigningSecret.objects.create(account=caller.account, secret="newer")
    assert caller.post("testWebhookReceiver", BODY, **signed).status_code == 200
    assert other.post("testWebhookReceiver", BODY, **signed).status_code == 401
    newer.expires_at = now()
    newer.save()
    assert caller.post("testWebhookReceiver", BODY, **signed).status_code == 401
