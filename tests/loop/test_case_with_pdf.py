"""The whole loop over real sockets: form, job, hub, checks, signed webhooks, page."""

from __future__ import annotations

import base64

import pytest
import requests
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.timezone import now

from agenthub.models import AgentJob, Attempt, Delivery, SigningSecret
from checks import samples
from reviews.models import Case, CheckResult, Document, Job
from tests.factories import make_connection, make_hub, make_user
from webhooks.models import Event

pytestmark = pytest.mark.django_db(transaction=True)

TOOLS = [
    "kyb.incorporation_document_extraction_tool",
    "kyb.visual_verification_v3",
    "document_fraud_check",
]


@pytest.fixture
def hub(served):
    return make_hub(make_connection(base_url=f"{served}/api/v1"))


@pytest.fixture
def analyst(client, hub):
    client.force_login(make_user())
    return client


def submit(analyst, hub, sample: samples.Sample) -> Case:
    attested = sample.attested
    response = analyst.post(
        "/cases/new/?kind=kyb",
        {
            "agent": hub["desk_kyb"].pk,
            "reference": "case-1",
            "business_name": attested["business_name"],
            "registered_business_name": attested["registered_business_name"],
            "incorporation_date": attested["incorporation_date"],
            "incorporation_documents": SimpleUploadedFile(
                sample.file_name, sample.content
            ),
        },
    )
    assert response.status_code in {302, 303}, response.content.decode()
    return Case.objects.get()


def page(analyst, case: Case) -> str:
    response = analyst.get(case.get_absolute_url())
    assert response.status_code == 200
    return response.content.decode()


def test_a_submitted_pdf_comes_back_as_findings_on_the_page(analyst, hub, work_off):
    sample = samples.good_certificate()
    case = submit(analyst, hub, sample)
    work_off()
    case.refresh_from_db()
    assert (case.status, case.recommendation) == (Case.Status.TO_REVIEW, "Approve")
    assert AgentJob.objects.get().status == AgentJob.Status.COMPLETE
    assert {d.status for d in Delivery.objects.all()} == {Delivery.Status.DONE}
    assert {e.status for e in Event.objects.all()} == {Event.Status.APPLIED}
    rows = CheckResult.objects.filter(source="tool").values_list("check_id", flat=True)
    assert list(rows) == TOOLS
    result = page(analyst, case)
    assert sample.attested["registered_business_name"] in result
    assert "Approve" in result
    document = Document.objects.get()
    assert document.status == Document.Status.DRAWN
    image = analyst.get(f"/documents/{document.pk}/pages/1.webp")
    assert image["Content-Type"] == "image/webp"
    assert b"".join(image)[8:12] == b"WEBP"
    image.close()


def test_an_edited_pdf_is_told_with_before_and_after(analyst, hub, work_off):
    sample = samples.edited_certificate()
    case = submit(analyst, hub, sample)
    work_off()
    case.refresh_from_db()
    assert case.recommendation == "Deny"
    result = page(analyst, case)
    assert "HIGH_RISK" in result or "High risk" in result
    year = int(sample.attested["incorporation_date"][:4])
    assert str(year) in result
    assert str(year + 6) in result


def test_a_scan_is_read_and_says_how_sure_the_reading_is(analyst, hub, work_off):
    sample = samples.scanned_certificate()
    case = submit(analyst, hub, sample)
    work_off()
    case.refresh_from_db()
    result = page(analyst, case)
    assert sample.attested["business_registration_number"] in result
    assert "read by OCR, " in result


def test_events_leave_in_the_order_of_the_tools(analyst, hub, work_off):
    submit(analyst, hub, samples.good_certificate())
    work_off()
    rows = Delivery.objects.order_by("attempts__at").values_list("kind", "tool_id")
    assert [tool or kind for kind, tool in rows] == [*TOOLS, "job"]


@pytest.mark.fault("F3", "every webhook is lost")
def test_with_every_webhook_lost_the_case_ends_all_the_same(analyst, hub, work_off):
    SigningSecret.objects.all().delete()
    SigningSecret.objects.create(account=hub["account"], secret="of somebody else")
    case = submit(analyst, hub, samples.good_certificate())
    work_off()
    assert not Event.objects.exists()
    assert {a.http_status for a in Attempt.objects.all()} == {401}
    Job.objects.update(due_at=now())  # no news for long
    work_off()
    case.refresh_from_db()
    assert (case.status, case.recommendation) == (Case.Status.TO_REVIEW, "Approve")
    assert "certificate" in page(analyst, case).lower()


def test_a_job_started_at_the_hub_appears_in_the_queue(analyst, hub, work_off, served):
    sample = samples.good_certificate()
    answer = requests.post(
        f"{served}/api/v1/startKYBAgentJob",
        json={
            "agent_key": hub["kyb"].key,
            "kyb_schema": {
                "id": "from-elsewhere",
                "self_attested_data": {
                    **sample.attested,
                    "incorporation_documents": [
                        {
                            "type": "Document",
                            "b64_document": base64.b64encode(sample.content).decode(),
                            "file_name": sample.file_name,
                        }
                    ],
                },
            },
            "webhook_url": f"{served}/webhooks/hub/",
            "tool_webhook_url": f"{served}/webhooks/hub/",
        },
        headers={"Authorization": f"Bearer {hub['api_key']}"},
        timeout=10,
    )
    assert answer.status_code == 200, answer.text
    work_off()
    case = Case.objects.get(reference="from-elsewhere")
    assert case.status == Case.Status.TO_REVIEW
    assert CheckResult.objects.filter(source="tool").count() == 3
    assert case.documents.get().status == Document.Status.DRAWN
    assert "from-elsewhere" in analyst.get("/?view=all").content.decode()
