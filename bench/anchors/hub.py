"""The hub's read endpoints as they are usually written with DRF.

They use the same tables and the same API key as the hub, with the middleware of all pages.
"""

from __future__ import annotations

import csv
import io
import os
from typing import Any

import django
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.settings")
settings.ROOT_URLCONF = __name__
django.setup()

from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.http import HttpResponse  # noqa: E402
from django.urls import path  # noqa: E402
from rest_framework import serializers  # noqa: E402
from rest_framework.request import Request  # noqa: E402
from rest_framework.response import Response  # noqa: E402
from rest_framework.views import APIView  # noqa: E402

from agenthub.api.authentication import BearerKey  # noqa: E402
from agenthub.models import AgentJob, CheckRun  # noqa: E402
from checks import registry  # noqa: E402
from checks.base import alerts_of  # noqa: E402


class Result(serializers.ModelSerializer[CheckRun]):
    type = serializers.CharField(source="check_id")

    class Meta:
        model = CheckRun
        fields = ("id", "type", "check_id", "status", "result")


class Job(serializers.ModelSerializer[AgentJob]):
    id = serializers.UUIDField(source="job_id")
    agent_id = serializers.CharField(source="agent.key")
    check_results = Result(source="check_runs", many=True)

    class Meta:
        model = AgentJob
        fields = (
            *("id", "status", "created_at", "updated_at", "agent_id", "input_payload"),
            *("recommendation", "check_results"),
        )


class Jobs(APIView):
    authentication_classes = (BearerKey,)

    def get(self, request: Request) -> Response:
        rows = AgentJob.objects.filter(
            agent__key=request.query_params["agent_key"],
            case_id=request.query_params["case_id"],
        )
        result = rows.select_related("agent").prefetch_related("check_runs")
        jobs: Any = Job(result, many=True).data
        return Response({"jobs": jobs, "count": len(jobs)})


class Export(APIView):
    authentication_classes = (BearerKey,)

    def get(self, request: Request) -> HttpResponse:
        out = io.StringIO()
        writer = csv.writer(out)
        checks = [check.id for check in registry.select(kind="kyb")]
        writer.writerow(
            ["job_id", "case_id", "name", "status", "recommendation", *checks, "alerts"]
        )
        rows = AgentJob.objects.filter(batch__batch_id=request.query_params["batch_id"])
        for job in list(rows.order_by("id").prefetch_related("check_runs")):
            runs = {run.check_id: run for run in job.check_runs.all()}
            verdicts = [
                runs[one].result.get("verdict") if one in runs else "" for one in checks
            ]
            alerts = "; ".join(
                a for run in runs.values() for a in alerts_of(run.result)
            )
            times = (job.created_at.isoformat(), job.updated_at.isoformat())
            items = (
                job.job_id,
                job.case_id,
                job.subject,
                job.status,
                job.recommendation,
            )
            writer.writerow([*items, *times, *verdicts, alerts])
        return HttpResponse(out.getvalue(), content_type="text/csv")


urlpatterns = [
    path("api/v1/getJobsByCaseId", Jobs.as_view()),
    path("api/v1/exportCSVBatch", Export.as_view()),
]
application = get_wsgi_application()
