"""The printed report of a case: what was decided and why, what was found, and where."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any
from xml.sax.saxutils import escape

from django.contrib.auth.models import User
from PIL import Image as Raster
from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus.doctemplate import BaseDocTemplate, PageTemplate
from reportlab.platypus.flowables import Flowable, HRFlowable, KeepTogether, Spacer
from reportlab.platypus.frames import Frame
from reportlab.platypus.paragraph import Paragraph
from reportlab.platypus.tables import Table, TableStyle

from compliance.stored import StoredError
from reviews import fonts, pages, record, results
from reviews.models import Case, Chain, Decision, Page
from reviews.situation import Situation

INK, FAINT, LINE = HexColor("#16181d"), HexColor("#5b616e"), HexColor("#d9dce3")
TONES = {
    "pass": HexColor("#11734b"),
    "fail": HexColor("#b3261e"),
    "warn": HexColor("#8a5a00"),
    "info": HexColor("#1f5fa8"),
}
MARGIN = 20 * mm
WIDTH = A4[0] - 2 * MARGIN
SHOWN_PAGES = 24  # of all documents; the originals are in the pack
LONGEST = 1_500  # characters of one value
TALLEST, SURELY_FITS = 600.0, 100  # points of a cell; characters that take less in any column

_BODY = ParagraphStyle("body", fontName="Inter", fontSize=9, leading=12.5, textColor=INK)
_SMALL = ParagraphStyle("small", _BODY, fontSize=7.5, leading=10, textColor=FAINT)
_BOLD = ParagraphStyle("bold", _BODY, fontName="Inter-Bold")
_TITLE = ParagraphStyle("title", _BODY, fontName="Inter-Bold", fontSize=17, leading=21)
_HEAD = ParagraphStyle(
    "head", _BODY, fontName="Inter-Bold", fontSize=11, leading=14, spaceBefore=15
)
_SUB = ParagraphStyle("sub", _BOLD, spaceBefore=7, spaceAfter=2)
_MONO = ParagraphStyle("mono", _SMALL, fontName="Mono", fontSize=6.8, leading=9)


def pdf(case: Case, *, by: User, at: datetime, head: Chain) -> bytes:
    """The report as a PDF, made for `by` at `at`, when the audit trail ended at `head`."""
    fonts.register()
    buffer = io.BytesIO()
    made = f"{case.reference} · made {at:%Y-%m-%d %H:%M} UTC for {record.name(by)}"
    seal = f"Audit trail to line {head.seq}, {head.hash}"
    template = BaseDocTemplate(
        buffer, pagesize=A4, leftMargin=MARGIN, rightMargin=MARGIN, topMargin=18 * mm,
        bottomMargin=20 * mm, title=f"Case report: {case.subject}", author="Compliance desk",
        subject=case.reference,
    )  # fmt: skip
    frame = Frame(MARGIN, 20 * mm, WIDTH, A4[1] - 38 * mm, 0, 0, 0, 0)

    def foot(canvas: Canvas, document: BaseDocTemplate) -> None:
        canvas.setFont("Inter", 7)
        canvas.setFillColor(FAINT)
        canvas.drawString(MARGIN, 12 * mm, made)
        canvas.drawRightString(A4[0] - MARGIN, 12 * mm, f"Page {document.page}")
        canvas.setFont("Mono", 5.6)
        canvas.drawString(MARGIN, 9 * mm, seal)

    template.addPageTemplates([PageTemplate(frames=[frame], onPage=foot)])
    template.build(list(_story(case, Situation.of(case))))
    return buffer.getvalue()


def _story(case: Case, situation: Situation) -> Iterator[Flowable]:
    decided = list(case.decisions.select_related("made_by", "second_by"))
    yield _p(f"Case report: {case.subject}", _TITLE)
    opened = f"{case.reference} · {case.get_kind_display()} · opened {case.created_at:%Y-%m-%d}"
    yield _p(f"{opened} · {case.status_word}", _SMALL)
    yield Spacer(1, 8)
    yield _facts(case, decided)
    for words in record.agent_reasons(case):
        yield _p(f"Agent: {words}", _SMALL)
    for decision in decided:
        yield from _decision(decision)
    yield from _checks(situation)
    titles = {document.pk.hex: document.file_name for document in situation.documents}
    for part in situation.parts:
        yield from _part(part, titles, situation)
    yield from _documents(situation)
    yield from _trail(case)


def _facts(case: Case, decided: Sequence[Decision]) -> Table:
    cells = record.facts(case, decided)
    rows = [[_p(name, _SMALL) for name in cells], [_p(value, _BOLD) for value in cells.values()]]
    return Table(rows, colWidths=[WIDTH / 4] * 4, style=[("LEFTPADDING", (0, 0), (-1, -1), 0)])


def _decision(decision: Decision) -> Iterator[Flowable]:
    yield from _headed(f"Decision: {record.outcome(decision)}")
    yield _p(f"{record.name(decision.made_by)}, {decision.made_at:%Y-%m-%d %H:%M} UTC", _SMALL)
    yield _p(record.reasons(decision), _SMALL)
    yield _p(decision.rationale)
    for words in record.later(decision):
        yield _p(words)


def _checks(situation: Situation) -> Iterator[Flowable]:
    yield from _headed("Checks")
    rows = [["Check", "Verdict", "What it said", "What people said"]]
    for check in situation.checks:
        review = situation.reviews.get(check.id)
        by = f"{review.get_kind_display()} by {record.name(review.by)}" if review else "-"
        if review and review.reason:
            by = f"{by}: {review.reason}"
        verdict = record.state_word(check.verdict)
        rows.append([check.label, verdict, check.error or check.explanation or "-", by])
    yield _table(
        rows,
        (0.2, 0.14, 0.39, 0.27),
        tones=[record.TONES.get(check.verdict, "") for check in situation.checks],
    )


def _part(part: results.Part, titles: dict[str, str], situation: Situation) -> Iterator[Flowable]:
    if not part.findings:
        return
    about = titles.get(part.document, "")
    yield from _headed(f"{part.title}{f': {about}' if about else ''}")
    tones = [row.tone for row in part.findings]
    if isinstance(part.findings[0], results.Comparison):
        rows = [["Field", "Attested", "Document", "Result", "Page"]]
        rows += [_compared(row) for row in part.findings if isinstance(row, results.Comparison)]
        yield _table(rows, (0.2, 0.27, 0.29, 0.16, 0.08), tones=tones, toned=3)
        return
    rows = [["", "Finding", "Page"]]
    for row in part.findings:
        dismissal = situation.dismissed.get(row)
        said = record.said(row)
        if dismissal:
            said = f"{said} Dismissed by {record.name(dismissal.by)}: {dismissal.reason}"
        rows.append([record.word(row), said, str(row.page or "")])
    yield _table(rows, (0.14, 0.78, 0.08), tones=tones, toned=0)


def _compared(row: results.Comparison) -> list[str]:
    one, other = (" ".join(run.text for run in side) for side in (row.attested, row.extracted))
    return [row.label, one or "-", other or "-", record.state_word(row.state), str(row.page or "")]


def _documents(situation: Situation) -> Iterator[Flowable]:
    if not situation.documents:
        return
    yield from _headed("Documents and evidence")
    shown = 0
    for document in situation.documents:
        yield _p(document.file_name, _SUB)
        facts = (
            f"{document.get_kind_display()} · {document.size:,} bytes · sha256 {document.sha256}"
        )
        yield _p(facts, _MONO)
        key = document.pk.hex
        found = [row for part in situation.parts if part.document == key for row in part.findings]
        pages = list(document.pages.defer("words")[: SHOWN_PAGES - shown])
        shown += len(pages)
        for first in range(0, len(pages), 3):
            cells = [_Sheet(page, found) for page in pages[first : first + 3]]
            yield Table([cells], hAlign="LEFT", style=[("LEFTPADDING", (0, 0), (-1, -1), 0)])
    if shown >= SHOWN_PAGES:
        yield _p("Further pages are in the documents themselves.", _SMALL)


class _Sheet(Flowable):
    """One page as the desk drew it, with the places of the findings."""

    def __init__(self, page: Page, findings: Sequence[results.Finding]) -> None:
        super().__init__()
        self.page, self.findings = page, findings
        self.width = int(WIDTH / 3 - 6)
        self.height = min(self.width * page.height // max(1, page.width), 230)

    def draw(self) -> None:
        canvas: Any = self.canv
        if image := _image(self.page):
            canvas.drawImage(image, 0, 0, self.width, self.height)
        canvas.setLineWidth(0.5)
        canvas.setStrokeColor(LINE)
        canvas.rect(0, 0, self.width, self.height)
        for row in self.findings:
            canvas.setStrokeColor(TONES.get(row.tone, FAINT))
            for box in (box for box in row.boxes if box.page == self.page.number):
                left, high = box.x0 * self.width, (1 - box.y1) * self.height
                wide, tall = (box.x1 - box.x0) * self.width, (box.y1 - box.y0) * self.height
                canvas.rect(left, high, wide, tall)


def _image(page: Page) -> ImageReader | None:
    try:
        with pages.image(page) as file, Raster.open(file, formats=("WEBP",)) as raster:
            raster.thumbnail((700, 1000))
            return ImageReader(raster.convert("RGB"))
    except (OSError, StoredError):
        return None  # the drawn image is gone, or another one; the original is in the pack


def _trail(case: Case) -> Iterator[Flowable]:
    yield from _headed("Audit trail")
    events = case.events.select_related("seal").order_by("id")
    rows = [["Line", "Time (UTC)", "Who", "What"]]
    for event in events:
        seal = getattr(event, "seal", None)
        at = f"{event.at:%Y-%m-%d %H:%M:%S}"
        line = str(seal.seq) if seal else "-"
        rows.append([line, at, record.who(event), record.what(event)])
    yield _table(rows, (0.08, 0.19, 0.15, 0.58))


def _headed(words: str) -> Iterator[Flowable]:
    rule = HRFlowable(width="100%", thickness=0.8, color=INK, spaceBefore=3, spaceAfter=3)
    yield KeepTogether([_p(words, _HEAD), rule])


def _table(
    rows: Sequence[Sequence[str]],
    widths: Sequence[float],
    *,
    tones: Sequence[str] = (),
    toned: int = 1,
) -> Table:
    columns = [WIDTH * part for part in widths]
    styled = [[_p(cell, _BOLD) for cell in rows[0]]]
    for index, row in enumerate(rows[1:]):
        color = TONES.get(tones[index], INK) if tones else INK
        colored = ParagraphStyle("toned", _BODY, textColor=color)
        styled.append(
            [
                _cell(c, colored if n == toned and tones else _BODY, columns[n])
                for n, c in enumerate(row)
            ]
        )
    style = TableStyle(
        [
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("LINEBELOW", (0, 0), (-1, -1), 0.4, LINE),
            ("LEFTPADDING", (0, 0), (-1, -1), 0),
            ("TOPPADDING", (0, 0), (-1, -1), 3),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 4),
        ]
    )
    return Table(styled, colWidths=columns, repeatRows=1, style=style)


def _cell(words: str, style: ParagraphStyle, width: float) -> Paragraph:
    """A cell that a page has room for: a row is not split, and a taller one stops the layout."""
    made = _p(words, style)
    if len(words) < SURELY_FITS and "\n" not in words:
        return made
    while (height := made.wrap(width, 1e6)[1]) > TALLEST and len(words) > 1:
        words = words[: min(len(words), LONGEST) * int(TALLEST) // int(height + 1)]
        made = _p(f"{words}…", style)
    return made


def _p(words: str, style: ParagraphStyle = _BODY) -> Paragraph:
    """A paragraph of words that may hold anything: shown as they are, and cut where endless."""
    text = words if len(words) <= LONGEST else f"{words[:LONGEST]}…"
    return Paragraph(escape(_printable(text)).replace("\n", "<br/>"), style)


def _printable(text: str) -> str:
    return "".join(c for c in text if c >= " " or c == "\n")
