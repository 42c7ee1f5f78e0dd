"""The rows of the queue as its table shows them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from django.utils.formats import date_format
from django.utils.http import urlencode
from django.utils.timezone import localtime, now
from django.utils.translation import gettext, gettext_lazy

from compliance.languages import number
from reviews.findings.recommendations import AGREES
from reviews.models import PAUSED, Case, Kind, Outcome, RiskBand, Severity
from reviews.pages.marks import VERDICTS, known_verdict
from reviews.queue.queue_page import Row
from reviews.results import texts

STATUSES = {
    Case.Status.CHECKING: ("loader-circle", "run"),
    Case.Status.TO_REVIEW: ("inbox", "info"),
    Case.Status.ATTENTION: ("triangle-alert", "warn"),
    Case.Status.WAITING: ("hourglass", "info"),
    Case.Status.ESCALATED: ("arrow-up-right", "warn"),
    Case.Status.SECOND: ("users", "warn"),
    Case.Status.DECIDED: ("badge-check", "pass"),
}
# Icon and colour of a case that waits because the service refuses the API key.
IS_PAUSED = ("key-round", "warn")
# A decided case shows its outcome.
OUTCOMES = {
    Outcome.APPROVE: (gettext_lazy("Approved"), "circle-check", "pass"),
    Outcome.REJECT: (gettext_lazy("Rejected"), "circle-x", "fail"),
}
SEVERITIES = {
    Severity.SANCTIONS: ("shield-alert", "fail"),
    Severity.FAILED: ("circle-x", "fail"),
    Severity.REVIEW: ("triangle-alert", "warn"),
    Severity.UNKNOWN: ("circle-minus", "warn"),
}
BANDS = {
    RiskBand.PROHIBITED: "fail",
    RiskBand.HIGH: "warn",
    RiskBand.MEDIUM: "info",
    RiskBand.LOW: "pass",
    RiskBand.NONE: "",
}
KIND_ICONS = {Kind.KYB: "building-2", Kind.KYC: "id-card"}
SOON = 3 * 60  # minutes
MOST_GLYPHS = 8
MINUTE = timedelta(minutes=1)


class Hit(NamedTuple):
    """Where the words of a search occur, if the name of the case does not contain them."""

    place: str
    text: str
    href: str


@dataclass(frozen=True, slots=True)
class Line:
    """One case as the table shows it."""

    pk: int
    reference: str
    subject: str
    type: str
    country: str  # its code
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
    band: str  # risk band of the rating, "" if there is none
    band_color: str
    is_review: bool
    strip: Sequence[str]  # the verdicts that fit into the row
    strip_more: int  # number of passed checks that do not fit
    strip_words: str
    finding: str
    # `PAUSED` if its checks wait because the service refuses the API key, or "".
    paused: str
    alarm: str  # why a person must look at it again, or ""
    documents: int
    analyst: str
    age: str
    created: str
    search: str = ""  # the encrypted words of the search that led here
    hit: Hit | None = None

    @property
    def key(self) -> str:
        return str(self.pk)

    @property
    def href(self) -> str:
        if self.search:
            return self.address(sealed=self.search)
        return self.address()

    def address(self, **query: str) -> str:
        address = f"/cases/{self.pk}/"
        if query:
            return f"{address}?{urlencode(query)}"
        return address

    @property
    def due_icon(self) -> str:
        if self.due_color == "fail":
            return "circle-alert"
        return "timer"


class Times(NamedTuple):
    """Texts for relative times. They change even if nothing happens to the case."""

    due: str
    due_color: str
    age: str


def times_of(row: Row, moment: datetime) -> Times:
    age = _age(moment - row.created_at)
    if row.status == Case.Status.DECIDED:
        return Times("", "", age)
    words, color = due_in_words(row.due_at, moment)
    return Times(words, color, age)


def lines_of(rows: Sequence[Row]) -> list[Line]:
    moment = now()
    return lines_at(rows, [times_of(row, moment) for row in rows])


def lines_at(rows: Sequence[Row], times: Sequence[Times]) -> list[Line]:
    """The lines of rows whose relative times are known."""
    return [_line(row, own) for row, own in zip(rows, times, strict=True)]


def _line(row: Row, times: Times) -> Line:
    verdicts = checks_of(row.summary)
    strip = in_room(verdicts)
    # The table shows one line per case.
    alarm = row.alarm.replace("\n", " ")[:200]
    severity = Severity(row.severity)
    severity_icon, severity_color = SEVERITIES.get(severity, ("", ""))
    status, status_icon, status_color = _status(row)
    # A case that is not rated yet shows no band.
    is_rated = row.risk_band != RiskBand.NONE
    return Line(
        pk=row.pk,
        reference=row.reference,
        subject=row.subject,
        type=row.kind.upper(),
        country=row.country,
        type_icon=KIND_ICONS[Kind(row.kind)],
        status=status,
        status_icon=status_icon,
        status_color=status_color,
        due=times.due,
        due_at=_exact(row.due_at),
        due_color=times.due_color,
        recommendation=row.recommendation,
        risk=row.risk,
        severity=str(severity.label),
        severity_icon=severity_icon,
        severity_color=severity_color,
        band=str(RiskBand(row.risk_band).label) if is_rated else "",
        band_color=BANDS[RiskBand(row.risk_band)],
        is_review=row.is_review,
        strip=strip,
        strip_more=len(verdicts) - len(strip),
        strip_words=in_words(verdicts),
        finding=alarm or row.first_finding or _finding(row.summary) or _reason(row),
        paused=str(PAUSED) if row.is_paused else "",
        alarm=alarm,
        documents=row.documents or 0,
        analyst=_analyst(row),
        age=times.age,
        created=_exact(row.created_at),
    )


def _status(row: Row) -> tuple[str, str, str]:
    """The word for the status, its icon and its colour."""
    if row.is_paused:
        return (str(PAUSED), *IS_PAUSED)
    # A decided case shows its outcome instead of its status.
    status = Case.Status(row.status)
    if status == Case.Status.DECIDED and row.outcome in OUTCOMES:
        word, icon, color = OUTCOMES[Outcome(row.outcome)]
        return str(word), icon, color
    return (str(status.label), *STATUSES[status])


def due_in_words(due_at: datetime, moment: datetime | None = None) -> tuple[str, str]:
    """The time until `due_at` as text, and the colour for its urgency."""
    moment = moment or now()
    minutes = (due_at - moment) // MINUTE
    words = _duration(abs(minutes))
    if minutes < 0:
        return gettext("%(duration)s over") % {"duration": words}, "fail"
    return words, "warn" if minutes < SOON else ""


def _duration(minutes: int) -> str:
    hours = minutes // 60
    if 60 <= minutes < 8 * 60:
        words = {"hours": hours, "minutes": minutes % 60}
        return gettext("%(hours)d h %(minutes)02d m") % words
    return _rough_duration(minutes)


def _rough_duration(minutes: int) -> str:
    hours = minutes // 60
    if minutes < 60:
        return gettext("%(minutes)d m") % {"minutes": minutes}
    if hours < 48:
        return gettext("%(hours)d h") % {"hours": hours}
    return gettext("%(days)s d") % {"days": number(hours // 24)}


def checks_of(summary: object) -> list[str]:
    """The verdicts in `summary["checks"]`. Accepts any shape."""
    return [verdict for _, verdict in check_pairs(summary)]


def check_pairs(summary: object) -> list[tuple[object, str]]:
    """Pairs of label and verdict in `summary["checks"]`. Accepts any shape."""
    if isinstance(summary, dict):
        checks = summary.get("checks")
    else:
        checks = None
    if not isinstance(checks, list):
        return []
    pairs = []
    for pair in checks:
        if isinstance(pair, list) and len(pair) == 2:
            label, verdict = pair
            pairs.append((label, known_verdict(verdict)))
    return pairs


def in_room(verdicts: Sequence[str]) -> list[str]:
    """The verdicts that fit into the strip, in their order. Passed checks are left out first."""
    # Stable sort: passed checks go to the end, the rest keeps its order.
    places = list(range(len(verdicts)))
    places.sort(key=lambda place: verdicts[place] == "pass")
    with_room = sorted(places[:MOST_GLYPHS])
    return [verdicts[place] for place in with_room]


def in_words(verdicts: Sequence[str]) -> str:
    """The strip as text for screen readers: "2 failed, 6 passed"."""
    counts = Counter(verdicts)
    words = []
    # The worst verdict first.
    for verdict in (
        "fail",
        "error",
        "review",
        "inconclusive",
        "running",
        "pass",
        "unknown",
    ):
        if counts[verdict]:
            *_, word = VERDICTS[verdict]
            words.append(f"{counts[verdict]} {word}")
    return ", ".join(words)


def _finding(summary: object) -> str:
    if isinstance(summary, dict):
        finding = summary.get("finding")
    else:
        finding = ""
    if not isinstance(finding, str):
        return ""
    return finding[:200]


def _reason(row: Row) -> str:
    """The first reason of the agent, if it does not recommend to approve; else ""."""
    if row.recommendation.strip().lower() in AGREES[Outcome.APPROVE]:
        return ""
    reasons = texts(row.recommendation_reasons)
    return next(iter(reasons), "")


def _analyst(row: Row) -> str:
    if row.first_name:
        return f"{row.first_name} {row.last_name}".strip()
    return row.username or ""


def _age(age: timedelta) -> str:
    return _rough_duration(max(0, age // MINUTE))


def _exact(moment: datetime) -> str:
    return date_format(localtime(moment), "MOMENT")
