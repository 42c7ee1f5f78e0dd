"""Pages of the hub's jobs: their checks and webhooks. The data of cases is not shown here."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from agenthub.accounts.permissions import administrators_only
from agenthub.models import Account, AgentJob, CheckRun
from agenthub.pages.layout import PAGE, context, shown_url
from agenthub.wire import Wire
from compliance.http import numbers

HEAVY = ("input_payload", "status_messages")
COLORS = {
    "PENDING": "",
    "RUNNING": "info",
    "COMPLETE": "pass",
    "FAILED": "fail",
    "RETRIED": "",
}
CHECK_COLORS = {"completed": "pass", "failed": "fail", "in_progress": "info"}


@administrators_only
@require_safe
def job_list(request: HttpRequest) -> HttpResponse:
    status = request.GET.get("status", "")
    account = numbers.parse(request.GET.get("account"))
    before = numbers.parse(request.GET.get("before"))
    rows = (
        AgentJob.objects.select_related("agent", "account")
        .defer(*HEAVY)
        .order_by("-id")
    )
    if status in AgentJob.Status.values:
        rows = rows.filter(status=status)
    if account is not None:
        rows = rows.filter(account_id=account)
    if before:
        rows = rows.filter(pk__lt=before)
    page_rows = list(rows[: PAGE + 1])
    older = ""
    if len(page_rows) > PAGE:
        last = page_rows[PAGE - 1]
        older = urlencode(
            {"status": status, "account": account or "", "before": last.pk}
        )
    page = context(
        "jobs",
        jobs=[(job, COLORS[job.status]) for job in page_rows[:PAGE]],
        older=older,
        status=status,
        statuses=AgentJob.Status,
        account=account,
        accounts=Account.objects.order_by("name"),
    )
    return render(request, "agenthub/jobs.html", page)


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


def _check(run: CheckRun) -> Wire:
    if isinstance(run.result, dict):
        result = run.result
    else:
        result = {}
    duration = run.updated_at - run.created_at
    return {
        "run": run,
        "color": CHECK_COLORS.get(run.status, ""),
        "verdict": str(result.get("verdict") or ""),
        "explanation": str(result.get("explanation") or ""),
        "seconds": duration.total_seconds(),
    }
