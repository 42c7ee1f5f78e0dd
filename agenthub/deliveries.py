"""Webhooks out: queued in the transaction that made them true, sent after it commits.

Svix's schedule: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h with jitter, the same bytes each time.
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import orjson
from django.conf import settings
from django.db import transaction
from django.utils.timezone import now

from agenthub import signing, slack
from agenthub.models import AgentJob, Attempt, CheckRun, Delivery, SigningSecret
from agenthub.statements import Statement
from checks import registry
from compliance import bell, outbound, signatures
from compliance.states import move_all

LANE = "agenthub.deliveries"

# Seconds to wait after the first, second, … try that failed: 8 tries in 27.6 hours.
SCHEDULE = (5, 300, 1800, 7200, 18_000, 36_000, 36_000)
TIMEOUT = 10.0
RESPONSE_KEPT = 2048
# A receiver may ask for more patience than the schedule has, up to so many seconds.
LONGEST_WAIT = 86_400.0
# Seconds after which a batch is settled as far as it was sent: well within its lease.
BUSY = min(5.0, settings.LEASE.total_seconds() / 6)


def queue_start(job: AgentJob) -> None:
    """Slack alone is told that a job begins."""
    _queue(job, Delivery.Kind.SLACK, job.slack_webhook_url, slack.message(job))


def queue_job_event(job: AgentJob) -> None:
    """The job webhook: how the job ended, without its results (interface §6). Slack is told, too."""
    event = {
        "id": str(job.job_id),
        "agent_id": job.agent.key,
        "status": job.status.lower(),
        "recommendation": job.recommendation,
        "created_at": wire_time(job.created_at),
        "updated_at": wire_time(job.updated_at),
        "input_payload": without_content(job.schema),
    }
    if job.error:
        event["error"] = job.error
    _queue(job, Delivery.Kind.JOB, job.webhook_url, event, case_id=job.case_id)
    _queue(job, Delivery.Kind.SLACK, job.slack_webhook_url, slack.message(job))


def queue_tool_event(
    job: AgentJob, run: CheckRun, tool_id: str, results: Mapping[str, Any]
) -> None:
    if not _is_wanted(job, run, tool_id):
        return
    event = {
        "job_id": str(job.job_id),
        "agent_instance_id": str(job.job_id),
        "tool_id": tool_id,
        "check_id": run.check_id,
        "results": results,
    }
    _queue(job, Delivery.Kind.TOOL, job.tool_webhook_url, event, tool_id=tool_id)


def _is_wanted(job: AgentJob, run: CheckRun, tool_id: str) -> bool:
    """Whether the request's tool_webhook_ids, by id or alias, let this tool's event pass."""
    asked = job.input_payload.get("tool_webhook_ids")
    if not isinstance(asked, list) or not asked:
        return True
    tools = (tool for tool in registry.get(run.check_id).tools if tool.id == tool_id)
    return any({tool.id, *tool.aliases} & set(map(str, asked)) for tool in tools)


def _queue(
    job: AgentJob,
    kind: Delivery.Kind,
    url: str,
    event: Mapping[str, Any],
    *,
    tool_id: str = "",
    case_id: str | None = None,
) -> None:
    if not url:
        return
    body = orjson.dumps(event)
    job.deliveries.create(kind=kind, url=url, body=body, tool_id=tool_id, case_id=case_id)
    bell.ring(LANE)


def send(delivery: Delivery) -> None:
    """Try once; anything but a 2xx within 10 s is a failure and is tried again."""
    _settle([_attempt(delivery, _secrets([delivery]))])


def send_together(due: Sequence[Delivery]) -> int:
    """Send what is due, in order, until BUSY seconds have passed; returns how many were sent.

    What came of them is written at once: a worker that dies before sends them again, and a
    receiver keeps the same bytes once.
    """
    tried: list[_Tried] = []
    secrets = _secrets(due)
    end = time.monotonic() + BUSY
    for delivery in due:
        tried.append(_attempt(delivery, secrets))
        if time.monotonic() > end:
            break
    _settle(tried)
    return len(tried)


class _Tried(NamedTuple):
    attempt: Attempt
    wait: float | None  # seconds that the receiver asked for

    @property
    def is_delivered(self) -> bool:
        return 200 <= (self.attempt.http_status or 0) < 300


def _attempt(delivery: Delivery, secrets: Mapping[int, str]) -> _Tried:
    began = time.monotonic()
    secret = secrets.get(delivery.job_id)
    try:
        if secret is None and delivery.kind != Delivery.Kind.SLACK:
            raise outbound.OutboundError("the account has no signing secret")
        answer = outbound.request(
            "POST",
            delivery.url,
            data=bytes(delivery.body),
            headers=_headers(delivery, secret or ""),
            deadline=TIMEOUT,
            cap=RESPONSE_KEPT,
            cut=True,
        )
    except outbound.OutboundError as exc:
        attempt, wait = Attempt(error=str(exc)[:200]), None
    else:
        said = answer.body.decode("utf-8", "replace").replace("\x00", "")
        attempt, wait = (
            Attempt(http_status=answer.status, response=said),
            outbound.retry_after(answer, most=LONGEST_WAIT),
        )
    attempt.delivery, attempt.took_ms = delivery, int((time.monotonic() - began) * 1000)
    return _Tried(attempt, wait)


@transaction.atomic
def _settle(tried: Sequence[_Tried]) -> None:
    Attempt.objects.bulk_create(each.attempt for each in tried)
    # The first try of a delivery nearly always ends it: those end in one statement.
    first: list[Delivery] = []
    others: list[_Tried] = []
    for each in tried:
        delivery = each.attempt.delivery
        if each.is_delivered and not delivery.tries:
            first.append(delivery)
        else:
            others.append(each)
    move_all(first, Delivery.Status.DONE, tries=1, due_at=None, leased_until=None)
    for each in others:
        _settle_one(each)


def _settle_one(tried: _Tried) -> None:
    delivery = tried.attempt.delivery
    tries, ended = delivery.tries + 1, {"due_at": None, "leased_until": None}
    if tried.is_delivered:
        delivery.move(Delivery.Status.DONE, tries=tries, **ended)
    elif tried.attempt.http_status == 410 or tries > len(SCHEDULE):
        delivery.move(Delivery.Status.DEAD, tries=tries, **ended)
    else:
        seconds = SCHEDULE[tries - 1] * random.uniform(0.8, 1.2)  # noqa: S311
        due_at = now() + timedelta(seconds=max(seconds, tried.wait or 0))
        delivery.settle(due_at=due_at, tries=tries)


@transaction.atomic
def send_again(delivery: Delivery) -> bool:
    """Give a dead delivery its tries anew. Returns False where it is not dead."""
    bell.ring(LANE)
    return delivery.move(Delivery.Status.DUE, tries=0, due_at=now(), leased_until=None)


def _headers(delivery: Delivery, secret: str) -> dict[str, str]:
    common = {"Content-Type": "application/json", "User-Agent": "compliance-hub"}
    if delivery.kind == Delivery.Kind.SLACK:
        return common
    return {
        **common,
        "X-Delivery-Id": str(delivery.pk),
        "X-Delivery-Timestamp": wire_time(now()),
        **signatures.headers(bytes(delivery.body), secret, case_id=delivery.case_id),
    }


_ACCOUNTS = Statement(
    lambda jobs: AgentJob.objects.filter(pk__in=jobs).order_by().values("pk", "account_id"),
    jobs=[-7],
)


def _secrets(due: Sequence[Delivery]) -> dict[int, str]:
    """By job, the newest secret of its account that has begun and not ended. Signed at send time,
    so that a try after a rotation carries a signature that the receiver still takes."""
    accounts = dict(_ACCOUNTS.run(jobs=list({delivery.job_id for delivery in due})))
    found = SigningSecret.objects.filter(
        signing.usable_now(), signs_from__lte=now(), account__in=set(accounts.values())
    )
    # By account first: each secret is decrypted, which costs more than the look-up.
    newest = dict(found.order_by("id").values_list("account_id", "secret"))
    return {job: newest[account] for job, account in accounts.items() if account in newest}


def without_content(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A schema without the content of its documents: a webhook need not carry megabytes back."""
    data = schema.get("self_attested_data")
    if not isinstance(data, Mapping):
        return dict(schema)
    return {**schema, "self_attested_data": {k: _light(v) for k, v in data.items()}}


def _light(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    return [
        {k: v for k, v in item.items() if k != "b64_document"} if isinstance(item, dict) else item
        for item in value
    ]


def wire_time(moment: datetime) -> str:
    """ISO 8601 in UTC with Z."""
    return moment.isoformat().replace("+00:00", "Z")
