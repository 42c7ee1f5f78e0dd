"""The service, seen from the desk: one method per endpoint, one exception."""

from __future__ import annotations

import base64
import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import orjson
from django.conf import settings
from urllib3.filepost import encode_multipart_formdata

from compliance import outbound
from reviews.models import Connection, Job, Kind

JSON = dict[str, Any]
Codes = tuple[int, ...]  # the HTTP statuses of an answer that is not an error

# Seconds for a whole exchange: it must end well before the lease of the row that waits for it.
DEADLINE = min(30.0, settings.LEASE.total_seconds() * 0.6)
ANSWER_CAP = 64 << 20  # bytes; a job with the results of many documents is large

# The spellings of one state that services are seen to use, in lower case.
_STATUSES = {
    Job.Status.RUNNING: {"pending", "submitted", "queued", "running", "in progress", "in_progress"},
    Job.Status.COMPLETE: {"complete", "completed"},
    Job.Status.FAILED: {"failed", "error", "deleted", "retried"},
}


class ServiceError(Exception):
    """The service did not do what was asked. `permanent`: asking again will not help.

    `retry_after` is how many seconds the service asked to wait, if it did.
    """

    def __init__(
        self, message: str, *, permanent: bool, status: int = 0, retry_after: float | None = None
    ) -> None:
        super().__init__(message)
        self.permanent = permanent
        self.status = status
        self.retry_after = retry_after


class KeyRefusedError(ServiceError):
    """The service does not take our key: it refuses every call, not this one alone."""


def job_status(spelling: object) -> Job.Status | None:
    """Our status for a spelling of the service's, in any case; None where it is unknown."""
    word = str(spelling).strip().lower()
    return next((status for status, words in _STATUSES.items() if word in words), None)


# PostgreSQL's JSON cannot hold the escape of a NUL character. An even number of backslashes
# before it means that the last one is the escape's own.
_NUL = re.compile(rb"(?<!\\)((?:\\\\)*)\\u0000")


def read_json(body: bytes) -> Any:
    """What a service sent, without NUL characters, and with words in the place of what is nested
    deeper than can be kept. Raises orjson.JSONDecodeError."""
    # Hardly a body has one, and to look for the whole pattern takes twenty times as long as to read it.
    found = orjson.loads(_NUL.sub(rb"\1", body) if b"\\u0000" in body else body)
    is_flat = body.count(b"[") + body.count(b"{") <= DEEPEST
    return found if is_flat else _cut(found, DEEPEST)


# Levels. What is written to the database is read again by Python and by templates, level by level.
DEEPEST = 100
TOO_DEEP = "(nested too deeply to be kept)"


def _cut(value: Any, levels: int) -> Any:
    if not isinstance(value, dict | list):
        return value
    if not levels:
        return TOO_DEEP
    if isinstance(value, list):
        return [_cut(item, levels - 1) for item in value]
    return {name: _cut(item, levels - 1) for name, item in value.items()}


def job_id(spelling: object) -> str:
    """One form for ids that come with and without dashes; ids that are no UUID stay as they are."""
    text = str(spelling).strip()[:255]
    try:
        return str(uuid.UUID(text))
    except ValueError:
        return text


@dataclass(frozen=True, slots=True)
class Service:
    """One service as one caller. Every method raises ServiceError."""

    url: str
    api_key: str = field(repr=False)

    @classmethod
    def of(cls, connection: Connection) -> Self:
        return cls(url=connection.base_url.rstrip("/"), api_key=connection.api_key)

    def start_job(self, kind: str, *, agent_key: str, schema: JSON, **options: Any) -> JSON:
        """Start a KYB or KYC job. An answer 409 means that it was started before: accepted."""
        endpoint = "startKYBAgentJob" if kind == Kind.KYB else "startKYCAgentJob"
        body = {"agent_key": agent_key, f"{kind}_schema": schema, **options}
        return self._object(self._call("POST", endpoint, body=body, accept=(200, 409)), endpoint)

    def get_job(self, remote_id: str) -> JSON:
        """A job with its check results."""
        params = {"job_id": remote_id, "include_check_results": "true"}
        return self._object(self._call("GET", "getJobById", params=params), "getJobById")

    def get_jobs_by_case(self, case_id: str, *, agent_key: str) -> JSON:
        params = {"case_id": case_id, "agent_key": agent_key}
        return self._object(self._call("GET", "getJobsByCaseId", params=params), "getJobsByCaseId")

    def get_latest_application_state(self, application_id: str, *, agent_key: str) -> JSON:
        """The rolling state of one applicant: its data, status, present and past results."""
        params = {"agent_key": agent_key, "application_id": application_id}
        return self._get("getLatestApplicationState", params)

    def run_check(self, check_id: str, *, agent_key: str, **case: Any) -> JSON:
        """Start one check as a job of its own. `case`: kyb_schema, kyc_schema or case_id, and
        check_args, job_id, webhook_url, tool_webhook_url as in start_job."""
        body = {"agent_key": agent_key, "check_id": check_id, **case}
        return self._post("runCheck", body, accept=(200, 409))

    def get_available_checks(self, **asked: str) -> list[JSON]:
        """The catalogue; `asked`: agent_key, case_type."""
        found = self._call("GET", "getAvailableChecks", params=asked)
        listed = found.get("checks") if isinstance(found, dict) else found
        return _list_of_objects(listed, "getAvailableChecks")

    def get_check_info(self, check_id: str) -> JSON:
        return self._get("getCheckInfo", {"check_id": check_id})

    def enrich_person(self, **facts: str) -> JSON:
        """`facts`: email, full_name, first_name, last_name, company, location, phone, profile."""
        return self._post("enrichPerson", facts)

    def enrich_company(self, **facts: str) -> JSON:
        """`facts`: name, website, ticker, profile."""
        return self._post("enrichCompany", facts)

    def test_webhook(self, *, webhook_url: str = "", tool_webhook_url: str = "", tool_webhook_ids: Sequence[str] = ()) -> JSON:  # fmt: skip
        """Have samples sent. The answer says what came back, also where the test failed (400)."""
        given = {
            "webhook_url": webhook_url,
            "tool_webhook_url": tool_webhook_url,
            "tool_webhook_ids": list(tool_webhook_ids),
        }
        body = {name: value for name, value in given.items() if value}
        return self._post("testWebhook", body, accept=(200, 400))

    def test_webhook_receiver(self, body: bytes, *, headers: Mapping[str, str]) -> JSON:
        """Have the service verify a signed webhook of ours. Raises ServiceError, 401 or 400, where
        it does not hold."""
        sent = {"Content-Type": "application/json", **headers}
        answer = self._ask("POST", "testWebhookReceiver", data=body, headers=sent)
        return self._object(_read(answer, "testWebhookReceiver", (200,)), "testWebhookReceiver")

    def upload_document(self, content: bytes, *, file_name: str = "") -> JSON:
        """Lend the service a document; the answer's `url` can stand in a start request."""
        encoded = base64.b64encode(content).decode()
        return self._post("uploadB64Document", {"b64_document": encoded, "file_name": file_name})

    def enqueue_from_csv(self, content: bytes, *, agent_key: str, file_name: str = "cases.csv", **options: str) -> JSON:  # fmt: skip
        """Start a batch from a file. `options`: batch_id, batch_name, webhook_url,
        tool_webhook_url, slack_webhook_url. A 409 means that it was started before: accepted."""
        parts: dict[str, Any] = {"agent_key": agent_key, **options}
        parts["file"] = (file_name, content, "text/csv")
        data, content_type = encode_multipart_formdata(parts)
        answer = self._ask(
            "POST", "enqueueFromCSV", data=data, headers={"Content-Type": content_type}
        )
        return self._object(_read(answer, "enqueueFromCSV", (200, 409)), "enqueueFromCSV")

    def get_job_batches(self, *, agent_key: str, **asked: str) -> list[JSON]:
        """The agent's batches, newest first; `asked`: limit, cursor."""
        found = self._call("GET", "getJobBatches", params={"agent_key": agent_key, **asked})
        listed = found.get("batches") if isinstance(found, dict) else found
        return _list_of_objects(listed, "getJobBatches")

    def get_batch_jobs(self, batch_id: str, *, agent_key: str, **asked: str) -> JSON:
        """A page of a batch; `asked`: limit, cursor, status. Rows that could not be started have
        the status "rejected" here, and come under `rejected_rows`."""
        params = {"batch_id": batch_id, "agent_key": agent_key, **asked}
        return self._get("getBatchJobs", params)

    def export_csv_batch(self, batch_id: str, *, agent_key: str) -> bytes:
        params = {"batch_id": batch_id, "agent_key": agent_key}
        return self._file("exportCSVBatch", params, accept="text/csv")

    def download_report(self, case_id: str, *, agent_key: str, **asked: str) -> bytes:
        """The PDF report of the case's latest job, or of `job_id`."""
        params = {"case_id": case_id, "agent_key": agent_key, **asked}
        return self._file("downloadReport", params, accept="application/pdf")

    def send_feedback(self, remote_id: str, *, feedback: str, check_id: str = "") -> JSON:
        body = {"job_id": remote_id, "feedback": feedback}
        return self._post("sendFeedback", body | ({"check_id": check_id} if check_id else {}))

    def get_check_results(self, remote_id: str) -> list[JSON]:
        found = self._call("GET", "getCheckResults", params={"job_id": remote_id})
        if not isinstance(found, list):
            raise ServiceError("getCheckResults: the answer is not a list", permanent=False)
        return found

    @staticmethod
    def _object(answer: Any, endpoint: str) -> JSON:
        if not isinstance(answer, dict):
            raise ServiceError(f"{endpoint}: the answer is not an object", permanent=False)
        return answer

    def _get(self, endpoint: str, params: Mapping[str, str]) -> JSON:
        return self._object(self._call("GET", endpoint, params=params), endpoint)

    def _post(self, endpoint: str, body: Mapping[str, Any], accept: Codes = (200,)) -> JSON:
        return self._object(self._call("POST", endpoint, body=body, accept=accept), endpoint)

    def _file(self, endpoint: str, params: Mapping[str, str], *, accept: str) -> bytes:
        answer = self._ask("GET", endpoint, params=params, headers={"Accept": accept})
        if answer.status != 200:
            _read(answer, endpoint, ())  # which raises, with the service's words
        return answer.body

    def _call(
        self,
        method: str,
        endpoint: str,
        *,
        body: Mapping[str, Any] | None = None,
        params: Mapping[str, str] | None = None,
        accept: Codes = (200,),
    ) -> Any:
        headers = {} if body is None else {"Content-Type": "application/json"}
        data = None if body is None else orjson.dumps(body)
        answer = self._ask(method, endpoint, data=data, params=params, headers=headers)
        return _read(answer, endpoint, accept)

    def _ask(
        self,
        method: str,
        endpoint: str,
        *,
        headers: Mapping[str, str],
        data: bytes | None = None,
        params: Mapping[str, str] | None = None,
    ) -> outbound.Answer:
        url = f"{self.url}/{endpoint}"
        ours = {
            "Authorization": f"Bearer {self.api_key}",
            "Accept": "application/json",
            "User-Agent": outbound.USER_AGENT,
        }
        try:
            return outbound.request(
                method,
                url,
                data=data,
                params=params,
                headers={**ours, **headers},
                # An administrator entered this address; it may well be a private one.
                vouched=frozenset({outbound.origin(url)}),
                deadline=DEADLINE,
                cap=ANSWER_CAP,
            )
        except outbound.OutboundError as exc:
            raise ServiceError(f"{endpoint}: {exc}", permanent=False) from exc


def _list_of_objects(found: Any, endpoint: str) -> list[JSON]:
    if not isinstance(found, list):
        raise ServiceError(f"{endpoint}: the answer is not a list", permanent=False)
    return [item for item in found if isinstance(item, dict)]


def _read(answer: outbound.Answer, endpoint: str, accept: Codes) -> Any:
    try:
        said = read_json(answer.body)
    except orjson.JSONDecodeError as exc:
        if answer.status in accept:
            # A page of a proxy with status 200: not an answer, and likely to pass.
            raise ServiceError(f"{endpoint}: the answer is not JSON", permanent=False) from exc
        said = _plain(answer)
    if answer.status in accept:
        return said
    reason = words_of(said) or "no reason given"
    error = KeyRefusedError if _is_key_refused(answer.status, reason) else ServiceError
    raise error(
        f"{endpoint}: {answer.status} {reason}",
        # 408 and 425 say "again" as 429 does; every other 4xx is about what was asked.
        permanent=400 <= answer.status < 500 and answer.status not in {408, 425, 429},
        status=answer.status,
        retry_after=outbound.retry_after(answer),
    )


# A 403 is about what was asked (interface §7: an agent of somebody else) unless it speaks of the key
# of the caller, which is not the agent's.
_KEY = re.compile(r"\b(api[ _-]?key|access[ _-]?token|bearer|credentials?)\b", re.IGNORECASE)
_BAD = re.compile(
    r"\b(invalid|not valid|expired|revoked|unknown|unrecogni[sz]ed|disabled|inactive|missing)\b",
    re.IGNORECASE,
)


def _is_key_refused(status: int, reason: str) -> bool:
    """Whether an answer refuses the caller's key: 401, or 403 with words that say so."""
    return status == 401 or (status == 403 and bool(_KEY.search(reason) and _BAD.search(reason)))


def _plain(answer: outbound.Answer) -> str:
    """An error that is no JSON, where it is a text for people and no page of a proxy."""
    text = answer.body[:2000].decode("utf-8", "replace").replace("\x00", "").strip()
    return "" if "<" in text else " ".join(text.split())


# The members that say why, before all others, and those that say more of it.
_REASONS = ("message", "error_description", "msg", "error", "title", "reason", "code")
_MORE = ("detail", "details", "errors")
LONGEST_REASON = 500
_DEEPEST_REASON = 6


def words_of(said: Any) -> str:
    """Why, in the service's words, with what it says of single fields, shortened for a page; "" for
    no words.

    Services say it in many forms: a text, a list, objects within each other, fields by their names.
    """
    if not isinstance(said, dict):
        return _text(said)[:LONGEST_REASON]
    reason = next(filter(None, (_text(said.get(name)) for name in _REASONS)), "")
    more = next(filter(None, (_text(said.get(name)) for name in _MORE)), "")
    if reason and more and more != reason:
        return f"{reason} ({more})"[:LONGEST_REASON]
    return (reason or more or _text(said))[:LONGEST_REASON]


def _text(found: Any, depth: int = _DEEPEST_REASON) -> str:
    """The words of an error in whatever form: a text, an object that holds one, a list of either."""
    if isinstance(found, str):
        return found.strip()
    if not depth:
        return ""
    if isinstance(found, list):
        return "; ".join(text for item in found[:5] if (text := _text(item, depth - 1)))
    if not isinstance(found, dict):
        return ""
    members = (found.get(name) for name in (*_REASONS, *_MORE))
    said = next((text for member in members if (text := _text(member, depth - 1))), "")
    loc = found.get("loc")
    place = ".".join(map(str, loc)) if isinstance(loc, list) else ""
    if said:
        return f"{place}: {said}" if place else said
    # None of these names: fields, each with what is wrong with it.
    fields = [(name, _text(value, depth - 1)) for name, value in list(found.items())[:5]]
    return "; ".join(f"{name}: {text}" for name, text in fields if text)
