"""Documents that are lent to the hub, and files that it lends: by signed URLs."""

from __future__ import annotations

import uuid
from typing import Any

from django.core.signing import BadSignature
from django.http import FileResponse
from django.http.response import HttpResponseBase
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import ValidationError

from agenthub import documents, uploads
from agenthub.api import batch_wire
from agenthub.api.base import HubView
from agenthub.api.serializers import UploadDocument
from agenthub.models import JobBatch


class UploadB64Document(HubView):
    def post(self, request: Request) -> Response:
        asked = self.asked(UploadDocument, self.body)
        try:
            content = documents.decode(asked["b64_document"])
        except documents.FetchError as exc:
            words = str(exc).removeprefix("its b64_document ").removeprefix("it ")
            raise ValidationError({"b64_document": f"It {words}."}, code="not_base64") from None
        upload = uploads.keep(self.account, content=content, file_name=asked.get("file_name") or "")
        url = uploads.url(upload)
        return Response(
            {
                "status": "ok",
                "url": url,
                "document": {"type": "Document", "url": url, "file_name": upload.file_name},
                "size": upload.size,
                "sha256": upload.sha256,
                "content_type": upload.content_type,
                "expires_at": uploads.expires_at(),
            }
        )


class SignedFile(HubView):
    """The signature in the URL says who may read: whoever has it, until it expires."""

    authentication_classes = ()

    def answer(self, file: Any, *, content_type: str) -> HttpResponseBase:
        try:
            opened = file.open("rb")
        except OSError:
            raise exceptions.NotFound("The file is gone.") from None
        answer = FileResponse(opened, as_attachment=True, filename="file")
        answer["Content-Type"] = content_type
        # What applicants hand in is never run, or shown as a page of ours.
        answer["X-Content-Type-Options"] = "nosniff"
        answer["Content-Security-Policy"] = "sandbox; default-src 'none'"
        return answer


class UploadFile(SignedFile):
    def get(self, request: Request, upload_id: uuid.UUID, token: str) -> HttpResponseBase:
        upload = uploads.find(upload_id, token)
        if upload is None:
            raise exceptions.NotFound("There is no such file, or its URL has expired.")
        return self.answer(upload.file, content_type=upload.content_type)


class BatchFile(SignedFile):
    def get(self, request: Request, token: str) -> HttpResponseBase:
        try:
            pk = batch_wire.signer().unsign(token, max_age=batch_wire.FILE_SECONDS)
        except BadSignature:
            raise exceptions.NotFound("There is no such file, or its URL has expired.") from None
        batch = JobBatch.objects.filter(pk=pk).exclude(file="").first()
        if batch is None:
            raise exceptions.NotFound("There is no such file, or its URL has expired.")
        return self.answer(batch.file, content_type="text/csv; charset=utf-8")
