"""No file is given to anybody before the malware scanner has answered, and none in quarantine."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core.exceptions import PermissionDenied
from django.core.files.base import ContentFile
from django.db import transaction
from django.urls import reverse
from django.utils.timezone import now

from checks import samples
from reviews.audit import trail, verification
from reviews.decisions import decisions, obstacles
from reviews.documents import quarantine, scans, store
from reviews.findings.review_state import ReviewState
from reviews.jobs import start
from reviews.models import CaseEvent, Document, FileScan, Job
from reviews.people import notes
from reviews.privacy import erasing
from tests import scanners
from tests.reviews.api.calling import Caller
from tests.reviews.rows import decide, one_person, open_case, someone
from tests.scanners import EICAR, NAME, Scanner

pytestmark = pytest.mark.django_db(transaction=True)
GOOD = samples.good_certificate().content
BAD = b"%PDF-1.7\n" + EICAR
KIND = Document.Kind.INCORPORATION
# A browser sends nothing by the first button of a form if that is disabled.
NO_BUTTON = '<button type="submit" hidden disabled></button>'
Status = FileScan.Status


@pytest.fixture
def scanner(settings) -> Iterator[Scanner]:
    with scanners.running("clamav") as result:
        settings.FILE_SCANNER = result.url
        settings.FILE_SCANNER_SECONDS = 20
        yield result


@pytest.fixture
def ada(client):
    user = someone("administrator", "ada")
    client.force_login(user)
    return user


def keep(content: bytes, *, name: str = "deed.pdf", case: Any = None) -> Document:
    case = case or open_case(recommendation="Approve")
    return store.add(case, kind=KIND, file=ContentFile(content), file_name=name)


def reloaded(document: Document) -> Document:
    return Document.objects.select_related("case", "scan").get(pk=document.pk)


def ways_out(client, document: Document) -> list[Any]:
    """The answers of all that gives a file to somebody."""
    caller = Caller(someone("analyst", "ana"), "documents:read", "originals:read")
    address = f"/documents/{document.pk}"
    answers = [
        client.post(f"{address}/original/"),
        client.get(f"{address}/copy/"),
        client.get(urlsplit(store.service_url(document)).path),
        caller.get(f"{address}/content"),
        caller.get(f"{address}/original"),
    ]
    for answer in answers:
        answer.close()
    return answers


def changed_rows() -> list[str]:
    """What the trail says of files and their scans. The cases of tests have no lines."""
    faults = list(verification.faults())
    return [fault for fault in faults if "filescan" in fault or "document " in fault]


def due_again() -> None:
    FileScan.objects.update(due_at=now())
    Document.objects.filter(status="pending").update(due_at=now())


def test_a_clean_file_is_scanned_drawn_and_given(client, scanner, work_off, ada):
    document = keep(GOOD)
    work_off()
    document = reloaded(document)
    assert scanner.files == [GOOD]
    assert document.scan.status == Status.CLEAN
    assert document.status == Document.Status.DRAWN
    assert {answer.status_code for answer in ways_out(client, document)} == {200}
    page = client.get(f"/documents/{document.pk}/original/").content.decode()
    assert "no malware found (ClamAV 1.4.3/27800/Tue Nov 24 2026," in page
    line = CaseEvent.objects.get(what="file_scanned")
    assert line.data["sha256"] == document.sha256


def test_a_file_with_malware_is_given_to_nobody(client, scanner, work_off, ada):
    document = keep(BAD)
    work_off()
    document = reloaded(document)
    assert (document.scan.status, document.scan.signature) == (Status.QUARANTINED, NAME)
    assert document.status == Document.Status.UNREADABLE
    assert not document.pages.exists()
    for answer in ways_out(client, document):
        assert answer.status_code == 403
        content = getattr(answer, "content", b"")
        assert b"quarantine" in content
    page = client.get(f"/cases/{document.case_id}/").content.decode()
    assert f"in quarantine: {NAME}" in page
    assert CaseEvent.objects.get(what="file_quarantined").data["signature"] == NAME


def test_it_is_not_sent_to_the_service(scanner, work_off):
    case = open_case()
    keep(BAD, name="bad.pdf", case=case)
    good = keep(GOOD, name="good.pdf", case=case)
    work_off()
    [payload] = start.to_wire(case)["self_attested_data"][KIND]
    assert str(good.pk) in payload["url"]


@pytest.mark.parametrize("fault", scanners.FAULTS)
def test_a_scanner_that_is_away_makes_the_file_and_its_job_wait(
    client, scanner, work_off, settings, ada, fault
):
    settings.FILE_SCANNER_SECONDS = 1
    scanner.fault = fault
    case = open_case()
    document = keep(GOOD, case=case)
    job = start.queue(case)
    work_off()
    assert {answer.status_code for answer in ways_out(client, document)} == {503}
    document = reloaded(document)
    assert document.scan.status == Status.WAITING
    assert document.scan.error
    assert document.status == Document.Status.PENDING
    job.refresh_from_db()
    assert (job.status, job.tries) == (Job.Status.QUEUED, 0)
    assert "Waits for the malware scanner: deed.pdf" in job.error
    page = client.get(f"/cases/{case.pk}/").content.decode()
    assert "waits for the malware scanner (" in page
    # It comes back: the file is scanned, drawn, and its job is due at once.
    scanner.fault = ""
    settings.FILE_SCANNER_SECONDS = 20
    due_again()
    job.error = f"{job.error} x"
    job.save(update_fields=["error"])
    work_off()
    assert reloaded(document).status == Document.Status.DRAWN
    job.refresh_from_db()
    assert "Waits for the malware scanner" not in job.error


def test_the_scan_of_an_erased_file_is_not_tried_again(scanner, work_off):
    scanner.fault = "close"
    case = open_case()
    keep(GOOD, case=case)
    work_off()
    assert FileScan.objects.get().due_at is not None
    with transaction.atomic():
        erasing.erase(case, at=now())
    assert FileScan.objects.get().due_at is None


def test_a_job_does_not_wait_for_the_scan_of_a_file_that_is_lost(scanner, work_off):
    case = open_case()
    document = keep(GOOD, case=case)
    document.file.storage.delete(document.file.name or "")
    job = start.queue(case)
    work_off()
    job.refresh_from_db()
    assert job.error
    assert "Waits for the malware scanner" not in job.error


def test_a_file_that_the_scanner_refuses_for_its_size_is_closed(scanner, work_off):
    scanner.fault = "limit"
    document = keep(GOOD)
    work_off()
    scan = reloaded(document).scan
    assert scan.status == Status.QUARANTINED
    assert "larger than the scanner takes" in scan.signature


def test_nobody_approves_on_it_and_anybody_may_reject(scanner, work_off):
    one_person()
    document = keep(BAD)
    case = document.case
    sven = someone("senior", "sven")
    work_off()
    with pytest.raises(decisions.RefusedError, match=f"in quarantine: {NAME}"):
        decide(case, sven, "approve")
    state = ReviewState.of(case)
    assert obstacles.of(case, state, "reject") == []
    assert decide(case, sven, "reject").outcome == "reject"


def test_a_release_needs_the_permission_and_a_reason(client, scanner, work_off, ada):
    document = keep(EICAR_PDF)
    work_off()
    scan = reloaded(document).scan
    with pytest.raises(PermissionDenied):
        quarantine.release(scan, actor=someone("senior", "sven"), reason="It is ours.")
    with pytest.raises(ValueError, match="reason"):
        quarantine.release(scan, actor=ada, reason=" ")
    page = client.get(f"/documents/{document.pk}/original/").content.decode()
    assert "Release the file" in page
    # Enter in the field of the reason presses the first button.
    form = page[page.index(f'action="{reverse("file-scan", args=[scan.pk])}"') :]
    assert form[form.index("<button") :].startswith(NO_BUTTON)
    answer = client.post(
        f"/scans/{scan.pk}/", {"act": "release", "reason": "A test file of ours."}
    )
    assert answer.status_code == 303
    work_off()
    document = reloaded(document)
    assert document.scan.status == Status.RELEASED
    assert document.status == Document.Status.DRAWN
    assert {answer.status_code for answer in ways_out(client, document)} == {200}
    line = CaseEvent.objects.get(what="file_released")
    assert (line.user, line.details["reason"]) == (ada, "A test file of ours.")
    page = client.get(f"/documents/{document.pk}/original/").content.decode()
    assert f"released by ada: {NAME}. Reason: A test file of ours." in page
    trail.seal_all()
    assert changed_rows() == []


EICAR_PDF = GOOD + b"\n%" + EICAR + b"\n"


def test_a_file_in_quarantine_may_be_removed_for_ever(client, scanner, work_off, ada):
    one_person()
    document = keep(BAD)
    name, storage = document.file.name, document.file.storage
    work_off()
    scan = reloaded(document).scan
    client.post(f"/scans/{scan.pk}/", {"act": "remove", "reason": "It is malware."})
    document = reloaded(document)
    assert document.scan.status == Status.REMOVED
    assert not storage.exists(str(name))
    assert document.sha256
    for answer in ways_out(client, document):
        assert answer.status_code == 410
    assert CaseEvent.objects.get(what="file_removed").data["was"] == "quarantined"
    trail.seal_all()
    assert changed_rows() == []
    faults = obstacles.of(document.case, ReviewState.of(document.case), "approve")
    assert not any("deed.pdf" in words for words in faults)


def test_who_may_not_release_sees_no_form_and_cannot_post(client, scanner, work_off):
    document = keep(BAD)
    work_off()
    client.force_login(someone("senior", "sven"))
    page = client.get(f"/documents/{document.pk}/original/").content.decode()
    assert "Release the file" not in page
    scan = reloaded(document).scan
    data = {"act": "release", "reason": "Please."}
    assert client.post(f"/scans/{scan.pk}/", data).status_code == 403
    assert reloaded(document).scan.status == Status.QUARANTINED


def test_a_row_that_says_clean_by_hand_is_noticed(scanner, work_off):
    document = keep(BAD)
    work_off()
    trail.seal_all()
    FileScan.objects.update(status=Status.CLEAN)
    assert any("reviews_filescan" in fault for fault in changed_rows())
    assert reloaded(document).scan.is_open


def test_the_file_of_a_note_waits_and_is_closed_as_well(client, scanner, work_off, ada):
    case = open_case()
    file = ContentFile(BAD, name="call.pdf")
    result = notes.add(case, actor=someone("analyst"), text="Called.", files=[file])
    row = result.attachments.get()
    assert client.post(f"/attachments/{row.pk}/").status_code == 503
    work_off()
    assert client.post(f"/attachments/{row.pk}/").status_code == 403
    activity = client.get(f"/cases/{case.pk}/?tab=activity").content.decode()
    assert f"in quarantine: {NAME}" in activity


def test_the_pack_names_it_and_does_not_hold_it(client, scanner, work_off):
    case = open_case()
    document = keep(BAD, name="bad.pdf", case=case)
    keep(GOOD, name="good.pdf", case=case)
    work_off()
    client.force_login(someone("auditor"))
    answer = client.get(f"/cases/{case.pk}/evidence/")
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
        names = archive.namelist()
        for name in names:
            assert EICAR not in archive.read(name), name
        manifest = json.loads(archive.read("manifest.json"))
        readme = archive.read("README.txt").decode()
    assert [name for name in names if name.startswith("documents/")] == [
        "documents/02-good.pdf"
    ]
    [closed] = manifest["closed"]
    assert (closed["file_name"], closed["sha256"]) == ("bad.pdf", document.sha256)
    assert NAME in closed["why"]
    assert "in quarantine" in readme


def test_the_export_for_the_subject_names_it_and_does_not_hold_it(
    client, scanner, work_off
):
    case = open_case()
    keep(BAD, name="bad.pdf", case=case)
    work_off()
    client.force_login(someone("senior", "sven"))
    answer = client.post(f"/cases/{case.pk}/subject/")
    content = b"".join(answer.streaming_content)
    with zipfile.ZipFile(io.BytesIO(content)) as pack:
        files = [name for name in pack.namelist() if "/files/" in name]
        page = pack.read("index.html").decode()
    assert files == []
    assert f"in quarantine: {NAME}" in page


def test_a_file_of_a_time_without_a_scanner_is_scanned_when_it_is_asked_for(
    client, settings, work_off, ada
):
    document = keep(BAD)
    address = f"/documents/{document.pk}/original/"
    work_off()
    answer = client.post(address)
    assert answer.status_code == 200
    answer.close()
    with scanners.running("icap") as there:
        settings.FILE_SCANNER = there.url
        assert client.post(address).status_code == 503
        work_off()
        assert client.post(address).status_code == 403
    # Without a scanner what is in quarantine stays there.
    settings.FILE_SCANNER = ""
    assert client.post(address).status_code == 403


def test_known_files_are_scanned_again_by_newer_signatures(scanner, work_off):
    document = keep(GOOD)
    work_off()
    assert scans.scan_again() == 1
    assert not reloaded(document).scan.is_open
    work_off()
    assert reloaded(document).scan.is_open
    assert len(scanner.files) == 2
