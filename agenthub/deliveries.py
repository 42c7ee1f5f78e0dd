"""Webhooks out: queued in the transaction that made them true, sent after it commits.

Svix's schedule: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h with jitter, the same bytes each time.
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import orjson
from django.db import transaction
from django.db.models import Q
from django.utils.timezone import now

from agenthub.models import AgentJob, Attempt, CheckRun, Delivery, SigningSecret
from compliance import bell, outbound, signatures

LANE = "agenthub.deliveries"

# Seconds to wait after the first, second, … try that failed: 8 tries in 27.6 hours.
SCHEDULE = (5, 300, 1800, 7200, 18_000, 36_000, 36_000)
TIMEOUT = 10.0
RESPONSE_KEPT = 2048


def queue_job_event(job: AgentJob) -> None:
    """The job webhook: how the job ended, without its results (interface §6)."""
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


def queue_tool_event(
    job: AgentJob, run: CheckRun, tool_id: str, results: Mapping[str, Any]
) -> None:
    event = {
        "job_id": str(job.job_id),
        "agent_instance_id": str(job.job_id),
        "tool_id": tool_id,
        "check_id": run.check_id,
        "results": results,
    }
    _queue(job, Delivery.Kind.TOOL, job.tool_webhook_url, event, tool_id=tool_id)


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
    began = time.monotonic()
    try:
        answer = outbound.request(
            "POST",
            delivery.url,
            data=bytes(delivery.body),
            headers=_headers(delivery),
            deadline=TIMEOUT,
            cap=1 << 20,
        )
    except (outbound.OutboundError, SigningSecret.DoesNotExist) as exc:
        attempt, wait = Attempt(error=str(exc)[:200]), None
    else:
        said = answer.body[:RESPONSE_KEPT].decode("utf-8", "replace").replace("\x00", "")
        attempt, wait = (
            Attempt(http_status=answer.status, response=said),
            outbound.retry_after(answer),
        )
    attempt.delivery, attempt.took_ms = delivery, int((time.monotonic() - began) * 1000)
    _settle(delivery, attempt, wait)


@transaction.atomic
def _settle(delivery: Delivery, attempt: Attempt, wait: float | None) -> None:
    attempt.save(force_insert=True)
    tries, status = delivery.tries + 1, attempt.http_status or 0
    if 200 <= status < 300:
        delivery.move(Delivery.Status.DONE, tries=tries, due_at=None, leased_until=None)
    elif status == 410 or tries > len(SCHEDULE):
        delivery.move(Delivery.Status.DEAD, tries=tries, due_at=None, leased_until=None)
    else:
        seconds = SCHEDULE[tries - 1] * random.uniform(0.8, 1.2)  # noqa: S311
        delivery.settle(due_at=now() + timedelta(seconds=max(seconds, wait or 0)), tries=tries)


@transaction.atomic
def send_again(delivery: Delivery) -> bool:
    """Give a dead delivery its tries anew. Returns False where it is not dead."""
    bell.ring(LANE)
    return delivery.move(Delivery.Status.DUE, tries=0, due_at=now(), leased_until=None)


def _headers(delivery: Delivery) -> dict[str, str]:
    secret = _secret(delivery)
    return {
        "Content-Type": "application/json",
        "User-Agent": "compliance-hub",
        "X-Delivery-Id": str(delivery.pk),
        "X-Delivery-Timestamp": wire_time(now()),
        **signatures.headers(bytes(delivery.body), secret, case_id=delivery.case_id),
    }


def _secret(delivery: Delivery) -> str:
    """The newest secret of the account that has not ended. Signed at send time, so that a try
    after a rotation carries a signature that the receiver still takes. Raises DoesNotExist."""
    active = Q(expires_at__isnull=True) | Q(expires_at__gt=now())
    found = SigningSecret.objects.filter(active, account__jobs=delivery.job_id).order_by("-id")
    for secret in found.values_list("secret", flat=True)[:1]:
        return secret
    raise SigningSecret.DoesNotExist("the account has no signing secret")


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
