"""The pages of a report: a head with the recommendation, an overview of checks, then details."""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from django.conf import settings
from django.utils.timezone import now
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import Paragraph
from reportlab.platypus.flowables import Flowable, KeepTogether, Spacer

from agenthub.models import Agent, AgentJob, CheckRun, ToolRun
from agenthub.reports import findings
from agenthub.reports.findings import Line
from checks import registry
from checks.base import alerts_of
from papers.writing import report
from papers.writing.report import FAINT, TONES, WIDTH, badge, paragraph, style

RECOMMENDATIONS = {"Approve": "pass", "Deny": "fail", "Review": "warn"}
VERDICTS = {
    "pass": ("Passed", "pass"),
    "fail": ("Failed", "fail"),
    "review": ("Review", "warn"),
    "inconclusive": ("Could not tell", "warn"),
    "not_applicable": ("Not applicable", "plain"),
}
MOST_DOCUMENTS = 30
MOST_ALERTS = 20
TEXT = style()


def draw(job: AgentJob) -> bytes:
    """The report of a job in its current state."""
    report.register_fonts(settings.VENDORED_DIR)
    drawn_at = now()
    story: list[Flowable] = [*_head(job), *_overview(job)]
    for run in job.check_runs.order_by("id").prefetch_related("tool_runs"):
        story += _check(run)
    story += _attested(job)
    return _build(
        story,
        title=f"Report on {job.subject or job.case_id}",
        subject=f"Job {job.job_id}",
        foot=f"Case {job.case_id[:60]} · job {job.job_id} · drawn {_moment(drawn_at)}",
    )


def draw_test() -> bytes:
    """A report without a case, for clients that try the download."""
    report.register_fonts(settings.VENDORED_DIR)
    words = "This file shows that the download works. It contains no case, and no check was run."
    story = [
        _text("Test report", style(20, bold=True)),
        Spacer(0, 6 * mm),
        _text(words),
    ]
    foot = f"Test report · drawn {_moment(now())}"
    return _build(
        story,
        title="Test report",
        subject="Test report",
        foot=foot,
    )


def _build(story: list[Flowable], *, title: str, subject: str, foot: str) -> bytes:
    line = _text(foot, style(7.5, color=FAINT))
    return report.build(
        story,
        title=title,
        author="Compliance hub",
        subject=subject,
        foot=[line],
    )


def _text(
    text: object, style: ParagraphStyle = TEXT, *, longest: int = 1200
) -> Paragraph:
    return paragraph(text, style, longest=longest)


def _head(job: AgentJob) -> list[Flowable]:
    if job.agent.kind == Agent.Kind.KYB:
        kind = "Business"
    else:
        kind = "Individual"
    title = [
        _text(f"{kind} review", style(8.5, bold=True, color=FAINT)),
        _text(job.subject or job.case_id, style(20, bold=True), longest=120),
    ]
    tone = RECOMMENDATIONS.get(job.recommendation, "plain")
    words = job.recommendation or job.get_status_display()
    top = report.beside(title, badge(words, tone, 11), width=36 * mm)
    lines = [
        Line("Case", job.case_id),
        Line("Agent", job.agent.name),
        Line("Job", str(job.job_id)),
        Line("Started", _moment(job.created_at)),
        Line("Status", f"{job.get_status_display()}, {_moment(job.updated_at)}"),
    ]
    if job.recommendation_reasons:
        lines.append(Line("Lacks for Approve", " ".join(job.recommendation_reasons)))
    if job.error:
        lines.append(Line("Reason", job.error))
    return [
        top,
        Spacer(0, 4 * mm),
        _facts(lines),
        Spacer(0, 6 * mm),
    ]


def _overview(job: AgentJob) -> list[Flowable]:
    rows = []
    for run in job.check_runs.order_by("id"):
        rows.append(_overview_row(run))
    if not rows:
        return [_text("No check of this job has started yet.", style(color=FAINT))]
    widths = [48 * mm, 38 * mm, WIDTH - 86 * mm]
    return [
        _heading("Checks at a glance"),
        report.table(rows, widths, above=5, below=6),
        Spacer(0, 6 * mm),
    ]


def _overview_row(run: CheckRun) -> list[Flowable]:
    word, tone = _verdict(run)
    explanation = run.result.get("explanation") or ""
    return [
        _text(_title(run), style(bold=True)),
        badge(word, tone, 7.5),
        _text(explanation, longest=400),
    ]


def _check(run: CheckRun) -> list[Flowable]:
    word, tone = _verdict(run)
    verdict = badge(word, tone, 8)
    head = report.beside(_heading(_title(run)), verdict, width=36 * mm)
    explanation = run.result.get("explanation") or "Nothing was said yet."
    story: list[Flowable] = [
        KeepTogether([head, _text(explanation)]),
        Spacer(0, 2 * mm),
    ]
    warning = style(color=TONES["warn"])
    for alert in alerts_of(run.result)[:MOST_ALERTS]:
        story.append(_text(f"! {alert}", warning))
    has_documents = _has_documents(run)
    tools = list(run.tool_runs.all())
    for tool in tools[: MOST_DOCUMENTS * 3]:
        name = _document(tool) if has_documents else "Findings"
        story += _tool(tool, name)
    story.append(Spacer(0, 6 * mm))
    return story


def _tool(tool: ToolRun, name: str) -> list[Flowable]:
    title = _text(f"{name} · {tool.tool_id}", style(8, bold=True, color=FAINT))
    explanation = _text(tool.results.get("explanation") or "")
    story: list[Flowable] = [
        Spacer(0, 2 * mm),
        KeepTogether([title, explanation]),
        Spacer(0, 1 * mm),
    ]
    lines = findings.of_payload(tool.results.get("payload"))
    if lines:
        story.append(_facts(lines))
    return story


def _document(tool: ToolRun) -> str:
    words = f"Document {tool.document + 1}"
    payload = tool.results.get("payload")
    if isinstance(payload, Mapping):
        document = payload.get("document")
    else:
        document = None
    if isinstance(document, Mapping):
        file_name = findings.one_line(document)[:60]
        if file_name:
            words = f"{words}, {file_name}"
    return words


def _has_documents(run: CheckRun) -> bool:
    try:
        return bool(registry.get(run.check_id).documents)
    except registry.UnknownCheckError:
        return False


def _attested(job: AgentJob) -> list[Flowable]:
    data = job.schema.get("self_attested_data")
    if not isinstance(data, Mapping):
        return []
    lines = findings.of_fields(data)
    if not lines:
        return []
    return [_heading("As attested"), _facts(lines)]


def _facts(lines: Sequence[Line]) -> Flowable:
    rows = []
    for line in lines:
        is_bold = line.tone != "plain"
        name_style = style(8.5, color=TONES[line.tone], bold=is_bold)
        name = _text(line.name, name_style, longest=120)
        text = _text(line.text, style(8.5), longest=900)
        rows.append([name, text])
    widths = [48 * mm, WIDTH - 48 * mm]
    return report.facts(rows, widths)


def _heading(text: str) -> Paragraph:
    return _text(text, style(12.5, bold=True, spaceAfter=2 * mm), longest=160)


def _title(run: CheckRun) -> str:
    try:
        return registry.get(run.check_id).title
    except registry.UnknownCheckError:
        return run.check_id


def _verdict(run: CheckRun) -> tuple[str, str]:
    if run.status == CheckRun.Status.FAILED:
        return "Could not run", "warn"
    if run.status != CheckRun.Status.COMPLETED:
        return run.get_status_display(), "plain"
    return VERDICTS.get(str(run.result.get("verdict")), ("No verdict", "plain"))


def _moment(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
