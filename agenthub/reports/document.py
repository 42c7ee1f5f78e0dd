"""The pages of a report: a head with the recommendation, the checks at a glance, each in detail."""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from django.utils.timezone import now
from reportlab.lib.colors import Color, HexColor, white
from reportlab.lib.enums import TA_CENTER
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph, Table
from reportlab.platypus.flowables import Flowable, KeepTogether, Spacer

from agenthub.models import Agent, AgentJob, CheckRun, ToolRun
from agenthub.reports import findings, fonts
from agenthub.reports.findings import Line
from agenthub.reports.words import marked
from checks import registry
from checks.base import alerts_of

INK, MUTED, RULE, WASH = (HexColor(h) for h in ("#16202c", "#5b6775", "#d9dfe6", "#f4f6f9"))
TONES: Mapping[str, Color] = {
    "pass": HexColor("#1c7a4d"),
    "fail": HexColor("#b42331"),
    "review": HexColor("#9a6200"),
    "plain": MUTED,
}
RECOMMENDATIONS = {"Approve": "pass", "Deny": "fail", "Review": "review"}
VERDICTS = {
    "pass": ("Passed", "pass"),
    "fail": ("Failed", "fail"),
    "review": ("Review", "review"),
    "inconclusive": ("Could not tell", "review"),
    "not_applicable": ("Not applicable", "plain"),
}
WIDTH = A4[0] - 40 * mm
MOST_DOCUMENTS = 30
MOST_ALERTS = 20
FLUSH = [("LEFTPADDING", (0, 0), (-1, -1), 0), ("RIGHTPADDING", (0, 0), (-1, -1), 0)]


def draw(job: AgentJob) -> bytes:
    """The report of a job, at whatever stage it is."""
    fonts.register()
    drawn_at = now()
    story: list[Any] = [*_head(job), *_overview(job)]
    for run in job.check_runs.order_by("id").prefetch_related("tool_runs"):
        story += _check(run)
    story += _attested(job)
    return _built(
        story,
        title=f"Report on {job.subject or job.case_id}",
        subject=f"Job {job.job_id}",
        foot=f"Case {job.case_id[:60]} · job {job.job_id} · drawn {_moment(drawn_at)}",
    )


def draw_test() -> bytes:
    """A report that tells of no case: for clients that try the download."""
    fonts.register()
    words = "This file shows that the download works. It tells of no case, and no check was run."
    story = [_text("Test report", _style(20, bold=True)), Spacer(0, 6 * mm), _text(words)]
    foot = f"Test report · drawn {_moment(now())}"
    return _built(story, title="Test report", subject="Test report", foot=foot)


def _built(story: list[Any], *, title: str, subject: str, foot: str) -> bytes:
    out = io.BytesIO()
    template = BaseDocTemplate(
        out, pagesize=A4, title=title, author="Compliance hub", subject=subject
    )
    frame = Frame(20 * mm, 22 * mm, WIDTH, A4[1] - 40 * mm, 0, 0, 0, 0)

    def page(canvas: Canvas, document: BaseDocTemplate) -> None:
        _foot(canvas, foot, document.page)

    template.addPageTemplates(PageTemplate(frames=[frame], onPage=page))
    template.build(story)
    return out.getvalue()


def _style(size: float = 9, *, bold: bool = False, color: Color = INK, **more: Any) -> Any:
    name = fonts.BOLD if bold else fonts.REGULAR
    return ParagraphStyle("", fontName=name, fontSize=size, leading=size * 1.42, textColor=color, **more)  # fmt: skip


def _text(text: object, style: Any = None, *, longest: int = 1200) -> Paragraph:
    return Paragraph(marked(text, longest=longest), style or _style())


def _badge(text: str, tone: str, size: float = 9) -> Table:
    style = _style(size, bold=True, color=white, alignment=TA_CENTER)
    badge = Table([[_text(text, style)]], colWidths=[34 * mm])
    badge.setStyle(
        [
            ("BACKGROUND", (0, 0), (-1, -1), TONES[tone]),
            ("ROUNDEDCORNERS", [4, 4, 4, 4]),
            ("TOPPADDING", (0, 0), (-1, -1), 2),
            ("BOTTOMPADDING", (0, 0), (-1, -1), size * 0.45),
        ]
    )
    return badge


def _head(job: AgentJob) -> list[Any]:
    kind = "Business" if job.agent.kind == Agent.Kind.KYB else "Individual"
    tone = RECOMMENDATIONS.get(job.recommendation, "plain")
    said = job.recommendation or job.get_status_display()
    title = [
        _text(f"{kind} review", _style(8.5, bold=True, color=MUTED)),
        _text(job.subject or job.case_id, _style(20, bold=True), longest=120),
    ]
    top = Table([[title, _badge(said, tone, 11)]], colWidths=[WIDTH - 36 * mm, 36 * mm])
    top.setStyle([("VALIGN", (0, 0), (-1, -1), "MIDDLE"), *FLUSH])
    facts = [
        ("Case", job.case_id),
        ("Agent", job.agent.name),
        ("Job", str(job.job_id)),
        ("Started", _moment(job.created_at)),
        ("Status", f"{job.get_status_display()}, {_moment(job.updated_at)}"),
    ]
    if job.recommendation_reasons:
        facts.append(("Lacks for Approve", " ".join(job.recommendation_reasons)))
    if job.error:
        facts.append(("Reason", job.error))
    return [top, Spacer(0, 4 * mm), _facts([Line(*fact) for fact in facts]), Spacer(0, 6 * mm)]


def _overview(job: AgentJob) -> list[Any]:
    runs = list(job.check_runs.order_by("id"))
    if not runs:
        return [_text("No check of this job has started yet.", _style(color=MUTED))]
    rows = [
        [
            _text(_title(run), _style(bold=True)),
            _badge(*_verdict(run), 7.5),
            _text(run.result.get("explanation") or "", longest=400),
        ]
        for run in runs
    ]
    table = Table(rows, colWidths=[48 * mm, 38 * mm, WIDTH - 86 * mm])
    table.setStyle(
        [
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("LINEBELOW", (0, 0), (-1, -1), 0.5, RULE),
            ("TOPPADDING", (0, 0), (-1, -1), 5),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 6),
            ("LEFTPADDING", (0, 0), (0, -1), 0),
        ]
    )
    return [_heading("Checks at a glance"), table, Spacer(0, 6 * mm)]


def _check(run: CheckRun) -> list[Any]:
    word, tone = _verdict(run)
    head = Table([[_heading(_title(run)), _badge(word, tone, 8)]], colWidths=[WIDTH - 36 * mm, 36 * mm])  # fmt: skip
    head.setStyle([("VALIGN", (0, 0), (-1, -1), "MIDDLE"), *FLUSH])
    explained = _text(run.result.get("explanation") or "Nothing was said yet.")
    story: list[Any] = [KeepTogether([head, explained]), Spacer(0, 2 * mm)]
    warning = _style(color=TONES["review"])
    story += [_text(f"! {alert}", warning) for alert in alerts_of(run.result)[:MOST_ALERTS]]
    for tool in list(run.tool_runs.all())[: MOST_DOCUMENTS * 3]:
        lines = findings.of_payload(tool.results.get("payload"))
        name = _document(tool) if _has_documents(run) else "Findings"
        words = _text(f"{name} · {tool.tool_id}", _style(8, bold=True, color=MUTED))
        said = _text(tool.results.get("explanation") or "")
        story += [Spacer(0, 2 * mm), KeepTogether([words, said]), Spacer(0, 1 * mm)]
        if lines:
            story.append(_facts(lines))
    return [*story, Spacer(0, 6 * mm)]


def _document(tool: ToolRun) -> str:
    payload = tool.results.get("payload")
    named = payload.get("document") if isinstance(payload, Mapping) else None
    file_name = findings.one_line(named)[:60] if isinstance(named, Mapping) else ""
    return f"Document {tool.document + 1}" + (f", {file_name}" if file_name else "")


def _has_documents(run: CheckRun) -> bool:
    try:
        return bool(registry.get(run.check_id).documents)
    except registry.UnknownCheckError:
        return False


def _attested(job: AgentJob) -> list[Any]:
    data = job.schema.get("self_attested_data")
    lines = findings.of_fields(data) if isinstance(data, Mapping) else []
    return [_heading("As attested"), _facts(lines)] if lines else []


def _facts(lines: Sequence[Line]) -> Flowable:
    rows = [
        [
            _text(line.name, _style(8.5, color=TONES[line.tone], bold=line.tone != "plain"), longest=120),
            _text(line.text, _style(8.5), longest=900),
        ]
        for line in lines
    ]  # fmt: skip
    table = Table(rows, colWidths=[48 * mm, WIDTH - 48 * mm])
    table.setStyle(
        [
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("ROWBACKGROUNDS", (0, 0), (-1, -1), [WASH, white]),
            ("TOPPADDING", (0, 0), (-1, -1), 2),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
        ]
    )
    return table


def _heading(text: str) -> Paragraph:
    return _text(text, _style(12.5, bold=True, spaceAfter=2 * mm), longest=160)


def _title(run: CheckRun) -> str:
    try:
        return registry.get(run.check_id).title
    except registry.UnknownCheckError:
        return run.check_id


def _verdict(run: CheckRun) -> tuple[str, str]:
    if run.status == CheckRun.Status.FAILED:
        return "Could not run", "review"
    if run.status != CheckRun.Status.COMPLETED:
        return run.get_status_display(), "plain"
    return VERDICTS.get(str(run.result.get("verdict")), ("No verdict", "plain"))


def _moment(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def _foot(canvas: Canvas, text: str, page: int) -> None:
    canvas.saveState()
    canvas.setStrokeColor(RULE)
    canvas.setLineWidth(0.5)
    canvas.line(20 * mm, 16 * mm, A4[0] - 20 * mm, 16 * mm)
    foot = _text(text, _style(7.5, color=MUTED))
    foot.wrapOn(canvas, WIDTH - 20 * mm, 10 * mm)
    foot.drawOn(canvas, 20 * mm, 11.5 * mm)
    canvas.setFont(fonts.REGULAR, 7.5)
    canvas.setFillColor(MUTED)
    canvas.drawRightString(A4[0] - 20 * mm, 12.4 * mm, f"Page {page}")
    canvas.restoreState()
