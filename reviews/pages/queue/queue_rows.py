"""The rows of the queue as its table shows them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from functools import lru_cache
from typing import NamedTuple

from django.utils.formats import date_format
from django.utils.http import urlencode
from django.utils.timezone import get_current_timezone, localtime, now
from django.utils.translation import get_language, gettext, gettext_lazy

from compliance.http.responses.hidden_characters import isolated
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
PAUSED_STATUS = "paused"
# A decided case shows its outcome.
OUTCOMES = {
    Outcome.APPROVE: (gettext_lazy("Approved"), "circle-check", "pass"),
    Outcome.REJECT: (gettext_lazy("Rejected"), "circle-x", "fail"),
}
SEVERITIES: dict[int, tuple[str, str]] = {
    Severity.SANCTIONS: ("shield-alert", "fail"),
    Severity.FAILED: ("circle-x", "fail"),
    Severity.REVIEW: ("triangle-alert", "warn"),
    Severity.UNKNOWN: ("circle-minus", "warn"),
}
BANDS: dict[int, str] = {
    RiskBand.PROHIBITED: "fail",
    RiskBand.HIGH: "warn",
    RiskBand.MEDIUM: "info",
    RiskBand.LOW: "pass",
    RiskBand.NONE: "",
}
KIND_ICONS: dict[str, str] = {Kind.KYB: "building-2", Kind.KYC: "id-card"}
SOON = 3 * 60  # minutes
MOST_GLYPHS = 8
MINUTE = timedelta(minutes=1)
# What a process remembers of each kind of words: those of some hundred pages.
MOST_WORDS = 8192


class Hit(NamedTuple):
    """Where the words of a search occur, if the name of the case does not contain them."""

    place: str
    text: str
    href: str


class Line(NamedTuple):
    """One case as the table shows it."""

    pk: int
    key: str  # the same as text
    select: str  # the name of its box to select it
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
    severity: int
    severity_words: str  # its word, and how many findings there are
    band: str  # risk band of the rating, "" if there is none
    band_color: str
    is_review: bool
    verdicts: tuple[str, ...]
    finding: str
    # `PAUSED` if its checks wait because the service refuses the API key, or "".
    paused: str
    alarm: str  # why a person must look at it again, or ""
    documents: str
    analyst: str
    age: str
    created: str
    search: str = ""  # the encrypted words of the search that led here
    hit: Hit | None = None

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


class Times(NamedTuple):
    """Texts for relative times. They change even if nothing happens to the case."""

    due: str
    due_color: str
    age: str


@dataclass(frozen=True)
class Clock:
    """The moment of a page, and how its reader writes times.

    Times are counted in whole minutes of the clock, so that those of all rows change together: else
    one of fifty changes each second, and an open page would find something new whenever it asks.
    """

    moment: datetime
    zone: tzinfo
    language: str | None

    @classmethod
    def now(cls) -> Clock:
        return cls(now(), get_current_timezone(), get_language())

    def minutes_until(self, moment: datetime) -> int:
        return (_minute(moment) - _minute(self.moment)) // MINUTE

    def due(self, due_at: datetime) -> tuple[str, str]:
        """The time until `due_at` as text, and the colour for its urgency."""
        return _due(self.minutes_until(due_at), self.language)

    def age(self, moment: datetime) -> str:
        minutes = max(0, -self.minutes_until(moment))
        return _rough_duration(minutes, self.language)

    def exact(self, moment: datetime) -> str:
        return _exact(moment, self.zone, self.language)


def _minute(moment: datetime) -> datetime:
    return moment.replace(second=0, microsecond=0)


def times_of(row: Row, clock: Clock) -> Times:
    age = clock.age(row.created_at)
    if row.status == Case.Status.DECIDED:
        return Times("", "", age)
    words, color = clock.due(row.due_at)
    return Times(words, color, age)


def lines_of(rows: Sequence[Row]) -> list[Line]:
    clock = Clock.now()
    return lines_at(rows, [times_of(row, clock) for row in rows], clock)


def lines_at(rows: Sequence[Row], times: Sequence[Times], clock: Clock) -> list[Line]:
    """The lines of rows whose relative times are known."""
    select = gettext("Select %(reference)s")
    lines = []
    for row, own in zip(rows, times, strict=True):
        lines.append(_line(row, own, clock, select))
    return lines


def _line(row: Row, times: Times, clock: Clock, select: str) -> Line:
    # The table shows one line per case.
    alarm = row.alarm.replace("\n", " ")[:200]
    status, status_icon, status_color = _status(
        PAUSED_STATUS if row.is_paused else row.status, row.outcome, clock.language
    )
    return Line(
        pk=row.pk,
        key=str(row.pk),
        select=select % {"reference": isolated(row.reference)},
        reference=row.reference,
        subject=row.subject,
        type=row.kind.upper(),
        country=row.country,
        type_icon=KIND_ICONS[row.kind],
        status=status,
        status_icon=status_icon,
        status_color=status_color,
        due=times.due,
        due_at=clock.exact(row.due_at),
        due_color=times.due_color,
        recommendation=row.recommendation,
        risk=row.risk,
        severity=row.severity,
        severity_words=_severity(row.severity, row.risk, clock.language),
        band=_band(row.risk_band, clock.language),
        band_color=BANDS[row.risk_band],
        is_review=row.is_review,
        verdicts=tuple(checks_of(row.summary)),
        finding=alarm or row.first_finding or _finding(row.summary) or _reason(row),
        paused=str(PAUSED) if row.is_paused else "",
        alarm=alarm,
        documents=str(row.documents or 0),
        analyst=_analyst(row),
        age=times.age,
        created=clock.exact(row.created_at),
    )


# The language is a part of the key of what is remembered.


@lru_cache(maxsize=MOST_WORDS)
def _status(
    status: str, outcome: str | None, _language: str | None
) -> tuple[str, str, str]:
    """The word for the status, its icon and its colour."""
    if status == PAUSED_STATUS:
        return (str(PAUSED), *IS_PAUSED)
    # A decided case shows its outcome instead of its status.
    if status == Case.Status.DECIDED and outcome in OUTCOMES:
        word, icon, color = OUTCOMES[Outcome(outcome)]
        return str(word), icon, color
    return (str(Case.Status(status).label), *STATUSES[Case.Status(status)])


@lru_cache(maxsize=MOST_WORDS)
def _severity(severity: int, risk: int, _language: str | None) -> str:
    words = gettext("%(severity)s. Findings against it:")
    return f"{words % {'severity': Severity(severity).label}} {number(risk)}"


@lru_cache(maxsize=MOST_WORDS)
def _band(band: int, _language: str | None) -> str:
    """The word for a risk band; a case that is not rated yet has none."""
    if band == RiskBand.NONE:
        return ""
    return str(RiskBand(band).label)


def due_in_words(due_at: datetime) -> tuple[str, str]:
    """The time until `due_at` as text, and the colour for its urgency."""
    return Clock.now().due(due_at)


@lru_cache(maxsize=MOST_WORDS)
def _due(minutes: int, language: str | None) -> tuple[str, str]:
    words = _duration(abs(minutes), language)
    if minutes < 0:
        return gettext("%(duration)s over") % {"duration": words}, "fail"
    return words, "warn" if minutes < SOON else ""


def _duration(minutes: int, language: str | None) -> str:
    hours = minutes // 60
    if 60 <= minutes < 8 * 60:
        words = {"hours": hours, "minutes": minutes % 60}
        return gettext("%(hours)d h %(minutes)02d m") % words
    return _rough_duration(minutes, language)


@lru_cache(maxsize=MOST_WORDS)
def _rough_duration(minutes: int, _language: str | None) -> str:
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


@lru_cache(maxsize=MOST_WORDS)
def _exact(moment: datetime, zone: tzinfo, _language: str | None) -> str:
    return date_format(localtime(moment, zone), "MOMENT")
