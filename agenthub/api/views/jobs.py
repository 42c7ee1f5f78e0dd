"""The endpoints of jobs (interface §4).

Each checks in this order: the caller (401), the request (400), the agent (403). Only then it
answers whether the job exists or may be changed (404, 409)."""

from __future__ import annotations

import uuid
from typing import ClassVar, NoReturn

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
from agenthub.wire import JsonObject, Wire

# The interface announces status_messages as deprecated (§9), without a date.
DEPRECATED = {"Deprecation": "true"}

UNDER_WAY = {"pending", "running"}


class StartAgentJob(HubView):
    shape: ClassVar[type[StartJob]]

    def post(self, request: Request) -> Response:
        values = self.values(self.shape, self.body)
        agent = self.agent_to_run(
            values["agent_key"], kind=self.shape.kind, job_id=values.get("job_id")
        )
        check_ids = self.checks_of(
            agent,
            values.get("check_ids") or [],
            member="check_ids",
        )
        batch_id = values.get("batch_id")
        job, created = lifecycle.create(
            agent=agent,
            job_id=values.get("job_id") or uuid.uuid4(),
            input_payload=self.body,
            check_ids=check_ids,
            batch=processing.of(agent, batch_id) if batch_id else None,
        )
        if not created:
            return exists(job)
        return Response(serialisation.start_answer(job, agent, self.body))


class StartKybAgentJob(StartAgentJob):
    shape = StartKybJob


class StartKycAgentJob(StartAgentJob):
    shape = StartKycJob


class RetryJobView(HubView):
    """Not among the interface's own endpoints: its job statuses name RETRIED, and this is how."""

    def post(self, request: Request) -> Response:
        values = self.values(RetryJob, self.body)
        rows = AgentJob.objects.filter(account=self.account, job_id=values["job_id"])
        job = rows.select_related("agent", "batch").first()
        if job is None:
            raise exceptions.NotFound("Job not found.")
        agent = self.agent_to_run(job.agent.key, job_id=values.get("new_job_id"))
        new_job_id = values.get("new_job_id") or uuid.uuid4()
        try:
            rerun, created = reruns.start(job, job_id=new_job_id)
        except reruns.NotEndedError:
            error = (
                "Only a job that has ended, and was not run again, can be run again."
            )
            return Response({"error": error, "job_id": job.job_id}, status=409)
        if not created:
            return exists(rerun)
        start = serialisation.start_answer(rerun, agent, rerun.input_payload)
        return Response({**start, "original_job_id": job.job_id})


class GetJobById(HubView):
    def get(self, request: Request) -> Response:
        query = self.values(JobQuery, self.parameters())
        messages = query["include_status_messages"]
        row = serialisation.job_by_id(
            account=self.account,
            job_id=query["job_id"],
            messages=messages,
        )
        if row is None:
            raise exceptions.NotFound("Job not found.")
        pk, job = row
        if job["status"] in UNDER_WAY:
            job.update(serialisation.waiting_of(pk))
        if query["include_check_results"]:
            job["check_results"] = serialisation.check_results_of_job(pk, job["id"])
        if query["include_check_result_ids"]:
            job["check_result_ids"] = serialisation.check_result_ids(pk)
        if query["include_feedback"]:
            job["feedback"] = serialisation.feedback(pk)
        return Response(job, headers=DEPRECATED if messages else None)


class GetJobsByCaseId(HubView):
    def get(self, request: Request) -> Response:
        query = self.values(CaseQuery, self.parameters())
        if "limit" in query or "cursor" in query:
            jobs, members = self._page(query)
        else:
            jobs, members = self._all(query), {}
        if not jobs and not members:
            # Check the agent only now: any jobs prove that it belongs to the caller, which saves a
            # query.
            self.agent(query["agent_key"])
            raise exceptions.NotFound("This case has no jobs of this agent.")
        if query["include_check_results"]:
            serialisation.add_results(jobs)
        body = {"jobs": list(jobs.values()), "count": len(jobs), **members}
        messages = query["include_status_messages"]
        return Response(body, headers=DEPRECATED if messages else None)

    def _all(self, query: JsonObject) -> dict[int, Wire]:
        return serialisation.jobs_of_case(
            account=self.account,
            agent_key=query["agent_key"],
            case_id=query["case_id"],
            messages=query["include_status_messages"],
        )

    def _page(self, query: JsonObject) -> tuple[dict[int, Wire], Wire]:
        """A page of the jobs, and the other members of the response: total and next cursor."""
        rows = AgentJob.objects.filter(
            account=self.account,
            agent__key=query["agent_key"],
            case_id=query["case_id"],
        )
        count = rows.count()
        if not count:
            return {}, {}
        limit = query.get("limit") or count
        page = rows
        if "cursor" in query:
            page = rows.filter(pk__lt=self.cursor(rows, job_id=query["cursor"]))
        # Fetch one extra row: it shows whether there is a next page.
        jobs = serialisation.jobs(
            page[: limit + 1],
            spelling=serialisation.STATUS_BY_CASE,
            messages=query["include_status_messages"],
        )
        members: Wire = {"count": count}
        if len(jobs) > limit:
            jobs.popitem()
            last = next(reversed(jobs.values()))
            members["next_cursor"] = str(last["id"])
        return jobs, members


class GetCheckResults(HubView):
    def get(self, request: Request) -> Response:
        query = self.values(ResultsQuery, self.parameters())
        rows = AgentJob.objects.filter(account=self.account, job_id=query["job_id"])
        pk = rows.values_list("pk", flat=True).first()
        if pk is None:
            raise exceptions.NotFound("Job not found.")
        return Response(serialisation.check_results(pk))


class NoEndpoint(HubView):
    """Every other path: 404 in the same shape as all errors, to whoever asks."""

    authentication_classes = ()

    def initial(self, request: Request, *args: object, **kwargs: object) -> NoReturn:
        raise exceptions.NotFound("There is no such endpoint.")
