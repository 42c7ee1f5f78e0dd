"""A file that the store lost, or holds another one for, is no evidence: everybody is told."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from django.core.files.base import ContentFile

from reviews.decisions import decisions, marks
from reviews.documents import page_images, store
from reviews.findings.review_state import ReviewState
from reviews.models import Document
from reviews.people import notes
from tests.reviews.api.calling import Caller
from tests.reviews.rows import decide, one_person, open_case, someone

pytestmark = pytest.mark.django_db
PDF = b"%PDF-1.7\n% as it was handed in\n%%EOF\n"
SWAPPED = b"%PDF-1.7\n% some other content\n%%EOF\n\n"
CHANGED = "is not the one that was handed in"
GONE = "not in the store any more"


@pytest.fixture
def case():
    one_person()
    return open_case(recommendation="Approve")


@pytest.fixture
def ana(client):
    result = someone("senior", "ana")
    client.force_login(result)
    return result


def keep(case, content=PDF) -> Document:
    kind = Document.Kind.INCORPORATION
    return store.add(case, kind=kind, file=ContentFile(content), file_name="deed.pdf")


def review(case, actor) -> None:
    for check in ReviewState.of(case).open:
        marks.mark(case, check.id, actor=actor, kind="reviewed")


def swap(document: Document) -> None:
    Path(document.file.path).write_bytes(SWAPPED[: len(PDF)])


def lose(document: Document) -> None:
    Path(document.file.path).unlink()


def link(document: Document) -> None:
    """A link to a file with the same content: what lies there is not what the desk wrote."""
    path = Path(document.file.path)
    path.rename(path.with_suffix(".aside"))
    path.symlink_to(path.with_suffix(".aside"))


def pipe(document: Document) -> None:
    """Whoever opened it would wait for ever."""
    lose(document)
    os.mkfifo(document.file.path)


def folder(document: Document) -> None:
    lose(document)
    Path(document.file.path).mkdir()


HARMS = [
    (swap, 409, CHANGED), (lose, 410, GONE), (link, 409, CHANGED), (pipe, 409, CHANGED),
    (folder, 409, CHANGED),
]  # fmt: skip


@pytest.mark.parametrize(("harm", "status", "words"), HARMS)
def test_the_page_the_download_and_the_link_say_so(
    client, case, ana, harm, status, words
):
    document = keep(case)
    address = f"/documents/{document.pk}/original/"
    assert b"".join(client.post(address).streaming_content) == PDF
    assert CHANGED not in client.get(f"/cases/{case.pk}/").content.decode()
    harm(document)
    lent = store.service_url(document).partition("/documents/")[2]
    for answer in (
        client.get(address),
        client.post(address),
        client.get(f"/documents/{lent}"),
    ):
        assert answer.status_code == status
        assert words in answer.content.decode()
    for where in ("", "live/"):
        assert words in client.get(f"/cases/{case.pk}/{where}").content.decode()


@pytest.mark.parametrize("harm", [swap, lose, pipe])
@pytest.mark.parametrize("outcome", ["approve", "reject"])
def test_nothing_is_decided_on_it_until_it_is_there_again(case, ana, harm, outcome):
    document = keep(case)
    harm(document)
    review(case, ana)
    with pytest.raises(
        decisions.RefusedError, match=r"deed\.pdf.*(handed in|any more)"
    ):
        decide(case, ana, outcome)
    keep(case)
    review(case, ana)
    assert decide(case, ana, outcome).outcome == outcome


def test_a_second_person_cannot_agree_on_it(case, ana):
    document = keep(case)
    review(case, ana)
    decision = decide(case, ana)
    decision.status = decision.Status.PROPOSED
    decision.save()
    swap(document)
    case.refresh_from_db()
    with pytest.raises(decisions.RefusedError, match=CHANGED):
        decisions.second(
            decision,
            actor=someone("senior", "sven"),
            agrees=True,
            note="",
            revision=case.revision,
        )


def test_its_pages_are_not_drawn(case):
    document = keep(case)
    swap(document)
    page_images.draw(document)
    document.refresh_from_db()
    assert document.status == Document.Status.UNREADABLE
    assert CHANGED in document.reason


@pytest.mark.parametrize("of_note", [False, True])
@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (swap, "is not the file that was handed in"),
        (lose, "was missing"),
        (link, "was missing"),
        (pipe, "was missing"),
        (folder, "was missing"),
    ],
)
def test_the_pack_does_not_verify(client, case, tmp_path, harm, words, of_note):
    if of_note:
        file = ContentFile(PDF, name="call.pdf")
        row = notes.add(case, actor=someone("analyst"), text="Called.", files=[file])
        harm(row.attachments.get())
    else:
        harm(keep(case))
    client.force_login(someone("auditor"))
    answer = client.get(f"/cases/{case.pk}/evidence/")
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
        archive.extractall(tmp_path)
    run = subprocess.run(
        [sys.executable, "-I", "-S", str(tmp_path / "verify.py")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 1
    assert words in run.stdout


@pytest.mark.parametrize(("harm", "status"), [(swap, 409), (lose, 410)])
def test_the_rest_interface_says_so(case, harm, status):
    document = keep(case)
    harm(document)
    answer = Caller(someone("analyst")).get(f"/documents/{document.pk}/original")
    assert (answer.status_code, answer.json()["status"]) == (status, status)


@pytest.mark.parametrize("harm", [swap, lose, link])
def test_the_file_of_a_note_says_so_beside_its_name(client, case, ana, harm):
    file = ContentFile(PDF, name="call.pdf")
    row = notes.add(case, actor=ana, text="Called.", files=[file]).attachments.get()
    address = f"/cases/{case.pk}/?tab=activity"
    assert "lost" not in client.get(address).content.decode()
    harm(row)
    text = client.get(address).content.decode()
    assert CHANGED in text or GONE in text
    assert client.get(f"/attachments/{row.pk}/").status_code in {409, 410}


def test_the_file_of_a_row_without_a_hash_is_known_to_be_gone(case):
    document = keep(case)
    document.sha256 = ""
    document.save()
    assert not document.fault
    lose(document)
    assert GONE in Document.objects.get().fault
