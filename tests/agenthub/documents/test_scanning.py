"""The hub keeps nothing that holds malware, and reads no document that was not scanned."""

from __future__ import annotations

import base64
from collections.abc import Iterator

import pytest

from agenthub.documents import fetching
from agenthub.models import AgentJob, Upload
from checks import samples
from tests import scanners
from tests.scanners import EICAR, NAME, Scanner

BAD = b"%PDF-1.7\n" + EICAR


@pytest.fixture
def scanner(settings) -> Iterator[Scanner]:
    with scanners.running("clamav") as made:
        settings.FILE_SCANNER = made.url
        settings.FILE_SCANNER_SECONDS = 20
        yield made


def upload(caller, content: bytes):
    return caller.post(
        "uploadB64Document", {"b64_document": base64.b64encode(content).decode()}
    )


def wire(content: bytes) -> dict[str, str]:
    return {
        "type": "Document",
        "file_name": "a.pdf",
        "b64_document": base64.b64encode(content).decode(),
    }


def test_an_upload_with_malware_is_refused_and_not_kept(caller, scanner):
    assert upload(caller, b"%PDF-1.7 x").status_code == 200
    answer = upload(caller, BAD)
    assert answer.status_code == 400
    assert f"holds malware ({NAME})" in answer.content.decode()
    assert Upload.objects.count() == 1


@pytest.mark.parametrize("fault", ["close", "lie"])
def test_an_upload_that_cannot_be_scanned_is_to_be_sent_later(caller, scanner, fault):
    scanner.fault = fault
    answer = upload(caller, b"%PDF-1.7 x")
    assert answer.status_code == 503
    assert "try again later" in answer.content.decode()
    assert not Upload.objects.exists()


def test_a_document_with_malware_is_not_read(scanner):
    assert fetching.fetch(wire(b"%PDF-1.7 x")) == b"%PDF-1.7 x"
    with pytest.raises(fetching.FetchError, match="holds malware") as caught:
        fetching.fetch(wire(BAD))
    assert caught.value.permanent


@pytest.mark.django_db(transaction=True)
def test_a_job_waits_for_the_scanner_and_goes_on(caller, scanner, work_off):
    scanner.fault = "close"
    content = samples.good_certificate().content
    body = caller.kyb_body()
    data = {
        "business_name": "Northwind Ltd",
        "incorporation_documents": [wire(content)],
    }
    body["kyb_schema"]["self_attested_data"] = data
    job = caller.job(input_payload=body)
    for _ in range(8):  # more often than a document that cannot be fetched is asked for
        AgentJob.objects.update(due_at=job.created_at, leased_until=None)
        work_off()
    job.refresh_from_db()
    assert job.status == AgentJob.Status.RUNNING
    assert scanner.files == []
    scanner.fault = ""
    AgentJob.objects.update(due_at=job.created_at)
    work_off()
    job.refresh_from_db()
    assert job.status == AgentJob.Status.COMPLETE
    assert scanner.files == [content]
