"""The report on a period: the page and its files."""

from __future__ import annotations

from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_safe

from reviews.access import roles
from reviews.access.decorators import person_of, readers_only
from reviews.decisions.decisions import RefusedError
from reviews.records import period_figures, period_files
from reviews.records.period_figures import Period, PeriodReport

MEDIA = {
    period_files.CSV: "text/csv; charset=utf-8",
    period_files.PDF: "application/pdf",
}
MOST_SAMPLES = 200  # on the page; the files contain all


@readers_only
@never_cache
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    person = person_of(request)
    roles.require(person, roles.EXPORT)
    # Shown if the requested period is refused.
    period = Period.last_month()
    report: PeriodReport | None = None
    faults: tuple[str, ...] = ()
    try:
        period = _period(request)
        report = period_figures.report(period, actor=person)
    except RefusedError as exc:
        faults = exc.faults
    context = {
        "nav": "period",
        "period": period,
        "first": request.GET.get("first") or str(period.first),
        "last": request.GET.get("last") or str(period.last),
        "report": report,
        "samples": report.samples[:MOST_SAMPLES] if report else [],
        "query": urlencode({"first": str(period.first), "last": str(period.last)}),
        "faults": faults,
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if faults else HTTPStatus.OK
    return render(request, "reviews/period.html", context, status=status)


def _period(request: HttpRequest) -> Period:
    """The requested period; by default the last month. Raises RefusedError."""
    first = request.GET.get("first", "")
    last = request.GET.get("last", "")
    if not first and not last:
        return Period.last_month()
    return Period.of(first, last)


@readers_only
@never_cache
@require_GET
def file(request: HttpRequest, form: str) -> HttpResponse:
    person = person_of(request)
    roles.require(person, roles.EXPORT)
    if form not in MEDIA:
        raise Http404
    try:
        period = _period(request)
        # Taking the file is recorded in the audit trail.
        content = period_files.take(period, form, actor=person)
    except RefusedError as exc:
        words = " ".join(exc.faults)
        return HttpResponse(words, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    response = HttpResponse(content, content_type=MEDIA[form])
    name = f"period-{period.first}-{period.last}.{form}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
