"""Tests a receiver: sends a signed sample of each kind of webhook at once."""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import NamedTuple

import orjson
from django.utils.timezone import now

from agenthub.accounts import signing_secrets
from agenthub.agents import catalogue
from agenthub.deliveries import sending
from agenthub.models import Account, SigningSecret
from agenthub.wire import Wire
from checks import registry
from compliance.db import clock
from compliance.http import outbound, outbox

CASE_ID = "sample-case"
# A member of each sample. It is signed, and tells receivers not to request the non-existent job.
SAMPLE = {"sample": True}
# A receiver that does not answer holds the request for a few rounds of time-outs.
SIDE_BY_SIDE = 10


class Sample(NamedTuple):
    url: str
    kind: str
    tool_id: str
    body: bytes
    # The string that the compact signature signs; None: the payload does not name the case.
    case_id: str | None


def secrets(account: Account) -> list[tuple[int, str]]:
    """(id, secret) of an account's secrets that are valid now or will be soon, newest first."""
    secrets: list[tuple[int, str]] = []
    for secret in signing_secrets.usable(account):
        secrets.append((secret.pk, secret.secret))
    return secrets


def tools() -> list[str]:
    """The distinct ids of all tools, in the order in which they run."""
    return list(dict.fromkeys(catalogue.tool_ids().values()))


def samples(
    *, webhook_url: str, tool_webhook_url: str, tool_ids: Sequence[str]
) -> list[Sample]:
    """The sample webhooks: of the tools with these ids, or of all tools if none is named."""
    job_id, moment = str(uuid.uuid4()), outbox.wire_time(now())
    all_samples: list[Sample] = []
    if webhook_url:
        event = {
            **SAMPLE,
            "id": job_id,
            "agent_id": "sample-agent",
            "status": "complete",
            "recommendation": "Approve",
            "created_at": moment,
            "updated_at": moment,
            "input_payload": {
                "id": CASE_ID,
                "self_attested_data": {"business_name": "Sample Ltd"},
            },
        }
        all_samples.append(Sample(webhook_url, "job", "", orjson.dumps(event), CASE_ID))
    if tool_webhook_url:
        # Payloads that the interface describes come first: receivers must be able to read those.
        every = sorted(
            tools(), key=lambda tool_id: _payload_key(tool_id) not in _PAYLOADS
        )
        for tool_id in tool_ids or every:
            body = orjson.dumps(_tool_event(job_id, tool_id))
            all_samples.append(Sample(tool_webhook_url, "tool", tool_id, body, None))
    return all_samples


def send(account: Account, samples: Sequence[Sample]) -> list[Wire]:
    """Send the samples in parallel, once each. Returns the response to each in the same order.

    Raises SigningSecret.DoesNotExist if the account has no valid secret.
    """
    secret = signing_secrets.usable(account).filter(signs_from__lte=clock.now()).first()
    if secret is None:
        raise SigningSecret.DoesNotExist("The account has no signing secret.")
    with ThreadPoolExecutor(SIDE_BY_SIDE, thread_name_prefix="webhook-test") as pool:
        attempts = []
        for sample in samples:
            # With the id and the trace of the request, for the log.
            run = copy_context().run
            attempts.append(pool.submit(run, _send, sample, secret.secret))
        return [attempt.result() for attempt in attempts]


def _send(sample: Sample, secret: str) -> Wire:
    began = time.monotonic()
    result: Wire = {"url": sample.url, "kind": sample.kind}
    if sample.tool_id:
        result["tool_id"] = sample.tool_id
    try:
        response = outbound.request(
            "POST",
            sample.url,
            data=sample.body,
            headers=outbox.signed(
                sample.body,
                delivery_id=uuid.uuid4(),
                sender=sending.SENDER,
                secret=secret,
                case_id=sample.case_id,
            ),
            timeout=outbox.TIMEOUT,
            max_bytes=outbox.MAX_RESPONSE_BYTES,
            truncate=True,
            is_personal=True,
        )
    except outbound.OutboundError as exc:
        result |= {"ok": False, "error": _advice(str(exc))}
    else:
        status = response.status_code
        result |= {
            "ok": 200 <= status < 300,
            "status": status,
            "response": response.content.decode("utf-8", "replace"),
        }
    result["took_ms"] = int((time.monotonic() - began) * 1000)
    return result


def _advice(error: str) -> str:
    """An error with what can be done about it."""
    if error == outbound.NOT_ALLOWED:
        return f"{error} OUTBOUND_ALLOW can allow it."
    return error


def _payload_key(tool_id: str) -> str:
    return next(
        tool.payload_key
        for check in registry.all_checks().values()
        for tool in check.tools
        if tool.id == tool_id
    )


def _tool_event(job_id: str, tool_id: str) -> Wire:
    key = _payload_key(tool_id)
    return {
        **SAMPLE,
        "job_id": job_id,
        "agent_instance_id": job_id,
        "tool_id": tool_id,
        "results": {
            "passed": True,
            "verdict": "pass",
            "answer": "",
            "explanation": "This is a sample.",
            "alerts": None,
            "payload": {key: _PAYLOADS.get(key, {})},
        },
    }


_SECTIONS = (
    "document_analysis_and_classification",
    "seal_verification",
    "signature_verification",
    "document_layout_and_content_verification",
    "authenticity_verification",
    "cross_referencing_and_consistency_check",
)
_PRESENT = ("seal_verification", "signature_verification")
# Payloads with the members that the interface names (§6), for a fictional company.
_ADDRESS = {
    "type": "Address",
    "street_1": "1 Sample Street",
    "street_2": None,
    "city": "Dover",
    "state": "DE",
    "country_code": "US",
    "postal_code": "19901",
}
_PAYLOADS: dict[str, Wire] = {
    "extraction_data": {
        "is_valid_document": True,
        "analysis": "A sample.",
        "summary": "A sample.",
        "date": "2020-01-31",
        "alerts": None,
        "business_name": "Sample Ltd",
        "all_business_names": ["Sample Ltd"],
        "incorporation_date": "2020-01-31",
        "business_address": _ADDRESS,
        "all_extracted_addresses": {"business_address": _ADDRESS},
        "business_activity": "None: this is a sample.",
        "jurisdiction": "Delaware",
        "business_registration_number": ["0000000"],
    },
    "visual_inspection": {
        "type": "VisualInspectionResults",
        "comparison": "A sample.",
        "reasoning": "A sample.",
        "visual_analysis": {
            section: {
                "analysis": "A sample.",
                "passed": True,
                **({"present": True} if section in _PRESENT else {}),
            }
            for section in _SECTIONS
        },
        "inspection_passed": True,
        "summary": "A sample.",
    },
    "fraud_verification_data": {
        "verification_passed": True,
        "verification_result": "NORMAL",
        "verification_data": [
            {
                "indicator_id": "sample",
                "type": "INFO",
                "category": "sample",
                "title": "A sample",
                "description": "This is a sample.",
            }
        ],
        "verification_description": "A sample.",
    },
}
