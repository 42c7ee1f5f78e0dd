"""The jobs of the hub: how they ran, and what was told of them. Their data stay out of these pages."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from agenthub.accounts.permissions import administrators_only
from agenthub.models import Account, AgentJob
from agenthub.pages.layout import PAGE, context, number, shown_url

HEAVY = ("input_payload", "status_messages")
COLORS = {"PENDING": "", "RUNNING": "info", "COMPLETE": "pass", "FAILED": "fail", "RETRIED": ""}
CHECK_COLORS = {"completed": "pass", "failed": "fail", "in_progress": "info"}


@administrators_only
@require_safe
def listed(request: HttpRequest) -> HttpResponse:
    status, account = request.GET.get("status", ""), number(request.GET.get("account"))
    rows = AgentJob.objects.select_related("agent", "account").defer(*HEAVY).order_by("-id")
    if status in AgentJob.Status.values:
        rows = rows.filter(status=status)
    if account is not None:
        rows = rows.filter(account_id=account)
    if before := number(request.GET.get("before")):
        rows = rows.filter(pk__lt=before)
    found = list(rows[: PAGE + 1])
    asked = {"status": status, "account": account or ""}
    older = urlencode({**asked, "before": found[PAGE - 1].pk}) if len(found) > PAGE else ""
    return render(
        request,
        "agenthub/jobs.html",
        context(
            "jobs",
            jobs=[(job, COLORS[job.status]) for job in found[:PAGE]],
            older=older,
            status=status,
            statuses=AgentJob.Status,
            account=account,
            accounts=Account.objects.order_by("name"),
        ),
    )


@administrators_only
@require_safe
def job(request: HttpRequest, pk: int) -> HttpResponse:
    rows = AgentJob.objects.select_related("agent", "account").defer("input_payload")
    job = get_object_or_404(rows, pk=pk)
    deliveries = job.deliveries.defer("body").order_by("created_at")
    return render(
        request,
        "agenthub/job.html",
        context(
            "jobs",
            job=job,
            color=COLORS[job.status],
            checks=[_check(run) for run in job.check_runs.all()],
            deliveries=[(delivery, shown_url(delivery)) for delivery in deliveries],
        ),
    )


def _check(run: Any) -> dict[str, Any]:
    result = run.result if isinstance(run.result, dict) else {}
    return {
        "run": run,
        "color": CHECK_COLORS.get(run.status, ""),
        "verdict": str(result.get("verdict") or ""),
        "explanation": str(result.get("explanation") or ""),
        "seconds": (run.updated_at - run.created_at).total_seconds(),
    }
