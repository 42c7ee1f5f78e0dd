"""Webhooks out: what was sent where, what came back, and what was given up."""

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
from django.views.decorators.http import require_POST, require_safe

from agenthub.accounts.permissions import administrators_only
from agenthub.deliveries import sending
from agenthub.models import Account, Delivery
from agenthub.pages.layout import PAGE, context, number, shown_url

COLORS = {Delivery.Status.DUE: "info", Delivery.Status.DONE: "pass", Delivery.Status.DEAD: "fail"}
MOST_AT_ONCE = 1000
SHOWN_BYTES = 20_000  # of a body; more says nothing more to a person


@administrators_only
@require_safe
def listed(request: HttpRequest) -> HttpResponse:
    status, account = request.GET.get("status", ""), number(request.GET.get("account"))
    rows = _of(account)
    if status in Delivery.Status.values:
        rows = rows.filter(status=status)
    job, at = number(request.GET.get("job")), _moment(request.GET.get("before", ""))
    if job is not None and at is not None:
        rows = rows.filter(job_id__lte=job).exclude(job_id=job, created_at__gte=at)
    found = list(rows.defer("body", "job__input_payload")[: PAGE + 1])
    asked = {"status": status, "account": str(account or "")}
    last = found[PAGE - 1] if len(found) > PAGE else None
    after = {"job": str(last.job_id), "before": last.created_at.isoformat()} if last else {}
    return render(
        request,
        "agenthub/deliveries.html",
        context(
            "deliveries",
            rows=[
                (row, COLORS[Delivery.Status(row.status)], shown_url(row)) for row in found[:PAGE]
            ],
            older=urlencode({**asked, **after}) if after else "",
            status=status,
            statuses=Delivery.Status,
            account=account,
            accounts=Account.objects.order_by("name"),
            dead=_of(account).filter(status=Delivery.Status.DEAD).count(),
            most=MOST_AT_ONCE,
        ),
    )


@administrators_only
@require_safe
def delivery(request: HttpRequest, pk: str) -> HttpResponse:
    row = get_object_or_404(Delivery.objects.select_related("job__account", "job__agent"), pk=pk)
    body = bytes(row.body)
    return render(
        request,
        "agenthub/delivery.html",
        context(
            "deliveries",
            delivery=row,
            color=COLORS[Delivery.Status(row.status)],
            url=shown_url(row),
            attempts=row.attempts.order_by("-id"),
            body=body[:SHOWN_BYTES].decode(errors="replace"),
            more_bytes=max(0, len(body) - SHOWN_BYTES),
        ),
    )


@administrators_only
@require_POST
def send_again(request: HttpRequest, pk: str) -> HttpResponse:
    row = get_object_or_404(Delivery, pk=pk)
    if sending.send_again(row):
        messages.success(request, "It will be sent again now.")
    else:
        messages.info(request, "Only a failed delivery can be sent again.")
    return _see(reverse("hub-delivery", args=[pk]))


@administrators_only
@require_POST
def send_dead_again(request: HttpRequest) -> HttpResponse:
    """All that was given up, of one account or of all: a receiver was away and is back."""
    account = number(request.POST.get("account"))
    dead = _of(account).filter(status=Delivery.Status.DEAD).defer("body")[:MOST_AT_ONCE]
    sent = sum(sending.send_again(row) for row in dead)
    messages.success(request, f"To be sent again: {sent}.")
    asked = f"?{urlencode({'account': account})}" if account is not None else ""
    return _see(reverse("hub-deliveries") + asked)


def _of(account: int | None) -> QuerySet[Delivery]:
    # By job, which has an index: one more for their times would cost every webhook.
    rows = Delivery.objects.select_related("job").order_by("-job_id", "-created_at")
    return rows if account is None else rows.filter(job__account_id=account)


def _moment(text: str) -> datetime | None:
    try:
        found = parse_datetime(text)
    except ValueError:
        return None
    return found if found is not None and is_aware(found) else None


def _see(address: str) -> HttpResponse:
    return HttpResponseRedirect(address, status=HTTPStatus.SEE_OTHER)
