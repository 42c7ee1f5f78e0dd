"""The endpoints of the interface §4. Each asks, in this order: who calls (401), what is wanted
(400), of which agent (403); only then whether it can be done (404, 409)."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar, NoReturn

from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response

from agenthub.api import serialisation
from agenthub.api.base import HubView, exists
from agenthub.batches import processing
from agenthub.jobs import lifecycle, reruns
from agenthub.models import AgentJob
from agenthub.schemas.requests import (
    CaseQuery,
    JobQuery,
    ResultsQuery,
    RetryJob,
    StartJob,
    StartKybJob,
    StartKycJob,
)

# A job's status_messages are announced as deprecated (interface §9); no date is known.
DEPRECATED = {"Deprecation": "true"}


class StartAgentJob(HubView):
    asks: ClassVar[type[StartJob]]

    def post(self, request: Request) -> Response:
        asked = self.asked(self.asks, self.body)
        agent = self.agent_to_run(asked["agent_key"], kind=self.asks.kind)
        check_ids = self.checks_of(agent, asked.get("check_ids") or [], member="check_ids")
        batch_id = asked.get("batch_id")
        job, created = lifecycle.create(
            agent=agent,
            job_id=asked.get("job_id") or uuid.uuid4(),
            input_payload=self.body,
            check_ids=check_ids,
            webhook_url=asked.get("webhook_url") or "",
            tool_webhook_url=asked.get("tool_webhook_url") or "",
            slack_webhook_url=asked.get("slack_webhook_url") or "",
            batch=processing.of(agent, batch_id) if batch_id else None,
        )
        return Response(serialisation.started(job, agent, self.body)) if created else exists(job)


class StartKybAgentJob(StartAgentJob):
    asks = StartKybJob


class StartKycAgentJob(StartAgentJob):
    asks = StartKycJob


class RetryJobView(HubView):
    """Not among the interface's own endpoints: its job statuses name RETRIED, and this is how."""

    def post(self, request: Request) -> Response:
        asked = self.asked(RetryJob, self.body)
        rows = AgentJob.objects.filter(account=self.account, job_id=asked["job_id"])
        job = rows.select_related("agent", "batch").first()
        if job is None:
            raise exceptions.NotFound("Job not found.")
        agent = self.agent_to_run(job.agent.key)
        try:
            rerun, created = reruns.start(job, job_id=asked.get("new_job_id") or uuid.uuid4())
        except reruns.NotEndedError:
            error = "Only a job that has ended, and was not run again, can be run again."
            return Response({"error": error, "job_id": job.job_id}, status=409)
        if not created:
            return exists(rerun)
        said = serialisation.started(rerun, agent, rerun.input_payload)
        return Response({**said, "original_job_id": job.job_id})


class GetJobById(HubView):
    def get(self, request: Request) -> Response:
        asked = self.asked(JobQuery, request.query_params.dict())
        messages = asked["include_status_messages"]
        found = serialisation.job_by_id(
            account=self.account.pk, job_id=asked["job_id"], messages=messages
        )
        if found is None:
            raise exceptions.NotFound("Job not found.")
        pk, job = found
        if asked["include_check_results"]:
            job["check_results"] = serialisation.check_results_of_job(pk, job["id"])
        if asked["include_check_result_ids"]:
            job["check_result_ids"] = serialisation.check_result_ids(pk)
        if asked["include_feedback"]:
            job["feedback"] = serialisation.feedback(pk)
        return Response(job, headers=DEPRECATED if messages else None)


class GetJobsByCaseId(HubView):
    def get(self, request: Request) -> Response:
        asked = self.asked(CaseQuery, request.query_params.dict())
        paged = "limit" in asked or "cursor" in asked
        found, more = self._page(asked) if paged else (self._all(asked), {})
        if not found and not more:
            # Asked only now: where there are jobs, the agent is the caller's own.
            self.agent(asked["agent_key"])
            raise exceptions.NotFound("This case has no jobs of this agent.")
        if asked["include_check_results"]:
            serialisation.add_results(found)
        body = {"jobs": list(found.values()), "count": len(found), **more}
        return Response(body, headers=DEPRECATED if asked["include_status_messages"] else None)

    def _all(self, asked: dict[str, Any]) -> dict[int, serialisation.Wire]:
        return serialisation.jobs_of_case(
            account=self.account.pk,
            agent_key=asked["agent_key"],
            case_id=asked["case_id"],
            messages=asked["include_status_messages"],
        )

    def _page(self, asked: dict[str, Any]) -> tuple[dict[int, serialisation.Wire], dict[str, Any]]:
        """A page of the jobs, and what else is to be said: how many there are, what follows."""
        rows = AgentJob.objects.filter(
            account=self.account, agent__key=asked["agent_key"], case_id=asked["case_id"]
        )
        count = rows.count()
        if not count:
            return {}, {}
        page = rows
        if "cursor" in asked:
            page = rows.filter(pk__lt=self.cursor(rows, job_id=asked["cursor"]))
        limit = asked.get("limit") or count
        messages = asked["include_status_messages"]
        found = serialisation.jobs(
            page[: limit + 1], spelling=serialisation.STATUS_BY_CASE, messages=messages
        )
        kept = dict(list(found.items())[:limit])
        more: dict[str, Any] = {"count": count}
        if len(found) > limit:
            more["next_cursor"] = str(next(reversed(kept.values()))["id"])
        return kept, more


class GetCheckResults(HubView):
    def get(self, request: Request) -> Response:
        asked = self.asked(ResultsQuery, request.query_params.dict())
        rows = AgentJob.objects.filter(account=self.account, job_id=asked["job_id"])
        pk = rows.values_list("pk", flat=True).first()
        if pk is None:
            raise exceptions.NotFound("Job not found.")
        return Response(serialisation.check_results(pk))


class NoEndpoint(HubView):
    """Every other path: 404 in the same shape as all errors, to whoever asks."""

    authentication_classes = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> NoReturn:
        raise exceptions.NotFound("There is no such endpoint.")
