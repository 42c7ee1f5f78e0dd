"""The base class of the hub's views."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from functools import cache
from typing import Any, TypeVar, cast

from django.db.models import Model, QuerySet
from django.http import QueryDict
from django.http.response import HttpResponseBase
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request
from rest_framework.response import Response

from agenthub.agents import catalogue
from agenthub.api import errors
from agenthub.api.authentication import BearerKey
from agenthub.api.throttling import PerKey
from agenthub.jobs import admission
from agenthub.models import Account, Agent, AgentJob, ApiKey
from agenthub.schemas.cases import Shape
from agenthub.schemas.requests import CheckId
from agenthub.wire import JsonObject, JsonValue, Wire
from compliance.http.api.views import JSONView
from compliance.http.limits import quotas

Row = TypeVar("Row", bound=Model)


def exists(job: AgentJob) -> Response:
    """The response to a start whose job_id exists already: status 409."""
    error = "Job with the provided ID already exists."
    return Response({"error": error, "job_id": job.job_id}, status=409)


@cache
def _ready(shape: type[Shape]) -> Shape:
    """The only instance of a shape. It stores nothing of the values that it validates.

    Creating one is expensive: REST framework copies all its fields, which costs more than
    validating a request."""
    return shape()


def single_values(data: QueryDict, *, lists: Collection[str] = ()) -> Wire:
    """The values of a query or a form, by their names; those in `lists` as lists.

    Raises ValidationError (400) if another name is there twice: programs differ in which of the
    two counts, as with repeated members of a JSON body.
    """
    values: Wire = {}
    for name, entries in data.lists():
        if name in lists:
            values[name] = entries
        elif len(entries) > 1:
            words = "It is there twice."
            raise exceptions.ValidationError({name[:200]: words}, code="repeated")
        else:
            values[name] = data[name]
    return values


class HubView(JSONView):
    """JSON in, JSON out, errors included. The caller has a key, and sees what its account owns."""

    error_handler = errors.handle
    authentication_classes: Sequence[type[BaseAuthentication]] = (BearerKey,)
    throttle_classes = (PerKey,)
    http_method_names = ["get", "head", "post"]

    def __init__(self, **options: object) -> None:
        super().__init__(**options)
        # What this request counted against the quota of the account, besides its bytes.
        self._taken: dict[str, int] = {}

    def finalize_response(
        self,
        request: Request,
        response: HttpResponseBase,
        *args: object,
        **kwargs: object,
    ) -> Any:
        """Give back the quota of a request that was refused: nothing of it was stored."""
        if self._taken and response.status_code >= 400:
            quotas.give_back(quotas.ACCOUNT, self.account.pk, **self._taken)
        return super().finalize_response(request, response, *args, **kwargs)

    @property
    def account(self) -> Account:
        return cast(ApiKey, self.request.auth).account

    @property
    def body(self) -> Wire:
        """The members of the body. The parsers accept only JSON objects."""
        return cast(Wire, self.content)

    def parameters(self, *, lists: Collection[str] = ()) -> Wire:
        """The query parameters; those in `lists` as lists, which may be there several times."""
        return single_values(self.request.query_params, lists=lists)

    def values(self, shape: type[Shape], data: JsonObject) -> JsonObject:
        """The validated values of a body or query. Raises ValidationError (400)."""
        values: JsonObject = _ready(shape).run_validation(data)
        return values

    def agent(self, agent_key: str) -> Agent:
        """The account's agent with this key.

        Other accounts' agents are indistinguishable from unknown ones.
        """
        agent = Agent.objects.filter(account=self.account, key=agent_key).first()
        if agent is None:
            raise exceptions.PermissionDenied(
                "This API key has no access to the agent."
            )
        return agent

    def agent_to_run(
        self,
        agent_key: str,
        *,
        kind: str = "",
        job_id: uuid.UUID | None = None,
        may_wait: bool = False,
        is_batch: bool = False,
    ) -> Agent:
        """The account's agent, if it is active and for this kind of case.

        Raises QuotaError if the account may not start a job now. That does not apply to the id of
        an existing job, which is a repeated request, nor to jobs that `may_wait` for room at the
        hub. The jobs of a batch are counted when its rows are read."""
        agent = self.agent(agent_key)
        if kind and agent.kind != kind:
            words = f"This agent is for {agent.kind} cases, not for {kind} cases."
            raise exceptions.ValidationError({"agent_key": words}, code="wrong_kind")
        if not agent.is_active:
            raise exceptions.PermissionDenied("The agent is not active.")
        if self._has_job(job_id):
            return agent
        if not may_wait:
            admission.check(self.account)
        if is_batch:
            quotas.check(quotas.ACCOUNT, self.account.pk, quotas.JOBS)
            self.take_quota()
        else:
            self.take_quota(jobs=1)
        return agent

    def _has_job(self, job_id: uuid.UUID | None) -> bool:
        if job_id is None:
            return False
        return AgentJob.objects.filter(account=self.account, job_id=job_id).exists()

    def take_quota(self, **amounts: int) -> None:
        """Count amounts and the request's bytes for the account. Raises QuotaError."""
        size = int(self.request.META.get("CONTENT_LENGTH") or 0)
        quotas.take(quotas.ACCOUNT, self.account.pk, bytes=size, **amounts)
        self._taken = amounts

    def checks_of(
        self, agent: Agent, names: Sequence[str], *, member: str
    ) -> list[str]:
        """The ids of checks that were requested by id or alias.

        Raises ValidationError (400) for checks that the agent does not have. `member` names the
        member of the request."""
        check_ids: list[str] = []
        errors_by_place: dict[int, object] = {}
        for place, name in enumerate(names):
            try:
                check_id = CheckId(agent.kind).run_validation(name)
            except exceptions.ValidationError as exc:
                errors_by_place[place] = exc.detail
                continue
            check_ids.append(check_id)
            if catalogue.not_of_agent(agent, [check_id]):
                words = f"The agent does not have the check {name}."
                error = exceptions.ErrorDetail(words, code="unknown_check")
                errors_by_place[place] = [error]
        if errors_by_place:
            # A list of names has its errors by position; a single name has them directly.
            detail: JsonValue = errors_by_place
            if member != "check_ids":
                detail = errors_by_place[0]
            raise exceptions.ValidationError({member: detail})
        return list(dict.fromkeys(check_ids))

    def cursor(self, rows: QuerySet[Row], **column: object) -> int:
        """The primary key of the row that a cursor names. Raises ValidationError (400)."""
        row_id: int | None = rows.filter(**column).values_list("pk", flat=True).first()
        if row_id is None:
            words = {"cursor": "Not a cursor of this list."}
            raise exceptions.ValidationError(words, code="cursor")
        return row_id
