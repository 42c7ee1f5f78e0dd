"""Batches: many cases from a CSV file, their jobs, and the file of what was found."""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Mapping
from typing import Any

import orjson
from django.conf import settings
from django.core.files.base import ContentFile, File
from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from rest_framework import exceptions
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import ValidationError

from agenthub.api import batch_serialisation
from agenthub.api.base import HubView
from agenthub.batches import column_names, csv_cases, exports, processing
from agenthub.models import Agent, JobBatch
from agenthub.schemas.batches import EnqueueKybSchemas, MapCsvColumns
from agenthub.schemas.requests import REJECTED, BatchesQuery, BatchJobsQuery, BatchQuery, EnqueueCsv
from compliance.http.api.json_bodies import StrictJSON, TooLarge, Unreadable


class CsvView(HubView):
    """A file of cases comes as the part `file` of a form, or as the member `csv` of a JSON body."""

    parser_classes = (StrictJSON, MultiPartParser)

    def _members(self) -> dict[str, Any]:
        """The members of a JSON body, or the fields of a form, in which lists are fields that repeat."""
        data: Any = self.body
        if isinstance(data, dict) and not hasattr(data, "getlist"):
            return data
        fields: dict[str, Any] = {
            name: data[name] for name in data if name != "file" and data[name] != ""
        }
        for name in ("check_ids", "tool_webhook_ids", "columns"):
            if name in fields:
                fields[name] = [one for one in data.getlist(name) if one]
        if "column_mapping" in fields:
            fields["column_mapping"] = _object(fields["column_mapping"])
        if any("\0" in str(value) for value in fields.values()):
            raise Unreadable("The form holds the character U+0000.", code="nul_character")
        return fields

    def _file(self, asked: Mapping[str, Any]) -> File[bytes]:
        file: File[bytes] | None = self.request.FILES.get("file")
        if file is None and asked.get("csv"):
            file = ContentFile(asked["csv"].encode(), name=asked.get("file_name") or "")
        if file is None:
            raise ValidationError({"file": "file (in a form) or csv is required."}, code="required")
        if (file.size or 0) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise TooLarge("The file is larger than 25 MiB.")
        return file


class EnqueueFromCsv(CsvView):
    def post(self, request: Request) -> Response:
        asked = self.asked(EnqueueCsv, self._members())
        file = self._file(asked)
        agent = self.agent_to_run(asked.get("agent_key") or asked["agent_id"])
        check_ids = self.checks_of(agent, asked.get("check_ids") or [], member="check_ids")
        given = {name: asked[name] for name in processing.ROW_OPTIONS if asked.get(name)}
        more = {
            "check_ids": check_ids,
            "tool_webhook_ids": asked.get("tool_webhook_ids"),
            "column_mapping": asked.get("column_mapping"),
        }
        options = {**given, **{name: value for name, value in more.items() if value}}
        name = asked.get("batch_name") or asked.get("file_name") or file.name or ""
        batch_id = asked.get("batch_id") or uuid.uuid4()
        try:
            batch, created = processing.create(
                agent=agent, batch_id=batch_id, name=name, file=file, options=options
            )
        except csv_cases.UnreadableFileError as exc:
            raise ValidationError({"file": str(exc)}, code="unreadable_file") from None
        return Response(batch_serialisation.enqueued(batch)) if created else _taken(batch)


class EnqueueKybSchemasView(HubView):
    def post(self, request: Request) -> Response:
        asked = self.asked(EnqueueKybSchemas, self.body)
        agent = self.agent_to_run(asked["agent_key"], kind=Agent.Kind.KYB)
        check_ids = self.checks_of(agent, asked.get("check_ids") or [], member="check_ids")
        given = {name: asked.get(name) for name in processing.ROW_OPTIONS}
        more = {**given, "check_ids": check_ids, "tool_webhook_ids": asked.get("tool_webhook_ids")}
        batch, created = processing.create_of_schemas(
            agent=agent,
            batch_id=asked.get("batch_id") or uuid.uuid4(),
            name=asked.get("batch_name") or "",
            schemas=self.body["kyb_schemas"],
            options={name: value for name, value in more.items() if value},
        )
        return Response(batch_serialisation.enqueued(batch)) if created else _taken(batch)


class MapCsvColumnsView(CsvView):
    def post(self, request: Request) -> Response:
        asked = self.asked(MapCsvColumns, self._members())
        kind = asked.get("case_type")
        if asked.get("agent_key"):
            agent = self.agent(asked["agent_key"])
            if kind and kind != agent.kind:
                words = f"The agent is for {agent.kind} cases."
                raise ValidationError({"case_type": words}, code="wrong_kind")
            kind = agent.kind
        columns = asked.get("columns")
        if not columns:
            try:
                columns = csv_cases.header_of(processing.bare(self._file(asked)))
            except csv_cases.UnreadableFileError as exc:
                raise ValidationError({"file": str(exc)}, code="unreadable_file") from None
        return Response(column_names.proposed(columns, str(kind)))


def _taken(batch: JobBatch) -> Response:
    error = "Batch with the provided ID already exists."
    return Response({"error": error, "batch_id": batch.batch_id}, status=409)


def _object(text: str) -> Any:
    """What a field of a form holds as JSON; the text itself, which no shape takes, where it is none."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return text


class GetJobBatches(HubView):
    def get(self, request: Request) -> Response:
        asked = self.asked(BatchesQuery, request.query_params.dict())
        agent = self.agent(asked["agent_key"])
        rows = JobBatch.objects.filter(agent=agent).order_by("-id")
        if "cursor" in asked:
            rows = rows.filter(id__lt=self.cursor(rows, batch_id=asked["cursor"]))
        page = list(rows[: asked["limit"] + 1])
        more = len(page) > asked["limit"]
        found = [
            batch_serialisation.batch(row, agent, signed_url=asked["include_signed_urls"])
            for row in page[: asked["limit"]]
        ]
        # The answer is a list, so that what follows is said beside it.
        headers = {"X-Next-Cursor": str(found[-1]["id"])} if more else None
        return Response(found, headers=headers)


class GetBatchJobs(HubView):
    def get(self, request: Request) -> Response:
        query = request.query_params
        # Several statuses may come as parameters of one name: the other ones count once.
        several = {"status": query.getlist("status")} if "status" in query else {}
        asked = self.asked(BatchJobsQuery, {**query.dict(), **several})
        batch = self._batch(asked)
        wanted = asked.get("status", ())
        page = batch_serialisation.rejected if REJECTED in wanted else batch_serialisation.jobs
        try:
            found = page(
                batch,
                statuses=wanted,
                cursor=asked.get("cursor"),
                limit=asked["limit"],
            )
        except batch_serialisation.UnknownCursorError:
            raise ValidationError({"cursor": "Not a cursor of this list."}, code="cursor") from None
        said = batch_serialisation.batch(batch, batch.agent, signed_url=False)
        if "cursor" not in asked:
            said["jobs_by_status"] = batch_serialisation.jobs_by_status(batch)
        return Response({**said, **found})

    def _batch(self, asked: Mapping[str, Any]) -> JobBatch:
        rows = JobBatch.objects.filter(
            agent__account=self.account, batch_id=asked["batch_id"]
        ).select_related("agent")
        if "agent_key" in asked:
            rows = rows.filter(agent=self.agent(asked["agent_key"]))
        found = list(rows[:2])
        if not found:
            raise exceptions.NotFound("Batch not found.")
        if len(found) > 1:
            words = "Several agents have a batch with this id: say which."
            raise ValidationError({"agent_key": words}, code="required")
        return found[0]


class ExportCsvBatch(HubView):
    def get(self, request: Request) -> HttpResponseBase:
        asked = self.asked(BatchQuery, request.query_params.dict())
        agent = self.agent(asked["agent_key"])
        rows = JobBatch.objects.filter(agent=agent, batch_id=asked["batch_id"])
        batch = rows.select_related("agent").first()
        if batch is None:
            raise exceptions.NotFound("Batch not found.")
        lines = exports.lines(batch)
        # What can go wrong at once must, while the answer can still say so.
        head = next(lines)
        answer = StreamingHttpResponse(
            itertools.chain([head], lines), content_type="text/csv; charset=utf-8"
        )
        answer["Content-Disposition"] = f'attachment; filename="batch-{batch.batch_id}.csv"'
        return answer
