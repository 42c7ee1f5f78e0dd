"""The endpoints of the interface §4. Each asks, in this order: who calls (401), what is wanted
(400), of which agent (403); only then whether it can be done (404, 409)."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar, NoReturn

from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import ValidationError

from agenthub import jobs
from agenthub.api import wire
from agenthub.api.base import HubView
from agenthub.api.serializers import (
    CaseQuery,
    JobQuery,
    ResultsQuery,
    StartJob,
    StartKybJob,
    StartKycJob,
)
from agenthub.models import Agent, AgentJob

# A job's status_messages are announced as deprecated (interface §9); no date is known.
DEPRECATED = {"Deprecation": "true"}


class StartAgentJob(HubView):
    asks: ClassVar[type[StartJob]]

    def post(self, request: Request) -> Response:
        asked = self.asked(self.asks, self.body)
        agent = self._agent_to_run(asked["agent_key"])
        job, created = jobs.create(
            agent=agent,
            job_id=asked.get("job_id") or uuid.uuid4(),
            input_payload=self.body,
            check_ids=asked.get("check_ids") or [],
            webhook_url=asked.get("webhook_url") or "",
            tool_webhook_url=asked.get("tool_webhook_url") or "",
            slack_webhook_url=asked.get("slack_webhook_url") or "",
        )
        if not created:
            error = "Job with the provided ID already exists."
            return Response({"error": error, "job_id": job.job_id}, status=409)
        return Response(wire.started(job, agent, self.body))

    def _agent_to_run(self, agent_key: str) -> Agent:
        agent = self.agent(agent_key)
        if agent.kind != self.asks.kind:
            words = f"This agent is for {agent.kind} cases, not for {self.asks.kind} cases."
            raise ValidationError({"agent_key": words}, code="wrong_kind")
        if not agent.is_active:
            raise exceptions.PermissionDenied("The agent is not active.")
        return agent


class StartKybAgentJob(StartAgentJob):
    asks = StartKybJob


class StartKycAgentJob(StartAgentJob):
    asks = StartKycJob


class GetJobById(HubView):
    def get(self, request: Request) -> Response:
        asked = self.asked(JobQuery, request.query_params.dict())
        messages = asked["include_status_messages"]
        rows = AgentJob.objects.filter(account=self.account, job_id=asked["job_id"])
        found = wire.jobs(rows, spelling=wire.STATUS_BY_ID, messages=messages)
        if not found:
            raise exceptions.NotFound("Job not found.")
        [(pk, job)] = found.items()
        if asked["include_check_results"]:
            job["check_results"] = wire.check_results_of_job(pk)
        if asked["include_check_result_ids"]:
            job["check_result_ids"] = wire.check_result_ids(pk)
        return Response(job, headers=DEPRECATED if messages else None)


class GetJobsByCaseId(HubView):
    def get(self, request: Request) -> Response:
        asked = self.asked(CaseQuery, request.query_params.dict())
        messages = asked["include_status_messages"]
        rows = AgentJob.objects.filter(
            account=self.account, agent__key=asked["agent_key"], case_id=asked["case_id"]
        )
        found = wire.jobs(rows, spelling=wire.STATUS_BY_CASE, messages=messages)
        if not found:
            # Asked only now: where there are jobs, the agent is the caller's own.
            self.agent(asked["agent_key"])
            raise exceptions.NotFound("This case has no jobs of this agent.")
        if asked["include_check_results"]:
            _add_results(found)
        body = {"jobs": list(found.values()), "count": len(found)}
        return Response(body, headers=DEPRECATED if messages else None)


def _add_results(found: dict[int, wire.Wire]) -> None:
    for job in found.values():
        job["check_results"] = []
    for pk, result in wire.check_results_by_job(found):
        found[pk]["check_results"].append(result)


class GetCheckResults(HubView):
    def get(self, request: Request) -> Response:
        asked = self.asked(ResultsQuery, request.query_params.dict())
        rows = AgentJob.objects.filter(account=self.account, job_id=asked["job_id"])
        pk = rows.values_list("pk", flat=True).first()
        if pk is None:
            raise exceptions.NotFound("Job not found.")
        return Response(wire.check_results(pk))


class NoEndpoint(HubView):
    """Every other path: 404 in the same shape as all errors, to whoever asks."""

    authentication_classes = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> NoReturn:
        raise exceptions.NotFound("There is no such endpoint.")
