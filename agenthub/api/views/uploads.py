"""Documents that clients upload, and files that they download by signed URLs."""

from __future__ import annotations

import uuid

from django.core.files.base import File
from django.core.signing import BadSignature
from django.http import FileResponse
from django.http.response import HttpResponseBase
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import ValidationError

from agenthub.api import batch_serialisation
from agenthub.api.base import HubView
from agenthub.documents import fetching, uploads
from agenthub.models import JobBatch
from agenthub.schemas.requests import UploadDocument
from agenthub.wire import JsonValue
from compliance.storage import file_types, stored_files


class NotScanned(exceptions.APIException):
    status_code = 503
    default_detail = (
        "The malware scanner gave no answer. Nothing was kept: try again later."
    )
    default_code = "not_scanned"


class UploadB64Document(HubView):
    def post(self, request: Request) -> Response:
        values = self.values(UploadDocument, self.body)
        try:
            content = fetching.decode(values["b64_document"])
        except fetching.FetchError as exc:
            words = str(exc).removeprefix("its b64_document ").removeprefix("it ")
            raise ValidationError(
                {"b64_document": f"It {words}."}, code="not_base64"
            ) from None
        self.take_quota(files=1)
        name = values.get("file_name") or values.get("document_name") or ""
        try:
            upload = uploads.keep(self.account, content=content, file_name=name)
        except uploads.RefusedError as exc:
            words = f"The document {exc}."
            raise ValidationError(
                {"b64_document": words}, code="not_a_document"
            ) from None
        except uploads.NotScannedError:
            raise NotScanned from None
        url = uploads.url(upload)
        expiration = uploads.expires_at()
        return Response(
            {
                "status": "ok",
                "url": url,
                "document": {
                    "type": "Document",
                    "url": url,
                    "file_name": upload.file_name,
                },
                "size": upload.size,
                "sha256": upload.sha256,
                "content_type": upload.content_type,
                "expires_at": expiration,
                "expiration": expiration,
            }
        )


class SignedFile(HubView):
    """The signature in the URL says who may read: whoever has it, until it expires."""

    authentication_classes = ()

    def answer(
        self, content: File[bytes], *, content_type: str, name: str
    ) -> HttpResponseBase:
        response = FileResponse(content, as_attachment=True, filename=name)
        response["Content-Type"] = content_type
        # A browser must never run an applicant's file, nor display it as a page of this site.
        response["X-Content-Type-Options"] = "nosniff"
        response["Content-Security-Policy"] = "sandbox; default-src 'none'"
        return response

    def open_file(self, file: JsonValue, sha256: str = "") -> File[bytes]:
        try:
            return stored_files.opened(file, sha256)
        except stored_files.StoredError as exc:
            # The store is away: the same URL works later, so it is not "not found".
            if exc.is_temporary:
                raise
            raise exceptions.NotFound(str(exc)) from None


class UploadFile(SignedFile):
    def get(
        self, request: Request, upload_id: uuid.UUID, token: str
    ) -> HttpResponseBase:
        upload = uploads.find(upload_id, token)
        if upload is None:
            raise exceptions.NotFound("There is no such file, or its URL has expired.")
        if uploads.is_closed(upload):
            raise exceptions.NotFound("The file is in quarantine. Nobody gets it.")
        content = self.open_file(upload.file, upload.sha256)
        # The name gets the ending of the real type, which the first bytes show.
        beginning = content.read(file_types.START)
        name = file_types.offered_name(upload.file_name, beginning)
        content.seek(0)
        return self.answer(content, content_type=upload.content_type, name=name)


class BatchFile(SignedFile):
    def get(self, request: Request, token: str) -> HttpResponseBase:
        try:
            pk = batch_serialisation.signer().unsign(
                token, max_age=batch_serialisation.FILE_SECONDS
            )
        except BadSignature:
            raise exceptions.NotFound(
                "There is no such file, or its URL has expired."
            ) from None
        batch = JobBatch.objects.filter(pk=pk).exclude(file="").first()
        if batch is None:
            raise exceptions.NotFound("There is no such file, or its URL has expired.")
        return self.answer(
            self.open_file(batch.file),
            content_type="text/csv; charset=utf-8",
            name=f"batch-{batch.batch_id}.csv",
        )
