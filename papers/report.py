"""Parts of printed reports: the sheet, colours, styles, text of any origin, tables, boxes.

A report brings its content; what it looks like on paper is decided here.
"""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from reportlab.lib.colors import Color, HexColor, white
from reportlab.lib.enums import TA_CENTER
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus.doctemplate import BaseDocTemplate, PageTemplate
from reportlab.platypus.flowables import Flowable
from reportlab.platypus.frames import Frame
from reportlab.platypus.paragraph import Paragraph
from reportlab.platypus.tables import Table

from papers.fonts import BOLD, MONO, PRINTED, REGULAR, printed_folder
from papers.geometry import Rectangle

INK, FAINT, LINE, WASH = (HexColor(c) for c in ("#16181d", "#5b616e", "#d9dce3", "#f4f6f9"))
TONES: Mapping[str, Color] = {
    "pass": HexColor("#11734b"),
    "fail": HexColor("#b3261e"),
    "warn": HexColor("#8a5a00"),
    "info": HexColor("#1f5fa8"),
    "plain": FAINT,
}
MARGIN = 20 * mm
WIDTH = A4[0] - 2 * MARGIN
FOOT = 22 * mm
LONGEST = 1_500  # characters of one value
TALLEST, SURELY_FITS = 600.0, 100  # points of a cell; characters that take less in any column
# Chinese, Japanese and Korean are set in a font that PDF viewers bring.
EAST_ASIAN_FONT = "STSong-Light"
EAST_ASIAN = re.compile(
    "[\u2e80-\u2fdf\u3000-\u30ff\u3100-\u318f\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff00-\uffef]+"
)
MISSING = "\u25a1"


def register_fonts(parent: Path) -> None:
    """Make the fonts known to reportlab, once a process. Their files are made in `parent`."""
    if EAST_ASIAN_FONT in pdfmetrics.getRegisteredFontNames():
        return
    folder = printed_folder(parent)
    for font in PRINTED:
        pdfmetrics.registerFont(TTFont(font.family, folder / font.target))
    pdfmetrics.registerFontFamily(
        REGULAR, normal=REGULAR, bold=BOLD, italic=REGULAR, boldItalic=BOLD
    )
    pdfmetrics.registerFont(UnicodeCIDFont(EAST_ASIAN_FONT))


def style(
    size: float = 9,
    *,
    bold: bool = False,
    color: Color = INK,
    leading: float | None = None,
    **more: Any,
) -> ParagraphStyle:
    font = BOLD if bold else REGULAR
    return ParagraphStyle(
        "",
        fontName=font,
        fontSize=size,
        leading=leading or size * 1.42,
        textColor=color,
        **more,
    )


BODY = style(9, leading=12.5)
STRONG = style(9, leading=12.5, bold=True)
SMALL = style(7.5, leading=10, color=FAINT)
DIGEST = ParagraphStyle("", SMALL, fontName=MONO, fontSize=6.8, leading=9)


def paragraph(
    text: object, style: ParagraphStyle = BODY, *, longest: int = LONGEST, breaks: bool = False
) -> Paragraph:
    """A paragraph that shows this text, whatever it holds, and nothing else."""
    return Paragraph(markup(text, longest=longest, breaks=breaks), style)


def markup(text: object, *, longest: int = LONGEST, breaks: bool = False) -> str:
    """The text in reportlab's markup: escaped, shortened, in fonts that have its letters.

    `breaks`: a line of the text starts a line of the paragraph.
    """
    plain = unicodedata.normalize("NFC", str(text))
    if len(plain) > longest:
        plain = f"{plain[: longest - 1]}…"
    if breaks:
        return "<br/>".join(map(_line, plain.split("\n")))
    return _line(plain)


def _line(text: str) -> str:
    parts: list[str] = []
    start = 0
    for run in EAST_ASIAN.finditer(text):
        parts.append(_escaped(text[start : run.start()]))
        parts.append(f'<font name="{EAST_ASIAN_FONT}">{escape(run[0])}</font>')
        start = run.end()
    parts.append(_escaped(text[start:]))
    return "".join(parts)


def _escaped(text: str) -> str:
    return escape("".join(map(_printable, text)))


def _printable(char: str) -> str:
    if char.isspace():
        return " "
    return char if ord(char) in _characters() else MISSING


@cache
def _characters() -> frozenset[int]:
    """The characters that our fonts have."""
    return frozenset(pdfmetrics.getFont(REGULAR).face.charToGlyph)


def cell(text: str, style: ParagraphStyle, width: float) -> Paragraph:
    """A cell that a page has room for: a row is not split, and a taller one stops the layout."""
    fitting = paragraph(text, style, breaks=True)
    if len(text) < SURELY_FITS and "\n" not in text:
        return fitting
    while (height := fitting.wrap(width, 1e6)[1]) > TALLEST and len(text) > 1:
        text = text[: min(len(text), LONGEST) * int(TALLEST) // int(height + 1)]
        fitting = paragraph(f"{text}…", style, breaks=True)
    return fitting


def table(
    rows: Sequence[Sequence[Any]],
    widths: Sequence[float],
    *,
    head: int = 0,
    above: float = 3,
    below: float = 4,
) -> Table:
    """Rows with a line below each; the first `head` of them stand again on each page.

    `above` and `below` are the points of room in a row.
    """
    rules = [
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LINEBELOW", (0, 0), (-1, -1), 0.4, LINE),
        ("LEFTPADDING", (0, 0), (-1, -1), 0),
        ("TOPPADDING", (0, 0), (-1, -1), above),
        ("BOTTOMPADDING", (0, 0), (-1, -1), below),
    ]
    return Table(rows, colWidths=widths, repeatRows=head, style=rules)


def facts(rows: Sequence[Sequence[Any]], widths: Sequence[float]) -> Table:
    """Names and values, every other row on a tinted ground."""
    rules = [
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("ROWBACKGROUNDS", (0, 0), (-1, -1), [WASH, white]),
        ("TOPPADDING", (0, 0), (-1, -1), 2),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
    ]
    return Table(rows, colWidths=widths, style=rules)


def beside(left: Any, right: Any, *, width: float) -> Table:
    """Two things side by side, the right one of this width."""
    rules = [
        ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
        ("LEFTPADDING", (0, 0), (-1, -1), 0),
        ("RIGHTPADDING", (0, 0), (-1, -1), 0),
    ]
    return Table([[left, right]], colWidths=[WIDTH - width, width], style=rules)


def badge(text: str, tone: str, size: float = 9) -> Table:
    """A word on its colour."""
    word = paragraph(text, style(size, bold=True, color=white, alignment=TA_CENTER))
    rules = [
        ("BACKGROUND", (0, 0), (-1, -1), TONES[tone]),
        ("ROUNDEDCORNERS", [4, 4, 4, 4]),
        ("TOPPADDING", (0, 0), (-1, -1), 2),
        ("BOTTOMPADDING", (0, 0), (-1, -1), size * 0.45),
    ]
    return Table([[word]], colWidths=[34 * mm], style=rules)


class PagePicture(Flowable):
    """A page of a document as it was drawn, with boxes: their tones, and fractions of the page."""

    def __init__(
        self,
        image: ImageReader | None,
        size: tuple[float, float],
        boxes: Sequence[tuple[str, Rectangle]],
    ) -> None:
        super().__init__()
        self.image, self.size, self.boxes = image, size, boxes

    def wrap(self, *_: float) -> tuple[float, float]:
        return self.size

    def draw(self) -> None:
        canvas: Any = self.canv
        width, height = self.size
        if self.image:
            canvas.drawImage(self.image, 0, 0, width, height)
        canvas.setLineWidth(0.5)
        canvas.setStrokeColor(LINE)
        canvas.rect(0, 0, width, height)
        for tone, (x0, y0, x1, y1) in self.boxes:
            canvas.setStrokeColor(TONES.get(tone, FAINT))
            canvas.rect(x0 * width, (1 - y1) * height, (x1 - x0) * width, (y1 - y0) * height)


def build(
    story: Sequence[Any], *, title: str, author: str, subject: str, foot: Sequence[Paragraph]
) -> bytes:
    """The PDF: the story on sheets of A4, with the lines of the foot and a number on each."""
    out = io.BytesIO()
    template = BaseDocTemplate(out, pagesize=A4, title=title, author=author, subject=subject)
    frame = Frame(MARGIN, FOOT, WIDTH, A4[1] - FOOT - 18 * mm, 0, 0, 0, 0)

    def finish(canvas: Canvas, document: BaseDocTemplate) -> None:
        _draw_foot(canvas, foot, document.page)

    template.addPageTemplates([PageTemplate(frames=[frame], onPage=finish)])
    template.build(list(story))
    return out.getvalue()


def _draw_foot(canvas: Canvas, lines: Sequence[Paragraph], page: int) -> None:
    canvas.saveState()
    canvas.setStrokeColor(LINE)
    canvas.setLineWidth(0.5)
    canvas.line(MARGIN, 16 * mm, A4[0] - MARGIN, 16 * mm)
    bottom = 15 * mm
    for line in lines:
        bottom -= line.wrapOn(canvas, WIDTH - 20 * mm, 10 * mm)[1]
        line.drawOn(canvas, MARGIN, bottom)
    canvas.setFont(REGULAR, 7.5)
    canvas.setFillColor(FAINT)
    canvas.drawRightString(A4[0] - MARGIN, 12.4 * mm, f"Page {page}")
    canvas.restoreState()
