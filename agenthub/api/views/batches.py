"""Batches: many cases from a CSV file, their jobs, and the export of their results."""

from __future__ import annotations

import itertools
import uuid

import orjson
from django.conf import settings
from django.core.files.base import ContentFile, File
from django.http import QueryDict, StreamingHttpResponse
from django.http.response import HttpResponseBase
from rest_framework import exceptions
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import ValidationError

from agenthub.api import batch_serialisation
from agenthub.api.base import HubView, single_values
from agenthub.batches import column_names, csv_cases, exports, processing
from agenthub.models import Agent, JobBatch
from agenthub.schemas.batches import EnqueueKybSchemas, MapCsvColumns
from agenthub.schemas.requests import (
    REJECTED,
    BatchesQuery,
    BatchJobsQuery,
    BatchQuery,
    EnqueueCsv,
)
from agenthub.wire import JsonObject, JsonValue, Wire
from compliance.http.api.json_bodies import StrictJSON, TooLarge, Unreadable

# Fields of a form that may be there several times.
FORM_LISTS = ("check_ids", "tool_webhook_ids", "columns")


class CsvView(HubView):
    """A file of cases comes as the part `file` of a form, or as the member `csv` of a JSON body."""

    parser_classes = (StrictJSON, MultiPartParser)

    def _members(self) -> Wire:
        """The members of a JSON body, or the fields of a form, except the file."""
        data = self.content
        if not isinstance(data, QueryDict):
            return self.body
        fields: Wire = {}
        for name, value in single_values(data, lists=FORM_LISTS).items():
            if name in FORM_LISTS:
                value = list(filter(None, value))
            if name != "file" and value:
                fields[name] = value
        if "column_mapping" in fields:
            fields["column_mapping"] = _object(fields["column_mapping"])
        if any("\0" in str(value) for value in fields.values()):
            raise Unreadable(
                "The form holds the character U+0000.", code="nul_character"
            )
        return fields

    def _file(self, values: JsonObject) -> File[bytes]:
        file: File[bytes] | None = self.request.FILES.get("file")
        text = values.get("csv")
        if file is None and text:
            file = ContentFile(text.encode(), name=values.get("file_name") or "")
        if file is None:
            raise ValidationError(
                {"file": "file (in a form) or csv is required."}, code="required"
            )
        size = file.size or 0
        if size > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise TooLarge("The file is larger than 25 MiB.")
        return file


class EnqueueFromCsv(CsvView):
    def post(self, request: Request) -> Response:
        values = self.values(EnqueueCsv, self._members())
        file = self._file(values)
        agent = self.agent_to_run(
            values.get("agent_key") or values["agent_id"],
            may_wait=True,
            is_batch=True,
        )
        options = {
            **_row_options(values),
            "check_ids": self.checks_of(
                agent,
                values.get("check_ids") or [],
                member="check_ids",
            ),
            "tool_webhook_ids": values.get("tool_webhook_ids"),
            "column_mapping": values.get("column_mapping"),
        }
        name = values.get("batch_name") or values.get("file_name") or file.name or ""
        try:
            batch, created = processing.create(
                agent=agent,
                batch_id=values.get("batch_id") or uuid.uuid4(),
                name=name,
                file=file,
                options=_without_empty(options),
            )
        except csv_cases.UnreadableFileError as exc:
            raise ValidationError({"file": str(exc)}, code="unreadable_file") from None
        except processing.OtherRowsError as exc:
            return _other_rows(values, exc)
        return _answer(batch, created=created)


class EnqueueKybSchemasView(HubView):
    def post(self, request: Request) -> Response:
        values = self.values(EnqueueKybSchemas, self.body)
        agent = self.agent_to_run(
            values["agent_key"], kind=Agent.Kind.KYB, is_batch=True
        )
        options = {
            **_row_options(values),
            "check_ids": self.checks_of(
                agent,
                values.get("check_ids") or [],
                member="check_ids",
            ),
            "tool_webhook_ids": values.get("tool_webhook_ids"),
        }
        try:
            batch, created = processing.create_of_schemas(
                agent=agent,
                batch_id=values.get("batch_id") or uuid.uuid4(),
                name=values.get("batch_name") or "",
                schemas=self.body["kyb_schemas"],
                options=_without_empty(options),
            )
        except processing.OtherRowsError as exc:
            return _other_rows(values, exc)
        return _answer(batch, created=created)


def _row_options(values: JsonObject) -> Wire:
    """The options that apply to every row of the batch."""
    return {name: values.get(name) for name in processing.ROW_OPTIONS}


def _without_empty(options: JsonObject) -> Wire:
    return {name: value for name, value in options.items() if value}


class MapCsvColumnsView(CsvView):
    def post(self, request: Request) -> Response:
        values = self.values(MapCsvColumns, self._members())
        kind = values.get("case_type")
        if values.get("agent_key"):
            agent = self.agent(values["agent_key"])
            if kind and kind != agent.kind:
                words = f"The agent is for {agent.kind} cases."
                raise ValidationError({"case_type": words}, code="wrong_kind")
            kind = agent.kind
        columns = values.get("columns") or self._header(values)
        return Response(column_names.propose(columns, str(kind)))

    def _header(self, values: JsonObject) -> list[str]:
        file = self._file(values)
        try:
            return csv_cases.header_of(processing.bare(file))
        except csv_cases.UnreadableFileError as exc:
            raise ValidationError({"file": str(exc)}, code="unreadable_file") from None


def _answer(batch: JobBatch, *, created: bool) -> Response:
    if created:
        return Response(batch_serialisation.enqueue_answer(batch))
    error = "Batch with the provided ID already exists."
    if batch.status == JobBatch.Status.FAILED:
        # Otherwise the client would assume that all rows of this call are started.
        error = (
            f"{error} It failed after {batch.read_rows} rows: {batch.error} Use another"
            " batch_id for the others."
        )
    body = {"error": error, "batch_id": batch.batch_id, "same_rows": True}
    return Response(body, status=409)


def _other_rows(values: JsonObject, exc: processing.OtherRowsError) -> Response:
    """409 as for a repeated call, and plainly not one: these rows were not stored."""
    error = "Batch with the provided ID already exists, and was made from other rows."
    if isinstance(exc, processing.UnknownRowsError):
        error = (
            "Batch with the provided ID already exists. Its rows are not stored any more, so they cannot"
            " be compared with these. Nothing of this call was stored: use another batch_id."
        )
    body = {"error": error, "batch_id": values.get("batch_id"), "same_rows": False}
    return Response(body, status=409)


def _object(text: str) -> JsonValue:
    """A form field parsed as JSON. Invalid JSON is returned as text, which the shape refuses."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return text


class GetJobBatches(HubView):
    def get(self, request: Request) -> Response:
        query = self.values(BatchesQuery, self.parameters())
        agent = self.agent(query["agent_key"])
        rows = JobBatch.objects.filter(agent=agent).order_by("-id")
        if "cursor" in query:
            rows = rows.filter(id__lt=self.cursor(rows, batch_id=query["cursor"]))
        limit = query["limit"]
        signed_url = query["include_signed_urls"]
        page = list(rows[: limit + 1])
        batches = []
        for row in page[:limit]:
            batches.append(batch_serialisation.batch(row, agent, signed_url=signed_url))
        # The body is a list, so the cursor is sent in a header.
        headers: dict[str, str] = {}
        if len(page) > limit:
            headers["X-Next-Cursor"] = str(batches[-1]["id"])
        return Response(batches, headers=headers)


class GetBatchJobs(HubView):
    def get(self, request: Request) -> Response:
        query = self.values(BatchJobsQuery, self.parameters(lists=("status",)))
        batch = self._batch(query)
        statuses = query.get("status", ())
        serialise = batch_serialisation.jobs
        if REJECTED in statuses:
            serialise = batch_serialisation.rejections
        try:
            page = serialise(
                batch,
                statuses=statuses,
                cursor=query.get("cursor"),
                limit=query["limit"],
            )
        except batch_serialisation.UnknownCursorError:
            raise ValidationError(
                {"cursor": "Not a cursor of this list."}, code="cursor"
            ) from None
        wire = batch_serialisation.batch(batch, batch.agent, signed_url=False)
        if "cursor" not in query:
            wire["jobs_by_status"] = batch_serialisation.jobs_by_status(batch)
        return Response({**wire, **page})

    def _batch(self, query: JsonObject) -> JobBatch:
        rows = JobBatch.objects.select_related("agent")
        rows = rows.filter(agent__account=self.account, batch_id=query["batch_id"])
        if "agent_key" in query:
            rows = rows.filter(agent=self.agent(query["agent_key"]))
        batches = list(rows[:2])
        if not batches:
            raise exceptions.NotFound("Batch not found.")
        if len(batches) > 1:
            words = "Several agents have a batch with this id: say which."
            raise ValidationError({"agent_key": words}, code="required")
        return batches[0]


class ExportCsvBatch(HubView):
    def get(self, request: Request) -> HttpResponseBase:
        query = self.values(BatchQuery, self.parameters())
        agent = self.agent(query["agent_key"])
        rows = JobBatch.objects.filter(agent=agent, batch_id=query["batch_id"])
        batch = rows.select_related("agent").first()
        if batch is None:
            raise exceptions.NotFound("Batch not found.")
        lines = exports.lines(batch)
        # Produce the first lines now, while an error can still change the status of the response.
        head = next(lines)
        content = itertools.chain([head], lines)
        response = StreamingHttpResponse(
            content, content_type="text/csv; charset=utf-8"
        )
        response["Content-Disposition"] = (
            f'attachment; filename="batch-{batch.batch_id}.csv"'
        )
        return response
