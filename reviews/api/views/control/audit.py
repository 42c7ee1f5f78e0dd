"""Endpoints for supervisors: audit trail, evidence packs, period figures, suspicion reports."""

from __future__ import annotations

import io
from datetime import date

from django.contrib.auth.models import User
from django.http import FileResponse
from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from compliance.http.api import operations as op
from compliance.http.api.operations import operation
from compliance.http.api.schemas import Schema, one_of
from reviews.access import roles
from reviews.api import paging, serialisation
from reviews.api.base import DeskView
from reviews.audit import trail
from reviews.filings import suspicion
from reviews.filings.fincen import batch, facts
from reviews.filings.fincen.facts import Facts
from reviews.filings.stored_sentences import Sentence, sentences
from reviews.models import CaseEvent, Scope, SuspicionReport
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
        Scope.AUDIT, answer="PeriodReport", query={"first": DAY, "last": DAY}, errors=(422,),
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        roles.require(self.actor, roles.EXPORT)
        first = self.params.get("first", "")
        last = self.params.get("last", "")
        if first or last:
            period = Period.of(first, last)
        else:
            period = Period.last_month()
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


class SuspicionReports(DeskView):
    @operation(
        "Reports of suspicious activity, newest first", Scope.AUDIT, answer="SuspicionReports",
        query={"status": one_of(SuspicionReport.Status.values), **paging.QUERY},
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        roles.require(self.actor, roles.SEE_SUSPICIONS)
        rows = suspicion.visible(self.actor).filter(**self.filters(("status",)))
        return self.list_response(rows, _suspicion)


class CaseSuspicions(DeskView):
    @operation(
        "Drafts a report from what the case says, each sentence with its evidence",
        Scope.DECIDE, status=201, answer="SuspicionReport", body="NewSuspicionReport",
        errors=(404,),
    )  # fmt: skip
    def post(self, request: Request, pk: int) -> Response:
        case = self.case(pk)
        noticed_on = date.fromisoformat(self.body["noticed_on"])
        report = suspicion.begin(case, actor=self.actor, noticed_on=noticed_on)
        return Response(_with_evidence(report, self.actor), status=201)


class _OneReport(DeskView):
    def report(self, pk: int) -> SuspicionReport:
        roles.require(self.actor, roles.SEE_SUSPICIONS)
        return get_object_or_404(suspicion.visible(self.actor), pk=pk)


class OneSuspicionReport(_OneReport):
    @operation(
        "One report, and what its sentences may rest on", Scope.AUDIT,
        answer="SuspicionReport", errors=(404,),
    )  # fmt: skip
    def get(self, request: Request, pk: int) -> Response:
        return Response(_with_evidence(self.report(pk), self.actor))

    @operation(
        "Stores the sentences of a draft, and what FinCEN's form asks", Scope.DECIDE, answer="SuspicionReport",
        body="SuspicionSentences", errors=(404, 409),
    )  # fmt: skip
    def patch(self, request: Request, pk: int) -> Response:
        body = self.body
        rows = []
        for row in body["sentences"]:
            rows.append(Sentence.of(row))
        stated = None
        if "fincen" in body:
            stated = Facts.of(body["fincen"])
        suspicion.save(
            self.report(pk),
            rows,
            actor=self.actor,
            revision=body["revision"],
            stated=stated,
        )
        return Response(_with_evidence(self.report(pk), self.actor))


class SuspicionGoaml(_OneReport):
    @operation(
        "The file of an approved report for goAML", Scope.AUDIT, media=op.XML,
        errors=(404, 422),
    )  # fmt: skip
    def get(self, request: Request, pk: int) -> FileResponse:
        content = suspicion.goaml_file(self.report(pk), actor=self.actor)
        return _xml_file(f"SR-{pk}.xml", content)


class SuspicionFincen(_OneReport):
    @operation(
        "The file of an approved report for FinCEN", Scope.AUDIT, media=op.XML,
        errors=(404, 422),
    )  # fmt: skip
    def get(self, request: Request, pk: int) -> FileResponse:
        content = suspicion.fincen_file(self.report(pk), actor=self.actor)
        return _xml_file(f"SARX-{pk}.xml", content)


def _xml_file(name: str, content: bytes) -> FileResponse:
    return FileResponse(
        io.BytesIO(content), as_attachment=True, filename=name, content_type=op.XML
    )


class SuspicionAct(_OneReport):
    @operation(
        "Proposes a report, agrees to it or returns it, notes its receipt, gives a draft up",
        Scope.DECIDE, answer="SuspicionReport", body="SuspicionAct", errors=(404, 409),
    )  # fmt: skip
    def post(self, request: Request, pk: int) -> Response:
        report, body = self.report(pk), self.body
        revision, act = body["revision"], body["act"]
        if act == "propose":
            suspicion.propose(report, actor=self.actor, revision=revision)
        elif act == "file":
            receipt = body.get("receipt", "")
            suspicion.file(report, actor=self.actor, receipt=receipt, revision=revision)
        elif act == "withdraw":
            suspicion.withdraw(report, actor=self.actor, revision=revision)
        else:
            suspicion.second(
                report,
                actor=self.actor,
                agrees=act == "agree",
                note=body.get("note", ""),
                revision=revision,
            )
        return Response(_with_evidence(self.report(pk), self.actor))


def _with_evidence(report: SuspicionReport, user: User) -> JsonObject:
    rows = []
    for item in suspicion.evidence(report.case, user).all.values():
        rows.append({"key": item.key, "label": item.label, "url": item.address})
    missing = batch.missing(report)
    return {**_suspicion(report), "evidence": rows, "fincen_missing": missing}


def _suspicion(row: SuspicionReport) -> JsonObject:
    return {
        "id": row.pk,
        "case_id": row.case_id,
        "status": row.status,
        "revision": row.revision,
        "noticed_on": row.noticed_on,
        "due_on": row.due_on,
        "sentences": [sentence.to_json() for sentence in sentences(row)],
        "fincen": facts.of(row).to_json(),
        "made_by": serialisation.who(row.made_by),
        "made_at": row.made_at,
        "proposed_by": serialisation.who(row.proposed_by),
        "proposed_at": row.proposed_at,
        "second_by": serialisation.who(row.second_by),
        "second_at": row.second_at,
        "second_note": row.second_note,
        "filed_by": serialisation.who(row.filed_by),
        "filed_at": row.filed_at,
        "receipt": row.receipt,
    }
