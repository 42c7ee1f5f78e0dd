"""Batches: a file of cases that is given to an agent, and the outcome of its rows. The service
stores them.
"""

from __future__ import annotations

import uuid
from http import HTTPStatus

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
from reviews.wire import JsonObject

CURSOR: dict[str, Schema] = {
    "cursor": {
        "type": "string",
        "maxLength": 64,
        "description": "`next_cursor` of the page before.",
    }
}
# Statuses with which the service rejects the file itself. They become 422.
UNFIT = {400, 413, 422}


class BatchView(DeskView):
    def agent(self, pk: int) -> Agent:
        """The agent if the user may submit cases to it; otherwise status 404."""
        return get_object_or_404(roles.agents(self.actor), pk=pk)


class Batches(BatchView):
    @operation(
        "The newest fifty batches of an agent",
        Scope.READ,
        answer="Batches",
        errors=(404, 502),
    )
    def get(self, request: Request, pk: int) -> Response:
        agent = self.agent(pk)
        newest = batches.newest(agent, actor=self.actor)
        items = []
        for batch in newest:
            items.append(_row(agent, batch))
        return Response({"items": items, "next_cursor": None})

    @operation(
        "Starts a case for each row of a CSV file", Scope.SUBMIT, status=201,
        answer="BatchStarted", body="NewBatch", errors=(404, 409, 502),
    )  # fmt: skip
    def post(self, request: Request, pk: int) -> Response:
        agent = self.agent(pk)
        body = self.body
        # Without an id, each call starts a new batch.
        batch_id = uuid.uuid4()
        if "batch_id" in body:
            batch_id = uuid.UUID(body["batch_id"])
        try:
            # A repeated call with the same id starts no second batch.
            name = batches.start(
                agent,
                actor=self.actor,
                content=body["csv"].encode(),
                file_name=body["file_name"],
                batch_id=batch_id,
            )
        except RefusedFileError as exc:
            faults = [{"pointer": "#/csv", "detail": fault} for fault in exc.faults]
            raise Problem(422, str(exc), code="refused", faults=faults) from exc
        except ServiceError as exc:
            if exc.status == HTTPStatus.CONFLICT:
                raise Problem(409, str(exc), code="batch_taken") from exc
            # Any other failure of the service becomes status 502.
            if exc.status not in UNFIT:
                raise
            fault = {"pointer": "#/csv", "detail": str(exc)}
            raise Problem(422, str(exc), code="refused", faults=[fault]) from exc
        answer = {"id": name, "url": _page(agent, name)}
        location = {"Location": f"{request.path}/{name}"}
        return Response(answer, status=201, headers=location)


class OneBatch(BatchView):
    @operation(
        "How far a batch is, and its jobs page by page", Scope.READ, answer="Batch",
        query=CURSOR, errors=(404, 502),
    )  # fmt: skip
    def get(self, request: Request, pk: int, batch: uuid.UUID) -> Response:
        agent = self.agent(pk)
        cursor = self.params.get("cursor", "")
        try:
            progress = batches.progress(
                agent,
                str(batch),
                actor=self.actor,
                cursor=cursor,
            )
            # Rejected rows are on the first page only.
            rejected = []
            if progress.rejected and not cursor:
                rejected = batches.rejected(agent, str(batch), actor=self.actor)
        except ServiceError as exc:
            if exc.status == 404:
                raise Http404 from exc
            raise
        rejected_rows = []
        for line, reason in rejected:
            rejected_rows.append({"line": line, "reason": reason})
        answer = {
            # The id is that of the address, even if the service sends another one.
            **_row(agent, progress, batch_id=str(batch)),
            "jobs": [_job(row) for row in progress.rows],
            "rejected_rows": rejected_rows,
            "next_cursor": progress.cursor or None,
        }
        return Response(answer)


class BatchExport(BatchView):
    @operation(
        "The service's table of a batch", Scope.READ, media=op.CSV, errors=(404, 502)
    )
    def get(self, request: Request, pk: int, batch: uuid.UUID) -> HttpResponse:
        agent = self.agent(pk)
        try:
            content = batches.export(agent, str(batch), actor=self.actor)
        except ServiceError as exc:
            if exc.status == 404:
                raise Http404 from exc
            raise
        return HttpResponse(content, content_type=f"{op.CSV}; charset=utf-8")


def _page(agent: Agent, batch_id: str) -> str:
    return settings.DESK_URL + reverse("batch", args=[agent.pk, batch_id])


def _row(agent: Agent, progress: batches.Progress, *, batch_id: str = "") -> JsonObject:
    name = batch_id or progress.id
    return {
        "id": name,
        "name": progress.name,
        "status": progress.status,
        "error": progress.error,
        "read_rows": progress.read,
        "accepted": progress.accepted,
        "rejected": progress.rejected,
        "jobs_by_status": dict(progress.counts),
        "is_live": progress.is_live,
        "url": _page(agent, name),
    }


def _job(row: batches.Row) -> JsonObject:
    case_id = None
    if row.case:
        case_id = row.case.pk
    return {
        "job_id": row.job,
        "reference": row.reference,
        "name": row.name,
        "status": row.status,
        "recommendation": row.recommendation,
        "error": row.error,
        "checks": dict(row.checks),
        "case_id": case_id,
    }
