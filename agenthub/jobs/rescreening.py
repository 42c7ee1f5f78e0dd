"""Screens again when a list changes: only what changed, against everybody who is known here.

A new hit makes a new job for the case, with the screening checks of its kind; the webhooks of
that job tell the desk, which takes the case up again.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.conf import settings
from django.db.models import Max

from agenthub.jobs import lifecycle
from agenthub.models import Agent, AgentJob, CheckRun
from agenthub.models.lists import ListEntity, Rescreening
from agenthub.screening.index import DatabaseLists, to_record
from checks.data_check import mapping, texts
from checks.screening import attested, engine
from checks.screening.lists import Lists, MemoryLists
from checks.screening.parties.schema import parties_beside_person, parties_of
from checks.screening.records import Entity, Subject

log = logging.getLogger(__name__)

BATCH = 200
MOST_IN_MEMORY = 5000  # entries
CHECKS = {
    "kyc": ("kyc.sanctions_screening_check_v2", "kyc.pep_screening_check_v2",
            "kyc.adverse_list_screening", "kyc.associated_parties_screening"),
    "kyb": ("kyb.sanctions_screening_check_v2", "kyb.adverse_list_screening",
            "kyb.associated_individuals_screening"),
}  # fmt: skip
_NAMESPACE = uuid.UUID("6c9d1f6e-5a0b-4a7e-9a55-0d6d1f1b7a11")


def perform(row: Rescreening) -> None:
    """Go on with a rescreening from where it stands."""
    in_memory = _in_memory(row)
    raised = row.raised
    for batch in _batches(row.reached):
        # Anew for each: another version of the list may have become active, with its own index.
        lists = in_memory or DatabaseLists(brought_by=row.version_id)
        for job in _latest(batch):
            raised += bool(_new_hits(job, lists) and _raise(job, row))
        row.heartbeat(settings.LEASE)
        row.reached, row.raised = batch[-1].pk, raised
        Rescreening.objects.filter(pk=row.pk).update(reached=row.reached, raised=raised)
    row.move(Rescreening.Status.DONE, raised=raised, due_at=None, leased_until=None)
    log.info("list version %s: %d cases raised again", row.version_id, raised)


def give_up(row: Rescreening, reason: str) -> None:
    row.move(Rescreening.Status.FAILED, error=reason, due_at=None, leased_until=None)


def _in_memory(row: Rescreening) -> MemoryLists | None:
    """What the version brought: added entries, and changed ones as they are now.

    A day's changes are few. None for the first load of a long list: its index in memory would take
    gigabytes, and longer to build than a lease lasts. It is asked where it lies.
    """
    rows = ListEntity.objects.filter(first_version=row.version_id, last_version=None)
    if rows[: MOST_IN_MEMORY + 1].count() > MOST_IN_MEMORY:
        return None
    found = (Entity.from_wire(content) for content in rows.values_list("content", flat=True))
    return MemoryLists.of(found, to_record(row.version))


def _batches(reached: int) -> Iterator[list[AgentJob]]:
    """The ended jobs after the one that was reached."""
    ended = AgentJob.objects.filter(
        status__in=[AgentJob.Status.COMPLETE, AgentJob.Status.FAILED]
    ).select_related("agent")
    while batch := list(ended.filter(pk__gt=reached).order_by("pk")[:BATCH]):
        yield batch
        reached = batch[-1].pk


def _latest(batch: Sequence[AgentJob]) -> list[AgentJob]:
    """Those that are the latest of their case. By agent and case, as there is an index of these:
    one look for each job would go through all jobs of its account."""
    accounts = {job.account_id for job in batch}
    agents = list(Agent.objects.filter(account__in=accounts).values_list("pk", flat=True))
    cases = AgentJob.objects.filter(agent__in=agents, case_id__in={job.case_id for job in batch})
    latest = cases.order_by().values("account", "case_id").annotate(latest=Max("pk"))
    known = set(latest.values_list("latest", flat=True))
    return [job for job in batch if job.pk in known]


def _new_hits(job: AgentJob, lists: Lists) -> bool:
    """Does any changed entry hit somebody of the case that the case does not know already?"""
    hits = {
        (match.listed.version.slug, match.listed.entity.id, match.listed.entity.content_hash)
        for subject in _subjects(job)
        for match in engine.screen(subject, lists).alerts
    }
    return bool(hits and hits - _known(job))


def _subjects(job: AgentJob) -> Iterator[Subject]:
    said = mapping(job.schema.get("self_attested_data"))
    if job.agent.kind == "kyc":
        yield attested.person(said)
        parties = parties_beside_person(job.schema, said)
    else:
        yield attested.business(said)
        parties = parties_of(job.schema, said)
    for party in parties:
        yield from party.subjects


def _known(job: AgentJob) -> set[tuple[str, str, str]]:
    """The hits that the case was shown in its latest job."""
    checks = CHECKS[job.agent.kind]
    found = CheckRun.objects.filter(job=job, check_id__in=checks).values_list("result", flat=True)
    return {
        (one["list"]["slug"], one["entry"]["id"], one["content_hash"])
        for result in found
        for screening in _screenings(mapping(result.get("payload")))
        for one in screening.get("matches") or ()
    }


def _screenings(payload: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield mapping(payload.get("screening"))
    for one in mapping(payload.get("people_screening")).get("people") or ():
        yield mapping(one.get("screening"))


def _raise(job: AgentJob, row: Rescreening) -> bool:
    """Make the new job. Its id follows from the version and the case: twice makes one."""
    asked = texts(job.check_ids) or [entry["check_id"] for entry in job.agent.checks]
    known = [check for check in CHECKS[job.agent.kind] if not asked or check in asked]
    made, created = lifecycle.create(
        agent=job.agent,
        job_id=uuid.uuid5(_NAMESPACE, f"{row.version_id}/{job.pk}"),
        input_payload=job.input_payload,
        check_ids=known or list(CHECKS[job.agent.kind]),
        webhook_url=job.webhook_url,
        tool_webhook_url=job.tool_webhook_url,
        slack_webhook_url=job.slack_webhook_url,
    )
    if created:
        log.info("job %s: raised again as %s", job.job_id, made.job_id)
    return created
