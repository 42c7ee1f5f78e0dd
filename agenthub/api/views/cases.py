"""What is known of a case or its subject: state, report, feedback, enrichment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import ValidationError

from agenthub import reports
from agenthub.api.base import HubView
from agenthub.enrichment import providers
from agenthub.models import AgentJob, Feedback
from agenthub.schemas.requests import (
    ApplicationQuery,
    DownloadReport,
    EnrichCompany,
    EnrichPerson,
    ReportQuery,
    SendFeedback,
)
from agenthub.subjects import applications
from checks import registry


class GetLatestApplicationState(HubView):
    def get(self, request: Request) -> Response:
        asked = self.asked(ApplicationQuery, request.query_params.dict())
        agent = self.agent(asked["agent_key"])
        state = applications.latest_state(agent, asked["application_id"])
        if state is None:
            raise exceptions.NotFound("This application has no jobs of this agent.")
        return Response(state)


class DownloadReportView(HubView):
    def get(self, request: Request) -> HttpResponseBase:
        return self._report(self.asked(ReportQuery, request.query_params.dict()))

    def post(self, request: Request) -> HttpResponseBase:
        return self._report(self.asked(DownloadReport, self.body))

    def _report(self, asked: Mapping[str, Any]) -> HttpResponseBase:
        agent = self.agent(asked["agent_key"])
        if asked.get("download_test_report"):
            return _pdf(reports.draw_test(), name="test-report")
        rows = AgentJob.objects.filter(agent=agent).select_related("agent", "account")
        if asked.get("case_id"):
            rows = rows.filter(case_id=asked["case_id"])
        if asked.get("job_id"):
            rows = rows.filter(job_id=asked["job_id"])
        job = rows.order_by("-id").first()
        if job is None:
            raise exceptions.NotFound("There is no such job of this agent.")
        return _pdf(reports.draw(job), name=f"report-{job.job_id}")


class SendFeedbackView(HubView):
    def post(self, request: Request) -> Response:
        asked = self.asked(SendFeedback, self.body)
        job_id = asked.get("job_id") or asked["jobId"]
        job = AgentJob.objects.filter(account=self.account, job_id=job_id).first()
        if job is None:
            raise exceptions.NotFound("Job not found.")
        kept = Feedback.objects.create(
            job=job,
            check_id=self._check(job, asked.get("check_id") or "") or _of_key(job, asked),
            text=_words(asked),
            body=self.body,
        )
        said = {"status": "ok", "feedback_id": str(kept.pk), "message": "The feedback is kept."}
        return Response(said)

    def _check(self, job: AgentJob, named: str) -> str:
        if not named:
            return ""
        try:
            check_id = registry.get(named).id
        except registry.UnknownCheckError:
            check_id = named
        if not job.check_runs.filter(check_id=check_id).exists():
            words = f"The job has no result of the check {named}."
            raise ValidationError({"check_id": words}, code="unknown_check")
        return check_id


class EnrichPersonView(HubView):
    def post(self, request: Request) -> Response:
        facts = _facts(self.asked(EnrichPerson, self.body))
        return Response(providers.provider().person(self.account, facts).to_wire())


class EnrichCompanyView(HubView):
    def post(self, request: Request) -> Response:
        facts = _facts(self.asked(EnrichCompany, self.body))
        return Response(providers.provider().company(self.account, facts).to_wire())


def _pdf(content: bytes, *, name: str) -> HttpResponse:
    answer = HttpResponse(content, content_type="application/pdf")
    answer["Content-Disposition"] = f'attachment; filename="{name}.pdf"'
    return answer


def _of_key(job: AgentJob, asked: Mapping[str, Any]) -> str:
    """The check that the key of a feedback names; empty where it names something else."""
    key = asked.get("key") or ""
    try:
        check_id = registry.get(key).id
    except registry.UnknownCheckError:
        return ""
    return check_id if job.check_runs.filter(check_id=check_id).exists() else ""


def _words(asked: Mapping[str, Any]) -> str:
    """The feedback as one text: what the key names, the value, and what is said in words."""
    value = asked.get("value")
    plain = value if value is None or isinstance(value, str) else orjson.dumps(value).decode()
    parts = (asked.get("key"), plain, asked.get("feedback") or asked.get("comment"))
    return ": ".join(part.strip() for part in parts if part and part.strip())


def _facts(asked: Mapping[str, Any]) -> dict[str, str]:
    return {name: said.strip() for name, said in asked.items() if said and said.strip()}
