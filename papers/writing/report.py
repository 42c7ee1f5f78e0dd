"""Parts for printed reports: pages, colours, styles, text, tables, and pictures with boxes.

A report supplies the content; this module decides how it looks on paper.
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
from papers.writing import letters
from papers.writing.letters import JOINERS, RUNS, Letters

INK, FAINT, LINE, WASH = (
    HexColor(c) for c in ("#16181d", "#5b616e", "#d9dce3", "#f4f6f9")
)
TONES: Mapping[str, Color] = {
    "pass": HexColor("#11734b"),
    "fail": HexColor("#b3261e"),
    "warn": HexColor("#8a5a00"),
    "info": HexColor("#1f5fa8"),
    "plain": FAINT,
}
MARGIN = 20 * mm
WIDTH = A4[0] - 2 * MARGIN
TOP, FOOT = 18 * mm, 22 * mm
AROUND = 1.0  # points between what a box marks and its line
LONGEST = 1_500  # characters; longer values are cut off
TALLEST = 600.0  # points: the height of a cell that still fits on a page
SURELY_FITS = 100  # characters: a shorter text is never taller than TALLEST, so it is not measured
# Inter has no Chinese, Japanese and Korean letters. PDF viewers have fonts of their own for them.
EAST_ASIAN_FONT, KOREAN_FONT = "STSong-Light", "HYSMyeongJo-Medium"
EAST_ASIAN = re.compile(
    "(?P<korean>[\u3130-\u318f\uac00-\ud7a3]+)"
    "|[\u2e80-\u2fdf\u3000-\u312f\u3400-\u4dbf\u4e00-\u9fff\uff00-\uffef]+"
)
MISSING = "\u25a1"
# Control and format characters: some fonts have empty glyphs for them.
HIDDEN = ("Cc", "Cf")
# As the range of a table's rule: the whole table, from the first cell to the last (column, row).
ALL_CELLS = ((0, 0), (-1, -1))


def register_fonts(parent: Path) -> None:
    """Register the fonts with reportlab, once per process. Their files are made in `parent`."""
    letters.made_in(parent)
    own = {font.family for font in PRINTED} | {EAST_ASIAN_FONT, KOREAN_FONT}
    if own.issubset(pdfmetrics.getRegisteredFontNames()):
        return
    folder = printed_folder(parent)
    for font in PRINTED:
        pdfmetrics.registerFont(TTFont(font.family, folder / font.target))
    pdfmetrics.registerFontFamily(
        REGULAR, normal=REGULAR, bold=BOLD, italic=REGULAR, boldItalic=BOLD
    )
    for name in (EAST_ASIAN_FONT, KOREAN_FONT):
        pdfmetrics.registerFont(UnicodeCIDFont(name))


def style(
    size: float = 9,
    *,
    bold: bool = False,
    color: Color = INK,
    leading: float | None = None,
    **more: object,
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
    text: object,
    style: ParagraphStyle = BODY,
    *,
    longest: int = LONGEST,
    breaks: bool = False,
) -> Paragraph:
    """A paragraph that shows exactly this text; markup in it has no effect."""
    content = markup(text, longest=longest, breaks=breaks)
    if RUNS.search(content):
        return Letters(content, style)
    return Paragraph(content, style)


def markup(text: object, *, longest: int = LONGEST, breaks: bool = False) -> str:
    """The text as reportlab's markup: escaped, shortened, and in fonts that have its letters.

    With `breaks`, each line of the text becomes a line of the paragraph.
    """
    plain = unicodedata.normalize("NFC", str(text))
    if len(plain) > longest:
        plain = f"{plain[: longest - 1]}…"
    if breaks:
        return "<br/>".join(map(_line, plain.split("\n")))
    return _line(plain)


def east_asian_font(run: re.Match[str]) -> str:
    """The name of the font for a match of EAST_ASIAN."""
    return KOREAN_FONT if run["korean"] else EAST_ASIAN_FONT


def _line(text: str) -> str:
    parts: list[str] = []
    start = 0
    for run in EAST_ASIAN.finditer(text):
        parts.append(_printable(text[start : run.start()]))
        parts.append(f'<font name="{east_asian_font(run)}">{escape(run[0])}</font>')
        start = run.end()
    parts.append(_printable(text[start:]))
    return "".join(parts)


def _printable(text: str) -> str:
    """The text, escaped. Letters that our fonts lack, and hidden characters, are replaced by a box."""
    parts: list[str] = []
    start = 0
    for run in RUNS.finditer(text):
        parts.append(_boxed(text[start : run.start()], _characters()))
        script = str(run.lastgroup)
        word = _boxed(run[0], letters.characters(script))
        # The box is in no font of a script.
        word = word.replace(MISSING, f'</font>{MISSING}<font name="{script}">')
        parts.append(f'<font name="{script}">{word}</font>')
        start = run.end()
    parts.append(_boxed(text[start:], _characters()))
    return "".join(parts)


def _boxed(text: str, known: frozenset[int]) -> str:
    for char in set(text):
        is_hidden = unicodedata.category(char) in HIDDEN and char not in JOINERS
        if char.isspace():
            text = text.replace(char, " ")
        elif is_hidden or ord(char) not in known:
            text = text.replace(char, MISSING)
    return escape(text)


def lacks_letters(text: str) -> bool:
    """Whether letters of the text are printed as boxes, because no font has them."""
    for char in EAST_ASIAN.sub("", unicodedata.normalize("NFC", text)):
        if char.isalpha() and ord(char) not in _characters() and not letters.has(char):
            return True
    return False


@cache
def _characters() -> frozenset[int]:
    """The characters that our fonts have."""
    return frozenset(pdfmetrics.getFont(REGULAR).face.charToGlyph)


def cell(text: str, style: ParagraphStyle, width: float) -> Paragraph:
    """A table cell whose text is shortened until the cell fits on a page.

    reportlab does not split rows, and a row taller than a page stops the layout with an error.
    """
    content = paragraph(text, style, breaks=True)
    if len(text) < SURELY_FITS and "\n" not in text:
        return content
    _, height = content.wrap(width, 1e6)
    while height > TALLEST and len(text) > 1:
        # As much of the text as would fit if all lines were equally long.
        length = min(len(text), LONGEST) * int(TALLEST) // int(height + 1)
        text = text[:length]
        content = paragraph(f"{text}…", style, breaks=True)
        _, height = content.wrap(width, 1e6)
    return content


def table(
    rows: Sequence[Sequence[object]],
    widths: Sequence[float],
    *,
    head: int = 0,
    above: float = 3,
    below: float = 4,
) -> Table:
    """A table with a line below each row. The first `head` rows are repeated on every page.

    `above` and `below` are the padding of a row, in points.
    """
    rules = [
        ("VALIGN", *ALL_CELLS, "TOP"),
        ("LINEBELOW", *ALL_CELLS, 0.4, LINE),
        ("LEFTPADDING", *ALL_CELLS, 0),
        ("TOPPADDING", *ALL_CELLS, above),
        ("BOTTOMPADDING", *ALL_CELLS, below),
    ]
    return Table(rows, colWidths=widths, repeatRows=head, style=rules)


def facts(rows: Sequence[Sequence[object]], widths: Sequence[float]) -> Table:
    """Names and values, with a grey background in every second row."""
    rules = [
        ("VALIGN", *ALL_CELLS, "TOP"),
        ("ROWBACKGROUNDS", *ALL_CELLS, [WASH, white]),
        ("TOPPADDING", *ALL_CELLS, 2),
        ("BOTTOMPADDING", *ALL_CELLS, 3),
    ]
    return Table(rows, colWidths=widths, style=rules)


def beside(left: object, right: object, *, width: float) -> Table:
    """Two parts side by side. `width` is the width of the right part, in points."""
    rules = [
        ("VALIGN", *ALL_CELLS, "MIDDLE"),
        ("LEFTPADDING", *ALL_CELLS, 0),
        ("RIGHTPADDING", *ALL_CELLS, 0),
    ]
    return Table([[left, right]], colWidths=[WIDTH - width, width], style=rules)


def badge(text: str, tone: str, size: float = 9) -> Table:
    """A word in white on a background in the colour of its tone."""
    font = style(size, bold=True, color=white, alignment=TA_CENTER)
    word = paragraph(text, font)
    rules = [
        ("BACKGROUND", *ALL_CELLS, TONES[tone]),
        ("ROUNDEDCORNERS", [4, 4, 4, 4]),
        ("TOPPADDING", *ALL_CELLS, 2),
        ("BOTTOMPADDING", *ALL_CELLS, size * 0.45),
    ]
    return Table([[word]], colWidths=[34 * mm], style=rules)


class PagePicture(Flowable):
    """A page of a document, with boxes drawn on it.

    `size` is the width and the height in points. A box is a tone and its edges as fractions of the
    page. Without an image, an empty page is drawn.
    """

    def __init__(
        self,
        image: ImageReader | None,
        size: tuple[float, float],
        boxes: Sequence[tuple[str, Rectangle]],
    ) -> None:
        super().__init__()
        self.image = image
        self.size = size
        self.boxes = boxes

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
            # A box is measured from the top of the page; reportlab measures from the bottom.
            left = x0 * width - AROUND
            bottom = (1 - y1) * height - AROUND
            box_width = (x1 - x0) * width + 2 * AROUND
            box_height = (y1 - y0) * height + 2 * AROUND
            canvas.setStrokeColor(TONES.get(tone, FAINT))
            canvas.rect(left, bottom, box_width, box_height)


def build(
    story: Sequence[object],
    *,
    title: str,
    author: str,
    subject: str,
    foot: Sequence[Paragraph],
) -> bytes:
    """Make the PDF: the story on A4 pages.

    Each page ends with the lines of `foot`, its number and the count of pages.
    """
    out = io.BytesIO()
    template = BaseDocTemplate(
        out, pagesize=A4, title=title, author=author, subject=subject
    )
    height = A4[1] - FOOT - TOP
    frame = Frame(MARGIN, FOOT, WIDTH, height, 0, 0, 0, 0)

    def finish(canvas: Canvas, _document: BaseDocTemplate) -> None:
        _draw_foot(canvas, foot)

    template.addPageTemplates([PageTemplate(frames=[frame], onPage=finish)])
    template.build(list(story), canvasmaker=_NumberedCanvas)
    return out.getvalue()


class _NumberedCanvas(Canvas):
    """Writes "Page 2 of 4" on each page: the count is known when the last page is drawn."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._pages: list[dict[str, Any]] = []

    def showPage(self) -> None:  # noqa: N802 - the name is reportlab's
        self._pages.append(dict(self.__dict__))
        self._startPage()

    def save(self) -> None:
        for number, page in enumerate(self._pages, 1):
            self.__dict__.update(page)
            self.setFont(REGULAR, 7.5)
            self.setFillColor(FAINT)
            words = f"Page {number} of {len(self._pages)}"
            self.drawRightString(A4[0] - MARGIN, 12.4 * mm, words)
            super().showPage()
        super().save()


def _draw_foot(canvas: Canvas, lines: Sequence[Paragraph]) -> None:
    canvas.saveState()
    canvas.setStrokeColor(LINE)
    canvas.setLineWidth(0.5)
    right = A4[0] - MARGIN
    canvas.line(MARGIN, 16 * mm, right, 16 * mm)
    bottom = 15 * mm
    for line in lines:
        # Leave room for the page number beside the text.
        _, height = line.wrapOn(canvas, WIDTH - 26 * mm, 10 * mm)
        bottom -= height
        line.drawOn(canvas, MARGIN, bottom)
    canvas.restoreState()
