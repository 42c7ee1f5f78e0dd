"""The hub's OpenAPI 3.1 document.

Requests are described from the shapes that validate them, responses from responses.py."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from django.conf import settings

from agenthub.schemas import batches, examples, json_schema, summaries
from agenthub.schemas import requests as shapes
from agenthub.schemas.cases import Shape
from agenthub.schemas.responses import PARTS
from compliance.http import signatures, standard_webhooks
from compliance.http.api import openapi
from compliance.http.api.openapi import Endpoint, Interface
from compliance.http.api.operations import BINARY, CSV, JSON, PDF, Examples, Operation
from compliance.http.api.schemas import ANY_OBJECT, STRING, UUID, Schema, listed

JOBS, CASES, BATCHES, CHECKS, WEBHOOKS = (
    "Jobs",
    "Cases",
    "Batches",
    "Checks",
    "Webhooks",
)
INTERFACE = Interface(
    title="Compliance agent hub",
    description="Starts compliance agents over cases of businesses (KYB) and individuals (KYC), "
    "and tells what their checks found. Members that are not named here are accepted, and kept "
    "with the job.",
    security="key",
    security_description="An API key of an account of the hub.",
    error_schema="Error",
    error_media=JSON,
    error_examples=examples.ERRORS,
    tags=(JOBS, CHECKS, CASES, BATCHES, WEBHOOKS),
    error_meanings={
        400: "The request does not fit; `detail` says where.",
        401: "The key is missing, unknown, revoked or expired.",
        403: "The account has no such agent, or the agent is not active.",
        404: "There is no such thing, or it is another account's.",
        409: "It is there already, or cannot be done while a job runs.",
        411: "The body has no Content-Length.",
        413: "The body is too large.",
        415: "The body is of another media type.",
        429: "Too many requests in this minute.",
        500: "A fault of the hub.",
        503: "The database, or the document store, cannot be used now.",
        507: "A disk of the hub is full. Nothing was stored.",
    },
)
# Schemas of responses. The endpoints below add those of their requests.
SCHEMAS: dict[str, Schema] = {**PARTS, "SignedWebhook": ANY_OBJECT}


@lru_cache(maxsize=1)
def document() -> Schema:
    """The whole OpenAPI document."""
    server = f"{settings.CALLBACK_URL}/api/v1"
    return openapi.document(INTERFACE, ENDPOINTS, SCHEMAS, server=server)


def _get(
    path: str,
    tag: str,
    summary: str,
    answer: str = "",
    *,
    query: type[Shape],
    name: str = "",
    media: str = JSON,
    errors: tuple[int, ...] = (),
    answer_headers: Mapping[str, Schema] | None = None,
) -> Endpoint:
    name = name or path.strip("/")
    operation = Operation(
        summary,
        name=name,
        tag=tag,
        description=json_schema.words(query),
        answer=answer,
        media=media,
        answer_headers=answer_headers or {},
        query=json_schema.query(query),
        required=json_schema.required(query),
        errors=errors,
        examples=Examples(
            answer=examples.ANSWERS.get(name), query=examples.QUERIES.get(name, {})
        ),
    )
    return Endpoint(path, "get", operation)


def _post(
    path: str,
    tag: str,
    summary: str,
    answer: str = "",
    *,
    request: type[Shape] | None = None,
    form: Schema | None = None,
    headers: Sequence[Schema] = (),
    media: str = JSON,
    errors: tuple[int, ...] = (),
    error_schemas: Mapping[int, str] | None = None,
) -> Endpoint:
    """`request` is None for an endpoint that reads the raw bytes of a webhook."""
    name = path.strip("/")
    body, words = "SignedWebhook", ""
    if request is not None:
        body = json_schema.add(request, SCHEMAS)
        words = json_schema.words(request)
    operation = Operation(
        summary,
        name=name,
        tag=tag,
        description=words,
        answer=answer,
        media=media,
        body=body,
        form=form,
        headers=headers,
        errors=errors,
        error_schemas=error_schemas or {},
        examples=Examples(
            answer=examples.ANSWERS.get(name), body=examples.REQUESTS.get(name)
        ),
    )
    return Endpoint(path, "post", operation)


_FORM: Schema = {
    "file": {
        "type": "string",
        "contentMediaType": BINARY,
        "description": "CSV in UTF-8 with a header, at most 25 MiB.",
    },
    "agent_key": {"type": "string", "description": "Also taken as `agent_id`."},
    "batch_id": UUID,
    "batch_name": STRING,
    "webhook_url": STRING,
    "tool_webhook_url": STRING,
    "slack_webhook_url": STRING,
    "check_ids": listed(STRING),
    "tool_webhook_ids": listed(STRING),
    "column_mapping": {"type": "string", "description": "A JSON object, as text."},
}

_CSV_FORM: Schema = {
    "schema": {"type": "object", "properties": _FORM, "required": ["file", "agent_key"]}
}
_COLUMNS_FORM: Schema = {
    "schema": {
        "type": "object",
        "properties": {
            "file": _FORM["file"],
            "agent_key": _FORM["agent_key"],
            "case_type": STRING,
        },
        "required": ["file"],
    }
}


def _header(name: str, description: str) -> Schema:
    return {
        "name": name,
        "in": "header",
        "required": False,
        "schema": STRING,
        "description": description,
    }


_SIGNATURES = (
    _header(
        signatures.FULL_HEADER,
        "base64(HMAC-SHA256(signing secret, the bytes of the body)). Required where there is no"
        f" {standard_webhooks.SIGNATURE_HEADER}.",
    ),
    _header(
        signatures.COMPACT_HEADER,
        "base64(HMAC-SHA256(signing secret, input_payload.id)).",
    ),
    _header(standard_webhooks.ID_HEADER, "Names the delivery."),
    _header(
        standard_webhooks.TIMESTAMP_HEADER, "When it was sent, in seconds since 1970."
    ),
    _header(
        standard_webhooks.SIGNATURE_HEADER,
        "v1,base64(HMAC-SHA256(key, id.timestamp.body)), as Standard Webhooks has it.",
    ),
)
_NEXT_CURSOR = {
    "X-Next-Cursor": {
        "schema": STRING,
        "description": "The `cursor` of the next page, where there is one.",
    }
}

TAKEN = {409: "Taken"}
ENDPOINTS = (
    _post("/startKYBAgentJob", JOBS, "Starts a job over a business", "StartedJob", request=shapes.StartKybJob, errors=(403,), error_schemas=TAKEN),
    _post("/startKYCAgentJob", JOBS, "Starts a job over an individual", "StartedJob", request=shapes.StartKycJob, errors=(403,), error_schemas=TAKEN),
    _post("/retryJob", JOBS, "Runs a job that has ended again, as a new job", "StartedJob", request=shapes.RetryJob, errors=(403, 404), error_schemas=TAKEN),
    _get("/getJobById", JOBS, "One job, with its results if asked for", "Job", query=shapes.JobQuery, errors=(404,)),
    _get("/getJobsByCaseId", JOBS, "The jobs of a case with one agent, newest first", "Jobs", query=shapes.CaseQuery, errors=(403, 404)),
    _get("/getCheckResults", JOBS, "The check results of a job", "CheckResults", query=shapes.ResultsQuery, errors=(404,)),
    _get("/getJobStatusSummary", JOBS, "How far a job is, or how many jobs of an agent are in which state", "StatusSummary", query=summaries.StatusSummaryQuery, errors=(403, 404)),
    _get("/getCheckResultFromJob", JOBS, "One check result of a job", "OneCheckResult", query=summaries.OneResultQuery, errors=(404,)),
    _post("/runCheck", CHECKS, "Runs one check of a case, as a job of its own", "CheckJob", request=shapes.RunCheck, errors=(403, 404), error_schemas=TAKEN),
    _get("/getAvailableChecks", CHECKS, "The catalogue of checks", "Checks", query=shapes.ChecksQuery, errors=(403,)),
    _get("/checks", CHECKS, "Another name of getAvailableChecks", "Checks", query=shapes.ChecksQuery, errors=(403,)),
    _get("/getCheckInfo", CHECKS, "One check, by its id or an alias", "Check", query=shapes.CheckQuery, errors=(404,)),
    _get("/getLatestApplicationState", CASES, "The latest state of an application", "ApplicationState", query=shapes.ApplicationQuery, errors=(403, 404)),
    _post("/downloadReport", CASES, "The report of a case, as a PDF", media=PDF, request=shapes.DownloadReport, errors=(403, 404)),
    _get("/downloadReport", CASES, "The report of a case, as a PDF", media=PDF, query=shapes.ReportQuery, errors=(403, 404), name="downloadReportGet"),
    _post("/sendFeedback", CASES, "Keeps feedback with a job, or one of its checks", "KeptFeedback", request=shapes.SendFeedback, errors=(404,)),
    _get("/getFeedbackInputsByKey", CASES, "The feedback that was kept under a key", "FeedbackInputs", query=summaries.FeedbackInputsQuery, errors=(404,)),
    _post("/eraseCase", CASES, "Erases what the hub holds of a case", "ErasedCase", request=shapes.EraseCase, errors=(409,)),
    _post("/lookUpName", CASES, "Looks a name or a number up in the active lists", "LookUp", request=shapes.LookUpName),
    _post("/uploadB64Document", CASES, "Uploads a document to the hub and answers its URL for start requests", "UploadedDocument", request=shapes.UploadDocument),
    _post("/enrichPerson", CASES, "What else is known of a person", "Enrichment", request=shapes.EnrichPerson),
    _post("/enrichCompany", CASES, "What else is known of a company", "Enrichment", request=shapes.EnrichCompany),
    _post("/enqueueFromCSV", BATCHES, "Starts a job for each row of a CSV file", "EnqueuedBatch", request=shapes.EnqueueCsv, form=_CSV_FORM, errors=(403,), error_schemas={409: "BatchTaken"}),
    _post("/enqueueKybSchemas", BATCHES, "Starts a job for each business of a list", "EnqueuedBatch", request=batches.EnqueueKybSchemas, errors=(403,), error_schemas={409: "BatchTaken"}),
    _post("/mapCsvColumns", BATCHES, "Proposes what the columns of a CSV file mean", "MappedColumns", request=batches.MapCsvColumns, form=_COLUMNS_FORM, errors=(403,)),
    _get("/getJobBatches", BATCHES, "The batches of an agent, newest first", "Batches", query=shapes.BatchesQuery, errors=(403,), answer_headers=_NEXT_CURSOR),
    _get("/getBatchJobs", BATCHES, "The jobs of a batch, or its rejected rows", "BatchJobs", query=shapes.BatchJobsQuery, errors=(403, 404)),
    _get("/exportCSVBatch", BATCHES, "A batch as CSV, one row for each case", media=CSV, query=shapes.BatchQuery, errors=(403, 404)),
    _post("/testWebhook", WEBHOOKS, "Sends a signed sample of each kind of webhook", "WebhookTest", request=shapes.TryWebhook, error_schemas={400: "FailedWebhookTest"}),
    _post("/testWebhookReceiver", WEBHOOKS, "Says whether a webhook is signed well", "Verified", headers=_SIGNATURES),
)  # fmt: skip
