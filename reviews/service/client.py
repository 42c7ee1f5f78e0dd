"""The client of the service: one method per endpoint, and one exception."""

from __future__ import annotations

import base64
import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Self

import orjson
import requests
from django.conf import settings
from requests.auth import AuthBase

from compliance.db import masks
from compliance.http import outbound
from reviews.models import Connection, Job, Kind
from reviews.wire import JsonObject

Codes = tuple[int, ...]  # HTTP statuses that are not an error

# Seconds for a whole request. It must end well before the lease of the row that waits for it.
TIMEOUT = min(30.0, settings.LEASE.total_seconds() * 0.6)
MAX_BYTES = 64 << 20  # a job with the results of many documents is large

JSON_TYPE = {"Content-Type": "application/json"}

# The spellings of a status that services use, in lower case.
_STATUSES = {
    Job.Status.RUNNING: {
        "pending",
        "submitted",
        "queued",
        "running",
        "in progress",
        "in_progress",
    },
    Job.Status.COMPLETE: {"complete", "completed"},
    Job.Status.FAILED: {"failed", "error", "deleted", "retried"},
}


class ServiceError(Exception):
    """A call of the service failed.

    `permanent`: another call with the same content cannot succeed. `status`: the HTTP status, 0
    without an answer. `retry_after`: the seconds that the service asked to wait, if it did.
    """

    def __init__(
        self,
        message: str,
        *,
        permanent: bool,
        status: int = 0,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.permanent = permanent
        self.status = status
        self.retry_after = retry_after


class KeyRefusedError(ServiceError):
    """The service rejects our API key, so every call fails, not only this one."""


def job_status(spelling: object) -> Job.Status | None:
    """The status for a spelling of the service, in any case; None if it is unknown."""
    word = str(spelling).strip().lower()
    for status, spellings in _STATUSES.items():
        if word in spellings:
            return status
    return None


def job_id(spelling: object) -> str:
    """A UUID in one form, with or without dashes in the input. Other ids stay as they are."""
    text = str(spelling).strip()[:255]
    try:
        return str(uuid.UUID(text))
    except ValueError:
        return text


class BearerAuth(AuthBase):
    def __init__(self, key: str) -> None:
        self.key = key

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = f"Bearer {self.key}"
        return request


@dataclass(frozen=True, slots=True)
class Service:
    """A service, called with one API key. Every method raises ServiceError."""

    url: str
    api_key: str = field(repr=False)

    @classmethod
    def of(cls, connection: Connection) -> Self:
        return cls(url=connection.base_url.rstrip("/"), api_key=connection.api_key)

    # Jobs

    def start_job(
        self, kind: str, *, agent_key: str, schema: JsonObject, **options: Any
    ) -> JsonObject:
        """Start a KYB or KYC job. Returns {} if it was started before: 409 is accepted."""
        endpoint = "startKYBAgentJob" if kind == Kind.KYB else "startKYCAgentJob"
        body = {
            "agent_key": agent_key,
            f"{kind}_schema": schema,
            **options,
        }
        try:
            answer = self._post(endpoint, body)
        except ServiceError as exc:
            if exc.status != HTTPStatus.CONFLICT:
                raise
            return {}
        # Interface §4: `status` is "ok" on success, and the answer names the job.
        is_error = job_status(answer.get("status")) == Job.Status.FAILED
        if is_error and not answer.get("job_id"):
            raise ServiceError(f"{endpoint}: {error_text(answer)}", permanent=True)
        return answer

    def get_job(self, remote_id: str) -> JsonObject:
        """A job with its check results."""
        params = {"job_id": remote_id, "include_check_results": "true"}
        return self._get("getJobById", params)

    def get_jobs_by_case(self, case_id: str, *, agent_key: str) -> JsonObject:
        return self._get(
            "getJobsByCaseId", {"case_id": case_id, "agent_key": agent_key}
        )

    def get_latest_application_state(
        self, application_id: str, *, agent_key: str
    ) -> JsonObject:
        """The rolling state of one applicant: its data, status, present and past results."""
        params = {"agent_key": agent_key, "application_id": application_id}
        return self._get("getLatestApplicationState", params)

    def get_check_results(self, remote_id: str) -> list[JsonObject]:
        endpoint = "getCheckResults"
        rows = self._read_json("GET", endpoint, params={"job_id": remote_id})
        if not isinstance(rows, list):
            raise ServiceError(f"{endpoint}: the answer is not a list", permanent=False)
        return rows

    def erase_case(self, case_id: str) -> JsonObject:
        """Ask the service to erase its data of a case.

        This is an extension of the interface that not every service has.
        """
        return self._post("eraseCase", {"case_id": case_id})

    def send_feedback(
        self, remote_id: str, *, feedback: str, check_id: str = ""
    ) -> JsonObject:
        body = {"job_id": remote_id, "feedback": feedback}
        if check_id:
            body["check_id"] = check_id
        return self._post("sendFeedback", body)

    def download_report(self, case_id: str, *, agent_key: str, **options: str) -> bytes:
        """The PDF report of the latest job of the case. `options`: job_id, for another job."""
        params = {"case_id": case_id, "agent_key": agent_key, **options}
        return self._download("downloadReport", params, content_type="application/pdf")

    # Checks

    def run_check(self, check_id: str, *, agent_key: str, **case: Any) -> JsonObject:
        """Start one check as a job of its own.

        `case` has kyb_schema, kyc_schema or case_id, and check_args, job_id, webhook_url,
        tool_webhook_url as in start_job.
        """
        body = {"agent_key": agent_key, "check_id": check_id, **case}
        return self._post("runCheck", body, accept=(200, 409))

    def get_available_checks(self, **filters: str) -> list[JsonObject]:
        """The catalogue of checks. `filters`: agent_key, case_type."""
        return self._list("getAvailableChecks", filters, member="checks")

    def get_check_info(self, check_id: str) -> JsonObject:
        return self._get("getCheckInfo", {"check_id": check_id})

    # Enrichment

    def enrich_person(self, **facts: str) -> JsonObject:
        """Look up a person.

        `facts`: email, full_name, first_name, last_name, company, location, phone, profile.
        """
        return self._post("enrichPerson", facts)

    def enrich_company(self, **facts: str) -> JsonObject:
        """Look up a company. `facts`: name, website, ticker, profile."""
        return self._post("enrichCompany", facts)

    def look_up_name(self, **query: Any) -> JsonObject:
        """Search the lists for a name or a number. `query`: name, date_of_birth, lists.

        This is an extension of the interface that not every service has.
        """
        return self._post("lookUpName", query)

    # Webhooks

    def test_webhook(self, *, webhook_url: str = "", tool_webhook_url: str = "", tool_webhook_ids: Sequence[str] = ()) -> JsonObject:  # fmt: skip
        """Ask for sample webhooks.

        The answer tells what the receiver answered, also with status 400.
        """
        options = {
            "webhook_url": webhook_url,
            "tool_webhook_url": tool_webhook_url,
            "tool_webhook_ids": list(tool_webhook_ids),
        }
        body = {}
        for name, value in options.items():
            if value:
                body[name] = value
        return self._post("testWebhook", body, accept=(200, 400))

    def test_webhook_receiver(
        self, body: bytes, *, headers: Mapping[str, str]
    ) -> JsonObject:
        """Ask the service to verify a signed webhook of ours.

        If the signature is wrong, the ServiceError has status 401 or 400.
        """
        endpoint = "testWebhookReceiver"
        content = self._read_json(
            "POST",
            endpoint,
            data=body,
            headers={**JSON_TYPE, **headers},
        )
        return _object(content, endpoint)

    # Documents and batches

    def upload_document(self, content: bytes, *, file_name: str = "") -> JsonObject:
        """Upload a document for a limited time.

        The `url` of the answer may be used in a start request.
        """
        encoded = base64.b64encode(content).decode()
        return self._post(
            "uploadB64Document", {"b64_document": encoded, "file_name": file_name}
        )

    def enqueue_from_csv(self, content: bytes, *, agent_key: str, file_name: str = "cases.csv", **options: str) -> JsonObject:  # fmt: skip
        """Start a batch from a CSV file. A 409 means that it was started before, and is
        accepted, unless the service says that it was from other rows.

        `options`: batch_id, batch_name, webhook_url, tool_webhook_url, slack_webhook_url.
        """
        endpoint = "enqueueFromCSV"
        answer = self._read_json(
            "POST",
            endpoint,
            accept=(200, 409),
            data={"agent_key": agent_key, **options},
            files={"file": (file_name, content, "text/csv")},
        )
        result = _object(answer, endpoint)
        if result.get("same_rows") is False:
            words = (
                "The service has a batch with this id that was made from other rows."
            )
            raise ServiceError(words, permanent=True, status=HTTPStatus.CONFLICT)
        return result

    def get_job_batches(self, *, agent_key: str, **page: str) -> list[JsonObject]:
        """The batches of the agent, newest first. `page`: limit, cursor."""
        return self._list(
            "getJobBatches",
            {"agent_key": agent_key, **page},
            member="batches",
        )

    def get_batch_jobs(
        self, batch_id: str, *, agent_key: str, **page: str
    ) -> JsonObject:
        """A page of the jobs of a batch. `page`: limit, cursor, status.

        Rows that could not be started have the status "rejected" and are in `rejected_rows`.
        """
        params = {"batch_id": batch_id, "agent_key": agent_key, **page}
        return self._get("getBatchJobs", params)

    def export_csv_batch(self, batch_id: str, *, agent_key: str) -> bytes:
        params = {"batch_id": batch_id, "agent_key": agent_key}
        return self._download("exportCSVBatch", params, content_type="text/csv")

    # Shared code of the methods above

    def _get(self, endpoint: str, params: Mapping[str, str]) -> JsonObject:
        content = self._read_json("GET", endpoint, params=params)
        return _object(content, endpoint)

    def _post(
        self, endpoint: str, body: Mapping[str, object], accept: Codes = (200,)
    ) -> JsonObject:
        content = self._read_json(
            "POST",
            endpoint,
            accept=accept,
            data=orjson.dumps(body),
            headers=JSON_TYPE,
        )
        return _object(content, endpoint)

    def _list(
        self, endpoint: str, params: Mapping[str, str], *, member: str
    ) -> list[JsonObject]:
        """The objects of a list. The list may be the whole answer, or a member of it."""
        content = self._read_json("GET", endpoint, params=params)
        rows = content
        if isinstance(content, dict):
            rows = content.get(member)
        if not isinstance(rows, list):
            error = f"{endpoint}: the answer is not a list"
            raise ServiceError(error, permanent=False)
        return [row for row in rows if isinstance(row, dict)]

    def _download(
        self, endpoint: str, params: Mapping[str, str], *, content_type: str
    ) -> bytes:
        headers = {"Accept": content_type}
        response = self._request("GET", endpoint, params=params, headers=headers)
        if response.status_code != 200:
            raise _error(response, endpoint)
        return response.content

    def _read_json(
        self, method: str, endpoint: str, *, accept: Codes = (200,), **options: Any
    ) -> Any:
        response = self._request(method, endpoint, **options)
        if response.status_code not in accept:
            raise _error(response, endpoint)
        try:
            return masks.apply(read_json(response.content), codes=True)
        except orjson.JSONDecodeError as exc:
            # Probably an HTML page of a proxy with status 200. The next call may succeed.
            raise ServiceError(
                f"{endpoint}: the answer is not JSON", permanent=False
            ) from exc

    def _request(
        self,
        method: str,
        endpoint: str,
        *,
        headers: Mapping[str, str] | None = None,
        **options: Any,
    ) -> requests.Response:
        """Send a request. `options`: params, data and files, as in requests."""
        try:
            # An administrator entered this address, so a private one is allowed.
            allow_private = frozenset({outbound.origin(self.url)})
            session = outbound.thread_session(
                allow_private=allow_private, max_bytes=MAX_BYTES, is_personal=True
            )
            return session.request(
                method,
                f"{self.url}/{endpoint}",
                headers={"Accept": "application/json", **(headers or {})},
                auth=BearerAuth(self.api_key),
                timeout=TIMEOUT,
                **options,
            )
        except outbound.OutboundError as exc:
            raise ServiceError(f"{endpoint}: {exc}", permanent=False) from exc


def _object(content: object, endpoint: str) -> JsonObject:
    if not isinstance(content, dict):
        raise ServiceError(f"{endpoint}: the answer is not an object", permanent=False)
    return content


# JSON

# Levels of nesting that are kept. Python and the templates later read the stored JSON
# recursively.
DEEPEST = 100
TOO_DEEP = "(nested too deeply to be kept)"

# PostgreSQL's JSON cannot store the escape of NUL. After an even number of backslashes, the
# last backslash is that of the escape.
_NUL = re.compile(rb"(?<!\\)((?:\\\\)*)\\u0000")


def read_json(body: bytes) -> Any:
    """Parse the JSON of a service, without NUL, and with a text in place of too deep nesting.

    Raises orjson.JSONDecodeError.
    """
    # Few bodies have NUL, and the regular expression takes twenty times as long as parsing.
    if b"\\u0000" in body:
        body = _NUL.sub(rb"\1", body)
    value = orjson.loads(body)
    # A body with few brackets cannot be nested too deeply, so it needs no walk.
    brackets = body.count(b"[") + body.count(b"{")
    if brackets <= DEEPEST:
        return value
    return _limit_depth(value, DEEPEST)


def _limit_depth(value: object, levels: int) -> Any:
    if not isinstance(value, dict | list):
        return value
    if not levels:
        return TOO_DEEP
    if isinstance(value, list):
        return [_limit_depth(item, levels - 1) for item in value]
    return {name: _limit_depth(item, levels - 1) for name, item in value.items()}


# Errors


def _error(response: requests.Response, endpoint: str) -> ServiceError:
    """The error for an answer, with the words of the service."""
    status = response.status_code
    try:
        reason = error_text(read_json(response.content))
    except orjson.JSONDecodeError:
        reason = _plain_text(response)
    reason = reason or "no reason given"
    error = KeyRefusedError if _is_key_refused(status, reason) else ServiceError
    return error(
        f"{endpoint}: {status} {reason}",
        # 408 and 425 mean "try again", as 429 does. Every other 4xx is a fault of the request.
        permanent=400 <= status < 500 and status not in {408, 425, 429},
        status=status,
        retry_after=outbound.retry_after(response),
    )


# A 403 is about the request (interface §7: the agent belongs to somebody else), unless its text
# names the API key of the caller.
_KEY = re.compile(
    r"\b(api[ _-]?key|access[ _-]?token|bearer|credentials?)\b", re.IGNORECASE
)
_BAD = re.compile(
    r"\b(invalid|not valid|expired|revoked|unknown|unrecogni[sz]ed|disabled|inactive|missing)\b",
    re.IGNORECASE,
)


def _is_key_refused(status: int, reason: str) -> bool:
    """Whether an answer rejects the API key: 401, or 403 with words that say so."""
    if status == 403:
        return bool(_KEY.search(reason) and _BAD.search(reason))
    return status == 401


def _plain_text(response: requests.Response) -> str:
    """The text of an error that is not JSON; "" for an HTML page of a proxy."""
    beginning = response.content[:2000]
    text = beginning.decode("utf-8", "replace")
    text = text.replace("\x00", "")
    if "<" in text:
        return ""
    words = " ".join(text.split())
    return words[:LONGEST_REASON]


LONGEST_REASON = 500
_DEEPEST_REASON = 6

# The members with the reason, in order of preference, and those with details.
_REASONS = ("message", "error_description", "msg", "error", "title", "reason", "code")
_DETAILS = ("detail", "details", "errors")


def error_text(error: object) -> str:
    """The reason in the words of the service, with details, shortened for a page; "" if none.

    Services use many forms: a text, a list, nested objects, or fields by their names.
    """
    if not isinstance(error, dict):
        return _text(error)[:LONGEST_REASON]
    reason = _first_text(error, _REASONS)
    details = _first_text(error, _DETAILS)
    text = reason or details or _text(error)
    if reason and details and details != reason:
        text = f"{reason} ({details})"
    return text[:LONGEST_REASON]


def _text(value: object, depth: int = _DEEPEST_REASON) -> str:
    """The words of an error in any form: a text, an object with a text, or a list of either."""
    if isinstance(value, str):
        return value.strip()
    if not depth:
        return ""
    if isinstance(value, list):
        texts = []
        for item in value[:5]:
            texts.append(_text(item, depth - 1))
        return "; ".join(filter(None, texts))
    if isinstance(value, dict):
        return _text_of_object(value, depth)
    return ""


def _text_of_object(value: JsonObject, depth: int) -> str:
    if reason := _first_text(value, (*_REASONS, *_DETAILS), depth - 1):
        location = value.get("loc")
        if not isinstance(location, list) or not location:
            return reason
        field_name = ".".join(map(str, location))
        return f"{field_name}: {reason}"
    # None of the known members: these are fields with their faults.
    texts = []
    for name, member in list(value.items())[:5]:
        if text := _text(member, depth - 1):
            texts.append(f"{name}: {text}")
    return "; ".join(texts)


def _first_text(
    value: JsonObject, names: Sequence[str], depth: int = _DEEPEST_REASON
) -> str:
    for name in names:
        if text := _text(value.get(name), depth):
            return text
    return ""
