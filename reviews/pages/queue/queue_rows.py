"""The rows of the queue as the table prints them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.utils.timezone import now

from reviews.models import PAUSED, Case, Kind, Outcome, Severity
from reviews.pages.marks import VERDICTS, known_verdict
from reviews.queue.queue_page import EPOCH, MICROSECOND, Row

STATUSES = {
    Case.Status.CHECKING: ("loader-circle", "run"),
    Case.Status.TO_REVIEW: ("inbox", "info"),
    Case.Status.ATTENTION: ("triangle-alert", "warn"),
    Case.Status.WAITING: ("hourglass", "info"),
    Case.Status.ESCALATED: ("arrow-up-right", "warn"),
    Case.Status.SECOND: ("users", "warn"),
    Case.Status.DECIDED: ("badge-check", "pass"),
}
IS_PAUSED = ("key-round", "warn")  # of a case that waits because the service refuses the key
# Of a case that is decided, what was decided.
OUTCOMES = {
    Outcome.APPROVE: ("Approved", "circle-check", "pass"),
    Outcome.REJECT: ("Rejected", "circle-x", "fail"),
}
SEVERITIES = {
    Severity.SANCTIONS: ("shield-alert", "fail"),
    Severity.FAILED: ("circle-x", "fail"),
    Severity.REVIEW: ("triangle-alert", "warn"),
    Severity.UNKNOWN: ("circle-minus", "warn"),
}
KIND_ICONS = {Kind.KYB: "building-2", Kind.KYC: "id-card"}
SOON = 3 * 60  # minutes
MOST_GLYPHS = 8
MINUTE = 60_000_000  # microseconds


@dataclass(frozen=True, slots=True)
class Line:
    """One case as the table prints it."""

    pk: int
    reference: str
    subject: str
    type: str
    type_icon: str
    status: str
    status_icon: str
    status_color: str
    due: str
    due_at: str
    due_color: str
    recommendation: str
    risk: int
    severity: str
    severity_icon: str
    severity_color: str
    strip: Sequence[str]  # as many verdicts as there is room for
    strip_more: int  # checks that passed and have no room
    strip_words: str
    finding: str
    paused: str  # `PAUSED` where its checks wait because the service refuses the key, or ""
    alarm: str  # why a person must look at it again, "" for none
    documents: int
    analyst: str
    age: str
    created: str

    @property
    def key(self) -> str:
        return str(self.pk)

    @property
    def href(self) -> str:
        return f"/cases/{self.pk}/"

    @property
    def due_icon(self) -> str:
        return "circle-alert" if self.due_color == "fail" else "timer"


class Times(NamedTuple):
    """What the table says of the clock: it changes although nothing happens to the case."""

    due: str
    due_color: str
    age: str


def times_of(row: Row, moment: datetime) -> Times:
    now_at = (moment - EPOCH) // MICROSECOND
    due, color = "", ""
    if row.status != Case.Status.DECIDED:
        due, color = _left((row.due_at - now_at) // MINUTE)
    return Times(due, color, _aged((now_at - row.created_at) // MINUTE))


def lines_of(rows: Sequence[Row], moment: datetime | None = None) -> list[Line]:
    moment = moment or now()
    return [_line(row, times_of(row, moment)) for row in rows]


def _line(row: Row, times: Times) -> Line:
    summary = json.loads(row.summary)
    verdicts = checks_of(summary)
    strip = in_room(verdicts)
    alarm = row.alarm.replace("\n", " ")[:200]
    severity = Severity(row.severity)
    severity_icon, severity_color = SEVERITIES.get(severity, ("", ""))
    status, status_icon, status_color = _status(
        Case.Status(row.status), row.outcome, is_paused=bool(row.is_paused)
    )
    return Line(
        pk=row.pk,
        reference=row.reference,
        subject=row.subject,
        type=f"{row.kind.upper()} {row.country}".strip(),
        type_icon=KIND_ICONS[Kind(row.kind)],
        status=status,
        status_icon=status_icon,
        status_color=status_color,
        due=times.due,
        due_at=_written(row.due_at),
        due_color=times.due_color,
        recommendation=row.recommendation,
        risk=row.risk,
        severity=severity.label,
        severity_icon=severity_icon,
        severity_color=severity_color,
        strip=strip,
        strip_more=len(verdicts) - len(strip),
        strip_words=in_words(verdicts),
        finding=alarm or _finding(summary),
        paused=PAUSED if row.is_paused else "",
        alarm=alarm,
        documents=row.documents,
        analyst=_name(row),
        age=times.age,
        created=_written(row.created_at),
    )


def _status(status: Case.Status, outcome: str | None, *, is_paused: bool) -> tuple[str, str, str]:
    """What the status is called, its icon and its colour."""
    if is_paused:
        return (PAUSED, *IS_PAUSED)
    if status == Case.Status.DECIDED and outcome in OUTCOMES:
        return OUTCOMES[Outcome(outcome)]
    return (str(status.label), *STATUSES[status])


def due_in_words(due_at: datetime, moment: datetime | None = None) -> tuple[str, str]:
    """How long until then, in minutes and hours, and the colour that says how urgent it is."""
    return _left((due_at - (moment or now())) // timedelta(minutes=1))


def _left(minutes: int) -> tuple[str, str]:
    left = abs(minutes)
    if left < 60:
        said = f"{left} m"
    elif left < 8 * 60:
        said = f"{left // 60} h {left % 60:02} m"
    elif left < 48 * 60:
        said = f"{left // 60} h"
    else:
        said = f"{left // (24 * 60):,} d"
    if minutes < 0:
        return f"{said} over", "fail"
    return said, "warn" if minutes < SOON else ""


def checks_of(summary: Any) -> list[str]:
    """The verdicts of `summary["checks"]`, whatever shape it has."""
    checks = summary.get("checks") if isinstance(summary, dict) else None
    pairs = checks if isinstance(checks, list) else []
    return [known_verdict(pair[1]) for pair in pairs if isinstance(pair, list) and len(pair) == 2]


def in_room(verdicts: Sequence[str]) -> list[str]:
    """As many as the strip has room for, in their order; what passed gives way first."""
    keys = sorted(range(len(verdicts)), key=lambda at: (verdicts[at] == "pass", at))
    return [verdicts[at] for at in sorted(keys[:MOST_GLYPHS])]


def in_words(verdicts: Sequence[str]) -> str:
    """The strip for those who do not see it: "2 failed, 6 passed"."""
    found = Counter(verdicts)
    order = ("fail", "error", "review", "inconclusive", "running", "pass", "unknown")
    return ", ".join(
        f"{found[verdict]} {VERDICTS[verdict][2]}" for verdict in order if found[verdict]
    )


def _finding(summary: Any) -> str:
    finding = summary.get("finding") if isinstance(summary, dict) else ""
    return finding[:200] if isinstance(finding, str) else ""


def _name(row: Row) -> str:
    return f"{row.first_name} {row.last_name}".strip() if row.first_name else row.username or ""


def _aged(minutes: int) -> str:
    minutes = max(0, minutes)
    if minutes < 60:
        return f"{minutes} m"
    if minutes < 48 * 60:
        return f"{minutes // 60} h"
    return f"{minutes // (24 * 60):,} d"


def _written(moment: int) -> str:
    return f"{EPOCH + moment * MICROSECOND:%Y-%m-%d %H:%M} UTC"
