"""Exports of a case that is erased while they are made, or just before by another process."""

from __future__ import annotations

import hashlib
import io
import zipfile
from pathlib import Path

import pypdfium2
import pytest
from django.core.files.base import ContentFile
from django.db import connection, transaction
from django.utils.timezone import now

from compliance.security import data_keys
from compliance.security.data_keys import DataKey
from reviews.decisions import marks
from reviews.models import Case
from reviews.people import notes
from reviews.privacy import erasing, erasures
from tests.reviews.records.test_evidence import verify
from tests.reviews.rows import (
    CHECK,
    add_risky_document,
    decide,
    one_person,
    open_case,
    someone,
)

pytestmark = pytest.mark.django_db
NAME = "Quillbottom Ltd"
FILE = b"%PDF-1.7 of Quillbottom"
WORDS = "Quillbottom was called."


@pytest.fixture
def case():
    one_person()
    case = open_case(subject=NAME, recommendation="Approve")
    ana = someone("analyst", "ana")
    document = add_risky_document(case)
    document.file_name = "Quillbottom.pdf"
    document.sha256 = hashlib.sha256(FILE).hexdigest()
    document.file.save("x.bin", ContentFile(FILE))
    notes.add(case, actor=ana, text=WORDS)
    for check in (CHECK, f"document-{document.pk.hex}"):
        marks.mark(case, check, actor=ana, kind="reviewed")
    decide(case, ana, rationale=WORDS)
    return case


class Eraser:
    """Erases the case before the first statement that reads a table."""

    def __init__(self, case: Case, table: str) -> None:
        self.case = case
        self.table = table
        self.is_done = False

    def __call__(self, execute, sql, *rest):
        if not self.is_done and f'FROM "{self.table}"' in sql:
            self.is_done = True
            erasures.plan(self.case, actor=someone("administrator"), reason="Asked.")
            erasures.advance(self.case.erasures.get())
        return execute(sql, *rest)


# The text of a pack is read in this order; the names of tables are those of its parts.
@pytest.mark.parametrize(
    "table", ["reviews_note", "reviews_document", "reviews_checkresult", "reviews_seal"]
)
def test_a_pack_is_of_one_state_although_the_case_is_erased_meanwhile(
    client, case, table, tmp_path
):
    client.force_login(someone("auditor"))
    eraser = Eraser(Case.objects.get(), table)
    with connection.execute_wrapper(eraser):
        answer = client.get(f"/cases/{case.pk}/evidence/")
        content = b"".join(answer.streaming_content)
    assert eraser.is_done
    folder = unpacked(content, tmp_path)
    assert "were erased" in (folder / "README.txt").read_text()
    assert_nothing_is_left(folder)
    status, said = verify(folder)
    assert status == 0, said


def test_a_pack_after_an_erasure_by_another_process_has_no_words(
    client, case, tmp_path
):
    client.force_login(someone("auditor"))
    # This process has the key in memory.
    assert Case.objects.get().subject == NAME
    erase_elsewhere(case)
    answer = client.get(f"/cases/{case.pk}/evidence/")
    folder = unpacked(b"".join(answer.streaming_content), tmp_path)
    assert_nothing_is_left(folder)
    status, said = verify(folder)
    assert status == 0, said


def test_a_report_is_of_one_state_although_the_case_is_erased_meanwhile(client, case):
    client.force_login(someone("auditor"))
    eraser = Eraser(Case.objects.get(), "reviews_checkresult")
    with connection.execute_wrapper(eraser):
        answer = client.get(f"/cases/{case.pk}/report/pdf/")
        content = answer.getvalue()
    assert eraser.is_done
    assert "Quillbottom" not in text_of(content)


def test_an_export_for_the_subject_is_of_one_state_although_the_case_is_erased(
    client, case, tmp_path
):
    client.force_login(someone("auditor"))
    eraser = Eraser(Case.objects.get(), "reviews_secondlook")
    with connection.execute_wrapper(eraser):
        answer = client.post(f"/cases/{case.pk}/subject/")
        content = b"".join(answer.streaming_content)
    assert eraser.is_done
    assert_nothing_is_left(unpacked(content, tmp_path))


def erase_elsewhere(case: Case) -> None:
    """Erase the case as another process does: this one keeps the key in its memory."""
    moment = now()
    key = case.data_key
    assert key is not None
    with transaction.atomic():
        erasing.erase(Case.objects.select_for_update().get(), at=moment)
        DataKey.objects.filter(pk=key.pk).update(wrapped=key.wrapped, erased_at=None)
        assert not data_keys.is_erased(key.pk)
        DataKey.objects.filter(pk=key.pk).update(wrapped=b"", erased_at=moment)
    assert not data_keys.is_erased(key.pk)


def unpacked(content: bytes, folder: Path) -> Path:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        archive.extractall(folder / "pack")
    return folder / "pack"


def assert_nothing_is_left(folder: Path) -> None:
    for file in folder.rglob("*"):
        if file.is_file():
            content = file.read_bytes()
            assert b"Quillbottom" not in content, file
            if file.suffix == ".pdf":
                assert "Quillbottom" not in text_of(content)


def text_of(content: bytes) -> str:
    document = pypdfium2.PdfDocument(content)
    return "\n".join(page.get_textpage().get_text_range() for page in document)
