"""The start of a job: it is queued with its case, and then sent to the service."""

from __future__ import annotations

import re
from uuid import UUID

import orjson
from django.conf import settings
from django.utils.timezone import now

from compliance.db.durability import relaxed_durability
from compliance.http import references
from compliance.security.personal_fields import sealed
from compliance.tracing import spans
from compliance.work import notify
from reviews.documents import scans, store
from reviews.jobs import completion, end_notices, file_scans, schedule
from reviews.models import Agent, Case, Job
from reviews.service.client import KeyRefusedError, Service, ServiceError
from reviews.wire import JsonObject

# The token in the URL of a document, which permits to read it.
_TOKEN = re.compile(rb'(/documents/[0-9a-f-]{36}/file/)[^/"]+')
_UNFIT = (
    "This case has a reference from before references were limited. A service would sign it, and its "
    "signature could pass for that of a webhook, so it is sent to none. Submit the case again, with "
    f"another reference. {references.REFUSAL}"
)


def queue(case: Case, *, submission: UUID | None = None, check_id: str = "") -> Job:
    """Create a job of all checks, or of one. It is sent after this transaction commits.

    `submission` becomes the id of the job, so that a repeated submission finds the same job.
    """
    job = Job(
        case=case,
        connection=case.connection,
        agent=case.agent,
        check_id=check_id,
        traceparent=spans.current(),
    )
    if submission:
        job.pk = submission
    job.remote_id = str(job.pk)
    job.save(force_insert=True)
    notify.after_commit(schedule.QUEUE)
    return job


def start(job: Job) -> None:
    """Ask the service to run the job. HTTP 409 means that it runs already."""
    case = Case.objects.select_related("connection", "agent").get(pk=job.case_id)
    job.case = case
    if file_scans.wait(job, case):
        return
    try:
        _send(job, case)
    except KeyRefusedError as exc:
        _save_request(job)
        schedule.wait_for_key(job, case.connection, exc)
        return
    except ServiceError as exc:
        _save_request(job)
        if exc.permanent:
            completion.fail(job, error=str(exc))
        else:
            schedule.try_again(job, exc)
        return
    # If a power failure loses this commit, the job is sent again, and the answer is 409.
    with relaxed_durability():
        is_running = job.move(
            Job.Status.RUNNING,
            sent=job.sent,
            started_at=now(),
            error="",
            tries=0,
            due_at=schedule.next_poll(),
            leased_until=None,
        )
    if not is_running:
        _save_request(job)
    elif end_notices.current(job):
        # The job webhook arrived before the answer to this call.
        schedule.poll_soon(job)


def to_wire(case: Case) -> JsonObject:
    """The kyb_schema or kyc_schema of the case, with documents as signed URLs.

    Documents in quarantine are left out.
    """
    data = dict(case.self_attested_data)
    documents = case.documents.select_related("scan")
    for document in documents.order_by("created_at"):
        if not scans.is_closed(document):
            data = store.add_to_data(document, data)
    return {**case.schema_extra, "id": case.reference, "self_attested_data": data}


def _send(job: Job, case: Case) -> None:
    """Send the job, and set `job.sent` to the request without tokens. Raises ServiceError."""
    agent = _agent_for(case)
    schema = to_wire(case)
    # reverse() would load every view of the site into the worker.
    webhook_url = f"{settings.CALLBACK_URL}/webhooks/{case.connection.slug}/"
    options: dict[str, object] = {
        "webhook_url": webhook_url,
        "tool_webhook_url": webhook_url,
        "job_id": job.remote_id,
    }
    schema_member = f"{case.kind}_schema"
    body = {schema_member: schema, **options}
    if job.check_id:
        body = {"check_id": job.check_id, **body}
    job.sent = _without_tokens(body)
    service = Service.of(case.connection)
    if job.check_id:
        options[schema_member] = schema
        service.run_check(job.check_id, agent_key=agent.agent_key, **options)
    else:
        service.start_job(
            case.kind,
            agent_key=agent.agent_key,
            schema=schema,
            **options,
        )


def _save_request(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(sent=sealed(job, "sent", job.sent))


def _agent_for(case: Case) -> Agent:
    """The agent for the case. Raises ServiceError if the case cannot be sent."""
    if case.agent is None:
        raise ServiceError("No agent is set for this case.", permanent=True)
    if not case.connection.is_active:
        raise ServiceError("The connection is switched off.", permanent=True)
    if not references.fits(case.reference):
        raise ServiceError(_UNFIT, permanent=True)
    return case.agent


def _without_tokens(body: JsonObject) -> JsonObject:
    """The request without the tokens with which a reader of it could open documents."""
    text = orjson.dumps(body, option=orjson.OPT_NON_STR_KEYS)
    request: JsonObject = orjson.loads(_TOKEN.sub(rb"\1...", text))
    return request
