"""Pages of webhook deliveries: receivers, responses, and permanent failures."""

from __future__ import annotations

from datetime import datetime
from http import HTTPStatus

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.utils.http import urlencode
from django.utils.timezone import is_aware
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from agenthub.accounts.permissions import administrators_only, record_resending
from agenthub.deliveries import sending
from agenthub.models import Account, Delivery
from agenthub.pages.layout import PAGE, context, shown_url
from compliance.http import numbers

COLORS = {
    Delivery.Status.DUE: "info",
    Delivery.Status.DONE: "pass",
    Delivery.Status.DEAD: "fail",
}
MOST_AT_ONCE = 1000
SHOWN_BYTES = 20_000  # of a body; more is of no use to a person


@administrators_only
@require_safe
def delivery_list(request: HttpRequest) -> HttpResponse:
    status = request.GET.get("status", "")
    account = numbers.parse(request.GET.get("account"))
    rows = _of(account)
    dead = rows.filter(status=Delivery.Status.DEAD).count()
    if status in Delivery.Status.values:
        rows = rows.filter(status=status)
    job = numbers.parse(request.GET.get("job"))
    moment = _moment(request.GET.get("before", ""))
    # Keyset pagination: continue after the last row of the previous page.
    if job is not None and moment is not None:
        rows = rows.filter(job_id__lte=job).exclude(job_id=job, created_at__gte=moment)
    page_rows = list(rows.defer("body", "job__input_payload")[: PAGE + 1])
    older = ""
    if len(page_rows) > PAGE:
        last = page_rows[PAGE - 1]
        query = {
            "status": status,
            "account": str(account or ""),
            "job": str(last.job_id),
            "before": last.created_at.isoformat(),
        }
        older = urlencode(query)
    page = context(
        "deliveries",
        rows=[(row, _color(row), shown_url(row)) for row in page_rows[:PAGE]],
        older=older,
        status=status,
        statuses=Delivery.Status,
        account=account,
        accounts=Account.objects.order_by("name"),
        dead=dead,
        most=MOST_AT_ONCE,
    )
    return render(request, "agenthub/deliveries.html", page)


def _color(delivery: Delivery) -> str:
    return COLORS[Delivery.Status(delivery.status)]


@administrators_only
@require_safe
def delivery(request: HttpRequest, pk: str) -> HttpResponse:
    rows = Delivery.objects.select_related("job__account", "job__agent")
    row = get_object_or_404(rows, pk=pk)
    body = bytes(row.body)
    page = context(
        "deliveries",
        delivery=row,
        color=_color(row),
        url=shown_url(row),
        attempts=row.attempts.order_by("-id"),
        body=body[:SHOWN_BYTES].decode(errors="replace"),
        more_bytes=max(0, len(body) - SHOWN_BYTES),
    )
    return render(request, "agenthub/delivery.html", page)


@administrators_only
@require_POST
def send_again(request: HttpRequest, pk: str) -> HttpResponse:
    row = get_object_or_404(Delivery, pk=pk)
    if sending.send_again(row):
        record_resending(request, [row])
        messages.success(request, _("It will be sent now."))
    else:
        words = _("It was delivered, it is being sent, or it was erased.")
        messages.info(request, words)
    return _see_other(reverse("hub-delivery", args=[pk]))


@administrators_only
@require_POST
def send_dead_again(request: HttpRequest) -> HttpResponse:
    """Send all permanently failed deliveries again, of one account or of all accounts."""
    account = numbers.parse(request.POST.get("account"))
    rows = _of(account)
    dead = rows.filter(status=Delivery.Status.DEAD)
    without_bodies = dead.defer("body")
    due_again = []
    for row in without_bodies[:MOST_AT_ONCE]:
        if sending.send_again(row):
            due_again.append(row)
    record_resending(request, due_again)
    count = len(due_again)
    messages.success(request, _("To be sent again: %(count)s.") % {"count": count})
    address = reverse("hub-deliveries")
    if account is not None:
        query = urlencode({"account": account})
        address = f"{address}?{query}"
    return _see_other(address)


def _of(account: int | None) -> QuerySet[Delivery]:
    # Sorted by job, which has an index. An index for their times would slow down every webhook.
    rows = Delivery.objects.select_related("job").order_by("-job_id", "-created_at")
    if account is None:
        return rows
    return rows.filter(job__account_id=account)


def _moment(text: str) -> datetime | None:
    try:
        moment = parse_datetime(text)
    except ValueError:
        return None
    if moment is None or not is_aware(moment):
        return None
    return moment


def _see_other(address: str) -> HttpResponse:
    return HttpResponseRedirect(address, status=HTTPStatus.SEE_OTHER)
