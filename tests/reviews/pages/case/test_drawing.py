"""From a file to rows and images: once, whatever happens on the way."""

from __future__ import annotations

import io

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils.timezone import now
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from compliance.http import outbound
from compliance.storage import stored_files
from compliance.work.isolation import IsolationError
from compliance.work.rows import FETCH_SCHEDULE, LeaseLostError
from reviews import tasks
from reviews.documents import page_images
from reviews.models import Document, Page
from tests import fakeservice
from tests.factories import make_case
from tests.fakeservice import Step

pytestmark = pytest.mark.django_db(transaction=True)


def pdf(count: int = 2) -> bytes:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(300, 400))
    for number in range(1, count + 1):
        canvas.drawString(40, 350, f"Northwind page {number}")
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def make_document(content: bytes | None = None, **values) -> Document:
    document = Document(
        case=make_case(), kind=Document.Kind.INCORPORATION, file_name="a.pdf", **values
    )
    if content is not None:
        document.file.save(f"{document.pk}.bin", ContentFile(content), save=False)
    document.save(force_insert=True)
    return document


WEBP = b"RIFF\x04\0\0\0WEBP"


def images() -> set[str]:
    names = set()
    for folder in (
        default_storage.listdir("pages")[0] if default_storage.exists("pages") else ()
    ):
        names |= {
            f"pages/{folder}/{name}"
            for name in default_storage.listdir(f"pages/{folder}")[1]
        }
    return names


def state(document: Document) -> tuple[str, str]:
    document.refresh_from_db()
    assert document.due_at is None
    assert document.leased_until is None
    return document.status, document.reason


def test_pages_are_drawn_in_a_child_process():
    document = make_document(pdf())
    page_images.draw(document)
    assert state(document) == (Document.Status.DRAWN, "")
    first, second = document.pages.all()
    assert (first.width, first.height) == (625, 834)
    assert [word[0] for word in second.words] == ["Northwind", "page", "2"]
    assert {page.image.name for page in (first, second)} == images()


def test_drawing_twice_leaves_one_set_of_pages_and_files():
    document = make_document(pdf())
    page_images.draw(document)
    Document.objects.filter(pk=document.pk).update(status=Document.Status.PENDING)
    document.refresh_from_db()
    page_images.draw(document)
    assert Page.objects.count() == 2
    assert {page.image.name for page in Page.objects.all()} == images()


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"", "neither a PDF"),
        (b"MZ\x90 program", "neither a PDF"),
        (b"%PDF-1.7 nothing", "damaged"),
    ],
)
def test_what_cannot_be_drawn_says_why(content, text):
    document = make_document(content)
    page_images.draw(document)
    status, reason = state(document)
    assert status == Document.Status.UNREADABLE
    assert text in reason


def test_a_lost_file_is_told():
    document = make_document(pdf())
    document.file.delete(save=False)
    document.file.name = "originals/gone.bin"
    page_images.draw(document)
    assert state(document) == (
        Document.Status.UNREADABLE,
        "The file is not in the store any more.",
    )


def drawn_then(error: str, count: int = 1, total: int = 3):
    def stream(*_, **__):
        for number in range(1, count + 1):
            yield {
                "number": number,
                "of": total,
                "width": 10,
                "height": 10,
                "image": WEBP,
                "words": [],
                "lacks_font": False,
            }
        if error:
            raise IsolationError(error)

    return stream


def test_what_was_drawn_before_a_crash_is_kept_with_a_word_of_warning(monkeypatch):
    monkeypatch.setattr(
        page_images, "stream", drawn_then("it took too long and was stopped")
    )
    document = make_document(b"%PDF-")
    page_images.draw(document)
    status, reason = state(document)
    assert status == Document.Status.DRAWN
    assert reason.startswith("Only 1 of 3 pages could be drawn.")
    assert "took too long" in reason


def test_pages_beyond_the_first_fifty_are_told(monkeypatch):
    monkeypatch.setattr(page_images, "stream", drawn_then("", count=2, total=312))
    document = make_document(b"%PDF-")
    page_images.draw(document)
    assert state(document) == (
        Document.Status.DRAWN,
        "The first 2 of 312 pages are drawn.",
    )


def test_a_file_without_its_fonts_is_drawn_with_a_word_of_warning():
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(300, 400))
    canvas.setFont("STSong-Light", 12)
    canvas.drawString(40, 350, "名称 上海云帆智能科技有限公司")
    canvas.save()
    document = make_document(buffer.getvalue())

    page_images.draw(document)

    assert state(document) == (Document.Status.DRAWN, page_images.MISSING_FONT)


GOOD = {
    "number": 1,
    "of": 1,
    "width": 10,
    "height": 10,
    "image": WEBP,
    "words": [["a", 0, 0, 1, 1]],
    "lacks_font": False,
}


@pytest.mark.parametrize(
    "change",
    [
        {"image": b"<svg onload=alert(1)>"},
        {"image": "RIFF"},
        {"number": 0},
        {"number": "1"},
        {"of": -1},
        {"width": 10**9},
        {"words": [["a", 0, 0, 1]]},
        {"words": [[{"a": 1}, 0, 0, 1, 1]]},
        {"words": [["a", 0, "0", 1, 1]]},
        {"words": {}},
        {"height": None},
    ],
)
def test_a_page_in_another_shape_is_not_stored(monkeypatch, change):
    """A reader that a document took over may answer anything."""
    monkeypatch.setattr(
        page_images, "stream", lambda *_, **__: iter([{**GOOD, **change}])
    )
    document = make_document(b"%PDF-")
    page_images.draw(document)
    status, reason = state(document)
    assert (status, document.pages.count()) == (Document.Status.UNREADABLE, 0)
    assert "another shape" in reason


def test_a_worker_that_lost_its_lease_leaves_nothing_behind(monkeypatch):
    def stream(*_, **__):
        yield {
            "number": 1,
            "of": 2,
            "width": 10,
            "height": 10,
            "image": WEBP,
            "words": [],
            "lacks_font": False,
        }
        Document.objects.update(claim_count=99)  # another worker claims the row
        yield {
            "number": 2,
            "of": 2,
            "width": 10,
            "height": 10,
            "image": WEBP,
            "words": [],
            "lacks_font": False,
        }

    monkeypatch.setattr(page_images, "stream", stream)
    document = make_document(b"%PDF-")
    with pytest.raises(LeaseLostError):
        page_images.draw(document)
    document.refresh_from_db()
    assert document.status == Document.Status.PENDING
    assert [page.number for page in document.pages.all()] == [1]
    assert {page.image.name for page in document.pages.all()} == images()


def test_a_lease_lost_while_a_file_was_written_takes_the_file_back(monkeypatch):
    monkeypatch.setattr(page_images, "stream", drawn_then(""))
    document = make_document(b"%PDF-")
    storage = Page._meta.get_field("image").storage
    save = storage.save

    def save_slowly(name, content):
        Document.objects.update(claim_count=99)
        Page.objects.all().delete()  # as the other worker does first
        return save(name, content)

    monkeypatch.setattr(storage, "save", save_slowly)
    with pytest.raises(LeaseLostError):
        page_images.draw(document)
    assert images() == set()


def test_a_store_that_is_full_for_long_makes_no_document_unreadable(monkeypatch):
    document = make_document(pdf())

    def save(*_: object, **__: object) -> str:
        raise stored_files.FullError

    with monkeypatch.context() as patch:
        patch.setattr(type(default_storage), "save", save, raising=False)
        for _ in range(2 * tasks.DOCUMENTS.max_failures):
            tasks.DOCUMENTS.drain()
            document.refresh_from_db()
            assert document.status == Document.Status.PENDING
            Document.objects.update(due_at=now())
    tasks.DOCUMENTS.drain()
    assert state(document) == (Document.Status.DRAWN, "")


def test_a_full_store_uses_up_no_attempt_to_fetch_a_document(monkeypatch, settings):
    def save(*_: object, **__: object) -> str:
        raise stored_files.FullError

    def advance() -> None:
        Document.objects.update(due_at=now())
        tasks.DOCUMENTS.drain()
        document.refresh_from_db()

    attempts = len(FETCH_SCHEDULE) + 1
    file = Step(status=200, body=pdf())
    with fakeservice.running() as server:
        settings.OUTBOUND_ALLOW = {outbound.origin(server.url)}
        server.plan += [*[file] * attempts, Step(status=503), file]
        document = make_document(source_url=f"{server.url}/a.pdf")
        with monkeypatch.context() as patch:
            patch.setattr(type(default_storage), "save", save, raising=False)
            for _ in range(attempts):
                advance()
        advance()
        assert document.status == Document.Status.PENDING
        advance()
    assert state(document) == (Document.Status.DRAWN, "")
