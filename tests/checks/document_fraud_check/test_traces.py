"""Files that were changed with another program than the one that wrote them."""

from __future__ import annotations

import io
import re
import zlib
from typing import Any

import pikepdf
import pytest

from checks.document_fraud_check.tool import DocumentFraud
from checks.evidence import Evidence
from tests.checks.document_fraud_check.editing import rewritten
from tests.checks.documents import TODAY
from tests.checks.made_texts.drawing import LATIN, MadeText, draw

PACKED = "page_packed_anew"
UNSHOWN = "letters_of_font_unshown"
BODY = """Statement of the register of companies

The register states that Harbour Quay Joinery Limited was entered on 14 March 2019
under the number 6028, and that its capital is 5000. It has 3 directors, and its
office is at 27 Wharf Road, Exeter. Zoe Vance signs for the registrar of companies.
Whoever relies on this statement may ask the register whether it still holds, and
the register answers in writing. No fee is due for the answer.
"""
CMAP = "begincmap 1 begincodespacerange <00> <FF> endcodespacerange\n{} beginbfchar\n{}\nendbfchar endcmap"


def statement(body: str = BODY) -> bytes:
    """A file whose font has the letters of the text alone, numbered as the text needs them."""
    return rewritten(
        draw(MadeText("statement", "", {}, LATIN, (50, 250), body)), _number
    )


def _number(pdf: pikepdf.Pdf) -> None:
    page = pdf.pages[0]
    numbers: dict[int, int] = {}
    drawing = []
    for instruction in pikepdf.parse_content_stream(page):
        things = [*instruction.operands]
        if str(instruction.operator) == "Tj":
            for code in bytes(things[0]):
                numbers.setdefault(code, len(numbers) + 1)
            things = [pikepdf.String(bytes(numbers[code] for code in bytes(things[0])))]
        drawing.append((things, instruction.operator))
    page.obj.Contents = pdf.make_stream(pikepdf.unparse_content_stream(drawing))
    pairs = "\n".join(f"<{new:02X}> <{old:04X}>" for old, new in numbers.items())
    (font,) = [font for font in page.Resources.Font.values() if "/ToUnicode" in font]
    font.ToUnicode = pdf.make_stream(CMAP.format(len(numbers), pairs).encode())


def packed(content: bytes, level: int, *, pages: int = 1) -> bytes:
    """The file as a program writes it that packs all with this level, with some pages of one form."""

    def edit(pdf: pikepdf.Pdf) -> None:
        for _ in range(1, pages):
            pdf.pages.append(pdf.pages[0])
        for thing in pdf.objects:
            if isinstance(thing, pikepdf.Stream):
                data = zlib.compress(thing.read_bytes(), level)
                thing.write(data, filter=pikepdf.Name.FlateDecode)

    return rewritten(content, edit)


def with_text(content: bytes, old: str, new: str, page: int = 0) -> bytes:
    """The letters of one page replaced by other letters of the same font."""

    def edit(pdf: pikepdf.Pdf) -> None:
        target = pdf.pages[page]
        codes = _codes(pdf)
        before, after = (bytes(codes[char] for char in text) for text in (old, new))
        drawing = []
        for instruction in pikepdf.parse_content_stream(target):
            things = [*instruction.operands]
            if str(instruction.operator) == "Tj":
                things = [pikepdf.String(bytes(things[0]).replace(before, after))]
            drawing.append((things, instruction.operator))
        new_drawing = pikepdf.unparse_content_stream(drawing)
        assert new_drawing != pikepdf.unparse_content_stream(
            pikepdf.parse_content_stream(target)
        )
        target.obj.Contents = pdf.make_stream(new_drawing)

    return rewritten(content, edit)


def _codes(pdf: pikepdf.Pdf) -> dict[str, int]:
    codes: dict[str, int] = {}
    for font in pdf.pages[0].Resources.Font.values():
        if "/ToUnicode" in font:
            table = font.ToUnicode.read_bytes()
            for code, letter in re.findall(rb"<(..)> <(....)>", table):
                codes[chr(int(letter, 16))] = int(code, 16)
    return codes


def risks_of(content: bytes) -> dict[str, dict[str, Any]]:
    evidence = Evidence(content, "statement.pdf", today=TODAY, arguments={"ocr": "off"})
    payload = DocumentFraud().run(evidence).payload["fraud_verification_data"]
    items = payload["verification_data"]
    return {item["indicator_id"]: item for item in items if item["type"] == "RISK"}


@pytest.mark.parametrize("pages", [1, 3])
def test_a_page_that_another_program_packed_is_told(pages: int):
    genuine = packed(statement(), 9, pages=pages)
    assert risks_of(genuine) == {}
    forged = with_text(genuine, "5000", "5002")
    finding = risks_of(forged)[PACKED]
    assert finding["description"].endswith("page 1.")
    assert not finding["strong"]


def test_pages_that_were_merged_are_not_compared():
    other = BODY.replace("Harbour Quay", "Northern Lights")
    with (
        pikepdf.open(io.BytesIO(packed(statement(), 9))) as pdf,
        pikepdf.open(io.BytesIO(packed(statement(other), 6))) as added,
    ):
        pdf.pages.extend(added.pages)
        out = io.BytesIO()
        pdf.save(out)
    assert risks_of(out.getvalue()) == {}


def test_a_stamp_on_a_page_is_not_told():
    def stamp(pdf: pikepdf.Pdf) -> None:
        pdf.pages[0].contents_add(b"q 1 0 0 RG 400 60 90 40 re S Q")

    assert PACKED not in risks_of(rewritten(packed(statement(), 9), stamp))


def test_a_digit_that_its_font_has_and_nobody_sees_is_told():
    genuine = statement()
    assert risks_of(genuine) == {}
    forged = with_text(genuine, "6028", "5028")
    finding = risks_of(forged)[UNSHOWN]
    assert "“65”" in finding["description"]


def test_a_digit_that_is_used_before_its_turn_is_told():
    """The font numbers 7 as the last digit, and here it is needed before others."""
    forged = with_text(statement(), "2019", "2017")
    assert UNSHOWN in risks_of(forged)


def test_a_digit_that_stays_in_the_text_tells_nothing():
    forged = with_text(statement(), "5000", "5002")
    assert risks_of(forged) == {}
