"""Whoever downloads a document gets a PDF of drawn pages; the original is behind a warning."""

from __future__ import annotations

import io
from typing import Any

import pypdfium2 as pdfium
import pytest
from django.core.files.base import ContentFile

from checks import samples
from reviews.access import reads
from reviews.documents import store
from reviews.models import CaseEvent, Document, Page, Read
from reviews.people import notes
from tests.reviews.api.calling import Caller
from tests.reviews.rows import open_case, someone

pytestmark = pytest.mark.django_db(transaction=True)
KIND = Document.Kind.INCORPORATION


@pytest.fixture(autouse=True)
def nothing_waits():
    reads._waiting.clear()
    reads._recent.clear()


@pytest.fixture
def document(work_off) -> Document:
    result = keep("certificate.pdf.exe", samples.good_certificate().content)
    work_off()
    result.refresh_from_db()
    assert result.status == Document.Status.DRAWN
    return result


@pytest.fixture
def ana(client):
    user = someone("analyst", "ana")
    client.force_login(user)
    return user


def keep(name: str, content: bytes, case: Any = None) -> Document:
    if case is None:
        case = open_case()
        case.reference = "C 7/Ä"
        case.save(update_fields=["reference"])
    return store.add(case, kind=KIND, file=ContentFile(content), file_name=name)


def content_of(answer: Any) -> bytes:
    assert answer.status_code == 200
    return b"".join(answer.streaming_content)


def test_the_copy_shows_the_pages_and_their_words_and_nothing_of_the_file(
    client, document, ana
):
    answer = client.get(f"/documents/{document.pk}/copy/")
    content = content_of(answer)
    assert answer["Content-Type"] == "application/pdf"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Cache-Control"] == "private, no-store"
    assert (
        answer["Content-Disposition"]
        == 'attachment; filename="incorporation-document-C_7_A.pdf"'
    )
    copy = pdfium.PdfDocument(content)
    text = copy[0].get_textpage().get_text_range()
    original = samples.good_certificate()
    assert original.attested["registered_business_name"] in text
    page = Page.objects.get(document=document, number=1)
    width, height = copy[0].get_size()
    assert width / height == pytest.approx(page.width / page.height, rel=0.01)
    picture = copy[0].render(scale=0.5).to_pil().convert("L")
    darkest, lightest = picture.getextrema()
    assert darkest < 100
    assert lightest > 200
    # Nothing that the original holds beside its pages: its objects, metadata and identifiers.
    for part in (b"/JavaScript", b"/OpenAction", b"/EmbeddedFile", b"/AcroForm"):
        assert part not in content


def test_active_content_of_the_original_is_not_in_the_copy(client, work_off, ana):
    import pikepdf

    with pikepdf.open(io.BytesIO(samples.good_certificate().content)) as pdf:
        script = pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS="app.alert(1)")
        pdf.Root.OpenAction = pdf.make_indirect(script)
        pdf.attachments["program.exe"] = b"MZ secret program"
        buffer = io.BytesIO()
        pdf.save(buffer)
    document = keep("active.pdf", buffer.getvalue())
    work_off()
    with pikepdf.open(
        io.BytesIO(content_of(client.get(f"/documents/{document.pk}/copy/")))
    ) as copy:
        assert "/OpenAction" not in copy.Root
        assert not copy.attachments
        assert not list(copy.Root.get("/Names", {}))


def test_of_two_documents_of_a_kind_each_copy_has_its_number(
    client, document, work_off, ana
):
    second = keep("b.pdf", samples.good_certificate().content, document.case)
    work_off()
    names = []
    for row in (document, second):
        answer = client.get(f"/documents/{row.pk}/copy/")
        content_of(answer)
        names.append(answer["Content-Disposition"].partition("filename=")[2])
    assert names == [
        '"incorporation-document-C_7_A-1.pdf"',
        '"incorporation-document-C_7_A-2.pdf"',
    ]


def test_a_copy_of_some_of_the_pages_says_so(client, document, ana):
    document.reason = "The first 50 of 80 pages are drawn."
    document.save(update_fields=["reason"])
    copy = pdfium.PdfDocument(content_of(client.get(f"/documents/{document.pk}/copy/")))
    text = copy[len(copy) - 1].get_textpage().get_text_range()
    assert "The first 50 of 80 pages are drawn." in text


def test_without_drawn_pages_there_is_no_copy_and_the_page_says_why(client, ana):
    document = keep("deed.pdf", b"%PDF-1.7\nbroken")
    answer = client.get(f"/documents/{document.pk}/copy/")
    assert answer.status_code == 409
    assert "being drawn" in answer.content.decode()
    document.move(Document.Status.UNREADABLE, reason="It is damaged.")
    answer = client.get(f"/documents/{document.pk}/copy/")
    assert answer.status_code == 409
    assert "not drawn" in answer.content.decode()


def test_the_case_page_offers_the_copy_and_the_original_needs_one_more_step(
    client, document, ana
):
    page = client.get(f"/cases/{document.case_id}/").content.decode()
    assert f"/documents/{document.pk}/copy/" in page
    address = f"/documents/{document.pk}/original/"
    assert address in page
    warning = client.get(address)
    words = warning.content.decode()
    assert warning["Content-Type"].startswith("text/html")
    for expected in (
        "Type, by its content", "PDF", document.sha256, "It may attack the program",
        "not scanned: no malware scanner is set up", "certificate.pdf",
        "has not examined this file",
    ):  # fmt: skip
        assert expected in words
    assert not CaseEvent.objects.filter(what="original_taken").exists()
    answer = client.post(address)
    assert content_of(answer) == samples.good_certificate().content
    assert 'filename="certificate.pdf"' in answer["Content-Disposition"]
    line = CaseEvent.objects.get(what="original_taken")
    assert (line.user, line.case_id) == (ana, document.case_id)
    assert line.data["sha256"] == document.sha256
    reads.flush()
    kinds = list(Read.objects.exclude(kind="case").values_list("kind", "by"))
    assert kinds == [("original", "ana")]
    activity = client.get(f"/cases/{document.case_id}/?tab=activity")
    assert "took the original of a file" in activity.content.decode()


def test_the_original_of_another_team_is_unknown(client, document):
    from reviews.models import Team

    team = Team.objects.create(name="others")
    team.connections.add(document.case.connection)
    client.force_login(someone("analyst", "bo"))
    for path in ("copy", "original"):
        assert client.get(f"/documents/{document.pk}/{path}/").status_code == 404
    assert client.post(f"/documents/{document.pk}/original/").status_code == 404


def test_the_file_of_a_note_needs_the_step_as_well(client, ana):
    case = open_case()
    file = ContentFile(b"%PDF-1.7\nnote", name="call.pdf.exe")
    row = notes.add(case, actor=ana, text="Called.", files=[file]).attachments.get()
    address = f"/attachments/{row.pk}/"
    assert "It may attack the program" in client.get(address).content.decode()
    assert not CaseEvent.objects.filter(what="original_taken").exists()
    assert content_of(client.post(address)) == b"%PDF-1.7\nnote"
    assert CaseEvent.objects.get(what="original_taken").case == case
    reads.flush()
    assert Read.objects.get().kind == "attachment"


def test_over_rest_the_original_needs_a_scope_of_its_own(document):
    user = someone("analyst", "ana")
    reader = Caller(user, "documents:read")
    answer = reader.get(f"/documents/{document.pk}/content")
    assert answer.sent.startswith(b"%PDF")
    assert answer["Content-Type"] == "application/pdf"
    assert reader.get(f"/documents/{document.pk}/original").status_code == 403
    taker = Caller(user, "originals:read")
    answer = taker.get(f"/documents/{document.pk}/original")
    assert answer.sent == samples.good_certificate().content
    assert CaseEvent.objects.get(what="original_taken").user == user
    assert taker.get(f"/documents/{document.pk}/content").status_code == 403
