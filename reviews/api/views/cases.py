"""Endpoints for cases, their jobs and results, and for the token's own user."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from rest_framework.request import Request
from rest_framework.response import Response

from compliance.db.paging import CursorError, cursor, read
from compliance.http.api import json_bodies
from compliance.http.api import operations as op
from compliance.http.api.errors import Problem
from compliance.http.api.json_bodies import StrictJSON
from compliance.http.api.operations import operation
from compliance.http.api.schemas import Schema, one_of, ref
from reviews.access import roles
from reviews.api import paging, serialisation, submitting
from reviews.api.base import BODIES, DeskView
from reviews.api.parts import searches
from reviews.findings.review_state import ReviewState
from reviews.intake import cases
from reviews.models import Agent, Case, CheckResult, Job, ReasonCode, Scope
from reviews.queue import filters, lists, queue_page
from reviews.wire import JsonObject


class MeView(DeskView):
    is_of_cases = False

    @operation("Whose token this is, and what it is good for", answer="Me")
    def get(self, request: Request) -> Response:
        answer = serialisation.me(self.token)
        return Response(answer)


class Agents(DeskView):
    is_of_cases = False

    @operation(
        "The agents that cases go to", Scope.READ, answer="Agents", query=paging.QUERY
    )
    def get(self, request: Request) -> Response:
        rows = roles.agents(self.actor)
        return self.list_response(rows, _agent)


def _agent(row: Agent) -> JsonObject:
    return serialisation.agent(row, row.connection)


class ReasonCodes(DeskView):
    is_of_cases = False

    @operation(
        "The reasons that a decision may name",
        Scope.READ,
        answer="ReasonCodes",
        query=paging.QUERY,
    )
    def get(self, request: Request) -> Response:
        rows = ReasonCode.objects.filter(is_active=True)
        return self.list_response(
            rows,
            serialisation.reason,
            by=("code",),
            oldest_first=True,
        )


# The multipart form of a submission: the draft, and files by kind.
FORM: Schema = {
    "schema": {
        "type": "object",
        "properties": {"case": ref("CaseDraft")},
        "additionalProperties": {
            "type": "array",
            "items": {"type": "string", "contentMediaType": op.BINARY},
            "description": "Files, named by their kind: incorporation_documents and so on.",
        },
        "required": ["case"],
    },
    "encoding": {"case": {"contentType": op.JSON}},
}


class Cases(DeskView):
    parser_classes = (StrictJSON, submitting.CaseForms)

    @operation(
        "The queue, fifty cases a page", Scope.READ, answer="Cases", query=searches.CASES,
        description="Filters as in the queue.",
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        return Response(_cases_page(self.params, self.actor))

    @operation(
        "Submits a case with its documents", Scope.SUBMIT, status=201, answer="Case",
        body="CaseDraft", form=FORM, errors=(409,),
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        roles.require(self.actor, roles.SUBMIT)
        draft, files = self._draft_and_files()
        self.take_bytes()
        count = 0
        for _, rows in files.lists():
            count += len(rows)
        case = submitting.submit(
            draft,
            files,
            actor=self.actor,
            # A repetition of an earlier submission opens no case, and is not counted.
            opened=lambda _case: self.take_quota(files=count, jobs=1),
        )
        # Read again, with everything that the response shows.
        row = self.case(case.pk)
        answer = serialisation.case(row, may_ask=False)
        location = {"Location": f"{request.path}/{case.pk}"}
        return Response(answer, status=201, headers=location)

    def _draft_and_files(self) -> tuple[JsonObject, submitting.Files]:
        # JSON with base64 documents, or a multipart form with files.
        content = json_bodies.content(self.request)
        if not isinstance(content, submitting.CaseUpload):
            draft = self.body
            documents = draft.get("documents", [])
            return draft, submitting.decode_documents(documents)
        BODIES.validate("CaseDraft", content.draft)
        if content.draft.get("documents"):
            words = "In a form, documents come as files."
            fault = {"pointer": "#/documents", "detail": words}
            raise Problem(422, words, faults=[fault])
        return content.draft, content.files


class CaseSearch(DeskView):
    """Search by POST: the words may be a name, which must not appear in an address."""

    is_reading = True

    @operation(
        "Searches the queue by a name, a reference or a tag", Scope.READ, answer="Cases",
        body="CaseSearch", description="Filters as in the queue.",
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        return Response(_cases_page(self.body, self.actor))


def _cases_page(params: JsonObject, actor: User) -> JsonObject:
    after = _after(params)
    queue_filter = filters.Filter.of({"view": "all", **params, "after": after})
    # The filter drops an invalid cursor. A client must get an error then, not the first page again.
    if queue_filter.after != after:
        raise paging.no_cursor()
    # The queue page and this endpoint share the same query.
    visible_ids = roles.connection_ids(actor)
    rows, more = queue_page.page(queue_filter, actor, visible_ids)
    ids = [row.pk for row in rows]
    next_cursor = None
    if more:
        last = rows[-1]
        key = last.key(queue_filter.order)
        next_cursor = cursor(key)
    return {"items": _case_rows(ids), "next_cursor": next_cursor}


def _after(params: JsonObject) -> str:
    """The key of the last row of the previous page; "" for the first page. Raises Problem."""
    text = params.get("cursor")
    if text is None:
        return ""
    try:
        (key,) = read(text, 1)
    except CursorError as exc:
        raise paging.no_cursor() from exc
    return str(key)


def _case_rows(ids: list[int]) -> list[JsonObject]:
    """The cases in the order of `ids`. A case that was deleted in the meantime is left out."""
    cases = Case.objects.select_related(
        "connection",
        "agent",
        "submitted_by",
        "analyst",
    )
    # No row shows these columns, and they may be long.
    cases = cases.defer(
        "self_attested_data", "schema_extra", "custom_fields", "extra_columns"
    )
    case_by_id = cases.in_bulk(ids)
    rows = []
    for pk in ids:
        case = case_by_id.get(pk)
        if case is not None:
            rows.append(serialisation.case_row(case))
    return rows


class OneCase(DeskView):
    @operation("One case", Scope.READ, answer="Case", errors=(404,))
    def get(self, request: Request, pk: int) -> Response:
        may_ask = self.actor.has_perm(roles.DECIDE)
        case = self.case(pk)
        answer = serialisation.case(case, may_ask=may_ask)
        return Response(answer)


class ReviewStateView(DeskView):
    @operation(
        "How a case stands: its checks, findings, and what stands against approving it",
        Scope.READ, answer="ReviewState", errors=(404,),
    )  # fmt: skip
    def get(self, request: Request, pk: int) -> Response:
        case = self.case(pk)
        review_state = ReviewState.of(case)
        answer = serialisation.review_state(review_state)
        return Response(answer)


class Jobs(DeskView):
    @operation(
        "The jobs of a case",
        Scope.READ,
        answer="Jobs",
        query=paging.QUERY,
        errors=(404,),
    )
    def get(self, request: Request, pk: int) -> Response:
        case = self.case(pk)
        rows = case.jobs.select_related("agent", "connection")
        by = ("created_at", "id")
        return self.list_response(rows, serialisation.job, by=by)

    @operation(
        "Runs the checks again", Scope.SUBMIT, status=201, answer="Job", body="Nothing",
        errors=(404, 409),
    )  # fmt: skip
    def post(self, request: Request, pk: int) -> Response:
        case = self.case(pk)
        _ = self.body  # validates that the body is empty
        with transaction.atomic():
            job = cases.run_again(case, actor=self.actor)
            if job is None:
                words = "A job of this case is still under way, or it was decided."
                raise Problem(409, words, code="not_now")
            # A refusal undoes the run. One that does not begin takes nothing of the limit.
            self.take_quota(jobs=1)
        return Response(serialisation.job(job), status=201)


class StopWaiting(DeskView):
    @operation(
        "Stops to wait for the job that is under way", Scope.SUBMIT, answer="Job", body="Nothing",
        errors=(404, 409),
    )  # fmt: skip
    def post(self, request: Request, pk: int) -> Response:
        case = self.case(pk)
        _ = self.body  # validates that the body is empty
        job = cases.stop_waiting(case, actor=self.actor)
        if job is None:
            raise Problem(409, "No job of this case is under way.", code="not_now")
        return Response(serialisation.job(job))


JOB_FILTERS: dict[str, Schema] = {
    "status": one_of(Job.Status.values),
    "agent": {
        "type": "string",
        "pattern": "^[0-9]{1,9}$",
        "description": "Its id, of /agents.",
    },
    "case": {
        "type": "string",
        "maxLength": 200,
        "description": "The reference of a case.",
    },
    "scope": {
        **one_of(("whole", "one")),
        "description": "Runs of all checks, or of one.",
    },
}


class AllJobs(DeskView):
    @operation(
        "The jobs of all cases, of the newest case first", Scope.READ, answer="Jobs",
        query={**JOB_FILTERS, **paging.QUERY},
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        filters = self.filters(JOB_FILTERS)
        rows = lists.jobs(self.actor, **filters)
        by = ("case_id", "created_at", "id")
        return self.list_response(rows, serialisation.job, by=by)


class OneJob(DeskView):
    @operation(
        "One job, and what it waits for while it is under way",
        Scope.READ,
        answer="OneJob",
        errors=(404,),
    )
    def get(self, request: Request, pk: UUID) -> Response:
        rows = Job.objects.select_related("agent", "connection")
        job = self.row(rows, "connection", pk=pk)
        answer = serialisation.one_job(job)
        return Response(answer)


class Results(DeskView):
    @operation(
        "What the service said in a job, word for word, oldest first", Scope.READ,
        answer="Results", query=paging.QUERY, errors=(404,),
    )  # fmt: skip
    def get(self, request: Request, pk: UUID) -> Response:
        job = self.row(Job.objects.all(), "connection", pk=pk)
        rows = CheckResult.objects.filter(job=job)
        return self.list_response(rows, serialisation.result, oldest_first=True)
