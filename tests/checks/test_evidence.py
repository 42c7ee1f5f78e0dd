"""What is known of a file: its kind, its pages, the places of its words, its earlier versions."""

from __future__ import annotations

import io
from typing import Any

import pikepdf
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from checks.base import alerts_of
from checks.evidence import Evidence
from checks.readers.pdf.revisions import revision_lengths
from checks.readers.pdf.structure import pdf_date
from checks.samples import edited_certificate, good_certificate
from checks.text.words import Span
from tests.checks.documents import evidence_of, make_pdf, results_of

GOOD, EDITED = good_certificate().content, edited_certificate().content


def changed(content: bytes, change: Any, **options: Any) -> bytes:
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(content)) as pdf:
        change(pdf)
        pdf.save(out, **options)
    return out.getvalue()


def picture(format_: str, size: tuple[int, int] = (60, 40), **options: Any) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, "white").save(out, format_, **options)
    return out.getvalue()


def box_of(evidence: Evidence, words: str):
    start = evidence.text.value.index(words)
    [box] = evidence.text.boxes(Span(start, start + len(words)))
    return box


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (GOOD, "pdf"),
        (picture("JPEG"), "jpeg"),
        (picture("PNG"), "png"),
        (picture("TIFF"), "tiff"),
        (b"<html>%PDF-1.4", "other"),
        (b"\n%PDF-1.4", "pdf"),
        (b"\xef\xbb\xbf%PDF-1.4", "pdf"),
        (b"x%PDF-1.4", "other"),
        (b"", "other"),
    ],
)
def test_the_first_bytes_tell_the_kind(content, kind):
    assert Evidence(content, "anything.pdf").kind == kind


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "empty"),
        (b"<!DOCTYPE html><html><body>Sign in</body></html>", "not_a_document"),
        (b"PK\x03\x04 something", "not_a_document"),
        (b"%PDF-1.7\nnothing follows", "malformed"),
        (GOOD[:300], "malformed"),
        (picture("PNG")[:40], "malformed"),
        (b"%PDF-1.4" + b"x" * (25 * 1024 * 1024), "too_large"),
        (
            changed(
                GOOD, lambda _: None, encryption=pikepdf.Encryption(user="u", owner="o")
            ),
            "encrypted",
        ),
    ],
)
def test_a_file_that_cannot_be_examined_says_why(content, problem):
    evidence = Evidence(content, "document.pdf")

    assert evidence.problem
    assert evidence.problem.kind == problem
    results = results_of(content)
    assert {result["verdict"] for result in results.values()} == {"inconclusive"}
    assert all(
        evidence.problem.explanation in r["explanation"] for r in results.values()
    )
    fraud = results["document_fraud_check"]["payload"]["fraud_verification_data"]
    [indicator] = fraud["verification_data"]
    named = {"encrypted": "password", "too_large": "too_large"}.get(
        problem, "malformed"
    )
    assert indicator["indicator_id"] == named
    assert fraud["verification_passed"] is False


def test_a_picture_that_would_fill_the_memory_is_refused():
    header = picture("PNG")
    huge = header[:16] + (60_000).to_bytes(4, "big") * 2 + header[24:]

    evidence = Evidence(huge)

    assert evidence.problem
    assert evidence.problem.kind in {"too_large", "malformed"}


def page_with(content: bytes, forms: int = 0, per_form: int = 0) -> bytes:
    """A page with this content, and a chain of forms that each draw the next one many times."""
    with pikepdf.new() as pdf:
        inner = pdf.make_stream(
            b"0 0 1 1 re f", Type=pikepdf.Name.XObject, BBox=[0, 0, 9, 9]
        )
        inner.Subtype = pikepdf.Name.Form
        for _ in range(forms):
            outer = pdf.make_stream(
                b"/X Do " * per_form, Type=pikepdf.Name.XObject, BBox=[0, 0, 9, 9]
            )
            outer.Subtype = pikepdf.Name.Form
            outer.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(X=inner))
            inner = outer
        page = pdf.add_blank_page()
        page.Contents = pdf.make_stream(content)
        page.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(X=inner))
        out = io.BytesIO()
        pdf.save(out, compress_streams=True)
        return out.getvalue()


@pytest.mark.parametrize(
    "make",
    [
        lambda: page_with(b"/X Do", forms=9, per_form=10),
        lambda: page_with(b" " * (65 * 1024 * 1024)),
    ],
    ids=["forms within forms", "a stream that inflates"],
)
def test_a_file_that_unfolds_without_end_is_refused_before_it_is_drawn(make):
    content = make()
    evidence = Evidence(content)

    assert len(content) < 100_000
    assert evidence.problem
    assert evidence.problem.kind == "too_large"


def test_forms_within_forms_are_no_reason_to_refuse_a_file():
    assert Evidence(page_with(b"/X Do", forms=5, per_form=2)).problem is None


def test_an_encrypted_file_that_opens_without_a_password_is_read():
    content = changed(
        GOOD, lambda _: None, encryption=pikepdf.Encryption(user="", owner="o")
    )

    evidence = evidence_of(content)

    assert evidence.structure.encrypted
    assert "Certificate of Incorporation" in evidence.text.value


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_boxes_follow_the_rotation_of_the_page(turn):
    plain = box_of(evidence_of(GOOD), "File Number:")

    def rotate(pdf):
        pdf.pages[0].Rotate = turn

    box = box_of(evidence_of(changed(GOOD, rotate)), "File Number:")

    x0, y0, x1, y1 = plain.x0, plain.y0, plain.x1, plain.y1
    expected = {
        0: (x0, y0, x1, y1),
        90: (1 - y1, x0, 1 - y0, x1),
        180: (1 - x1, 1 - y1, 1 - x0, 1 - y0),
        270: (y0, 1 - x1, y1, 1 - x0),
    }[turn]
    assert (box.x0, box.y0, box.x1, box.y1) == pytest.approx(expected, abs=1e-4)


def test_boxes_are_fractions_of_the_crop_box():
    def crop(pdf):
        pdf.pages[0].CropBox = [0, 396, 612, 792]

    plain = box_of(evidence_of(GOOD), "File Number:")
    box = box_of(evidence_of(changed(GOOD, crop)), "File Number:")

    assert (box.x0, box.y0) == pytest.approx((plain.x0, plain.y0 * 2), abs=1e-4)


def test_words_beyond_the_edge_of_the_page_are_not_read():
    """Printers put their marks there, and nobody sees them on the page."""

    def crop(pdf):
        pdf.pages[0].CropBox = [0, 0, 612, 700]

    page = make_pdf("Red Harbour Limited\n\n\n\n\n\nBlue Anchor Limited")

    text = evidence_of(changed(page, crop)).text.value

    assert "Blue Anchor Limited" in text
    assert "Harbour" not in text


def test_words_of_a_page_whose_origin_lies_elsewhere_are_read():
    def move(pdf):
        pdf.pages[0].MediaBox = [50, 100, 612, 792]

    page = make_pdf("Blue Anchor Limited\nis registered here")

    text = evidence_of(changed(page, move)).text.value

    assert text.split() == ["Blue", "Anchor", "Limited", "is", "registered", "here"]


def test_a_phrase_over_two_lines_has_two_boxes():
    evidence = evidence_of(make_pdf("Name of\nthe company"))

    boxes = evidence.text.boxes(Span(0, len("Name of\nthe company")))

    assert len(boxes) == 2
    assert boxes[0].y1 < boxes[1].y0
    assert evidence.text.snippet(Span(5, 9)) == "Name of the company"


def test_values_of_form_fields_are_read_where_they_stand():
    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=1)
    canvas.drawString(72, 700, "Company name:")
    canvas.drawString(72, 660, "the next line")
    canvas.acroForm.textfield(
        name="company",
        value="Marlstone Quarries Ltd",
        x=200,
        y=690,
        width=250,
        height=24,
    )
    canvas.save()

    evidence = evidence_of(buffer.getvalue())

    assert evidence.text.value.startswith(
        "Company name: Marlstone Quarries Ltd\nthe next line"
    )
    [*_, word] = evidence.pages[0].lines[0].words
    assert word.source == "form value"
    assert word.box.x0 > 200 / 595


def test_values_of_an_xfa_form_are_read_although_no_field_shows_them():
    data = (
        '<xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><xfa:data><form1>'
        "<Company>Marlstone Quarries Ltd</Company><Empty/></form1></xfa:data></xfa:datasets>"
    )

    def add(pdf):
        stream = pdf.make_stream(data.encode())
        pdf.Root.AcroForm = pikepdf.Dictionary(
            Fields=pikepdf.Array(),
            XFA=pikepdf.Array([pikepdf.String("datasets"), stream]),
        )

    evidence = evidence_of(changed(GOOD, add))

    assert evidence.text.value.rstrip("\f").endswith("Marlstone Quarries Ltd\n")
    assert evidence.pages[0].words[-1].source == "form value"


def test_xml_with_entities_is_not_read():
    bomb = (
        b'<!DOCTYPE x [<!ENTITY a "aaaa">]><datasets><data><x>&a;</x></data></datasets>'
    )

    def add(pdf):
        pdf.Root.AcroForm = pikepdf.Dictionary(
            Fields=pikepdf.Array(), XFA=pdf.make_stream(bomb)
        )

    evidence = evidence_of(changed(GOOD, add))

    assert evidence.problem is None
    assert evidence.structure.form_data == ()


@pytest.mark.sweep
def test_only_fifty_pages_are_read_and_said_so():
    content = make_pdf(*(f"page {number}" for number in range(60)))

    evidence = evidence_of(content)

    assert (len(evidence.pages), evidence.page_count) == (50, 60)
    results = results_of(content)
    assert any(
        "first 50 of 60" in alert for r in results.values() for alert in alerts_of(r)
    )


def test_earlier_versions_are_recovered():
    evidence = evidence_of(EDITED)

    [earlier] = evidence.revisions
    assert earlier.length < len(EDITED)
    assert EDITED[: earlier.length].rstrip() == EDITED[: earlier.length].rstrip()
    assert "File" in " ".join(word.text for word in earlier.pages[0].words)
    assert evidence_of(GOOD).revisions == []


def test_the_first_part_of_a_linearized_file_is_no_version():
    content = changed(GOOD, lambda _: None, linearize=True)

    assert content.count(b"%%EOF") == 2
    assert len(revision_lengths(content)) == 1


def test_what_is_read_once_is_kept():
    evidence, calls = evidence_of(GOOD), []

    def read(_: Evidence) -> int:
        calls.append(1)
        return 7

    assert [evidence.once(read), evidence.once(read)] == [7, 7]
    assert len(calls) == 1


def test_the_name_of_a_document_may_come_from_its_address():
    evidence = Evidence(
        GOOD, document={"url": "https://files.example/a/certificate.pdf?sig=1"}
    )

    assert evidence.document_reference == {
        "type": "Document",
        "url": "https://files.example/a/certificate.pdf?sig=1",
        "file_name": "certificate.pdf",
    }


@pytest.mark.parametrize(
    ("output", "day"),
    [
        ("D:20190405101112Z", "2019-04-05"),
        ("D:20190405003000+02'00'", "2019-04-04"),
        ("2019", "2019-01-01"),
        ("D:20191340", None),
        ("yesterday", None),
        ("D:00010101000000+14'00'", None),
    ],
)
def test_dates_of_the_info_dictionary(output, day):
    result = pdf_date(output)

    assert (result.date().isoformat() if result else None) == day


HOSTILE = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=True,
)


@pytest.mark.sweep
@HOSTILE
@given(st.binary(max_size=400))
def test_no_bytes_break_the_engine(content):
    for head in (b"", b"%PDF-1.7\n", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"II*\x00"):
        results = results_of(head + content)
        assert not any(
            "stopped" in result["explanation"] for result in results.values()
        )


@pytest.mark.sweep
@HOSTILE
@given(st.data())
def test_no_damage_breaks_the_engine(data):
    content = bytearray(data.draw(st.sampled_from([GOOD, EDITED])))
    for _ in range(data.draw(st.integers(1, 30))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at : at + data.draw(st.integers(0, 40))] = data.draw(
            st.binary(max_size=40)
        )

    results = results_of(bytes(content))

    assert not any("stopped" in result["explanation"] for result in results.values())
