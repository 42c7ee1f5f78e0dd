"""Checks: the catalogue, and running one check of a case as a separate job."""

from __future__ import annotations

import uuid

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
from agenthub.wire import JsonObject, Wire
from checks import registry


class GetAvailableChecks(HubView):
    def get(self, request: Request) -> Response:
        query = self.values(ChecksQuery, self.parameters())
        agent = None
        if "agent_key" in query:
            agent = self.agent(query["agent_key"])
        checks = catalogue.available(agent=agent, kind=query.get("case_type"))
        return Response({"checks": checks, "count": len(checks)})


class GetCheckInfo(HubView):
    def get(self, request: Request) -> Response:
        query = self.values(CheckQuery, self.parameters())
        try:
            check = registry.get(query["check_id"])
        except registry.UnknownCheckError:
            raise exceptions.NotFound("There is no such check.") from None
        return Response(catalogue.info(check))


class RunCheckView(HubView):
    def post(self, request: Request) -> Response:
        values = self.values(RunCheck, self.body)
        agent = self.agent_to_run(values["agent_key"], job_id=values.get("job_id"))
        [check_id] = self.checks_of(agent, [values["check_id"]], member="check_id")
        arguments = values.get("check_args") or {}
        warnings = _warnings(check_id, arguments)
        schema = self._schema(agent, values)
        # Store the body as received, with the case in the member where every job has it.
        payload = {}
        for name, value in self.body.items():
            if name != "payload":
                payload[name] = value
        payload[f"{agent.kind}_schema"] = schema
        batch_id = values.get("batch_id")
        job, created = lifecycle.create(
            agent=agent,
            job_id=values.get("job_id") or uuid.uuid4(),
            input_payload=payload,
            check_ids=[check_id],
            check_args={check_id: arguments} if arguments else {},
            batch=processing.of(agent, batch_id) if batch_id else None,
        )
        if not created:
            return exists(job)
        start = serialisation.start_answer(job, agent, self.body)
        # Similar services answer this call with the job itself; the members of a start are added.
        message = " ".join([start["message"], *warnings])
        return Response({**start["job"], "job_id": start["job_id"], "message": message})

    def _schema(self, agent: Agent, values: JsonObject) -> Wire:
        member = f"{agent.kind}_schema"
        other_member = "kyc_schema"
        if agent.kind == Agent.Kind.KYC:
            other_member = "kyb_schema"
        if values.get(other_member):
            words = f"This agent is for {agent.kind} cases."
            raise ValidationError({other_member: words}, code="wrong_kind")
        if self.body.get(member):
            schema: Wire = self.body[member]
            return schema
        payload: Wire | None = self.body.get("payload")
        if payload is None:
            return self._schema_of_case(agent, values.get("case_id"))
        try:
            shape_of(agent.kind).run_validation(payload)
        except ValidationError as exc:
            raise ValidationError({"payload": exc.detail}) from None
        return payload

    def _schema_of_case(self, agent: Agent, case_id: str | None) -> Wire:
        if not case_id:
            words = (
                f"{agent.kind}_schema, or the case_id of an earlier job, is required."
            )
            raise ValidationError({f"{agent.kind}_schema": words}, code="required")
        job = (
            AgentJob.objects.filter(agent=agent, case_id=case_id, erased_at=None)
            .order_by("-id")
            .first()
        )
        if job is None:
            raise exceptions.NotFound("This case has no jobs of this agent.")
        schema: Wire = job.input_payload[f"{agent.kind}_schema"]
        return schema


def _warnings(check_id: str, arguments: Wire) -> list[str]:
    """A warning for each argument that the check does not have; it is stored nevertheless.

    Raises ValidationError (400) if a known argument has a wrong value."""
    check = registry.get(check_id)
    wrong = configuration.wrong_arguments(check, arguments)
    misfits = {}
    for name, words in wrong.items():
        if name in check.taken():
            misfits[name] = words
    if misfits:
        raise ValidationError({"check_args": misfits}, code="bad_argument")
    return [f"{words} It has no effect." for words in wrong.values()]
