"""Summaries and single results of jobs, for clients that poll."""

from __future__ import annotations

import uuid

from django.db.models import Count, Q, QuerySet
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response

from agenthub.agents import catalogue
from agenthub.api import serialisation
from agenthub.api.base import HubView
from agenthub.models import AgentJob, Feedback
from agenthub.schemas.summaries import (
    FeedbackInputsQuery,
    OneResultQuery,
    StatusSummaryQuery,
)
from agenthub.wire import JsonObject, Wire

# Query parameter → the column of jobs that it filters.
_COLUMNS = {
    "job_id": "job_id",
    "agent_key": "agent__key",
    "case_id": "case_id",
    "batch_id": "batch__batch_id",
}


class GetJobStatusSummary(HubView):
    def get(self, request: Request) -> Response:
        query = self.values(StatusSummaryQuery, self.parameters())
        if "agent_key" in query:
            # Answer 403 for unknown agents and for those of other accounts alike.
            self.agent(query["agent_key"])
        if "job_id" in query:
            return Response(self._of_job(query))
        return Response(self._of_agent(query))

    def _rows(self, query: JsonObject) -> QuerySet[AgentJob]:
        rows = AgentJob.objects.filter(account=self.account)
        for name, column in _COLUMNS.items():
            if name in query:
                rows = rows.filter(**{column: query[name]})
        return rows

    def _of_job(self, query: JsonObject) -> Wire:
        job = self._rows(query).select_related("agent").first()
        if job is None:
            raise exceptions.NotFound("Job not found.")
        return serialisation.job_summary(job)

    def _of_agent(self, query: JsonObject) -> Wire:
        rows = self._rows(query).order_by().values_list("status").annotate(Count("id"))
        counts = dict.fromkeys(serialisation.STATUS_BY_CASE.values(), 0)
        for status, count in rows:
            counts[serialisation.STATUS_BY_CASE[status]] = count
        return {
            "agent_key": query["agent_key"],
            "count": sum(counts.values()),
            "jobs_by_status": counts,
        }


class GetCheckResultFromJob(HubView):
    def get(self, request: Request) -> Response:
        query = self.values(OneResultQuery, self.parameters())
        rows = AgentJob.objects.filter(account=self.account, job_id=query["job_id"])
        job = rows.select_related("agent").first()
        if job is None:
            raise exceptions.NotFound("Job not found.")
        if not _is_of(job, query):
            raise exceptions.NotFound(
                "The job has no such agent instance or type of case."
            )
        check_id = catalogue.check_id_of(query["check_id"])
        run = job.check_runs.filter(check_id=check_id).first()
        if run is None:
            raise exceptions.NotFound("The job has no result of this check.")
        messages = query["include_status_messages"]
        return Response(serialisation.check_result(job, run, messages=messages))


class GetFeedbackInputsByKey(HubView):
    def get(self, request: Request) -> Response:
        query = self.values(FeedbackInputsQuery, self.parameters())
        rows = Feedback.objects.filter(job__account=self.account)
        if "job_id" in query:
            rows = rows.filter(job=self._job(query["job_id"]))
        key = query["key"]
        check_id = catalogue.check_id_of(key)
        rows = rows.filter(Q(key=key) | Q(check_id=check_id))
        if "cursor" in query:
            rows = rows.filter(pk__lt=query["cursor"])
        limit = query["limit"]
        page = list(rows.select_related("job").order_by("-pk")[: limit + 1])
        inputs = []
        for row in page[:limit]:
            inputs.append(serialisation.feedback_input(row))
        next_cursor = None
        if len(page) > limit:
            next_cursor = inputs[-1]["id"]
        return Response(
            {
                "key": key,
                "feedback_inputs": inputs,
                "count": len(inputs),
                "next_cursor": next_cursor,
            }
        )

    def _job(self, job_id: uuid.UUID) -> AgentJob:
        job = AgentJob.objects.filter(account=self.account, job_id=job_id).first()
        if job is None:
            raise exceptions.NotFound("Job not found.")
        return job


def _is_of(job: AgentJob, query: JsonObject) -> bool:
    instance = query.get("agent_instance_id", "").replace("-", "").lower()
    if instance and instance != job.job_id.hex:
        return False
    kind = job.agent.kind
    return bool(query.get("case_type", kind) == kind)
