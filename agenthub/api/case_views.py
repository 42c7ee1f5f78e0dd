"""What is known of a case or its subject: state, report, feedback, enrichment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import ValidationError

from agenthub import applications, enrichment, reports
from agenthub.api.base import HubView
from agenthub.api.serializers import (
    ApplicationQuery,
    DownloadReport,
    EnrichCompany,
    EnrichPerson,
    ReportQuery,
    SendFeedback,
)
from agenthub.models import AgentJob, Feedback
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
        rows = AgentJob.objects.filter(agent=agent).select_related("agent", "account")
        if asked.get("case_id"):
            rows = rows.filter(case_id=asked["case_id"])
        if asked.get("job_id"):
            rows = rows.filter(job_id=asked["job_id"])
        job = rows.order_by("-id").first()
        if job is None:
            raise exceptions.NotFound("There is no such job of this agent.")
        answer = HttpResponse(reports.draw(job), content_type="application/pdf")
        answer["Content-Disposition"] = f'attachment; filename="report-{job.job_id}.pdf"'
        return answer


class SendFeedbackView(HubView):
    def post(self, request: Request) -> Response:
        asked = self.asked(SendFeedback, self.body)
        rows = AgentJob.objects.filter(account=self.account, job_id=asked["job_id"])
        job = rows.first()
        if job is None:
            raise exceptions.NotFound("Job not found.")
        kept = Feedback.objects.create(
            job=job,
            check_id=self._check(job, asked.get("check_id") or ""),
            text=asked["feedback"],
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
        return Response(enrichment.provider().person(self.account, facts).to_wire())


class EnrichCompanyView(HubView):
    def post(self, request: Request) -> Response:
        facts = _facts(self.asked(EnrichCompany, self.body))
        return Response(enrichment.provider().company(self.account, facts).to_wire())


def _facts(asked: Mapping[str, Any]) -> dict[str, str]:
    return {name: said.strip() for name, said in asked.items() if said and said.strip()}
