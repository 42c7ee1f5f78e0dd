"""The report of a period as a PDF."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.conf import settings
from django.contrib.auth.models import User
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus.flowables import Flowable
from reportlab.platypus.paragraph import Paragraph

from papers.writing import report as paper
from papers.writing.report import BODY, SMALL, STRONG, WIDTH
from reviews.records import report_content
from reviews.records.period_figures import PeriodReport, Section
from reviews.records.report import FOOT, TITLE, headed

# Widths of the columns, as shares of the page width.
COLUMNS = (0.6, 0.2, 0.2)
SAMPLE_COLUMNS = (0.4, 0.2, 0.4)


def pdf(report: PeriodReport, *, by: User, at: datetime) -> bytes:
    paper.register_fonts(settings.VENDORED_DIR)
    name = report_content.name(by)
    origin = f"Made {at:%Y-%m-%d %H:%M} UTC for {name}, of the cases that {name} sees"
    return paper.build(
        list(_story(report)),
        title=f"Report of the period {report.period}",
        author="Compliance desk",
        subject=str(report.period),
        foot=[_p(origin, FOOT)],
    )


def _story(report: PeriodReport) -> Iterator[Flowable]:
    yield _p(f"Report of the period {report.period}", TITLE)
    yield _p(
        "Days of UTC, both included. A decision counts on the day on which it was final.",
        SMALL,
    )
    for section in report.sections:
        yield from _section(section)
    if report.samples:
        yield from headed("Cases drawn for a full look")
        rows = [["Case", "Bulk approval", "Full look"]]
        for sample in report.samples:
            number = str(sample.line.approval_id)
            rows.append([sample.line.case.reference, number, sample.words])
        yield _table(rows, SAMPLE_COLUMNS)


def _section(section: Section) -> Iterator[Flowable]:
    yield from headed(section.title)
    rows = [["Figure", "Count", "Share"]]
    for figure in section.figures:
        share = figure.share
        if share and figure.of is not None:
            share = f"{share} of {figure.of:,}"
        rows.append([figure.name, figure.words, share])
    yield _table(rows, COLUMNS)
    if section.note:
        yield _p(section.note, SMALL)


def _table(rows: list[list[str]], shares: tuple[float, ...]) -> Flowable:
    columns = [WIDTH * share for share in shares]
    head, *body = rows
    cells = [[_p(words, STRONG) for words in head]]
    for row in body:
        cells.append(
            [
                paper.cell(words, BODY, width)
                for words, width in zip(row, columns, strict=True)
            ]
        )
    return paper.table(cells, columns, head=1)


def _p(words: str, style: ParagraphStyle) -> Paragraph:
    return paper.paragraph(words, style, breaks=True)
