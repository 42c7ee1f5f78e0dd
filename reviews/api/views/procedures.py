"""Endpoints for procedures: their versions, and the checklist and custom fields of a case."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from compliance.http.api.operations import operation
from compliance.http.api.schemas import one_of
from reviews.access import roles
from reviews.api import paging, serialisation, submitting
from reviews.api.base import DeskView
from reviews.models import Kind, Procedure, Scope
from reviews.procedures import checklists, versions
from reviews.procedures.checklists import Checklist, Line
from reviews.procedures.form_fields import ValuesForm
from reviews.wire import JsonObject

_FILTERS = {"kind": one_of(Kind.values), "status": one_of(Procedure.Status.values)}


class Procedures(DeskView):
    @operation(
        "The versions of the procedures: fields of one's own and checklists", Scope.READ,
        answer="Procedures", query={**_FILTERS, **paging.QUERY},
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        roles.require(self.actor, "reviews.view_procedure")
        rows = Procedure.objects.filter(**self.filters(_FILTERS))
        return self.list_response(rows, _procedure)


def _procedure(row: Procedure) -> JsonObject:
    content = versions.content_of(row).to_json()
    return {
        "kind": row.kind,
        "number": row.number,
        "status": row.status,
        "note": row.note,
        "made_at": row.made_at,
        "live_at": row.live_at,
        **content,
    }


class CaseChecklist(DeskView):
    @operation(
        "The checklist of a case, and who ticked what", Scope.READ, answer="Checklist",
        errors=(404,),
    )  # fmt: skip
    def get(self, request: Request, pk: int) -> Response:
        return Response(self._answer(pk))

    @operation(
        "Ticks an item, explains why it is not needed, or takes that back", Scope.DECIDE,
        answer="Checklist", body="ChecklistMark", errors=(404,),
    )  # fmt: skip
    def post(self, request: Request, pk: int) -> Response:
        case = self.case(pk)
        roles.require(self.actor, roles.REVIEW, case)
        body = self.body
        checklists.mark(
            case,
            body["item"],
            actor=self.actor,
            kind=body["kind"],
            note=body.get("note", ""),
        )
        return Response(self._answer(pk))

    def _answer(self, pk: int) -> JsonObject:
        checklist = Checklist.of(self.case(pk))
        if checklist.procedure:
            number = checklist.procedure.number
        else:
            number = None
        return {
            "procedure": number,
            "open_items": len(checklist.open_items),
            "items": [_line(line) for line in checklist.lines],
        }


def _line(line: Line) -> JsonObject:
    # No mark: nobody has ticked the item yet.
    mark = None
    if line.mark is not None:
        mark = {
            "kind": line.mark.kind,
            "note": line.mark.note,
            "by": line.mark.by.get_username(),
            "at": line.mark.at,
        }
    return {**vars(line.item), "mark": mark}


class CaseFields(DeskView):
    @operation(
        "Fills in the fields of the procedure", Scope.DECIDE, answer="Case", body="CustomFields",
        errors=(404, 409),
    )  # fmt: skip
    def post(self, request: Request, pk: int) -> Response:
        case = self.case(pk)
        roles.require(self.actor, roles.REVIEW, case)
        body = self.body
        content = versions.content_of(case.procedure)
        custom = body["custom_fields"]
        typed, faults = submitting.custom_fields(content, custom)
        form = ValuesForm(content, typed)
        for name, errors in form.errors.items():
            place = submitting.place_of(name, ())
            for error in errors:
                faults.append({"pointer": place, "detail": str(error)})
        if faults:
            raise submitting.unfit(faults)
        checklists.fill(
            case,
            actor=self.actor,
            values=form.values(),
            revision=body.get("revision", ""),
        )
        return Response(serialisation.case(self.case(pk), may_ask=True))
