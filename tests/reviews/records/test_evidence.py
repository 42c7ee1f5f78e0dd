"""The evidence pack: everything about a case, verifiable with nothing but Python."""

from __future__ import annotations

import hashlib
import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pypdfium2
import pytest
from django.core.files.base import ContentFile
from django.utils.timezone import now

from compliance.http import signatures, standard_webhooks
from reviews.audit import trail
from reviews.decisions import decisions
from reviews.models import CaseEvent
from reviews.people import notes
from tests.factories import SECRET
from tests.reviews.rows import (
    CHECK,
    add_risky_document,
    decide,
    one_person,
    open_case,
    someone,
)
from webhooks.models import Event

pytestmark = pytest.mark.django_db
PDF = b"%PDF-1.7\n% the original\n%%EOF\n"
HOSTILE = "../../<b>evil</b> & Łódź.pdf"


@pytest.fixture
def case():
    one_person()
    case = open_case(subject="Žižka & <b>Sons</b> Ltd", recommendation="Approve")
    ana = someone("analyst", "ana")
    document = add_risky_document(case)
    document.file_name = HOSTILE
    document.sha256 = hashlib.sha256(PDF).hexdigest()
    document.file.save("x.bin", ContentFile(PDF))
    job = case.jobs.get()
    body = json.dumps({"id": job.remote_id, "status": "complete"}).encode()
    Event.objects.create(
        connection=case.connection, digest=b"1" * 32, body=body, job=job, received_at=now(),
        headers={"X-Signature-SHA256": signatures.sign(body, SECRET)},
        secret=case.connection.webhook_secrets.get(),
    )  # fmt: skip
    notes.add(
        case, actor=ana, text="Called.", files=[ContentFile(PDF, name="call.pdf")]
    )
    for check in (CHECK, f"document-{document.pk.hex}"):
        decisions.mark(case, check, actor=ana, kind="reviewed")
    decide(case, ana, rationale="Looked at: " + "Łódź & <i>more</i> " * 40)
    return case


@pytest.fixture
def packed(client, case, tmp_path) -> Path:
    client.force_login(someone("auditor"))
    answer = client.get(f"/cases/{case.pk}/evidence/")
    assert (
        answer["Content-Disposition"] == 'attachment; filename="evidence-C-10428.zip"'
    )
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
        assert all(
            ".." not in name and not name.startswith("/") for name in archive.namelist()
        )
        archive.extractall(tmp_path / "pack")
    return tmp_path / "pack"


def verify(folder: Path, *words: str) -> tuple[int, str]:
    """As somebody elsewhere would: no site packages, no environment."""
    run = subprocess.run(
        [sys.executable, "-I", "-S", str(folder / "verify.py"), *words],
        capture_output=True, text=True, check=False, env={},
    )  # fmt: skip
    return run.returncode, run.stdout + run.stderr


def test_the_signature_with_a_time_is_verified_elsewhere_too(client, case, tmp_path):
    secret = standard_webhooks.new_secret()
    event = Event.objects.get()
    body = bytes(event.body)
    event.headers |= standard_webhooks.headers("msg_1", 1614265330, body, secret)
    del event.headers["X-Signature-SHA256"]
    event.save()
    client.force_login(someone("auditor"))
    answer = client.get(f"/cases/{case.pk}/evidence/")
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
        archive.extractall(tmp_path / "pack")
    assert (
        event.headers["webhook-signature"]
        not in (tmp_path / "pack/manifest.json").read_text()
    )
    code, said = verify(tmp_path / "pack", "--secret", secret)
    assert (code, "1 signatures hold" in said) == (0, True)
    code, said = verify(tmp_path / "pack", "--secret", standard_webhooks.new_secret())
    assert (code, "not made with this secret" in said) == (1, True)


def test_a_pack_holds_what_was_kept_and_verifies_elsewhere(packed, case):
    code, said = verify(packed, "--secret", SECRET)
    assert code == 0, said
    assert "1 signatures hold" in said
    kept = json.loads((packed / "case.json").read_text())
    assert kept["decisions"][0]["outcome"] == "approve"
    assert len(kept["reviews"]) == 2
    assert [path.read_bytes() for path in (packed / "documents").iterdir()] == [PDF]
    assert [path.read_bytes() for path in (packed / "attachments").iterdir()] == [PDF]
    lines = (packed / "audit.txt").read_text().splitlines()
    assert [json.loads(line.split(" ", 2)[2])["what"] for line in lines] == [
        "note_added", "check_reviewed", "check_reviewed", "decided",
    ]  # fmt: skip
    manifest = json.loads((packed / "manifest.json").read_text())
    assert manifest["missing"] == []
    assert manifest["chain"]["seq"] == json.loads(lines[-1].split(" ", 2)[2])["seq"]


@pytest.mark.parametrize(
    ("path", "fault"),
    [
        ("case.json", "case.json was changed"),
        ("report.pdf", "report.pdf was changed"),
        ("webhooks/0001.json", "webhooks/0001.json was changed"),
        ("audit.txt", "of the audit trail was changed"),
    ],
)
def test_a_changed_file_is_found(packed, path, fault):
    content = (packed / path).read_bytes()
    (packed / path).write_bytes(content.replace(b"ana", b"bob") + b" ")
    if path == "audit.txt":
        (packed / path).write_bytes(content.replace(b"approve", b"reject "))
    code, said = verify(packed)
    assert code == 1
    assert fault in said


def test_an_added_and_a_missing_file_and_a_wrong_secret_are_found(packed):
    (packed / "documents" / "more.pdf").write_bytes(PDF)
    (packed / "report.pdf").unlink()
    code, said = verify(packed, "--secret", "another")
    assert code == 1
    for fault in (
        "more.pdf is not part",
        "report.pdf is missing",
        "not made with this secret",
    ):
        assert fault in said


def test_taking_the_pack_is_a_line_with_the_hash_of_its_manifest(packed, case):
    line = CaseEvent.objects.get(what="evidence_taken")
    digest = hashlib.sha256((packed / "manifest.json").read_bytes()).hexdigest()
    assert (line.by, line.data) == ("auditor", {"manifest_sha256": digest})
    assert list(trail.verify()) == []


def test_the_report_can_be_read(packed):
    manifest = json.loads((packed / "manifest.json").read_bytes())
    seq = manifest["chain"]["seq"]
    with pypdfium2.PdfDocument(packed / "report.pdf") as report:
        text = "\n".join(page.get_textpage().get_text_bounded() for page in report)
    for words in (
        "Case report: Žižka & <b>Sons</b> Ltd", "Łódź & <i>more</i>", "Approved", "ana",
        "<b>evil</b> & Łódź.pdf", "Text was covered", f"Audit trail to line {seq}", "A02 Explained by a third party",
    ):  # fmt: skip
        assert words in text, words


def test_a_file_that_the_store_lost_is_named(client, case, tmp_path):
    case.documents.get().file.delete(save=False)
    client.force_login(someone("senior"))
    answer = client.get(f"/cases/{case.pk}/evidence/")
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
        manifest = json.loads(archive.read("manifest.json"))
    assert len(manifest["missing"]) == 1
