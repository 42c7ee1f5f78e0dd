"""Checks: the catalogue, and one check of a case as a job of its own."""

from __future__ import annotations

import uuid
from typing import Any

from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import ValidationError

from agenthub.agents import catalogue, configuration
from agenthub.api import serialisation
from agenthub.api.base import HubView, exists
from agenthub.batches import processing
from agenthub.jobs import lifecycle
from agenthub.models import Agent, AgentJob
from agenthub.schemas.requests import CheckQuery, ChecksQuery, RunCheck
from agenthub.schemas.validation import shape_of
from checks import registry


class GetAvailableChecks(HubView):
    def get(self, request: Request) -> Response:
        asked = self.asked(ChecksQuery, request.query_params.dict())
        agent = self.agent(asked["agent_key"]) if "agent_key" in asked else None
        found = catalogue.available(agent=agent, kind=asked.get("case_type"))
        return Response({"checks": found, "count": len(found)})


class GetCheckInfo(HubView):
    def get(self, request: Request) -> Response:
        asked = self.asked(CheckQuery, request.query_params.dict())
        try:
            check = registry.get(asked["check_id"])
        except registry.UnknownCheckError:
            raise exceptions.NotFound("There is no such check.") from None
        return Response(catalogue.info(check))


class RunCheckView(HubView):
    def post(self, request: Request) -> Response:
        asked = self.asked(RunCheck, self.body)
        agent = self.agent_to_run(asked["agent_key"])
        [check_id] = self.checks_of(agent, [asked["check_id"]], member="check_id")
        args = asked.get("check_args") or {}
        without_effect = self._judged(check_id, args)
        schema = self._schema(agent, asked)
        batch_id = asked.get("batch_id")
        job, created = lifecycle.create(
            agent=agent,
            job_id=asked.get("job_id") or uuid.uuid4(),
            # The body as it came, with the case where every job has it.
            input_payload={
                **{name: value for name, value in self.body.items() if name != "payload"},
                f"{agent.kind}_schema": schema,
            },
            check_ids=[check_id],
            check_args={check_id: args} if args else {},
            webhook_url=asked.get("webhook_url") or "",
            tool_webhook_url=asked.get("tool_webhook_url") or "",
            slack_webhook_url=asked.get("slack_webhook_url") or "",
            batch=processing.of(agent, batch_id) if batch_id else None,
        )
        if not created:
            return exists(job)
        said = serialisation.started(job, agent, self.body)
        # Such services answer this call with the job itself; the members of a start stand beside.
        message = " ".join((said["message"], *without_effect))
        return Response({**said["job"], "job_id": said["job_id"], "message": message})

    def _judged(self, check_id: str, args: dict[str, Any]) -> list[str]:
        """What is to be said of arguments that the check does not take: they are kept, as unknown
        members are. 400 where one that it takes has a value that does not fit."""
        check = registry.get(check_id)
        wrong = configuration.wrong_arguments(check, args)
        if broken := {name: words for name, words in wrong.items() if name in check.taken()}:
            raise ValidationError({"check_args": broken}, code="bad_argument")
        return [f"{words} It has no effect." for words in wrong.values()]

    def _schema(self, agent: Agent, asked: dict[str, Any]) -> dict[str, Any]:
        member = f"{agent.kind}_schema"
        other = Agent.Kind.KYC if agent.kind == Agent.Kind.KYB else Agent.Kind.KYB
        if asked.get(f"{other}_schema"):
            words = f"This agent is for {agent.kind} cases."
            raise ValidationError({f"{other}_schema": words}, code="wrong_kind")
        schema: dict[str, Any] | None = self.body.get(member) or self.body.get("payload")
        if schema is None:
            return self._schema_of_case(agent, asked.get("case_id"))
        if not self.body.get(member):
            try:
                shape_of(agent.kind).run_validation(schema)
            except ValidationError as exc:
                raise ValidationError({"payload": exc.detail}) from None
        return schema

    def _schema_of_case(self, agent: Agent, case_id: str | None) -> dict[str, Any]:
        if not case_id:
            words = f"{agent.kind}_schema, or the case_id of an earlier job, is required."
            raise ValidationError({f"{agent.kind}_schema": words}, code="required")
        job = AgentJob.objects.filter(agent=agent, case_id=case_id).order_by("-id").first()
        if job is None:
            raise exceptions.NotFound("This case has no jobs of this agent.")
        found: dict[str, Any] = job.input_payload[f"{agent.kind}_schema"]
        return found
