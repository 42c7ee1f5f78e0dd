"""Cases: state, report, erasure, feedback, enrichment; and searching the lists."""

from __future__ import annotations

from collections.abc import Sequence

import orjson
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from rest_framework import exceptions
from rest_framework.exceptions import ErrorDetail
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import ValidationError

from agenthub import reports
from agenthub.agents import catalogue
from agenthub.api.base import HubView
from agenthub.enrichment import providers
from agenthub.models import AgentJob, Feedback
from agenthub.privacy import erasing
from agenthub.schemas.requests import (
    ApplicationQuery,
    DownloadReport,
    EnrichCompany,
    EnrichPerson,
    EraseCase,
    LookUpName,
    ReportQuery,
    SendFeedback,
)
from agenthub.screening import look_up
from agenthub.subjects import applications
from agenthub.wire import JsonObject, JsonValue
from checks import registry
from compliance.http.api.errors import Problem


class GetLatestApplicationState(HubView):
    def get(self, request: Request) -> Response:
        query = self.values(ApplicationQuery, self.parameters())
        agent = self.agent(query["agent_key"])
        state = applications.latest_state(agent, query["application_id"])
        if state is None:
            raise exceptions.NotFound("This application has no jobs of this agent.")
        return Response(state)


class DownloadReportView(HubView):
    def get(self, request: Request) -> HttpResponseBase:
        query = self.values(ReportQuery, self.parameters())
        return self._report(query)

    def post(self, request: Request) -> HttpResponseBase:
        values = self.values(DownloadReport, self.body)
        return self._report(values)

    def _report(self, values: JsonObject) -> HttpResponseBase:
        agent = self.agent(values["agent_key"])
        if values.get("download_test_report"):
            return _pdf(reports.draw_test(), name="test-report")
        rows = AgentJob.objects.filter(agent=agent).select_related("agent", "account")
        for column in ("case_id", "job_id"):
            if values.get(column):
                rows = rows.filter(**{column: values[column]})
        job = rows.order_by("-id").first()
        if job is None:
            raise exceptions.NotFound("There is no such job of this agent.")
        return _pdf(reports.draw(job), name=f"report-{job.job_id}")


class EraseCaseView(HubView):
    """Not among the interface's own endpoints: a client must be able to have its data erased."""

    def post(self, request: Request) -> Response:
        values = self.values(EraseCase, self.body)
        try:
            counts = erasing.erase_case(self.account, values["case_id"])
        except erasing.UnderWayError as exc:
            words = "A job of this case is under way. Erase it when it has ended."
            raise Problem(409, words) from exc
        return Response({"status": "ok", "erased": counts})


class LookUpNameView(HubView):
    """Not among the interface's own endpoints: an analyst must be able to search the lists."""

    def post(self, request: Request) -> Response:
        values = self.values(LookUpName, self.body)
        slugs = values.get("lists") or ()
        _refuse_lists_not_active(slugs)
        answer = look_up.look_up(
            values["name"],
            birth_date=values.get("date_of_birth") or "",
            slugs=slugs,
        )
        return Response(answer)


class SendFeedbackView(HubView):
    def post(self, request: Request) -> Response:
        values = self.values(SendFeedback, self.body)
        job_id = values.get("job_id") or values["jobId"]
        job = AgentJob.objects.filter(account=self.account, job_id=job_id).first()
        if job is None:
            raise exceptions.NotFound("Job not found.")
        feedback = Feedback.objects.create(
            job=job,
            check_id=_check_of_feedback(job, values),
            key=_key_of_feedback(self.body),
            text=_text(values),
            body=self.body,
        )
        return Response(
            {
                "status": "ok",
                "feedback_id": str(feedback.pk),
                "message": "The feedback is kept.",
            }
        )


class EnrichPersonView(HubView):
    def post(self, request: Request) -> Response:
        facts = _facts(self.values(EnrichPerson, self.body))
        provider = providers.provider()
        enrichment = provider.person(self.account, facts)
        return Response(enrichment.to_wire())


class EnrichCompanyView(HubView):
    def post(self, request: Request) -> Response:
        facts = _facts(self.values(EnrichCompany, self.body))
        provider = providers.provider()
        enrichment = provider.company(self.account, facts)
        return Response(enrichment.to_wire())


def _refuse_lists_not_active(slugs: Sequence[str]) -> None:
    """Raise ValidationError (400) for slugs that name no active list.

    "No hits" would be read as the result of a search that did not take place.
    """
    missing = look_up.not_active(slugs)
    faults: JsonValue = {}
    for place, slug in enumerate(slugs):
        if slug in missing:
            words = f"There is no active list {slug[:200]}."
            faults[place] = [ErrorDetail(words, code="unknown_list")]
    if faults:
        raise ValidationError({"lists": faults})


def _pdf(content: bytes, *, name: str) -> HttpResponse:
    answer = HttpResponse(content, content_type="application/pdf")
    answer["Content-Disposition"] = f'attachment; filename="{name}.pdf"'
    return answer


def _key_of_feedback(body: JsonObject) -> str:
    """The name of an input, by which getFeedbackInputsByKey finds the feedback."""
    key = body.get("key")
    if isinstance(key, str):
        return key
    return ""


def _check_of_feedback(job: AgentJob, values: JsonObject) -> str:
    """The check that the feedback is about; empty if it is about the whole job.

    Raises ValidationError (400) if `check_id` names a check without a result. `key` may be any
    text.
    """
    name = values.get("check_id") or ""
    if name:
        check_id = catalogue.check_id_of(name)
        if not _has_run(job, check_id):
            words = f"The job has no result of the check {name}."
            raise ValidationError({"check_id": words}, code="unknown_check")
        return check_id
    check_id = catalogue.check_id_of(values.get("key") or "")
    if check_id in registry.all_checks() and _has_run(job, check_id):
        return check_id
    return ""


def _has_run(job: AgentJob, check_id: str) -> bool:
    return job.check_runs.filter(check_id=check_id).exists()


def _text(values: JsonObject) -> str:
    """The feedback as one text: key, value and comment."""
    value = values.get("value")
    if value is not None and not isinstance(value, str):
        value = orjson.dumps(value).decode()
    key = values.get("key") or ""
    comment = values.get("feedback") or values.get("comment") or ""
    parts = [key.strip(), (value or "").strip(), comment.strip()]
    return ": ".join(filter(None, parts))


def _facts(values: JsonObject) -> dict[str, str]:
    facts = {}
    for name, value in values.items():
        fact = (value or "").strip()
        if fact:
            facts[name] = fact
    return facts
