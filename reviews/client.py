"""The service, seen from the desk: one method per endpoint, one exception."""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass, field
from typing import Any, Self

import orjson
from django.conf import settings

from compliance import outbound
from reviews.models import Connection, Job, Kind

JSON = dict[str, Any]

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


def job_status(spelling: object) -> Job.Status | None:
    """Our status for a spelling of the service's, in any case; None where it is unknown."""
    word = str(spelling).strip().lower()
    return next((status for status, words in _STATUSES.items() if word in words), None)


# PostgreSQL's JSON cannot hold the escape of a NUL character. An even number of backslashes
# before it means that the last one is the escape's own.
_NUL = re.compile(rb"(?<!\\)((?:\\\\)*)\\u0000")


def read_json(body: bytes) -> Any:
    """What a service sent, without NUL characters. Raises orjson.JSONDecodeError."""
    return orjson.loads(_NUL.sub(rb"\1", body))


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

    def _call(
        self,
        method: str,
        endpoint: str,
        *,
        body: JSON | None = None,
        params: dict[str, str] | None = None,
        accept: tuple[int, ...] = (200,),
    ) -> Any:
        url = f"{self.url}/{endpoint}"
        headers = {"Authorization": f"Bearer {self.api_key}", "Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        try:
            answer = outbound.request(
                method,
                url,
                data=None if body is None else orjson.dumps(body),
                params=params,
                headers=headers,
                # An administrator entered this address; it may well be a private one.
                vouched=frozenset({outbound.origin(url)}),
                deadline=DEADLINE,
                cap=ANSWER_CAP,
            )
        except outbound.OutboundError as exc:
            raise ServiceError(f"{endpoint}: {exc}", permanent=False) from exc
        return _read(answer, endpoint, accept)


def _read(answer: outbound.Answer, endpoint: str, accept: tuple[int, ...]) -> Any:
    try:
        said = read_json(answer.body)
    except orjson.JSONDecodeError as exc:
        if answer.status in accept:
            # A page of a proxy with status 200: not an answer, and likely to pass.
            raise ServiceError(f"{endpoint}: the answer is not JSON", permanent=False) from exc
        said = {}
    if answer.status in accept:
        return said
    words = said if isinstance(said, dict) else {}
    reason = words.get("message") or words.get("error") or "no reason given"
    raise ServiceError(
        f"{endpoint}: {answer.status} {_with_details(str(reason), words)}",
        # 408 and 425 say "again" as 429 does; every other 4xx is about what was asked.
        permanent=400 <= answer.status < 500 and answer.status not in {408, 425, 429},
        status=answer.status,
        retry_after=outbound.retry_after(answer),
    )


def _with_details(reason: str, words: JSON) -> str:
    """The service's words with what it says of single fields, shortened for a page."""
    details = words.get("detail")
    if not isinstance(details, list):
        return reason[:500]
    parts = [
        f"{'.'.join(map(str, item.get('loc') or []))}: {item.get('msg', '')}"
        for item in details[:5]
        if isinstance(item, dict) and isinstance(item.get("loc") or [], list)
    ]
    return f"{reason} ({'; '.join(parts)})"[:500] if parts else reason[:500]
