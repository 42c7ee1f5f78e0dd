"""Outgoing webhooks: queued in the transaction of their event, sent after its commit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial

import orjson

from agenthub.deliveries import slack
from agenthub.models import AgentJob, CheckRun, Delivery, SigningSecret
from agenthub.wire import JsonObject, JsonValue, Wire
from checks import registry
from checks.base import NOT_APPLICABLE
from compliance.db import clock, fast_sql
from compliance.http import outbound, outbox
from compliance.http.outbox import wire_time
from compliance.security.data_keys import DataKeyError
from compliance.security.personal_fields import Sealed
from compliance.work import notify

QUEUE = "agenthub.tasks.send_deliveries"

SENDER = outbound.HUB_USER_AGENT
# The member of a request that names the address of each kind of webhook.
MEMBERS = {
    Delivery.Kind.JOB: "webhook_url",
    Delivery.Kind.TOOL: "tool_webhook_url",
    Delivery.Kind.SLACK: "slack_webhook_url",
}

# Returns the id of the key of a job's request, and its address of each kind.
RequestOf = Callable[[int], tuple[int | None, dict[str, object]]]


def of_start(job: AgentJob) -> list[Delivery]:
    """The message when a job starts. Only Slack gets one."""
    return _deliveries(
        job,
        Delivery.Kind.SLACK,
        slack.message(job),
    )


def of_end(job: AgentJob) -> list[Delivery]:
    """The job webhook (how the job ended, without results; interface §6) and the Slack message."""
    event = {
        "id": str(job.job_id),
        "agent_id": job.agent.key,
        "status": job.status.lower(),
        "recommendation": job.recommendation,
        "created_at": wire_time(job.created_at),
        "updated_at": wire_time(job.updated_at),
        "input_payload": without_content(job.schema),
    }
    if job.requirements_version:
        event["recommendation_reasons"] = job.recommendation_reasons
        event["requirements_version"] = job.requirements_version
    if job.error:
        event["error"] = job.error
    return [
        *_deliveries(job, Delivery.Kind.JOB, event, case_id=job.case_id),
        *_deliveries(job, Delivery.Kind.SLACK, slack.message(job)),
    ]


def of_tool(
    job: AgentJob, run: CheckRun, tool_id: str, results: JsonObject
) -> list[Delivery]:
    """The tool webhook, if the request selects it.

    A tool that does not apply has examined nothing, and the boolean `passed` of the interface has
    no value for that, so none is sent: docs/decisions/0020."""
    if results.get("verdict") == NOT_APPLICABLE or not _is_selected(job, run, tool_id):
        return []
    event = {
        "job_id": str(job.job_id),
        "agent_instance_id": str(job.job_id),
        "tool_id": tool_id,
        "check_id": run.check_id,
        "results": results,
    }
    return _deliveries(job, Delivery.Kind.TOOL, event, tool_id=tool_id)


def queue(deliveries: Sequence[Delivery]) -> None:
    """Insert deliveries. They are sent in their order after the current transaction commits."""
    if deliveries:
        fast_sql.insert(deliveries)
        notify.after_commit(QUEUE)


def _is_selected(job: AgentJob, run: CheckRun, tool_id: str) -> bool:
    """Whether `tool_webhook_ids` (ids or aliases) selects this tool. An empty list selects all."""
    selection = job.input_payload.get("tool_webhook_ids")
    if not isinstance(selection, list) or not selection:
        return True
    names = set(map(str, selection))
    for tool in registry.get(run.check_id).tools:
        if tool.id == tool_id and names & {tool.id, *tool.aliases}:
            return True
    return False


def _deliveries(
    job: AgentJob,
    kind: Delivery.Kind,
    event: JsonObject,
    *,
    tool_id: str = "",
    case_id: str | None = None,
) -> list[Delivery]:
    # Not from the job's own columns, which anybody with the database may write.
    url = job.input_payload.get(MEMBERS[kind]) or ""
    if not url:
        return []
    body = orjson.dumps(event)
    return [
        Delivery(
            job=job,
            account_id=job.account_id,
            kind=kind,
            url=url,
            body=body,
            tool_id=tool_id,
            case_id=case_id,
        )
    ]


def send(delivery: Delivery) -> None:
    send_together([delivery])


def send_together(due: Sequence[Delivery]) -> int:
    """Send due deliveries in order. Returns the number of rows handled before the time was over."""
    job_pks = {delivery.job_id for delivery in due}
    columns = ("account", "traceparent")
    # One query for the accounts and traces of all deliveries.
    jobs = fast_sql.fetch_models(AgentJob, only=columns, pk__in=job_pks)
    account_by_job = {job.pk: job.account_id for job in jobs}
    parent_by_job = {job.pk: job.traceparent for job in jobs}
    # The request of a job may have megabytes of documents, so it is opened once for all its deliveries.
    headers = partial(_headers, _secrets(account_by_job), cache(_request_of))

    def owner(delivery: Delivery) -> str:
        return f"account {account_by_job.get(delivery.job_id)}"

    def parent(delivery: Delivery) -> str:
        return parent_by_job.get(delivery.job_id, "")

    return outbox.send_together(due, headers, owner=owner, parent=parent)


def send_again(delivery: Delivery) -> bool:
    """Send a delivery now that failed or waits for its next try; one that failed gets all
    attempts again.

    False if it does neither, or was erased.
    """
    if not delivery.url:
        return False
    return outbox.send_again(delivery, queue=QUEUE)


def _headers(
    secrets: Mapping[int, str], request_of: RequestOf, delivery: Delivery
) -> dict[str, str]:
    try:
        _require_its_request(delivery, request_of)
    except DataKeyError as exc:
        raise outbox.ChangedError from exc
    if delivery.kind == Delivery.Kind.SLACK:
        return {"Content-Type": "application/json", "User-Agent": SENDER}
    secret = secrets.get(delivery.job_id)
    if secret is None:
        raise outbound.OutboundError("the account has no signing secret")
    return outbox.signed(
        bytes(delivery.body),
        delivery_id=delivery.pk,
        sender=SENDER,
        secret=secret,
        case_id=delivery.case_id,
    )


def _require_its_request(delivery: Delivery, request_of: RequestOf) -> None:
    """Raise DataKeyError unless the address is that of the request for which the body was made.

    The address is in the clear. The request names it, too, and is encrypted; the body has the same
    key, which no other job has. So whoever writes to the database, without a key, gets no body sent
    to an address of their own, also not to that of a job of theirs.
    """
    # As it was read from the database: nobody has used the body yet.
    body = vars(delivery)["body"]
    if not isinstance(body, Sealed):
        raise DataKeyError("A body is not encrypted.")
    key_id, addresses = request_of(delivery.job_id)
    if body.key_id != key_id or not delivery.body:
        raise DataKeyError("A body belongs to another job.")
    if addresses[delivery.kind] != delivery.url:
        raise DataKeyError("An address is not that of the request.")


def _request_of(job_pk: int) -> tuple[int | None, dict[str, object]]:
    """The id of the key of a job's request, and the address that it names for each kind of delivery.

    Raises DataKeyError if the request was changed in the database.
    """
    [job] = fast_sql.fetch_models(AgentJob, only=("input_payload",), pk=job_pk)
    request = vars(job)["input_payload"]
    if not isinstance(request, Sealed):
        raise DataKeyError("A request is not encrypted.")
    addresses: dict[str, object] = {}
    for kind, name in MEMBERS.items():
        addresses[kind] = job.input_payload.get(name)
    return request.key_id, addresses


# The columns that `signs_at` needs.
_TERM = ("account", "secret", "signs_from", "expires_at")


def _secrets(account_by_job: Mapping[int, int]) -> dict[int, str]:
    """Job → the newest valid secret of its account.

    Deliveries are signed when they are sent, so that an attempt after a rotation has a signature
    that the receiver accepts."""
    accounts = set(account_by_job.values())
    rows = fast_sql.fetch_models(
        SigningSecret,
        only=_TERM,
        order="id",
        account__in=accounts,
    )
    moment = clock.now()
    secret_by_account = {}
    for row in rows:
        if row.signs_at(moment):
            secret_by_account[row.account_id] = row.secret
    secrets: dict[int, str] = {}
    for job, account in account_by_job.items():
        if account in secret_by_account:
            secrets[job] = secret_by_account[account]
    return secrets


def without_content(value: JsonObject) -> Wire:
    """A copy without the contents of documents: webhooks need not carry megabytes.

    Documents may be anywhere: those of associated individuals are in their own data."""
    light: Wire = {}
    for name, member in value.items():
        if name != "b64_document":
            light[name] = _light(member)
    return light


def _light(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return without_content(value)
    if isinstance(value, list):
        return [_light(item) for item in value]
    return value
