"""Endpoints for notes and tags."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from compliance.http.api.errors import Problem
from compliance.http.api.operations import operation
from reviews.api import paging, serialisation
from reviews.api.base import DeskView
from reviews.api.errors import refusing
from reviews.models import Case, Note, Scope
from reviews.people import notes


class Notes(DeskView):
    @operation(
        "The notes of a case",
        Scope.READ,
        answer="Notes",
        query=paging.QUERY,
        errors=(404,),
    )
    def get(self, request: Request, pk: int) -> Response:
        case = self.case(pk)
        rows = case.notes.select_related("by")
        rows = rows.prefetch_related("mentions", "attachments")
        return self.list_response(rows, serialisation.note)

    @operation(
        "Writes a note; @name mentions somebody", Scope.NOTE, status=201, answer="Note",
        body="NewNote", errors=(404,),
    )  # fmt: skip
    def post(self, request: Request, pk: int) -> Response:
        case = self.case(pk)
        text = self.body["text"]
        with refusing():
            note = notes.add(case, actor=self.actor, text=text)
        answer = serialisation.note(note)
        return Response(answer, status=201)


class OneNote(DeskView):
    @operation(
        "Rewords one's own note; the earlier wording stays in the trail", Scope.NOTE,
        answer="Note", body="NewNote", errors=(404,),
    )  # fmt: skip
    def patch(self, request: Request, pk: int) -> Response:
        rows = Note.objects.select_related("case")
        note = self.row(rows, "case__connection", pk=pk)
        text = self.body["text"]
        if note.by_id != self.actor.pk:
            raise Problem(403, "Only who wrote a note may edit it.")
        with refusing():
            notes.edit(note, actor=self.actor, text=text)
        note.refresh_from_db()
        answer = serialisation.note(note)
        return Response(answer)


class Tags(DeskView):
    @operation("Tags a case", Scope.NOTE, answer="Tags", body="NewTag", errors=(404,))
    def post(self, request: Request, pk: int) -> Response:
        case = self.case(pk)
        name = self.body["name"]
        with refusing():
            notes.tag(case, name, actor=self.actor)
        return Response(_tags(case))


class TagRemoval(DeskView):
    """Removal by POST: people choose tags freely, so a tag may be a name and must not be in an
    address.
    """

    @operation(
        "Takes a tag off a case",
        Scope.NOTE,
        answer="Tags",
        body="NewTag",
        errors=(404,),
    )
    def post(self, request: Request, pk: int) -> Response:
        case = self.case(pk)
        notes.untag(case, self.body["name"], actor=self.actor)
        return Response(_tags(case))


def _tags(case: Case) -> dict[str, list[str]]:
    names = []
    for tag in case.tags.all():
        names.append(tag.name)
    return {"tags": names}
