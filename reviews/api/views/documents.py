"""Endpoints for documents of cases, their content, and the files of notes."""

from __future__ import annotations

from uuid import UUID

from django.db.models import Count
from django.http import FileResponse
from rest_framework.request import Request
from rest_framework.response import Response

from compliance.http.api import operations as op
from compliance.http.api.operations import operation
from compliance.http.api.schemas import Schema, one_of
from reviews.api import paging, serialisation
from reviews.api.base import DeskView
from reviews.documents import store
from reviews.documents.downloads import safe_copy, take_original
from reviews.models import Attachment, Document, Scope
from reviews.queue import lists

# Statuses if the file is lost or changed, waits for the malware scanner, or is in quarantine.
GONE = (403, 404, 409, 410, 503)


class Documents(DeskView):
    @operation(
        "The documents of a case, oldest first", Scope.READ, answer="Documents",
        query=paging.QUERY, errors=(404,),
    )  # fmt: skip
    def get(self, request: Request, pk: int) -> Response:
        case = self.case(pk)
        rows = case.documents.annotate(page_count=Count("pages"))
        by = ("created_at", "id")
        return self.list_response(
            rows,
            serialisation.document,
            by=by,
            oldest_first=True,
        )


FILTERS: dict[str, Schema] = {
    "kind": one_of(Document.Kind.values),
    "status": one_of(Document.Status.values),
    "case": {
        "type": "string",
        "maxLength": 200,
        "description": "The reference of a case.",
    },
    "sha256": {"type": "string", "pattern": "^[0-9a-fA-F]{64}$"},
    "again": {
        "const": "1",
        "description": "Those alone whose bytes lie in another case, too.",
    },
}


class AllDocuments(DeskView):
    @operation(
        "The documents of all cases, of the newest case first", Scope.READ, answer="Documents",
        query={**FILTERS, **paging.QUERY},
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        filters = self.filters(FILTERS)
        rows = lists.documents(self.actor, **filters)
        rows = lists.with_pages(rows, self.actor)
        by = ("case_id", "created_at", "id")
        return self.list_response(rows, serialisation.document, by=by)


class OneDocument(DeskView):
    @operation("One document", Scope.READ, answer="Document", errors=(404,))
    def get(self, request: Request, pk: UUID) -> Response:
        rows = Document.objects.select_related("case")
        rows = rows.annotate(page_count=Count("pages"))
        document = self.row(rows, "case__connection", pk=pk)
        answer = serialisation.document(document)
        return Response(answer)


class Content(DeskView):
    @operation(
        "The safe copy: a PDF of the pages that the desk drew", Scope.DOCUMENTS,
        media=op.PDF, errors=GONE,
    )  # fmt: skip
    def get(self, request: Request, pk: UUID) -> FileResponse:
        rows = Document.objects.select_related("case", "scan")
        document = self.row(rows, "case__connection", pk=pk)
        return safe_copy(document)


class Original(DeskView):
    @operation(
        "The file as it was handed in; it may be harmful", Scope.ORIGINALS,
        media=op.BINARY, errors=GONE,
    )  # fmt: skip
    def get(self, request: Request, pk: UUID) -> FileResponse:
        rows = Document.objects.select_related("case", "scan")
        document = self.row(rows, "case__connection", pk=pk)
        return take_original(document, actor=self.actor)


class EndLinks(DeskView):
    @operation(
        "End all links to a document",
        Scope.DECIDE,
        description="Links that a service has not used yet end, too. New ones are made with the next job.",
        status=204,
        errors=(404,),
    )
    def post(self, request: Request, pk: UUID) -> Response:
        rows = Document.objects.select_related("case")
        document = self.row(rows, "case__connection", pk=pk)
        store.end_links(document, actor=self.actor)
        return Response(status=204)


class AttachmentContent(DeskView):
    @operation(
        "A file of a note as it was attached; it may be harmful", Scope.ORIGINALS,
        media=op.BINARY, errors=GONE,
    )  # fmt: skip
    def get(self, request: Request, pk: int) -> FileResponse:
        rows = Attachment.objects.select_related("note__case", "scan")
        row = self.row(rows, "note__case__connection", pk=pk)
        return take_original(row, actor=self.actor)
