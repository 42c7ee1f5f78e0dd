"""Pictures of words: scans and photographs, upright or not, read with their places."""

from __future__ import annotations

import io
from pathlib import Path

import pikepdf
import pytest
from PIL import Image, ImageFilter

from checks import readers
from checks.evidence import Evidence
from checks.readers.ocr import recognition, snippets
from checks.samples import good_certificate, scanned_certificate
from checks.text.words import Span
from papers.geometry import Box
from tests.checks.documents import evidence_of

DRAWN = good_certificate(3)
SCANNED = scanned_certificate(3)
PHRASE = "Certificate of Incorporation"


def place_of(evidence: Evidence, words: str = PHRASE) -> Box:
    start = evidence.text.value.index(words)
    [box] = evidence.text.boxes(Span(start, start + len(words)))
    return box


def edges(box: Box) -> tuple[float, float, float, float]:
    return box.x0, box.y0, box.x1, box.y1


def photograph(
    format_: str = "JPEG", *, turned: int = 0, askew: float = 0.0, **options
) -> bytes:
    """The drawn certificate as a camera takes it: soft, and turned anticlockwise."""
    picture = Image.fromarray(readers.draw_page(DRAWN.content, 1, dpi=150))
    picture = picture.rotate(
        askew, Image.Resampling.BICUBIC, fillcolor="white", expand=True
    )
    picture = picture.rotate(90 * turned, expand=True).filter(
        ImageFilter.GaussianBlur(0.4)
    )
    out = io.BytesIO()
    picture.save(out, format_, **options)
    return out.getvalue()


def test_the_words_of_a_scan_stand_where_they_stood_on_paper():
    evidence, picture = evidence_of(SCANNED.content), evidence_of(DRAWN.content)

    read = {word.text for word in evidence.pages[0].words}
    stated = {word.text for word in picture.pages[0].words}
    # All but those around the seal.
    assert len(read & stated) > 0.85 * len(stated)
    assert {word.source for word in evidence.pages[0].words} == {"OCR"}
    assert all(0 < word.confidence <= 1 for word in evidence.pages[0].words)
    # The scan lies askew by less than a degree.
    assert edges(place_of(evidence)) == pytest.approx(
        edges(place_of(picture)), abs=0.012
    )


def test_a_scan_is_no_text_layer():
    [page] = evidence_of(SCANNED.content).pages

    assert page.is_picture
    assert not page.has_text_layer
    assert not page.unread


@pytest.mark.parametrize("turned", [1, 2, 3])
def test_a_photograph_that_lies_on_its_side_is_read(turned):
    result = place_of(evidence_of(DRAWN.content))

    evidence = evidence_of(photograph(turned=turned))

    x0, y0, x1, y1 = edges(result)
    expected = {
        1: (y0, 1 - x1, y1, 1 - x0),
        2: (1 - x1, 1 - y1, 1 - x0, 1 - y0),
        3: (1 - y1, x0, 1 - y0, x1),
    }[turned]
    assert edges(place_of(evidence)) == pytest.approx(expected, abs=0.01)


def test_a_photograph_is_read_as_its_exif_data_say_that_it_is_shown():
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned clockwise when shown
    content = photograph(turned=1, exif=exif)

    evidence = evidence_of(content)

    [page] = evidence.pages
    assert page.width < page.height
    result = place_of(evidence_of(DRAWN.content))
    assert edges(place_of(evidence)) == pytest.approx(edges(result), abs=0.01)


@pytest.mark.parametrize("askew", [-6.0, 3.5])
def test_a_page_askew_is_straightened_before_it_is_read(askew):
    evidence = evidence_of(photograph("PNG", askew=askew))

    assert DRAWN.attested["registered_business_name"] in evidence.text.value
    assert evidence.recognised(1).skew == pytest.approx(-askew, abs=0.2)


def test_every_frame_of_a_tiff_is_a_page():
    first, second = (
        Image.open(io.BytesIO(photograph("PNG"))).convert("L") for _ in range(2)
    )
    out = io.BytesIO()
    first.save(
        out, "TIFF", save_all=True, append_images=[second], compression="tiff_lzw"
    )

    evidence = evidence_of(out.getvalue())

    assert [
        PHRASE in " ".join(w.text for w in page.words) for page in evidence.pages
    ] == [
        True,
        True,
    ]


def test_the_photograph_of_a_telephone_is_read():
    # Drawn by us; the wheel that reads this format does not write it.
    content = (Path(__file__).parent / "note.heic").read_bytes()

    evidence = evidence_of(content)

    assert evidence.kind == "heic"
    assert "Marlstone Quarries Limited" in evidence.text.value


def test_a_scan_with_the_stamp_of_a_signing_service_is_read_with_its_stamp():
    stamp = b"BT /F1 8 Tf 1 0 0 1 30 780 Tm (Envelope ID: 7D0C22F1-40A8-4E0B-9F34-88E2AC10D7B5 signed) Tj ET"
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(SCANNED.content)) as pdf:
        page = pdf.pages[0]
        page.contents_add(pdf.make_stream(stamp))
        page.Resources.Font = pikepdf.Dictionary(
            F1=pikepdf.Dictionary(
                Type=pikepdf.Name.Font,
                Subtype=pikepdf.Name.Type1,
                BaseFont=pikepdf.Name.Helvetica,
            )
        )
        pdf.save(out)

    evidence = evidence_of(out.getvalue())

    assert "7D0C22F1" in evidence.text.value
    assert PHRASE in evidence.text.value
    sources = {word.text: word.source for word in evidence.pages[0].words}
    assert (sources["Envelope"], sources["Incorporation"]) == ("text layer", "OCR")
    assert evidence.text.value.count("Envelope") == 1


def test_of_a_book_that_was_scanned_the_first_and_last_pages_are_read_and_the_others_named(
    monkeypatch,
):
    monkeypatch.setattr("checks.evidence.FIRST_OCR_PAGES", 1)
    monkeypatch.setattr("checks.evidence.LAST_OCR_PAGES", 1)
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(SCANNED.content)) as pdf:
        pdf.pages.extend([pdf.pages[0]] * 3)
        pdf.save(out)

    evidence = evidence_of(out.getvalue())

    assert PHRASE in evidence.text.value
    assert [bool(page.words) for page in evidence.pages] == [True, False, False, True]
    text = "not checked: of long scans the first 1 and the last 1 pages are read"
    assert evidence.unread == f"pages 2, 3: {text}"


def test_a_language_that_is_not_installed_is_named():
    evidence = Evidence(SCANNED.content, arguments={"ocr_languages": "eng+tlh"})

    assert (
        evidence.unread
        == "page 1: not checked: the language data tlh are not installed"
    )
    assert evidence.unread_pages == [1]


def test_a_page_is_drawn_within_limits_however_large_it_says_it_is():
    with pikepdf.new() as pdf:
        pdf.add_blank_page(page_size=(14_000, 9_000))
        out = io.BytesIO()
        pdf.save(out)

    pixels = readers.draw_page(out.getvalue(), 1, dpi=200)

    assert pixels.shape[0] * pixels.shape[1] <= 12_100_000


def test_data_are_sought_in_no_folder_but_the_named_one(tmp_path, monkeypatch):
    """A folder that a program happens to run in may hold files of others."""
    (tmp_path / "eng.traineddata").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TESSDATA_PREFIX", raising=False)

    assert recognition.data_folder.__wrapped__() == recognition.DATA

    monkeypatch.setenv("TESSDATA_PREFIX", str(tmp_path))
    assert recognition.data_folder.__wrapped__() == tmp_path


def test_a_place_that_several_tools_ask_for_is_read_once(monkeypatch):
    read = []

    def counted(piece, **options):
        read.append(piece.shape)
        return snippets_in_picture(piece, **options)

    snippets_in_picture = snippets.in_picture
    monkeypatch.setattr(snippets, "in_picture", counted)
    places = snippets.Places(DRAWN.content)
    place = place_of(evidence_of(DRAWN.content))

    first = places.read(place, languages="eng")
    again = places.read(place, languages="eng")
    larger = places.read(place, languages="eng", scale=1.5)

    assert first is not None
    assert larger is not None
    assert again == first
    assert PHRASE.casefold() in first.text.casefold()
    assert len(read) == 2
