"""The rows of the queue as the table prints them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, NamedTuple

from django.utils.safestring import SafeString
from django.utils.timezone import now

from compliance.templatetags.shell import icon, letters_of
from reviews.models import PAUSED, Case, Kind, Outcome, Severity
from reviews.queue_page import EPOCH, MICROSECOND, Row
from reviews.templatetags.desk import VERDICTS, glyph, known_verdict, recommendation

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


class Line(NamedTuple):
    """One case as the table prints it: formatted here and hashable, so that a row is cheap.

    Numbers are text, too: a template takes ten times longer over a number.
    """

    pk: int
    key: str
    href: str
    reference: str
    subject: str
    type: str
    type_icon: SafeString
    status: str
    status_icon: SafeString
    status_color: str
    due: str
    due_at: str
    due_color: str
    due_icon: SafeString
    recommendation: SafeString
    risk: str
    severity: str
    severity_icon: SafeString
    severity_color: str
    strip: SafeString
    strip_more: str  # checks that passed and have no room, "" for none
    strip_words: str
    finding: str
    paused: str  # `PAUSED` where its checks wait because the service refuses the key, or ""
    alarm: str  # why a person must look at it again, "" for none
    documents: str
    analyst: str
    analyst_initials: str
    age: str
    created: str
    words: str  # all that it says, to see whether anything changed


def lines_of(found: list[Row]) -> list[Line]:
    moment = (now() - EPOCH) // MICROSECOND
    return [
        _line(row, *_due(row, moment), _aged((moment - row.created_at) // MINUTE)) for row in found
    ]


def _due(row: Row, moment: int) -> tuple[str, str]:
    return ("", "") if row.status == Case.Status.DECIDED else _left((row.due_at - moment) // MINUTE)


@lru_cache(maxsize=1000)
def _line(row: Row, due: str, due_color: str, age: str) -> Line:
    """The same until something happens or a minute passes, and an open page asks every 5 seconds."""
    summary = json.loads(row.summary)
    verdicts = checks_of(summary)
    shown = in_room(verdicts)
    analyst = _name(row)
    status = Case.Status(row.status)
    status_word, status_icon, status_color = _status(
        status, row.outcome, is_paused=bool(row.is_paused)
    )
    severity = Severity(row.severity)
    severity_icon, severity_color = SEVERITIES.get(severity, ("", ""))
    return Line(
        pk=row.pk,
        key=str(row.pk),
        href=f"/cases/{row.pk}/",
        reference=row.reference,
        subject=row.subject,
        type=f"{row.kind.upper()} {row.country}".strip(),
        type_icon=icon(KIND_ICONS[Kind(row.kind)]),
        status=status_word,
        status_icon=icon(status_icon, "s"),
        status_color=status_color,
        due=due,
        due_at=_written(row.due_at),
        due_color=due_color,
        due_icon=icon("circle-alert" if due_color == "fail" else "timer", "s"),
        recommendation=recommendation(row.recommendation),
        risk=str(row.risk),
        severity=severity.label,
        severity_icon=icon(severity_icon, "s") if severity_icon else SafeString(""),
        severity_color=severity_color,
        strip=SafeString("".join(glyph(verdict) for verdict in shown)),
        strip_more=str(len(verdicts) - len(shown) or ""),
        strip_words=in_words(verdicts),
        finding=row.alarm.replace("\n", " ")[:200] or _finding(summary),
        paused=PAUSED if row.is_paused else "",
        alarm=row.alarm.replace("\n", " ")[:200],
        documents=str(row.documents),
        analyst=analyst,
        analyst_initials=letters_of(analyst),
        age=age,
        created=_written(row.created_at),
        words=repr((*row, due, age)),
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


@lru_cache(maxsize=4096)
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


@lru_cache(maxsize=4096)
def _aged(minutes: int) -> str:
    minutes = max(0, minutes)
    if minutes < 60:
        return f"{minutes} m"
    if minutes < 48 * 60:
        return f"{minutes // 60} h"
    return f"{minutes // (24 * 60):,} d"


def _written(moment: int) -> str:
    return f"{EPOCH + moment * MICROSECOND:%Y-%m-%d %H:%M} UTC"
