"""The audit trail of a case, and its evidence pack."""

from __future__ import annotations

import io

from django.http import FileResponse
from rest_framework.request import Request
from rest_framework.response import Response

from compliance.http.api import operations as op
from compliance.http.api.operations import operation
from compliance.http.api.schemas import Schema
from reviews.access import roles
from reviews.api import paging
from reviews.api.base import DeskView
from reviews.audit import trail
from reviews.models import CaseEvent, Scope
from reviews.records import evidence_pack, period_figures
from reviews.records.period_figures import Period
from reviews.wire import JsonObject

DAY: Schema = {"type": "string", "format": "date"}


class Events(DeskView):
    @operation(
        "The audit trail of a case, oldest first, with the hashes of the chain", Scope.AUDIT,
        answer="Events", query=paging.QUERY, errors=(404,),
    )  # fmt: skip
    def get(self, request: Request, pk: int) -> Response:
        case = self.case(pk)
        roles.require(self.actor, "reviews.view_caseevent", case)
        rows = case.events.select_related("seal")
        return self.list_response(rows, _to_wire, oldest_first=True)


def _to_wire(event: CaseEvent) -> JsonObject:
    seal = getattr(event, "seal", None)
    members = {
        "id": event.pk,
        "at": event.at,
        "actor": event.actor,
        "by": event.by,
        "what": event.what,
        "data": event.details,
        "seq": None,
        "hash": None,
    }
    if seal:
        members["seq"] = seal.seq
        members["hash"] = seal.hash
        members["line"] = trail.line(seal.seq, event)
    return members


class Evidence(DeskView):
    @operation("The evidence pack of a case", Scope.AUDIT, media=op.ZIP, errors=(404,))
    def get(self, request: Request, pk: int) -> FileResponse:
        case = self.case(pk)
        file = evidence_pack.pack(case, actor=self.actor)
        name = f"evidence-{case.pk}.zip"
        return FileResponse(
            file,
            as_attachment=True,
            filename=name,
            content_type=op.ZIP,
        )


class PeriodFigures(DeskView):
    is_of_cases = False

    @operation(
        "The figures of a period: volumes, outcomes, times, control, overrides, samples",
        Scope.AUDIT, answer="PeriodReport", query={"first": DAY, "last": DAY},
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        roles.require(self.actor, roles.EXPORT)
        first, last = self.params.get("first", ""), self.params.get("last", "")
        period = Period.of(first, last) if first or last else Period.last_month()
        report = period_figures.report(period, actor=self.actor)
        figures = []
        for section in report.sections:
            for figure in section.figures:
                figures.append({"section": section.title, **vars(figure)})
        answer = {"first": period.first, "last": period.last, "figures": figures}
        return Response(answer)


class Report(DeskView):
    @operation("The report of a case", Scope.AUDIT, media=op.PDF, errors=(404,))
    def get(self, request: Request, pk: int) -> FileResponse:
        case = self.case(pk)
        file = io.BytesIO(evidence_pack.report_of(case, actor=self.actor))
        name = f"report-{case.pk}.pdf"
        return FileResponse(
            file,
            as_attachment=True,
            filename=name,
            content_type=op.PDF,
        )
