"""Batches: many cases from a CSV file, their jobs, and the file of what was found."""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile, File
from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from rest_framework import exceptions
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import ValidationError

from agenthub import batches, csv_cases, exports
from agenthub.api import batch_wire
from agenthub.api.base import HubView
from agenthub.api.serializers import (
    REJECTED,
    BatchesQuery,
    BatchJobsQuery,
    BatchQuery,
    EnqueueCsv,
)
from agenthub.models import JobBatch
from compliance.bodies import StrictJSON, TooLarge, Unreadable


class EnqueueFromCsv(HubView):
    parser_classes = (StrictJSON, MultiPartParser)

    def post(self, request: Request) -> Response:
        asked = self.asked(EnqueueCsv, self._members())
        file = self._file(asked)
        agent = self.agent_to_run(asked.get("agent_key") or asked["agent_id"])
        check_ids = self.checks_of(agent, asked.get("check_ids") or [], member="check_ids")
        given = {name: asked[name] for name in batches.ROW_OPTIONS if asked.get(name)}
        lists = {"check_ids": check_ids, "tool_webhook_ids": asked.get("tool_webhook_ids")}
        options = {**given, **{name: ids for name, ids in lists.items() if ids}}
        name = asked.get("batch_name") or asked.get("file_name") or file.name or ""
        batch_id = asked.get("batch_id") or uuid.uuid4()
        try:
            batch, created = batches.create(
                agent=agent, batch_id=batch_id, name=name, file=file, options=options
            )
        except csv_cases.UnreadableFileError as exc:
            raise ValidationError({"file": str(exc)}, code="unreadable_file") from None
        if not created:
            error = "Batch with the provided ID already exists."
            return Response({"error": error, "batch_id": batch.batch_id}, status=409)
        return Response(batch_wire.enqueued(batch))

    def _members(self) -> dict[str, Any]:
        """The members of a JSON body, or the fields of a form, in which lists are fields that repeat."""
        data: Any = self.body
        if isinstance(data, dict) and not hasattr(data, "getlist"):
            return data
        fields: dict[str, Any] = {
            name: data[name] for name in data if name != "file" and data[name] != ""
        }
        for name in ("check_ids", "tool_webhook_ids"):
            if name in fields:
                fields[name] = [one for one in data.getlist(name) if one]
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
            batch_wire.batch(row, agent, signed_url=asked["include_signed_urls"])
            for row in page[: asked["limit"]]
        ]
        # The answer is a list, so that what follows is said beside it.
        headers = {"X-Next-Cursor": str(found[-1]["id"])} if more else None
        return Response(found, headers=headers)


class GetBatchJobs(HubView):
    def get(self, request: Request) -> Response:
        asked = self.asked(BatchJobsQuery, request.query_params.dict())
        batch = self._batch(asked)
        page = batch_wire.rejected if asked.get("status") == REJECTED else batch_wire.jobs
        try:
            found = page(
                batch,
                status=asked.get("status"),
                cursor=asked.get("cursor"),
                limit=asked["limit"],
            )
        except batch_wire.UnknownCursorError:
            raise ValidationError({"cursor": "Not a cursor of this list."}, code="cursor") from None
        said = batch_wire.batch(batch, batch.agent, signed_url=False)
        if "cursor" not in asked:
            said["jobs_by_status"] = batch_wire.jobs_by_status(batch)
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
