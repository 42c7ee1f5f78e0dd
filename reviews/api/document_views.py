"""Documents of a case, their content, and the files of notes."""

from __future__ import annotations

from uuid import UUID

from django.db.models import Count
from django.http import FileResponse
from rest_framework.request import Request
from rest_framework.response import Response

from reviews.api import operations as op
from reviews.api import paging, wire
from reviews.api.base import DeskView
from reviews.api.operations import operation
from reviews.models import Attachment, Document, Scope
from reviews.views.documents import as_attachment


class Documents(DeskView):
    @operation(
        "The documents of a case, oldest first", Scope.READ, answer="Documents",
        query=paging.QUERY, errors=(404,),
    )  # fmt: skip
    def get(self, request: Request, pk: int) -> Response:
        rows = self.case(pk).documents.annotate(page_count=Count("pages"))
        by = ("created_at", "id")
        return Response(paging.page(rows, self.asked, wire.document, by=by, oldest_first=True))


class OneDocument(DeskView):
    @operation("One document", Scope.READ, answer="Document", errors=(404,))
    def get(self, request: Request, pk: UUID) -> Response:
        rows = Document.objects.annotate(page_count=Count("pages"))
        return Response(wire.document(self.seen(rows, "case__connection", pk=pk)))


class Content(DeskView):
    @operation("The file as it was handed in", Scope.DOCUMENTS, media=op.BINARY, errors=(404,))
    def get(self, request: Request, pk: UUID) -> FileResponse:
        found = self.seen(Document.objects.all(), "case__connection", pk=pk)
        return as_attachment(found.file, found.file_name)


class AttachmentContent(DeskView):
    @operation("A file of a note", Scope.DOCUMENTS, media=op.BINARY, errors=(404,))
    def get(self, request: Request, pk: int) -> FileResponse:
        found = self.seen(Attachment.objects.all(), "note__case__connection", pk=pk)
        return as_attachment(found.file, found.file_name)
