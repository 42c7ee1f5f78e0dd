"""What all views of the hub have in common."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, cast

from django.db.models import QuerySet
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication
from rest_framework.response import Response

from agenthub.agents import catalogue
from agenthub.api import errors
from agenthub.api.authentication import BearerKey
from agenthub.api.throttling import PerKey
from agenthub.models import Account, Agent, AgentJob, ApiKey
from agenthub.schemas.cases import Shape
from agenthub.schemas.requests import CheckId
from compliance.http.api.views import JSONView


def exists(job: AgentJob) -> Response:
    """The answer to a start with a job_id that is taken."""
    error = "Job with the provided ID already exists."
    return Response({"error": error, "job_id": job.job_id}, status=409)


@cache
def _ready(shape: type[Shape]) -> Shape:
    """A shape is made once: REST framework copies every field of it, which costs more than to
    hold a request against them. It keeps nothing of what it has validated."""
    return shape()


class HubView(JSONView):
    """JSON in, JSON out, errors included. A key calls, and sees what its account owns."""

    error_handler = errors.handle
    authentication_classes: Sequence[type[BaseAuthentication]] = (BearerKey,)
    throttle_classes = (PerKey,)
    http_method_names = ["get", "head", "post"]

    @property
    def account(self) -> Account:
        return cast(ApiKey, self.request.auth).account

    @property
    def body(self) -> dict[str, Any]:
        """The members of the body: the parsers let nothing but objects pass."""
        return cast(dict[str, Any], self.content)

    def asked(self, shape: type[Shape], data: Any) -> dict[str, Any]:
        """The values that a body or a query asks for; 400 where they do not fit the shape."""
        values: dict[str, Any] = _ready(shape).run_validation(data)
        return values

    def agent(self, agent_key: str) -> Agent:
        """The account's agent. That another account has such an agent does not show."""
        agent = Agent.objects.filter(account=self.account, key=agent_key).first()
        if agent is None:
            raise exceptions.PermissionDenied(
                "This API key has no access to the agent."
            )
        return agent

    def agent_to_run(self, agent_key: str, *, kind: str = "") -> Agent:
        """The account's agent, where it may run, and is for this kind of case."""
        agent = self.agent(agent_key)
        if kind and agent.kind != kind:
            words = f"This agent is for {agent.kind} cases, not for {kind} cases."
            raise exceptions.ValidationError({"agent_key": words}, code="wrong_kind")
        if not agent.is_active:
            raise exceptions.PermissionDenied("The agent is not active.")
        return agent

    def checks_of(
        self, agent: Agent, asked: Sequence[str], *, member: str
    ) -> list[str]:
        """The ids of the checks that are asked for by id or alias; 400 names those that the agent
        does not have."""
        many = member == "check_ids"
        found: list[str] = []
        wrong: dict[int, Any] = {}
        for place, name in enumerate(asked):
            try:
                found.append(CheckId(agent.kind).run_validation(name))
            except exceptions.ValidationError as exc:
                wrong[place] = exc.detail
                continue
            if catalogue.not_of_agent(agent, found[-1:]):
                words = f"The agent does not have the check {name}."
                wrong[place] = [exceptions.ErrorDetail(words, code="unknown_check")]
        if wrong:
            detail: Any = {member: wrong if many else wrong[0]}
            raise exceptions.ValidationError(detail)
        return list(dict.fromkeys(found))

    def cursor(self, rows: QuerySet[Any], **named: Any) -> int:
        """The primary key of the row that a cursor names; 400 where there is none."""
        found: int | None = rows.filter(**named).values_list("pk", flat=True).first()
        if found is None:
            words = {"cursor": "Not a cursor of this list."}
            raise exceptions.ValidationError(words, code="cursor")
        return found
