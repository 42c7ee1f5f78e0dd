"""Batches: a file of cases given to an agent, and what became of its rows. The service keeps them."""

from __future__ import annotations

import uuid
from typing import Any

from django.conf import settings
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from compliance.http.api import operations as op
from compliance.http.api.errors import Problem
from compliance.http.api.operations import operation
from compliance.http.api.schemas import Schema
from reviews.access import roles
from reviews.api.base import DeskView
from reviews.intake import batches
from reviews.intake.batch_files import RefusedFileError
from reviews.models import Agent, Scope
from reviews.service.client import ServiceError

CURSOR: dict[str, Schema] = {
    "cursor": {
        "type": "string",
        "maxLength": 64,
        "description": "`next_cursor` of the page before.",
    }
}
# What the service says of the file, not of us.
UNFIT = {400, 413, 422}


class BatchView(DeskView):
    def agent(self, pk: int) -> Agent:
        """An agent that the user may give cases to; 404 for all others."""
        found: Agent = get_object_or_404(roles.agents(self.actor), pk=pk)
        return found


class Batches(BatchView):
    @operation(
        "The newest fifty batches of an agent",
        Scope.READ,
        answer="Batches",
        errors=(404, 502),
    )
    def get(self, request: Request, pk: int) -> Response:
        agent = self.agent(pk)
        items = [
            _row(agent, batch) for batch in batches.newest(agent, actor=self.actor)
        ]
        return Response({"items": items, "next_cursor": None})

    @operation(
        "Starts a case for each row of a CSV file", Scope.SUBMIT, status=201,
        answer="BatchStarted", body="NewBatch", errors=(404, 502),
    )  # fmt: skip
    def post(self, request: Request, pk: int) -> Response:
        agent, sent = self.agent(pk), self.body
        try:
            made = batches.start(
                agent,
                actor=self.actor,
                content=sent["csv"].encode(),
                file_name=sent["file_name"],
                batch_id=uuid.UUID(sent["batch_id"])
                if "batch_id" in sent
                else uuid.uuid4(),
            )
        except RefusedFileError as exc:
            faults = [{"pointer": "#/csv", "detail": fault} for fault in exc.faults]
            raise Problem(422, str(exc), code="refused", faults=faults) from exc
        except ServiceError as exc:
            if exc.status not in UNFIT:
                raise
            fault = {"pointer": "#/csv", "detail": str(exc)}
            raise Problem(422, str(exc), code="refused", faults=[fault]) from exc
        location = {"Location": f"{request.path}/{made}"}
        return Response(
            {"id": made, "url": _page(agent, made)}, status=201, headers=location
        )


class OneBatch(BatchView):
    @operation(
        "How far a batch is, and its jobs page by page", Scope.READ, answer="Batch",
        query=CURSOR, errors=(404, 502),
    )  # fmt: skip
    def get(self, request: Request, pk: int, batch: uuid.UUID) -> Response:
        agent, cursor = self.agent(pk), self.asked.get("cursor", "")
        try:
            found = batches.progress(agent, str(batch), actor=self.actor, cursor=cursor)
            is_first = bool(found.rejected) and not cursor
            refused = (
                batches.rejected(agent, str(batch), actor=self.actor)
                if is_first
                else []
            )
        except ServiceError as exc:
            raise _unknown(exc) from exc
        said = {
            # Its id is that of the address, whatever the service says.
            **_row(agent, found, batch_id=str(batch)),
            "jobs": [_job(row) for row in found.rows],
            "rejected_rows": [
                {"line": line, "reason": reason} for line, reason in refused
            ],
            "next_cursor": found.cursor or None,
        }
        return Response(said)


class BatchExport(BatchView):
    @operation(
        "The service's table of a batch", Scope.READ, media=op.CSV, errors=(404, 502)
    )
    def get(self, request: Request, pk: int, batch: uuid.UUID) -> HttpResponse:
        agent = self.agent(pk)
        try:
            content = batches.export(agent, str(batch), actor=self.actor)
        except ServiceError as exc:
            raise _unknown(exc) from exc
        return HttpResponse(content, content_type=f"{op.CSV}; charset=utf-8")


def _unknown(exc: ServiceError) -> Exception:
    return Http404() if exc.status == 404 else exc


def _page(agent: Agent, batch_id: str) -> str:
    return settings.DESK_URL + reverse("batch", args=[agent.pk, batch_id])


def _row(
    agent: Agent, found: batches.Progress, *, batch_id: str = ""
) -> dict[str, Any]:
    name = batch_id or found.id
    return {
        "id": name,
        "name": found.name,
        "status": found.status,
        "error": found.error,
        "read_rows": found.read,
        "accepted": found.accepted,
        "rejected": found.rejected,
        "jobs_by_status": dict(found.counts),
        "is_live": found.is_live,
        "url": _page(agent, name),
    }


def _job(row: batches.Row) -> dict[str, Any]:
    return {
        "job_id": row.job,
        "reference": row.reference,
        "name": row.name,
        "status": row.status,
        "recommendation": row.recommendation,
        "error": row.error,
        "checks": dict(row.checks),
        "case_id": row.case.pk if row.case else None,
    }
