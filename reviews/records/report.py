"""The printed report of a case: what was decided and why, what was found, and where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from django.conf import settings
from django.contrib.auth.models import User
from PIL import Image as Raster
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.utils import ImageReader
from reportlab.platypus.flowables import Flowable, HRFlowable, KeepTogether, Spacer
from reportlab.platypus.paragraph import Paragraph
from reportlab.platypus.tables import Table

from compliance.storage.stored_files import StoredError
from papers import report
from papers.report import BODY, DIGEST, INK, SMALL, STRONG, TONES, WIDTH, style
from reviews import results
from reviews.documents import page_images
from reviews.findings.review_state import ReviewState
from reviews.models import Case, Chain, Decision, Page
from reviews.records import report_content

SHOWN_PAGES = 24  # of all documents; the originals are in the pack
PAGES_IN_A_ROW, TALLEST_PAGE = 3, 230
TITLE = style(17, leading=21, bold=True)
HEADING = style(11, leading=14, bold=True, spaceBefore=15)
SUBHEADING = style(9, leading=12.5, bold=True, spaceBefore=7, spaceAfter=2)
FOOT = style(7, leading=9, color=report.FAINT)
SEAL = ParagraphStyle("", DIGEST, fontSize=5.6, leading=8)


def pdf(case: Case, *, by: User, at: datetime, head: Chain) -> bytes:
    """The report as a PDF, made for `by` at `at`, when the audit trail ended at `head`."""
    report.register_fonts(settings.VENDORED_DIR)
    made = (
        f"{case.reference} · made {at:%Y-%m-%d %H:%M} UTC for {report_content.name(by)}"
    )
    seal = f"Audit trail to line {head.seq}, {head.hash}"
    return report.build(
        list(_story(case, ReviewState.of(case))),
        title=f"Case report: {case.subject}",
        author="Compliance desk",
        subject=case.reference,
        foot=[_p(made, FOOT), _p(seal, SEAL)],
    )


def _story(case: Case, situation: ReviewState) -> Iterator[Flowable]:
    decided = list(case.decisions.select_related("made_by", "second_by"))
    yield _p(f"Case report: {case.subject}", TITLE)
    opened = f"{case.reference} · {case.get_kind_display()} · opened {case.created_at:%Y-%m-%d}"
    yield _p(f"{opened} · {case.status_word}", SMALL)
    yield Spacer(1, 8)
    yield _facts(case, decided)
    for words in report_content.agent_reasons(situation):
        yield _p(f"Agent: {words}", SMALL)
    for decision in decided:
        yield from _decision(decision)
    yield from _checks(situation)
    titles = {document.pk.hex: document.file_name for document in situation.documents}
    for part in situation.parts:
        yield from _part(part, titles, situation)
    yield from _documents(situation)
    yield from _trail(case)


def _facts(case: Case, decided: Sequence[Decision]) -> Table:
    cells = report_content.facts(case, decided)
    rows = [
        [_p(name, SMALL) for name in cells],
        [_p(value, STRONG) for value in cells.values()],
    ]
    return Table(
        rows, colWidths=[WIDTH / 4] * 4, style=[("LEFTPADDING", (0, 0), (-1, -1), 0)]
    )


def _decision(decision: Decision) -> Iterator[Flowable]:
    yield from _headed(f"Decision: {report_content.outcome(decision)}")
    yield _p(
        f"{report_content.name(decision.made_by)}, {decision.made_at:%Y-%m-%d %H:%M} UTC",
        SMALL,
    )
    yield _p(report_content.reasons(decision), SMALL)
    yield _p(decision.rationale)
    for words in report_content.later(decision):
        yield _p(words)


def _checks(situation: ReviewState) -> Iterator[Flowable]:
    yield from _headed("Checks")
    rows = [["Check", "Verdict", "What it said", "What people said"]]
    for check in situation.checks:
        review = situation.reviews.get(check.id)
        by = (
            f"{review.get_kind_display()} by {report_content.name(review.by)}"
            if review
            else "-"
        )
        if review and review.reason:
            by = f"{by}: {review.reason}"
        verdict = report_content.state_word(check.verdict)
        rows.append([check.label, verdict, check.error or check.explanation or "-", by])
    yield _table(
        rows,
        (0.2, 0.14, 0.39, 0.27),
        tones=[
            report_content.TONES.get(check.verdict, "") for check in situation.checks
        ],
    )


def _part(
    part: results.Part, titles: dict[str, str], situation: ReviewState
) -> Iterator[Flowable]:
    if not part.findings:
        return
    about = titles.get(part.document, "")
    yield from _headed(f"{part.title}{f': {about}' if about else ''}")
    tones = [row.tone for row in part.findings]
    if isinstance(part.findings[0], results.Comparison):
        rows = [["Field", "Attested", "Document", "Result", "Page"]]
        rows += [
            _compared(row)
            for row in part.findings
            if isinstance(row, results.Comparison)
        ]
        yield _table(rows, (0.2, 0.27, 0.29, 0.16, 0.08), tones=tones, toned=3)
        return
    rows = [["", "Finding", "Page"]]
    for row in part.findings:
        dismissal = situation.dismissed.get(row)
        said = report_content.said(row)
        if dismissal:
            said = f"{said} Dismissed by {report_content.name(dismissal.by)}: {dismissal.reason}"
        rows.append([report_content.word(row), said, str(row.page or "")])
    yield _table(rows, (0.14, 0.78, 0.08), tones=tones, toned=0)


def _compared(row: results.Comparison) -> list[str]:
    one, other = (
        " ".join(run.text for run in side) for side in (row.attested, row.extracted)
    )
    return [
        row.label,
        one or "-",
        other or "-",
        report_content.state_word(row.state),
        str(row.page or ""),
    ]


def _documents(situation: ReviewState) -> Iterator[Flowable]:
    if not situation.documents:
        return
    yield from _headed("Documents and evidence")
    shown = 0
    for document in situation.documents:
        yield _p(document.file_name, SUBHEADING)
        facts = f"{document.get_kind_display()} · {document.size:,} bytes · sha256 {document.sha256}"
        yield _p(facts, DIGEST)
        key = document.pk.hex
        found = [
            row
            for part in situation.parts
            if part.document == key
            for row in part.findings
        ]
        pages = list(document.pages.defer("words")[: SHOWN_PAGES - shown])
        shown += len(pages)
        for first in range(0, len(pages), PAGES_IN_A_ROW):
            row = pages[first : first + PAGES_IN_A_ROW]
            cells = [_picture(page, found) for page in row]
            yield Table(
                [cells], hAlign="LEFT", style=[("LEFTPADDING", (0, 0), (-1, -1), 0)]
            )
    if shown >= SHOWN_PAGES:
        yield _p("Further pages are in the documents themselves.", SMALL)


def _picture(page: Page, findings: Sequence[results.Finding]) -> report.PagePicture:
    """One page as the desk drew it, with the places of the findings."""
    width = int(WIDTH / PAGES_IN_A_ROW - 6)
    height = min(width * page.height // max(1, page.width), TALLEST_PAGE)
    boxes = [
        (row.tone, (box.x0, box.y0, box.x1, box.y1))
        for row in findings
        for box in row.boxes
        if box.page == page.number
    ]
    return report.PagePicture(_image(page), (width, height), boxes)


def _image(page: Page) -> ImageReader | None:
    try:
        with (
            page_images.image(page) as file,
            Raster.open(file, formats=("WEBP",)) as raster,
        ):
            raster.thumbnail((700, 1000))
            return ImageReader(raster.convert("RGB"))
    except (OSError, StoredError):
        return (
            None  # the drawn image is gone, or another one; the original is in the pack
        )


def _trail(case: Case) -> Iterator[Flowable]:
    yield from _headed("Audit trail")
    events = case.events.select_related("seal").order_by("id")
    rows = [["Line", "Time (UTC)", "Who", "What"]]
    for event in events:
        seal = getattr(event, "seal", None)
        at = f"{event.at:%Y-%m-%d %H:%M:%S}"
        line = str(seal.seq) if seal else "-"
        rows.append([line, at, report_content.who(event), report_content.what(event)])
    yield _table(rows, (0.08, 0.19, 0.15, 0.58))


def _headed(words: str) -> Iterator[Flowable]:
    rule = HRFlowable(
        width="100%", thickness=0.8, color=INK, spaceBefore=3, spaceAfter=3
    )
    yield KeepTogether([_p(words, HEADING), rule])


def _table(
    rows: Sequence[Sequence[str]],
    widths: Sequence[float],
    *,
    tones: Sequence[str] = (),
    toned: int = 1,
) -> Table:
    columns = [WIDTH * part for part in widths]
    cells = [[_p(cell, STRONG) for cell in rows[0]]]
    for index, row in enumerate(rows[1:]):
        styles = [BODY] * len(row)
        if tones:
            styles[toned] = style(9, leading=12.5, color=TONES.get(tones[index], INK))
        cells.append(list(map(report.cell, row, styles, columns)))
    return report.table(cells, columns, head=1)


def _p(words: str, style: ParagraphStyle = BODY) -> Paragraph:
    return report.paragraph(words, style, breaks=True)
