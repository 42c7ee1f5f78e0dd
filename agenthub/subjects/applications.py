"""The state of an application: its latest job, and the results of earlier jobs."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from agenthub.models import Agent, AgentJob, CheckRun
from agenthub.models.personal import json_text
from agenthub.wire import JsonObject, Wire
from compliance.security.personal_fields import opened

State = Wire

# Status of a job → status of the application.
STATUS: Mapping[str, str] = {
    AgentJob.Status.PENDING.value: "PENDING",
    AgentJob.Status.RUNNING.value: "IN_PROGRESS",
    AgentJob.Status.COMPLETE.value: "COMPLETE",
    AgentJob.Status.FAILED.value: "ERROR",
    # A rerun is created in the same transaction, so only a race can show this job as the latest.
    AgentJob.Status.RETRIED.value: "PENDING",
}
CHECK_STATUS: Mapping[str, str] = {
    CheckRun.Status.PENDING.value: "PENDING",
    CheckRun.Status.IN_PROGRESS.value: "IN_PROGRESS",
    CheckRun.Status.COMPLETED.value: "COMPLETE",
    CheckRun.Status.FAILED.value: "ERROR",
}


def latest_state(agent: Agent, application_id: str) -> State | None:
    """The state of a case with one agent; None if it has no job."""
    rows = AgentJob.objects.filter(agent=agent, case_id=application_id).order_by("-id")
    latest = rows.values("pk", "status", "updated_at", "input_payload")
    job = latest.first()
    if job is None:
        return None
    current, past, changes = _results(agent, application_id, job["pk"])
    return {
        "self_attested_data": _attested(agent, opened(job["input_payload"])),
        "applicant_id": application_id,
        "applicant_type": agent.kind,
        "application_status": STATUS[job["status"]],
        "updated_at": max([job["updated_at"], *changes]),
        "current_check_results": current,
        "past_check_results": past,
    }


def _attested(agent: Agent, payload: JsonObject) -> Wire:
    """The attested data; empty if it was erased."""
    schema = payload.get(f"{agent.kind}_schema") or {}
    attested: Wire = schema.get("self_attested_data") or {}
    return attested


def _results(
    agent: Agent, application_id: str, latest_pk: int
) -> tuple[list[State], list[State], list[datetime]]:
    """(results of the latest job, results of earlier jobs, times of change of the former).

    Earlier jobs are sorted from new to old."""
    rows = (
        CheckRun.objects.filter(job__agent=agent, job__case_id=application_id)
        .order_by("-job_id", "id")
        .values_list(
            "job_id",
            "check_id",
            "status",
            "updated_at",
            "result",
        )
    )
    current: list[State] = []
    past: list[State] = []
    changes: list[datetime] = []
    for job_pk, check_id, status, updated_at, result in rows:
        # The interface has a string here, empty without an error.
        error = ""
        if status == CheckRun.Status.FAILED:
            error = opened(result).get("explanation") or ""
        state = {
            "check_id": check_id,
            "status": CHECK_STATUS[status],
            "result": json_text(result),
            "error": error,
            "updated_at": updated_at,
        }
        # Ignore a job that started after the latest one was read.
        if job_pk == latest_pk:
            current.append(state)
            changes.append(updated_at)
        elif job_pk < latest_pk:
            past.append(state)
    return current, past, changes
