"""What unfolds too far is told before anything opens or draws it."""

from __future__ import annotations

import io

import pikepdf
import pytest

from checks import readers, samples
from checks.evidence import Evidence
from tests.checks.documents import FRAUD, indicators_of, make_pdf, results_of


def _with_picture(width: int, height: int) -> bytes:
    with pikepdf.open(io.BytesIO(make_pdf("A plan"))) as pdf:
        page = pdf.pages[0]
        picture = pdf.make_stream(
            b"\0", Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Image, Width=width,
            Height=height, BitsPerComponent=1, ColorSpace=pikepdf.Name.DeviceGray,
        )  # fmt: skip
        page.Resources.XObject = pikepdf.Dictionary(Plan=picture)
        page.contents_add(b"q 500 0 0 500 50 50 cm /Plan Do Q")
        out = io.BytesIO()
        pdf.save(out)
        return out.getvalue()


def test_a_picture_of_more_dots_than_paper_holds_is_left_closed():
    assert Evidence(_with_picture(14_000, 19_800)).problem is None  # A0 at 425 dpi

    problem = Evidence(_with_picture(40_000, 40_000)).problem

    assert problem
    assert "more dots than paper" in problem.explanation


def test_a_count_of_pages_beyond_reason_is_believed_before_the_file_is_opened():
    honest = make_pdf("One page")
    many = honest.replace(b"/Count 1", b"/Count 300000")
    assert many != honest

    # Cut off behind it: nothing that opens the file could have told.
    cut = many[: many.index(b"/Count 300000") + 20]
    with pytest.raises(readers.TooFarError, match="more pages"):
        readers.read_structure(cut, max_pages=50)
    assert "too_large" in indicators_of(many)


def test_a_scan_names_its_scanner_and_no_office():
    """The program of the office is asked for of files that the office could have written."""
    assert "issuer_producer_unexpected" in indicators_of(
        samples.good_certificate().content
    )
    assert "issuer_producer_unexpected" not in indicators_of(
        samples.scanned_certificate().content
    )


def test_the_address_of_the_register_is_not_called_the_place_of_business():
    sample = samples.good_certificate()
    result = results_of(sample.content, dict(sample.attested))
    data = next(iter(result.values()))["payload"]["extraction_data"]

    assert "address_of_operation" not in sample.attested
    assert "Address of operation" not in {one["label"] for one in data["comparisons"]}


def test_a_drawing_that_draws_itself_is_left_closed():
    """PDFium ends with a crash in the midst of it."""
    with pikepdf.open(io.BytesIO(make_pdf("A plan"))) as pdf:
        form = pdf.make_stream(
            b"/Plan Do", Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Form,
            BBox=[0, 0, 500, 500],
        )  # fmt: skip
        form.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(Plan=form))
        page = pdf.pages[0]
        page.Resources.XObject = pikepdf.Dictionary(Plan=form)
        page.contents_add(b"/Plan Do")
        out = io.BytesIO()
        pdf.save(out)

    problem = Evidence(out.getvalue()).problem

    assert problem
    assert "drawings within drawings" in problem.explanation


def _hidden_forms(*, chain: int, filters: str = "") -> bytes:
    """A million drawings by six levels of forms, below as many forms of one drawing each."""
    with pikepdf.open(io.BytesIO(make_pdf("A plan"))) as pdf:
        form = None
        for level in range(chain + 6, -1, -1):
            data = b"/F Do " * (1 if level < chain else 10)
            if form is None:
                data = b"0 0 1 1 re f"
            elif filters:
                data = data.hex().encode()
            outer = pdf.make_stream(
                data, Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Form, BBox=[0, 0, 9, 9],
            )  # fmt: skip
            if form is not None:
                outer.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(F=form))
                if filters:
                    outer.Filter = pikepdf.Name(filters)
            form = outer
        page = pdf.pages[0]
        page.Resources.XObject = pikepdf.Dictionary(F=form)
        page.contents_add(b"/F Do")
        out = io.BytesIO()
        pdf.save(
            out,
            compress_streams=False,
            stream_decode_level=pikepdf.StreamDecodeLevel.none,
        )
        return out.getvalue()


@pytest.mark.parametrize("chain", [0, 20, 30, 34, 60])
def test_drawings_far_inside_of_others_are_counted(chain):
    """PDFium draws forms forty deep: for minutes, if each of the last six draws ten."""
    problem = Evidence(_hidden_forms(chain=chain)).problem

    assert problem
    assert "drawings within drawings" in problem.explanation


def test_drawings_that_are_written_as_text_are_counted():
    problem = Evidence(_hidden_forms(chain=0, filters="/ASCIIHexDecode")).problem

    assert problem
    assert "drawings within drawings" in problem.explanation


def test_pages_with_nothing_on_them_are_not_called_free_of_editing():
    pdf = pikepdf.new()
    pdf.add_blank_page(page_size=(612, 792))
    out = io.BytesIO()
    pdf.save(out)

    result = results_of(out.getvalue())[FRAUD]

    assert result["verdict"] == "inconclusive"
    assert result["explanation"] == "There is nothing on any page of the document."


@pytest.mark.parametrize("content", [b"%PDF-1.7\nno more", b"\x89PNG\r\n\x1a\nno more"])
def test_a_damaged_file_is_explained_without_words_of_programmers(content):
    problem = Evidence(content).problem

    assert problem
    assert problem.explanation == "The file is damaged and cannot be read."
