"""The pages of a report: a head with the recommendation, the checks at a glance, each in detail."""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.utils.timezone import now
from reportlab.lib.units import mm
from reportlab.platypus import Paragraph
from reportlab.platypus.flowables import Flowable, KeepTogether, Spacer

from agenthub.models import Agent, AgentJob, CheckRun, ToolRun
from agenthub.reports import findings
from agenthub.reports.findings import Line
from checks import registry
from checks.base import alerts_of
from papers import report
from papers.report import FAINT, TONES, WIDTH, badge, paragraph, style

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
    """The report of a job, at whatever stage it is."""
    report.register_fonts(settings.VENDORED_DIR)
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
    """A report that contains no case: for clients that try the download."""
    report.register_fonts(settings.VENDORED_DIR)
    words = "This file shows that the download works. It contains no case, and no check was run."
    story = [_text("Test report", style(20, bold=True)), Spacer(0, 6 * mm), _text(words)]
    foot = f"Test report · drawn {_moment(now())}"
    return _built(story, title="Test report", subject="Test report", foot=foot)


def _built(story: list[Any], *, title: str, subject: str, foot: str) -> bytes:
    line = _text(foot, style(7.5, color=FAINT))
    return report.build(story, title=title, author="Compliance hub", subject=subject, foot=[line])


def _text(text: object, style: Any = TEXT, *, longest: int = 1200) -> Paragraph:
    return paragraph(text, style, longest=longest)


def _head(job: AgentJob) -> list[Any]:
    kind = "Business" if job.agent.kind == Agent.Kind.KYB else "Individual"
    tone = RECOMMENDATIONS.get(job.recommendation, "plain")
    said = job.recommendation or job.get_status_display()
    title = [
        _text(f"{kind} review", style(8.5, bold=True, color=FAINT)),
        _text(job.subject or job.case_id, style(20, bold=True), longest=120),
    ]
    top = report.beside(title, badge(said, tone, 11), width=36 * mm)
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
        return [_text("No check of this job has started yet.", style(color=FAINT))]
    rows = [
        [
            _text(_title(run), style(bold=True)),
            badge(*_verdict(run), 7.5),
            _text(run.result.get("explanation") or "", longest=400),
        ]
        for run in runs
    ]
    table = report.table(rows, [48 * mm, 38 * mm, WIDTH - 86 * mm], above=5, below=6)
    return [_heading("Checks at a glance"), table, Spacer(0, 6 * mm)]


def _check(run: CheckRun) -> list[Any]:
    word, tone = _verdict(run)
    head = report.beside(_heading(_title(run)), badge(word, tone, 8), width=36 * mm)
    explained = _text(run.result.get("explanation") or "Nothing was said yet.")
    story: list[Any] = [KeepTogether([head, explained]), Spacer(0, 2 * mm)]
    warning = style(color=TONES["warn"])
    story += [_text(f"! {alert}", warning) for alert in alerts_of(run.result)[:MOST_ALERTS]]
    for tool in list(run.tool_runs.all())[: MOST_DOCUMENTS * 3]:
        lines = findings.of_payload(tool.results.get("payload"))
        name = _document(tool) if _has_documents(run) else "Findings"
        words = _text(f"{name} · {tool.tool_id}", style(8, bold=True, color=FAINT))
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
            _text(line.name, style(8.5, color=TONES[line.tone], bold=line.tone != "plain"), longest=120),
            _text(line.text, style(8.5), longest=900),
        ]
        for line in lines
    ]  # fmt: skip
    return report.facts(rows, [48 * mm, WIDTH - 48 * mm])


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
