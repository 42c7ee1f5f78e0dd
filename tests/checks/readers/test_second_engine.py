"""The second engine for words of pictures: used where it is installed and the first one doubts."""

from __future__ import annotations

import io
import resource
import socket
from collections.abc import Iterator
from datetime import date
from importlib.util import find_spec
from pathlib import Path

import pytest
from PIL import Image, ImageFilter

from checks import readers
from checks.evidence import Evidence
from checks.identity_document.mrz import zone_of
from checks.readers.ocr import rapid
from checks.samples import good_certificate, scanned_certificate
from checks.samples.passports import draw_passport
from compliance.work import isolation
from tests.checks.documents import EXTRACTION, evidence_of, results_of

WHY = "requirements/ocr-hq.txt is not installed"
with_it = pytest.mark.skipif(not find_spec("rapidocr"), reason=WHY)
DRAWN = good_certificate(3)


def poor(content: bytes, *, width: int = 700, dpi: int = 150) -> bytes:
    """The page as a small, soft photograph."""
    picture = Image.fromarray(readers.draw_page(content, 1, dpi=dpi))
    picture = picture.resize((width, picture.height * width // picture.width))
    out = io.BytesIO()
    picture.filter(ImageFilter.GaussianBlur(0.7)).save(out, "JPEG", quality=60)
    return out.getvalue()


def engines(evidence: Evidence) -> set[str]:
    return {word.engine for page in evidence.pages for word in page.words}


@with_it
def test_what_the_first_engine_doubts_is_read_again_and_each_word_says_by_whom():
    evidence = evidence_of(poor(DRAWN.content))

    assert engines(evidence) == {"RapidOCR"}
    assert {word.source for word in evidence.pages[0].words} == {"OCR"}
    assert "Certificate of Incorporation" in evidence.text.value
    assert DRAWN.attested["registered_business_name"] in evidence.text.value
    [note] = evidence.reading_notes
    assert note.startswith(
        "Page 1: read by RapidOCR, the better of two readings (Tesseract "
    )


@with_it
def test_words_of_a_second_look_stand_where_they_stood_on_paper():
    by_key = {
        word.text: word.box for word in evidence_of(poor(DRAWN.content)).pages[0].words
    }
    by_name = {
        word.text: word.box for word in evidence_of(DRAWN.content).pages[0].words
    }

    shared = [text for text in by_key.keys() & by_name.keys() if len(text) > 7]
    assert len(shared) >= 8
    for text in shared:
        assert by_key[text].x0 == pytest.approx(by_name[text].x0, abs=0.02)
        assert by_key[text].y1 == pytest.approx(by_name[text].y1, abs=0.02)


@with_it
def test_the_result_says_who_read_it():
    tool = results_of(poor(DRAWN.content), DRAWN.attested)[EXTRACTION]

    data = tool["payload"]["extraction_data"]
    assert "read by RapidOCR, the better of two readings" in data["summary"]
    assert data["evidence"]["business_name"]["how"].endswith("; read by RapidOCR")
    assert data["evidence"]["business_name"]["source"] == "OCR"


@with_it
def test_a_good_scan_is_read_once():
    evidence = evidence_of(scanned_certificate(3).content)

    assert engines(evidence) == {"Tesseract"}
    assert evidence.reading_notes == []


@with_it
def test_nothing_is_fetched(monkeypatch):
    def closed(*_: object, **__: object) -> None:
        raise AssertionError("it asked the network")

    rapid._engine.cache_clear()
    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, closed)
    monkeypatch.setattr(socket, "getaddrinfo", closed)

    evidence = evidence_of(poor(DRAWN.content))

    assert engines(evidence) == {"RapidOCR"}
    rapid._engine.cache_clear()


@with_it
def test_the_models_lie_in_the_wheel():
    folder = Path(str(find_spec("rapidocr").origin)).parent / "models"  # type: ignore[union-attr]

    assert all((folder / name).is_file() for name in rapid.MODELS.values())


@with_it
def test_a_page_with_too_much_to_read_keeps_its_first_reading(monkeypatch):
    monkeypatch.setattr(rapid, "MAX_WIDTHS", 1)

    evidence = evidence_of(poor(DRAWN.content))

    assert engines(evidence) == {"Tesseract"}
    assert "Certificate" in evidence.text.value
    [note] = evidence.reading_notes
    assert (
        note
        == "Page 1: read by Tesseract: RapidOCR was not asked: there is too much to read."
    )


def reads_in_little_memory(*, content: bytes) -> Iterator[tuple[set[str], list[str]]]:
    """With room for the first engine, and none for the second beside it."""
    evidence = evidence_of(content)
    readers.recognise(readers.draw_page(content, 1, dpi=200), page=1, again=False)
    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    limit = size + (96 << 20)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    yield engines(evidence), evidence.reading_notes


@with_it
def test_a_second_engine_that_runs_out_of_memory_leaves_the_first_reading():
    kwargs = {"content": poor(DRAWN.content)}
    [(read_by, notes)] = isolation.stream(
        f"{__name__}:reads_in_little_memory", kwargs, seconds=120
    )

    assert read_by == {"Tesseract"}
    assert notes[0].startswith("Page 1: read by Tesseract: RapidOCR failed on it (")


def reads(*, content: bytes) -> Iterator[set[str]]:
    yield engines(evidence_of(content))


@with_it
def test_a_full_page_is_read_within_the_limits_of_a_child():
    content = poor(DRAWN.content, width=2400, dpi=300)
    soft = Image.open(io.BytesIO(content)).filter(ImageFilter.GaussianBlur(4))
    out = io.BytesIO()
    soft.save(out, "JPEG", quality=30)

    [read_by] = isolation.stream(
        f"{__name__}:reads", {"content": out.getvalue()}, seconds=120
    )

    assert read_by == {"RapidOCR"}


@with_it
def test_a_zone_that_the_first_engine_cannot_read_is_read_by_the_second():
    content, attested = draw_passport(7, expires=date(2030, 5, 4))
    small = poor(content, width=300)

    read = zone_of(Evidence(small, arguments={"ocr": "off"}))

    assert read
    assert not read.broken
    assert read.engine == "RapidOCR"
    number = attested["government_id_verification_data"]["id_data"]["document_number"]
    assert read.zone.fields["number"] == number


@pytest.mark.skipif(
    bool(find_spec("rapidocr")), reason="requirements/ocr-hq.txt is installed"
)
def test_without_it_nothing_is_read_twice_and_nothing_is_said_of_it():
    evidence = evidence_of(poor(DRAWN.content))

    assert engines(evidence) == {"Tesseract"}
    assert evidence.reading_notes == []
    assert isolation.MEMORY_BYTES == 1536 << 20
