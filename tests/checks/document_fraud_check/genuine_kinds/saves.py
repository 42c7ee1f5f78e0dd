"""Genuine files that a program saved again: turned, cropped, merged, dated, archived."""

# ReportLab has no annotations.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import io

import pikepdf

from tests.checks.document_fraud_check.editing import (
    Kind,
    appended,
    font,
    name,
    plain,
    rewritten,
    words,
)
from tests.checks.document_fraud_check.genuine_kinds.scans import scanned


def cropped(content: bytes) -> bytes:
    def crop(pdf: pikepdf.Pdf) -> None:
        pdf.pages[0].obj.CropBox = pikepdf.Array([12, 12, 600, 780])

    return appended(content, crop)


def linearised(content: bytes) -> bytes:
    return rewritten(content, lambda _: None, linearize=True)


def optimised(content: bytes) -> bytes:
    def name_it(pdf: pikepdf.Pdf) -> None:
        pdf.docinfo["/Producer"] = "3-Heights(TM) PDF Optimization Shell 4.8"

    mode = pikepdf.ObjectStreamMode.generate
    return rewritten(content, name_it, object_stream_mode=mode, recompress_flate=True)


def page_put_in(content: bytes) -> bytes:
    """A cover sheet before the page, saved by appending."""

    def put_in(pdf: pikepdf.Pdf) -> None:
        pdf.add_blank_page(page_size=(612, 792))
        name(pdf, "/Font", "/Typed", font(), page=1)
        sheet = words("Fax to: compliance department. Pages: 2", 80, 700)
        pdf.pages[1].obj.Contents = pdf.make_stream(sheet)
        kids = pdf.Root.Pages.Kids
        pdf.Root.Pages.Kids = pikepdf.Array([kids[1], kids[0]])

    return appended(content, put_in)


def page_taken_out(content: bytes) -> bytes:
    """The first page, a cover sheet, taken out and saved by appending."""

    def take_out(pdf: pikepdf.Pdf) -> None:
        pdf.Root.Pages.Kids = pikepdf.Array([pdf.Root.Pages.Kids[1]])
        pdf.Root.Pages.Count = 1

    return appended(page_put_in(content), take_out)


def with_owner_password(content: bytes) -> bytes:
    lock = pikepdf.Encryption(owner="owner", user="", R=6)
    return rewritten(content, lambda _: None, encryption=lock)


def merged(content: bytes) -> bytes:
    out = io.BytesIO()
    with pikepdf.new() as pdf:
        for part in (content, scanned(content), content):
            with pikepdf.open(io.BytesIO(part)) as other:
                pdf.pages.extend(other.pages)
        pdf.docinfo["/Producer"] = "PDF Merger"
        pdf.save(out)
    return out.getvalue()


def produced(producer: str, mark: bytes, creator: str = "") -> Kind:
    """Printed to a PDF by another program, with the mark that it writes in the second line."""

    def kind(content: bytes) -> bytes:
        def say(pdf: pikepdf.Pdf) -> None:
            pdf.docinfo["/Producer"] = producer
            if creator:
                pdf.docinfo["/Creator"] = creator

        saved = plain(rewritten(content, say))
        head, _, rest = saved.partition(b"\n")
        old, _, body = rest.partition(b"\n")
        # As long as the mark that qpdf writes, so that the table of objects still holds.
        return (
            head
            + b"\n%"
            + mark[: len(old) - 1].ljust(len(old) - 1, b" ")
            + b"\n"
            + body
        )

    return kind


def archived(content: bytes) -> bytes:
    """As PDF/A: with XMP, and a profile of colours."""

    def archive(pdf: pikepdf.Pdf) -> None:
        with pdf.open_metadata(set_pikepdf_as_editor=False) as record:
            record["pdfaid:part"] = "2"
            record["pdfaid:conformance"] = "B"
            record["xmp:CreatorTool"] = str(pdf.docinfo.get("/Creator", ""))
            record["pdf:Producer"] = str(pdf.docinfo.get("/Producer", ""))

    return rewritten(content, archive)


def dated(created: str, modified: str) -> Kind:
    def kind(content: bytes) -> bytes:
        def date(pdf: pikepdf.Pdf) -> None:
            pdf.docinfo["/CreationDate"], pdf.docinfo["/ModDate"] = created, modified

        return appended(content, date)

    return kind
