"""The interface in OpenAPI 3.1: requests from the very shapes that judge them, answers from
answers.py, errors as errors.py makes them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from django.conf import settings
from rest_framework import serializers

from agenthub.schemas import batches, examples, fields, summaries
from agenthub.schemas import requests as shapes
from agenthub.schemas.cases import Shape
from agenthub.schemas.responses import PARTS
from compliance.http import references, signatures, standard_webhooks
from compliance.http.api.schemas import Schema, ref

JSON, CSV, PDF = "application/json", "text/csv", "application/pdf"
FORM = "multipart/form-data"
BINARY: Schema = {"type": "string", "contentMediaType": "application/octet-stream"}

READING = (401, 429, 500, 503, 507)
SENDING = (400, 401, 411, 413, 415, 429, 500, 503, 507)


@dataclass(frozen=True)
class Operation:
    """One method of one endpoint."""

    path: str
    method: str
    tag: str
    summary: str
    answer: str = ""  # the part of answers.py that status 200 has
    media: str = JSON
    query: type[Shape] | None = None
    request: type[Shape] | None = None
    errors: tuple[int, ...] = ()
    parts: Mapping[int, str] = field(default_factory=dict)  # errors of another shape
    open: bool = False  # needs no key

    @property
    def name(self) -> str:
        return self.path.strip("/").partition("/")[0] + ("" if self.method != "get" or self.path != "/downloadReport" else "Get")  # fmt: skip

    @property
    def statuses(self) -> tuple[int, ...]:
        always = SENDING if self.method == "post" else READING
        wrong = (400,) if self.query else ()
        found = {*always, *wrong, *self.errors, *self.parts}
        return tuple(sorted(found - {401, 429} if self.open else found))


JOBS, CASES, BATCHES, CHECKS, WEBHOOKS = "Jobs", "Cases", "Batches", "Checks", "Webhooks"
TAKEN = {409: "Taken"}
OPERATIONS = (
    Operation("/startKYBAgentJob", "post", JOBS, "Starts a job over a business", "StartedJob", request=shapes.StartKybJob, errors=(403,), parts=TAKEN),
    Operation("/startKYCAgentJob", "post", JOBS, "Starts a job over an individual", "StartedJob", request=shapes.StartKycJob, errors=(403,), parts=TAKEN),
    Operation("/retryJob", "post", JOBS, "Runs a job that has ended again, as a new job", "StartedJob", request=shapes.RetryJob, errors=(403, 404), parts=TAKEN),
    Operation("/getJobById", "get", JOBS, "One job, with its results if asked for", "Job", query=shapes.JobQuery, errors=(404,)),
    Operation("/getJobsByCaseId", "get", JOBS, "The jobs of a case with one agent, newest first", "Jobs", query=shapes.CaseQuery, errors=(403, 404)),
    Operation("/getCheckResults", "get", JOBS, "The check results of a job", "CheckResults", query=shapes.ResultsQuery, errors=(404,)),
    Operation("/getJobStatusSummary", "get", JOBS, "How far a job is, or how many jobs of an agent are in which state", "StatusSummary", query=summaries.StatusSummaryQuery, errors=(403, 404)),
    Operation("/getCheckResultFromJob", "get", JOBS, "One check result of a job", "OneCheckResult", query=summaries.OneResultQuery, errors=(404,)),
    Operation("/runCheck", "post", CHECKS, "Runs one check of a case, as a job of its own", "CheckJob", request=shapes.RunCheck, errors=(403, 404), parts=TAKEN),
    Operation("/getAvailableChecks", "get", CHECKS, "The catalogue of checks", "Checks", query=shapes.ChecksQuery, errors=(403,)),
    Operation("/checks", "get", CHECKS, "Another name of getAvailableChecks", "Checks", query=shapes.ChecksQuery, errors=(403,)),
    Operation("/getCheckInfo", "get", CHECKS, "One check, by its id or an alias", "Check", query=shapes.CheckQuery, errors=(404,)),
    Operation("/getLatestApplicationState", "get", CASES, "The latest state of an application", "ApplicationState", query=shapes.ApplicationQuery, errors=(403, 404)),
    Operation("/downloadReport", "post", CASES, "The report of a case, as a PDF", media=PDF, request=shapes.DownloadReport, errors=(403, 404)),
    Operation("/downloadReport", "get", CASES, "The report of a case, as a PDF", media=PDF, query=shapes.ReportQuery, errors=(403, 404)),
    Operation("/sendFeedback", "post", CASES, "Keeps feedback with a job, or one of its checks", "KeptFeedback", request=shapes.SendFeedback, errors=(404,)),
    Operation("/getFeedbackInputsByKey", "get", CASES, "The feedback that was kept under a key", "FeedbackInputs", query=summaries.FeedbackInputsQuery, errors=(404,)),
    Operation("/uploadB64Document", "post", CASES, "Uploads a document to the hub and answers its URL for start requests", "UploadedDocument", request=shapes.UploadDocument),
    Operation("/enrichPerson", "post", CASES, "What else is known of a person", "Enrichment", request=shapes.EnrichPerson),
    Operation("/enrichCompany", "post", CASES, "What else is known of a company", "Enrichment", request=shapes.EnrichCompany),
    Operation("/enqueueFromCSV", "post", BATCHES, "Starts a job for each row of a CSV file", "EnqueuedBatch", request=shapes.EnqueueCsv, errors=(403,), parts={409: "BatchTaken"}),
    Operation("/enqueueKybSchemas", "post", BATCHES, "Starts a job for each business of a list", "EnqueuedBatch", request=batches.EnqueueKybSchemas, errors=(403,), parts={409: "BatchTaken"}),
    Operation("/mapCsvColumns", "post", BATCHES, "Proposes what the columns of a CSV file mean", "MappedColumns", request=batches.MapCsvColumns, errors=(403,)),
    Operation("/getJobBatches", "get", BATCHES, "The batches of an agent, newest first", "Batches", query=shapes.BatchesQuery, errors=(403,)),
    Operation("/getBatchJobs", "get", BATCHES, "The jobs of a batch, or its rejected rows", "BatchJobs", query=shapes.BatchJobsQuery, errors=(403, 404)),
    Operation("/exportCSVBatch", "get", BATCHES, "A batch as CSV, one row for each case", media=CSV, query=shapes.BatchQuery, errors=(403, 404)),
    Operation("/testWebhook", "post", WEBHOOKS, "Sends a signed sample of each kind of webhook", "WebhookTest", request=shapes.TryWebhook, parts={400: "FailedWebhookTest"}),
    Operation("/testWebhookReceiver", "post", WEBHOOKS, "Says whether a webhook is signed well", "Verified"),
)  # fmt: skip

WORDS = {
    400: "The request does not fit; `detail` says where.",
    401: "The key is missing, unknown, revoked or expired.",
    403: "The account has no such agent, or the agent is not active.",
    404: "There is no such thing, or it is another account's.",
    409: "It is there already.",
    411: "The body has no Content-Length.",
    413: "The body is too large.",
    415: "The body is of another media type.",
    429: "Too many requests in this minute.",
    500: "A fault of the hub.",
    503: "The database, or the document store, cannot be used now.",
    507: "A disk of the hub is full. Nothing was stored.",
}


@lru_cache(maxsize=1)
def document() -> Schema:
    """The whole description."""
    parts: dict[str, Schema] = dict(PARTS)
    parts["CheckResults"] = {"type": "array", "items": ref("CheckResult")}
    paths: dict[str, Schema] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method] = _operation(operation, parts)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Compliance agent hub",
            "version": "1.0.0",
            "description": "Starts compliance agents over cases of businesses (KYB) and "
            "individuals (KYC), and tells what their checks found. Members that are not named "
            "here are accepted, and kept with the job.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": f"{settings.CALLBACK_URL}/api/v1"}],
        "security": [{"key": []}],
        "tags": [{"name": name} for name in (JOBS, CHECKS, CASES, BATCHES, WEBHOOKS)],
        "paths": paths,
        "components": {
            "schemas": parts,
            "securitySchemes": {
                "key": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "An API key of an account of the hub.",
                }
            },
        },
    }


def _operation(operation: Operation, parts: dict[str, Schema]) -> Schema:
    made: Schema = {
        "operationId": operation.name,
        "tags": [operation.tag],
        "summary": operation.summary,
        "responses": {"200": _success(operation)}
        | {str(status): _error(operation, status) for status in operation.statuses},
    }
    about = operation.query or operation.request
    if about is not None and about.__doc__ and about.__doc__ != Shape.__doc__:
        made["description"] = " ".join(about.__doc__.split())
    if operation.query is not None:
        made["parameters"] = list(_parameters(operation.query, operation.name))
    if operation.path == "/testWebhookReceiver":
        made["parameters"] = _SIGNATURES
        made["requestBody"] = _body({"type": "object"}, operation)
    elif operation.request is not None:
        made["requestBody"] = _body(_shape(operation.request(), parts), operation)
    return made


_SIGNATURES = [
    {
        "name": name,
        "in": "header",
        "required": False,
        "schema": {"type": "string"},
        "description": description,
    }
    for name, description in (
        (
            signatures.FULL_HEADER,
            "base64(HMAC-SHA256(signing secret, the bytes of the body)). Required where there is no"
            f" {standard_webhooks.SIGNATURE_HEADER}.",
        ),
        (
            signatures.COMPACT_HEADER,
            "base64(HMAC-SHA256(signing secret, input_payload.id)).",
        ),
        (standard_webhooks.ID_HEADER, "Names the delivery."),
        (standard_webhooks.TIMESTAMP_HEADER, "When it was sent, in seconds since 1970."),
        (
            standard_webhooks.SIGNATURE_HEADER,
            "v1,base64(HMAC-SHA256(key, id.timestamp.body)), as Standard Webhooks has it.",
        ),
    )
]


def _success(operation: Operation) -> Schema:
    schema = ref(operation.answer) if operation.answer else dict(BINARY)
    if operation.media == CSV:
        schema = {"type": "string"}
    content: Schema = {"schema": schema}
    if example := examples.ANSWERS.get(operation.name):
        content["example"] = example
    answer: Schema = {"description": operation.summary, "content": {operation.media: content}}
    if operation.path == "/getJobBatches":
        words = "The `cursor` of the next page, where there is one."
        answer["headers"] = {"X-Next-Cursor": {"schema": {"type": "string"}, "description": words}}
    return answer


def _error(operation: Operation, status: int) -> Schema:
    part = operation.parts.get(status, "Error")
    content: Schema = {"schema": ref(part)}
    if example := examples.ERRORS.get(part, {}).get(status):
        content["example"] = example
    made: Schema = {"description": WORDS[status], "content": {JSON: content}}
    if status in {429, 503, 507}:
        made["headers"] = {
            "Retry-After": {"schema": {"type": "integer"}, "description": "Seconds to wait."}
        }
    return made


def _body(schema: Schema, operation: Operation) -> Schema:
    content: Schema = {JSON: {"schema": schema}}
    if example := examples.REQUESTS.get(operation.name):
        content[JSON]["example"] = example
    if form := _FORMS.get(operation.request):
        content[FORM] = {"schema": form}
    return {"required": True, "content": content}


_FORM: Schema = {
    "file": {**BINARY, "description": "CSV in UTF-8 with a header, at most 25 MiB."},
    "agent_key": {"type": "string", "description": "Also taken as `agent_id`."},
    "batch_id": {"type": "string", "format": "uuid"},
    "batch_name": {"type": "string"},
    "webhook_url": {"type": "string"},
    "tool_webhook_url": {"type": "string"},
    "slack_webhook_url": {"type": "string"},
    "check_ids": {"type": "array", "items": {"type": "string"}},
    "tool_webhook_ids": {"type": "array", "items": {"type": "string"}},
    "column_mapping": {"type": "string", "description": "A JSON object, as text."},
}
_FORMS: Mapping[type[Shape] | None, Schema] = {
    shapes.EnqueueCsv: {
        "type": "object",
        "properties": _FORM,
        "required": ["file", "agent_key"],
    },
    batches.MapCsvColumns: {
        "type": "object",
        "properties": {name: _FORM[name] for name in ("file", "agent_key")}
        | {"case_type": {"type": "string"}},
        "required": ["file"],
    },
}


def _parameters(shape: type[Shape], operation: str) -> Iterable[Schema]:
    for name, one in shape().get_fields().items():
        made: Schema = {
            "name": name,
            "in": "query",
            "required": _is_required(one),
            "schema": _kind(one),
        }
        if (example := examples.QUERIES.get(operation, {}).get(name)) is not None:
            made["example"] = example
        yield made


def _is_required(one: Any) -> bool:
    return bool(one.required) and one.default is serializers.empty


def _shape(shape: Shape, parts: dict[str, Schema]) -> Schema:
    """A reference to the part that describes this shape, which is added where it is new."""
    name = type(shape).__name__
    if name not in parts:
        parts[name] = {}  # known from here on, to shapes that hold themselves
        members = shape.get_fields()
        made: Schema = {
            "type": "object",
            "properties": {member: _member(one, parts) for member, one in members.items()},
        }
        if required := [member for member, one in members.items() if _is_required(one)]:
            made["required"] = required
        parts[name] = made
    return ref(name)


def _member(one: Any, parts: dict[str, Schema]) -> Schema:
    if isinstance(one, Shape):
        schema = _shape(one, parts)
    elif isinstance(one, serializers.ListField):
        schema = {"type": "array", "items": _member(one.child, parts)}
    else:
        schema = _kind(one)
    if not one.allow_null:
        return schema
    if isinstance(schema.get("type"), str) and "const" not in schema:
        return {**schema, "type": [schema["type"], "null"]}
    return {"anyOf": [schema, {"type": "null"}]}


def _kind(one: Any) -> Schema:
    """The schema of a single value, by the kind of its field."""
    for kind, schema in _KINDS.items():
        if isinstance(one, kind):
            return dict(schema)
    if isinstance(one, fields.QueryNumber):
        return _number(one)
    if isinstance(one, fields.Choices):
        return {"type": "array", "items": {"type": "string", "enum": one.taken}}
    if isinstance(one, fields.Choice):
        return {"type": "string", "enum": list(one.choices)}
    if isinstance(one, fields.Constant):
        return {"const": one.value}
    return _text(one)


_KINDS: Mapping[type, Schema] = {
    fields.QueryFlag: {"type": "boolean", "default": False},
    fields.Uuid: {"type": "string", "format": "uuid"},
    fields.JobId: {"type": "string", "minLength": 1},
    fields.Date: {"type": "string", "format": "date"},
    fields.Email: {"type": "string", "format": "email", "pattern": r"^([^@\s]+@[^@\s]+)?$"},
    fields.Country: {"type": "string", "pattern": "^[A-Za-z]{2}$"},
    fields.Flag: {"type": "boolean"},
    fields.TextOrTexts: {
        "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]
    },
    serializers.DictField: {"type": "object"},
    serializers.JSONField: {},
    serializers.IntegerField: {"type": "integer", "minimum": 0},
}


def _number(one: fields.QueryNumber) -> Schema:
    made: Schema = {"type": "integer", "minimum": one.least, "maximum": one.most}
    default: Any = one.default
    return made if default is serializers.empty else {**made, "default": default}


def _text(one: fields.Text) -> Schema:
    made: Schema = {"type": "string"}
    if isinstance(one, fields.Url):
        made |= {"format": "uri", "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^/@\\s]+"}
    if isinstance(one, fields.Name):
        made["pattern"] = r"\S"
    if isinstance(one, fields.CaseId):
        made |= {"pattern": references.PATTERN, "description": references.REFUSAL}
    if not one.allow_blank:
        made["minLength"] = 1
    if one.max_length:
        made["maxLength"] = one.max_length
    return made


def named(schema: Mapping[str, Any]) -> str:
    """The name of the part that a reference leads to; empty where it is none."""
    found = re.fullmatch(r"#/components/schemas/(\w+)", str(schema.get("$ref", "")))
    return found[1] if found else ""
