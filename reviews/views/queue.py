"""The queue page, and the part of it that is asked for again every few seconds."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.timezone import now
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from reviews import queue as cases
from reviews.models import Case, Kind
from reviews.templatetags.desk import VERDICTS, glyph, icon, known_verdict, recommendation
from reviews.views.access import readers_only

VIEW_ICONS = {
    "review": "inbox",
    "attention": "triangle-alert",
    "running": "loader-circle",
    "decided": "badge-check",
    "all": "layers",
}
STATUSES = {
    Case.Status.CHECKING: ("loader-circle", "run"),
    Case.Status.TO_REVIEW: ("inbox", "info"),
    Case.Status.ATTENTION: ("triangle-alert", "warn"),
    Case.Status.DECIDED: ("badge-check", "pass"),
}
KIND_ICONS = {Kind.KYB: "building-2", Kind.KYC: "id-card"}


@dataclass(frozen=True)
class Line:
    """One case as the table prints it: everything is formatted here, so that a row is cheap."""

    pk: int
    href: str
    reference: str
    subject: str
    type: str
    type_icon: SafeString
    status: str
    status_icon: SafeString
    status_color: str
    recommendation: SafeString
    strip: list[SafeString]
    strip_words: str
    finding: str
    documents: int
    by: str
    by_initials: str
    age: str
    created: str


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def queue(request: HttpRequest) -> HttpResponse:
    return render(request, "reviews/queue.html", {"nav": "queue", **_context(request)})


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def rows(request: HttpRequest) -> HttpResponse:
    context = _context(request)
    if request.headers.get("If-None-Match") == context["etag"]:
        return HttpResponseNotModified()
    response = render(request, "reviews/_queue_update.html", context)
    response["ETag"] = context["etag"]
    return response


def _context(request: HttpRequest) -> dict[str, Any]:
    wanted = cases.Filter.of(request.GET)
    found, more = cases.page(wanted)
    counts = cases.by_view()
    lines = _lines(found)
    seen = request.GET.get("seen", "")
    news = sum(line.pk > int(seen) for line in lines) if seen.isascii() and seen.isdigit() else 0
    state = repr((wanted, counts, more, lines)).encode()
    return {
        "wanted": wanted,
        "q": wanted.q,
        "counts": counts,
        "views": _views(wanted, counts),
        "kinds": _kinds(wanted),
        "lines": lines,
        "older": _address(wanted, before=lines[-1].pk) if more else "",
        "newest": _address(wanted, before=0) if wanted.before else "",
        "poll": reverse("queue-rows")
        + _address(wanted)
        + (f"&seen={lines[0].pk}" if lines and not wanted.before else ""),
        "news": news,
        "search_depth": f"{cases.SEARCH_DEPTH:,}",
        "etag": f'"{hashlib.sha256(state).hexdigest()[:32]}"',
    }


def _address(wanted: cases.Filter, **changes: Any) -> str:
    values = asdict(wanted) | changes
    return "?" + urlencode({name: value for name, value in values.items() if value})


def _views(wanted: cases.Filter, counts: dict[str, int]) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "title": title,
            "icon": VIEW_ICONS[name],
            "href": _address(wanted, view=name, before=0),
            "count": cases.shown(counts[name]),
            "current": name == wanted.view,
        }
        for name, (title, _) in cases.VIEWS.items()
    ]


def _kinds(wanted: cases.Filter) -> list[dict[str, Any]]:
    choices = [("", "Both"), *((kind.value, kind.label) for kind in Kind)]
    return [
        {
            "title": title,
            "href": _address(wanted, kind=kind, before=0),
            "current": kind == wanted.kind,
        }
        for kind, title in choices
    ]


def _lines(found: list[cases.Row]) -> list[Line]:
    moment = now()
    glyphs = {verdict: glyph(verdict) for verdict in VERDICTS}
    statuses = {status: icon(name, "s") for status, (name, _) in STATUSES.items()}
    kinds = {kind: icon(name) for kind, name in KIND_ICONS.items()}
    case_address = reverse("case-detail", args=[0])
    lines = []
    for row in found:
        verdicts = checks_of(row.summary)
        status = Case.Status(row.status)
        lines.append(
            Line(
                pk=row.pk,
                href=case_address.replace("0", str(row.pk)),
                reference=row.reference,
                subject=row.subject,
                type=f"{row.kind.upper()} {row.country}".strip(),
                type_icon=kinds[Kind(row.kind)],
                status=status.label,
                status_icon=statuses[status],
                status_color=STATUSES[status][1],
                recommendation=recommendation(row.recommendation),
                strip=[glyphs[verdict] for verdict in verdicts],
                strip_words=in_words(verdicts),
                finding=_finding(row.summary),
                documents=row.documents,
                by=_name(row),
                by_initials=cases.initials(_name(row)),
                age=age(moment, row.created_at),
                created=row.created_at.strftime("%Y-%m-%d %H:%M UTC"),
            )
        )
    return lines


def checks_of(summary: Any) -> list[str]:
    """The verdicts of `summary["checks"]`, whatever shape it has."""
    checks = summary.get("checks") if isinstance(summary, dict) else None
    pairs = checks if isinstance(checks, list) else []
    return [known_verdict(pair[1]) for pair in pairs if isinstance(pair, list) and len(pair) == 2]


def in_words(verdicts: list[str]) -> str:
    """The strip for those who do not see it: "2 failed, 6 passed"."""
    found = Counter(verdicts)
    order = ("fail", "error", "review", "inconclusive", "running", "pass", "unknown")
    return ", ".join(
        f"{found[verdict]} {VERDICTS[verdict][2]}" for verdict in order if found[verdict]
    )


def _finding(summary: Any) -> str:
    finding = summary.get("finding") if isinstance(summary, dict) else ""
    return finding[:200] if isinstance(finding, str) else ""


def _name(row: cases.Row) -> str:
    return f"{row.first_name} {row.last_name}".strip() if row.first_name else row.username or ""


def age(moment: datetime, since: datetime) -> str:
    minutes = max(0, int((moment - since).total_seconds() // 60))
    if minutes < 60:
        return f"{minutes} m"
    if minutes < 48 * 60:
        return f"{minutes // 60} h"
    return f"{minutes // (24 * 60):,} d"
