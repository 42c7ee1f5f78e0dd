"""The hub keeps nothing that holds malware, and reads no document that was not scanned."""

from __future__ import annotations

import base64
from collections.abc import Iterator

import pytest
from django.test import Client

from agenthub import tasks
from agenthub.documents import fetching, quarantine
from agenthub.models import AgentJob, QuarantinedFile, Upload
from checks import samples
from compliance.work.rows import FETCH_SCHEDULE
from reviews.audit import trail, verification
from reviews.models import CaseEvent
from tests import scanners
from tests.factories import make_hub, make_user
from tests.scanners import EICAR, NAME, Scanner

BAD = b"%PDF-1.7\n" + EICAR


@pytest.fixture
def scanner(settings) -> Iterator[Scanner]:
    with scanners.running("clamav") as result:
        settings.FILE_SCANNER = result.url
        settings.FILE_SCANNER_SECONDS = 20
        yield result


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


def test_a_document_with_malware_is_not_read(caller, scanner):
    job = caller.job()
    assert fetching.fetch(wire(b"%PDF-1.7 x"), job) == b"%PDF-1.7 x"
    with pytest.raises(fetching.FetchError, match="holds malware") as caught:
        fetching.fetch(wire(BAD), job)
    assert caught.value.permanent
    row = QuarantinedFile.objects.get()
    assert (row.account, row.job, row.status) == (caller.account, job, "held")
    assert (row.signature, row.scanner[:6]) == (NAME, "ClamAV")


def test_what_is_held_stays_closed_whatever_the_scanner_says(caller, scanner, settings):
    job = caller.job()
    with pytest.raises(fetching.FetchError):
        fetching.fetch(wire(BAD), job)
    settings.FILE_SCANNER = ""
    with pytest.raises(fetching.FetchError, match=f"malware .{NAME}., and is in quara"):
        fetching.fetch(wire(BAD), job)
    assert upload(caller, BAD).status_code == 400
    assert QuarantinedFile.objects.count() == 1
    # Of another client it is another file: nobody learns what others sent.
    other = make_hub()["account"]
    assert quarantine.of(other, BAD) is None


def test_an_upload_that_newer_signatures_name_is_given_to_nobody(caller, scanner, settings):  # fmt: skip
    settings.FILE_SCANNER = ""
    url = upload(caller, BAD).json()["url"]
    path = url.removeprefix(settings.CALLBACK_URL)
    answer = caller.client.get(path)
    assert b"".join(answer.streaming_content) == BAD
    settings.FILE_SCANNER = scanner.url
    with pytest.raises(fetching.FetchError, match="malware"):
        fetching.fetch({"url": url}, caller.job())
    assert caller.client.get(path).status_code == 404
    row = QuarantinedFile.objects.get()
    boss = make_user("boss")
    assert quarantine.remove(row, actor=boss, reason="It is malware.")
    stored = Upload.objects.get().file
    tasks.expire_uploads()
    assert not stored.storage.exists(stored.name or "")
    assert Upload.objects.get().status == "gone"


@pytest.mark.django_db(transaction=True)
def test_a_job_says_what_is_in_quarantine_and_a_person_releases_it(
    caller, scanner, work_off, settings
):
    content = samples.good_certificate().content + b"\n%" + EICAR
    body = caller.kyb_body()
    documents = {"incorporation_documents": [wire(content)]}
    body["kyb_schema"]["self_attested_data"] |= documents
    job = caller.job(input_payload=body)
    work_off()
    job.refresh_from_db()
    [words] = job.unread_documents.values()
    assert f"it holds malware ({NAME}), and is in quarantine" in words
    answer = caller.get("getJobById", job_id=job.job_id, include_check_results="1")
    assert f"malware ({NAME})" in answer.content.decode()
    assert answer.json().get("recommendation") != "Approve"

    boss = make_user("boss", is_superuser=True, is_staff=True)
    page = Client()
    page.force_login(boss)
    text = page.get("/hub/quarantine/").content.decode()
    assert NAME in text
    assert str(job.job_id) in text
    # Enter in the field of the reason presses the first button of the form, which is disabled.
    assert '<button type="submit" hidden disabled></button>' in text
    row = QuarantinedFile.objects.get()
    address = f"/hub/quarantine/{row.pk}/"
    page.post(address, {"act": "release", "reason": " "})
    row.refresh_from_db()
    assert row.status == "held"
    page.post(address, {"act": "release", "reason": "A test file of ours."})
    row.refresh_from_db()
    assert (row.status, row.ended_by) == ("released", "boss")
    # Too late for another person.
    page.post(address, {"act": "remove", "reason": "No."})
    row.refresh_from_db()
    assert row.status == "released"
    trail.seal_all()
    lines = CaseEvent.objects.filter(what__startswith="hub_file_").order_by("pk")
    assert [line.what for line in lines] == ["hub_file_quarantined", "hub_file_released"]  # fmt: skip
    assert lines[1].user == boss
    assert list(verification.faults()) == []

    again = caller.job(input_payload=body)
    work_off()
    again.refresh_from_db()
    assert again.unread_documents == {}
    assert again.status == AgentJob.Status.COMPLETE


def test_who_is_no_administrator_of_the_hub_sees_no_quarantine(client, db):
    client.force_login(make_user("ana", role="analyst"))
    assert client.get("/hub/quarantine/").status_code == 403
    assert client.post("/hub/quarantine/1/", {"act": "release"}).status_code == 403


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
    # More often than a document that cannot be fetched is asked for.
    for _ in range(len(FETCH_SCHEDULE) + 2):
        AgentJob.objects.update(due_at=job.created_at, leased_until=None)
        work_off()
    job.refresh_from_db()
    assert job.status == AgentJob.Status.RUNNING
    # The document's own attempts are not used up.
    assert job.failures == 0
    assert scanner.files == []
    scanner.fault = ""
    AgentJob.objects.update(due_at=job.created_at)
    work_off()
    job.refresh_from_db()
    assert job.status == AgentJob.Status.COMPLETE
    assert scanner.files == [content]
