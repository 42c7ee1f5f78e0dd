"""What unfolds too far is told before anything opens or draws it."""

from __future__ import annotations

import base64
import io
import zlib
from collections.abc import Callable, Sequence

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


def _hidden_forms(
    *,
    chain: int,
    filters: Sequence[str] = (),
    encode: Callable[[bytes], bytes] = bytes,
) -> bytes:
    """A million drawings by six levels of forms, below as many forms of one drawing each."""
    with pikepdf.open(io.BytesIO(make_pdf("A plan"))) as pdf:
        form = None
        for level in range(chain + 6, -1, -1):
            data = b"/F Do " * (1 if level < chain else 10)
            if form is None:
                data = b"0 0 1 1 re f"
            else:
                data = encode(data)
            outer = pdf.make_stream(
                data, Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Form, BBox=[0, 0, 9, 9],
            )  # fmt: skip
            if form is not None:
                outer.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(F=form))
                if filters:
                    outer.Filter = pikepdf.Array(map(pikepdf.Name, filters))
                    outer.DecodeParms = pikepdf.Array(
                        pikepdf.Dictionary() for _ in filters
                    )
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


def _lzw(data: bytes) -> bytes:
    """Each byte as a code of its own; the table begins anew before the codes become wider."""
    bits = ""
    for start in range(0, len(data), 250):
        codes = [256, *data[start : start + 250]]
        bits += "".join(f"{code:09b}" for code in codes)
    bits += f"{257:09b}"
    bits += "0" * (-len(bits) % 8)
    return int(bits, 2).to_bytes(len(bits) // 8, "big")


def _lzw_of_blanks() -> bytes:
    """Four thousand codes, each for the string before it with one more blank, and then the longest again and again."""
    codes = [256, 32, *range(258, 4095), *[4094] * 20_000]
    bits = ""
    for place, code in enumerate(codes):
        # The table has grown by one with each code behind the second; the width changes one entry early.
        entries = min(258 + max(0, place - 2), 4095)
        width = min(12, max(9, (entries + 1).bit_length()))
        bits += f"{code:0{width}b}"
    bits += "0" * (-len(bits) % 8)
    return int(bits, 2).to_bytes(len(bits) // 8, "big")


def _run_lengths(data: bytes) -> bytes:
    runs = b""
    for start in range(0, len(data), 128):
        run = data[start : start + 128]
        runs += bytes([len(run) - 1]) + run
    return runs + b"\x80"


def _with_wrong_sum(data: bytes) -> bytes:
    return zlib.compress(data)[:-4] + b"\0\0\0\0"


@pytest.mark.parametrize(
    ("filters", "encode"),
    [
        (["/ASCIIHexDecode"], lambda data: data.hex().encode()),
        (["/ASCII85Decode"], lambda data: base64.a85encode(data) + b"~>"),
        (["/LZWDecode"], _lzw),
        (["/RunLengthDecode"], _run_lengths),
        # PDFium draws what comes before an error, and what a filter has that it does not know.
        (["/FlateDecode"], _with_wrong_sum),
        (["/FlateDecode"], lambda data: zlib.compress(data + data)[:-4]),
        (["/Crypt", "/FlateDecode"], zlib.compress),
        (["/FlateDecode", "/Unknown"], zlib.compress),
        (["/DCTDecode"], bytes),
    ],
)
def test_drawings_behind_any_filter_are_counted(filters, encode):
    problem = Evidence(_hidden_forms(chain=0, filters=filters, encode=encode)).problem

    assert problem
    assert "drawings within drawings" in problem.explanation


def _with_content(data: bytes, **entries: pikepdf.Object) -> bytes:
    with pikepdf.open(io.BytesIO(make_pdf("A plan"))) as pdf:
        pdf.pages[0].Contents = pdf.make_stream(data, **entries)
        out = io.BytesIO()
        pdf.save(
            out,
            compress_streams=False,
            stream_decode_level=pikepdf.StreamDecodeLevel.none,
        )
        return out.getvalue()


@pytest.mark.parametrize(
    ("filters", "data"),
    [
        ("/RunLengthDecode", b"\x81 " * (1 << 20)),
        # The same code again and again: each is the last string with one more byte.
        (
            "/LZWDecode",
            _lzw_of_blanks(),
        ),
    ],
)
def test_contents_that_unpack_without_end_are_left_closed(filters, data):
    problem = Evidence(_with_content(data, Filter=pikepdf.Name(filters))).problem

    assert problem
    assert "inflates without end" in problem.explanation


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
