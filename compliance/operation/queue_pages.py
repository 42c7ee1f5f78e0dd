"""Pages of the queues: what waits, what fails, which workers run, and dead letters."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import TypeVar

from django.contrib import messages
from django.contrib.auth.decorators import login_required, permission_required
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from compliance.models import Heartbeat
from compliance.operation import dead_letters, heartbeats, queue_figures
from compliance.operation.queue_figures import Figures, Rates

View = TypeVar("View", bound=Callable[..., HttpResponseBase])

# The permission to see the figures of all queues. Dead letters also need that of their kind.
SEE = "compliance.view_tally"
# Slots of five minutes: rates of the last hour.
SLOTS = 12
PAGE = 50
# A queue whose oldest row has waited longer is highlighted.
LATE_SECONDS = 300


def operators_only(view: View) -> View:
    """A decorator: requires a login, answers 403 to users without permission, forbids caching."""
    is_operator = permission_required(SEE, raise_exception=True)
    return login_required(is_operator(never_cache(view)))


@operators_only
@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    user = _user(request)
    workers = list(heartbeats.fresh(Heartbeat.Kind.WORKER).order_by("name"))
    rates = queue_figures.rates(SLOTS)
    rows = []
    for figures in queue_figures.all_figures():
        rows.append(_row(figures, rates.get(figures.queue, Rates()), workers))
    context = {
        "nav": "operation",
        "rows": rows,
        "workers": [(worker, worker.queues.split(",")) for worker in workers],
        "missing": sorted(heartbeats.broker_queues() - _served(workers)),
        "kinds": [
            (kind, kind.rows(user).count()) for kind in dead_letters.kinds_of(user)
        ],
    }
    return render(request, "operation/queues.html", context)


def _row(figures: Figures, rates: Rates, workers: list[Heartbeat]) -> dict[str, object]:
    broker_queue = queue_figures.broker_queue(figures.queue)
    worked = sum(rates.counts.values())
    mean = words_of(rates.seconds / worked) if worked else ""
    return {
        "figures": figures,
        # One task handles both classes of a queue, so show its rates once.
        "rates": rates if figures.cost_class != queue_figures.BULK else None,
        "mean": mean,
        "oldest": words_of(figures.oldest_seconds) if figures.waiting else "",
        "is_late": figures.oldest_seconds > LATE_SECONDS,
        "workers": sum(broker_queue in worker.queues.split(",") for worker in workers),
    }


def _served(workers: list[Heartbeat]) -> set[str]:
    return {name for worker in workers for name in worker.queues.split(",")}


@operators_only
@require_safe
def failed(request: HttpRequest, name: str) -> HttpResponse:
    """The dead letters of one kind, newest first."""
    kind = _kind(request, name)
    rows = kind.rows(_user(request))
    context = {
        "nav": "operation",
        "kind": kind,
        "letters": [kind.letter(row) for row in rows[:PAGE]],
        "count": rows.count(),
        "most": dead_letters.MOST_AT_ONCE,
    }
    return render(request, "operation/failed.html", context)


@operators_only
@require_POST
def retry(request: HttpRequest, name: str) -> HttpResponse:
    """Retry the row `key`; without a key, all rows of the kind."""
    kind, user = _kind(request, name), _user(request)
    key = request.POST.get("key", "")
    if not key:
        count = dead_letters.retry_all(kind, user)
        messages.success(request, _("To be tried again: %(count)s.") % {"count": count})
    elif kind.retry(_find(kind.rows(user), key), user):
        messages.success(request, _("It will be tried again now."))
    else:
        messages.info(request, _("It had been tried again already."))
    # 303 See Other: reloading the next page must not send the form again.
    address = reverse("queue-failed", args=[name])
    return HttpResponseRedirect(address, status=HTTPStatus.SEE_OTHER)


def _find(rows: QuerySet[Model], key: str) -> Model:
    try:
        row = rows.filter(pk=key).first()
    except (ValueError, ValidationError) as exc:
        raise Http404 from exc
    if row is None:
        raise Http404
    return row


def _kind(request: HttpRequest, name: str) -> dead_letters.Kind:
    kind = dead_letters.find(name, _user(request))
    if kind is None:
        raise Http404
    return kind


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # noqa: S101 - the decorator has seen to it
    return request.user


def words_of(seconds: float) -> str:
    """A duration as text in a suitable unit."""
    if seconds < 1:
        return _("%(number)s ms") % {"number": f"{seconds * 1000:.0f}"}
    if seconds < 120:
        return _("%(number)s s") % {"number": f"{seconds:.0f}"}
    if seconds < 7200:
        return _("%(number)s min") % {"number": f"{seconds / 60:.0f}"}
    if seconds < 172_800:
        return _("%(number)s h") % {"number": f"{seconds / 3600:.0f}"}
    days = round(seconds / 86_400)
    return ngettext("%(count)d day", "%(count)d days", days) % {"count": days}
