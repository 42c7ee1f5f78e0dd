"""Rescreening: when a list changes, its changed entries are compared with all earlier subjects.

After an upgrade of the engine the whole list is compared, because any entry may match differently.
A new hit creates a new job for the case with the screening checks of its kind, and so does a hit
that is listed no more, or otherwise. The webhooks of that job inform the desk, which reopens the
case.
"""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import partial
from operator import attrgetter

import orjson
from django.conf import settings
from django.db.models import Max, QuerySet
from django.db.models.functions import Now

from agenthub.jobs import lifecycle
from agenthub.jobs.examination import arguments_of
from agenthub.models import Agent, AgentJob, CheckRun
from agenthub.models.lists import ListEntity, ListVersion, Rescreening
from agenthub.screening import loading, reindexing
from agenthub.screening.index import DatabaseLists, to_record
from agenthub.wire import JsonObject, Wire
from checks import registry
from checks.data_check import mapping, texts
from checks.list_screening import attested
from checks.list_screening.parties.schema import parties_beside_person, parties_of
from checks.screening import engine
from checks.screening.lists import Lists, MemoryLists
from checks.screening.policy import ALERTING, DEFAULT, Policy
from checks.screening.records import Entity, Subject
from compliance.db import clock
from compliance.security.personal_fields import opened
from compliance.work import isolation, notify
from compliance.work.queues import attempt
from compliance.work.rows import LeaseLostError
from compliance.work.timing import DRAIN_SECONDS

log = logging.getLogger(__name__)

BATCH = 200
MOST_IN_MEMORY = 5000  # entries
# The screening checks of each kind of agent.
CHECKS = {
    "kyc": ("kyc.sanctions_screening_check_v2", "kyc.pep_screening_check_v2",
            "kyc.adverse_list_screening", "kyc.associated_parties_screening"),
    "kyb": ("kyb.sanctions_screening_check_v2", "kyb.adverse_list_screening",
            "kyb.associated_individuals_screening"),
}  # fmt: skip
# The columns that say how a job screens, and that it is that of its request.
_ARGUMENTS = (
    "account", "agent", "job_id", "case_id", "check_ids", "check_args", "request_proof", "data_key",
)  # fmt: skip
# For ids of new jobs: see _raise().
_NAMESPACE = uuid.UUID("6c9d1f6e-5a0b-4a7e-9a55-0d6d1f1b7a11")


def perform(row: Rescreening) -> None:
    """Continue a rescreening for DRAIN_SECONDS, then release it so that other work gets a turn."""
    is_of_engine = reindexing.ENGINE_BEFORE in row.version.changes
    ended = [] if is_of_engine else _ended(row)
    ended_hits = {_hit(row.version.source.slug, entity) for entity in ended}
    in_memory = None if is_of_engine else _lists_in_memory(row, ended)
    end = time.monotonic() + DRAIN_SECONDS
    for batch in _batches(row.reached, row.until):
        # A new object per batch: a newer version with its own index may have become active.
        if is_of_engine:
            lists: Lists = DatabaseLists(slugs=[row.version.source.slug])
        else:
            lists = in_memory or DatabaseLists(brought_by=row.version_id)
        jobs = _latest(batch)
        comparison = _Comparison(row, lists, _Screened(jobs), ended_hits)
        for job in jobs:
            if _is_alone(row):
                is_raised = comparison.of(job)
            else:
                is_raised = _compare_or_set_aside(comparison, job)
            row.raised += is_raised
        # Store the position after each batch, so that an interruption repeats one batch at most.
        row.reached = batch[-1].pk
        done = {"reached": row.reached, "raised": row.raised}
        if time.monotonic() > end or isolation.is_stopping():
            row.complete(due_at=clock.now(), **done)
            return
        if not row.write({**done, "leased_until": Now() + settings.LEASE}):
            raise LeaseLostError
    row.move(
        Rescreening.Status.DONE,
        raised=row.raised,
        due_at=None,
        leased_until=None,
    )
    log.info("list version %s: %d cases raised again", row.version_id, row.raised)


def _is_alone(row: Rescreening) -> bool:
    """Whether the part consists of a single job."""
    return row.until == row.reached + 1


@dataclass(frozen=True)
class _Comparison:
    """The comparison of jobs with what is new in a list."""

    row: Rescreening
    lists: Lists
    screened: _Screened
    ended_hits: AbstractSet[_Hit]

    def of(self, job: AgentJob) -> bool:
        """Raise the case of the job again if it is concerned. Returns whether it was raised."""
        if not _is_concerned(job, self.lists, self.screened, self.ended_hits):
            return False
        return _raise(job, self.row, self.screened.by(job))


def _compare_or_set_aside(comparison: _Comparison, job: AgentJob) -> bool:
    """Compare one job. If that fails, the job becomes a part of its own.

    So a job that cannot be read does not keep all others from being compared. Its part is tried again,
    and is then listed with what failed for good.
    """
    what = f"the comparison of job {job.job_id}"
    is_raised = attempt(loading.QUEUE, what, partial(comparison.of, job))
    if is_raised is not None:
        return is_raised
    parts = comparison.row.version.rescreenings
    # It is there already if this batch is repeated after an interruption.
    parts.get_or_create(reached=job.pk - 1, until=job.pk)
    return False


def give_up(row: Rescreening, reason: str) -> None:
    if row.until is not None and _is_alone(row):
        job = AgentJob.objects.filter(pk=row.until).first()
        if job is not None:
            reason = f"Job {job.job_id}: {reason}"
    row.move(
        Rescreening.Status.FAILED,
        error=reason,
        due_at=None,
        leased_until=None,
    )


def try_again(row: Rescreening) -> bool:
    """Continue a failed rescreening from where it stopped. Returns False if it has not failed."""
    notify.after_commit(loading.QUEUE)
    return row.move(
        Rescreening.Status.DUE,
        error="",
        failures=0,
        due_at=clock.now(),
        leased_until=None,
    )


def _ended(row: Rescreening) -> list[Entity]:
    """The entries that the version removed, and the former content of those that it changed."""
    earlier = row.version.source.versions.filter(
        status=ListVersion.Status.RETIRED, pk__lt=row.version_id
    )
    before = earlier.order_by("-pk").first()
    if before is None:
        return []
    rows = ListEntity.objects.filter(last_version=before)
    return list(map(Entity.from_wire, rows.values_list("content", flat=True)))


def _lists_in_memory(row: Rescreening, ended: Sequence[Entity]) -> MemoryLists | None:
    """The new, changed and removed entries of the version, indexed in memory.

    A day's changes are few. Returns None for the first load of a long list: its index would take
    gigabytes, and building it longer than a lease. Then the index in the database is used.
    """
    rows = ListEntity.objects.filter(first_version=row.version_id, last_version=None)
    most = MOST_IN_MEMORY - len(ended)
    if most < 0 or rows[: most + 1].count() > most:
        return None
    contents = rows.values_list("content", flat=True)
    entities = [*map(Entity.from_wire, contents), *ended]
    return MemoryLists.of(entities, to_record(row.version))


def _batches(reached: int, until: int | None) -> Iterator[list[AgentJob]]:
    """The ended jobs after the id `reached`, up to the id `until`, in batches."""
    ends = [AgentJob.Status.COMPLETE, AgentJob.Status.FAILED]
    rows = (
        AgentJob.objects.filter(status__in=ends, erased_at=None)
        .select_related("agent")
        .order_by("pk")
    )
    if until is not None:
        rows = rows.filter(pk__lte=until)
    while batch := list(rows.filter(pk__gt=reached)[:BATCH]):
        yield batch
        reached = batch[-1].pk


def _latest(batch: Sequence[AgentJob]) -> list[AgentJob]:
    """The jobs of the batch that are the latest of their case."""
    # Query by agent and case, which have an index. A query per job would read its whole account.
    accounts = {job.account_id for job in batch}
    agents = Agent.objects.filter(account__in=accounts)
    agent_pks = list(agents.values_list("pk", flat=True))
    case_ids = {job.case_id for job in batch}
    jobs = AgentJob.objects.filter(agent__in=agent_pks, case_id__in=case_ids)
    # Remove the default order: it would make each job a group of its own.
    cases = jobs.order_by().values("account", "case_id")
    latest = cases.annotate(latest=Max("pk"))
    latest_pks = set(latest.values_list("latest", flat=True))
    return [job for job in batch if job.pk in latest_pks]


_Hit = tuple[str, str, str]  # slug of the list, id and content hash of the entry


class _Screened:
    """By which jobs the cases of some jobs were screened, each the latest of its case.

    The latest job may be of an agent without screening checks, or a person may have run one check again.
    """

    def __init__(self, latest: Sequence[AgentJob]) -> None:
        self._earlier = _earlier_jobs(latest)
        # By agent, check, and the arguments of the job: mostly they are the same.
        self._known: dict[tuple[int, str, bytes], Policy] = {}

    def by(self, job: AgentJob) -> dict[str, AgentJob]:
        """For each screening check that the case had: the newest job that selected it.

        If it had none: all of them, with this job.
        """
        jobs = [job, *self._earlier.get(job.pk, ())]
        newest: dict[str, AgentJob] = {}
        for check_id in CHECKS[job.agent.kind]:
            for candidate in jobs:
                if check_id in _selection(candidate):
                    newest[check_id] = candidate
                    break
        return newest or dict.fromkeys(CHECKS[job.agent.kind], job)

    def policies(self, job: AgentJob) -> set[Policy]:
        """The thresholds of these checks; usually one, the default."""
        policies: set[Policy] = set()
        for check_id, source in self.by(job).items():
            arguments = source.check_args.get(check_id)
            key = (source.agent_id, check_id, orjson.dumps(arguments))
            if key not in self._known:
                self._known[key] = _policy(source, check_id)
            policies.add(self._known[key])
        return policies


def _earlier_jobs(latest: Sequence[AgentJob]) -> dict[int, list[AgentJob]]:
    """The earlier jobs of the cases of these jobs, the newest first, by the id of the latest.

    One query, by agent and case, which have an index. Jobs of another kind are left out.
    """
    accounts = {job.account_id for job in latest}
    agents = Agent.objects.filter(account__in=accounts).in_bulk()
    rows = AgentJob.objects.filter(
        agent__in=list(agents),
        case_id__in={job.case_id for job in latest},
        erased_at=None,
    )
    rows = rows.exclude(pk__in=[job.pk for job in latest]).only(*_ARGUMENTS)
    by_case: dict[tuple[int, str], list[AgentJob]] = {}
    for row in rows.order_by("-pk"):
        row.agent = agents[row.agent_id]
        by_case.setdefault((row.account_id, row.case_id), []).append(row)
    earlier: dict[int, list[AgentJob]] = {}
    for job in latest:
        jobs = by_case.get((job.account_id, job.case_id), ())
        earlier[job.pk] = [row for row in jobs if row.agent.kind == job.agent.kind]
    return earlier


def _hit(slug: str, entity: Entity) -> _Hit:
    return slug, entity.id, entity.content_hash


def _is_concerned(
    job: AgentJob, lists: Lists, screened: _Screened, ended: AbstractSet[_Hit]
) -> bool:
    """Whether an entry hits somebody of the case that the case did not show as a hit before, or one
    that it showed is listed no more, or otherwise.
    """
    hits = _hits(job, lists, screened.policies(job))
    # Read the earlier hits only if they may matter: most cases have none. The index in the
    # database has no entries that ended.
    is_in_database = not isinstance(lists, MemoryLists)
    if not hits and not (ended and is_in_database):
        return False
    earlier = _earlier_hits(job)
    return bool(hits - ended - earlier) or not ended.isdisjoint(earlier)


def _hits(job: AgentJob, lists: Lists, policies: AbstractSet[Policy]) -> set[_Hit]:
    """The entries that are a hit on somebody of the case."""
    hits: set[_Hit] = set()
    for subject in _subjects(job):
        for policy in policies:
            for match in engine.screen(subject, lists, policy=policy).alerts:
                hits.add(_hit(match.entry.version.slug, match.entry.entity))
    return hits


def _policy(job: AgentJob, check_id: str) -> Policy:
    """The thresholds with which the job runs this check."""
    thresholds = mapping(arguments_of(job, registry.get(check_id)).get("policy"))
    try:
        return DEFAULT.changed(thresholds)
    except ValueError:
        # An earlier version stored values that this one refuses. Do not omit the case for that.
        return DEFAULT


def _subjects(job: AgentJob) -> Iterator[Subject]:
    data = mapping(job.schema.get("self_attested_data"))
    if job.agent.kind == "kyc":
        yield attested.person(data)
        parties = parties_beside_person(job.schema, data)
    else:
        yield attested.business(data)
        parties = parties_of(job.schema, data)
    for party in parties:
        yield from party.subjects


def _earlier_hits(job: AgentJob) -> set[_Hit]:
    """The hits of the case that were shown to a person for a decision.

    Those of the newest run of each check: the latest job may have run one check alone.
    """
    runs = CheckRun.objects.filter(
        job__in=_jobs_of_case(job),
        check_id__in=CHECKS[job.agent.kind],
        status=CheckRun.Status.COMPLETED,
    )
    # By the id: "job" would mean the order of the model, which is the newest first.
    rows = runs.order_by("job_id").values_list("check_id", "result")
    newest = dict(rows)
    hits: set[_Hit] = set()
    for sealed_result in newest.values():
        result = opened(sealed_result)
        payload = mapping(result.get("payload"))
        for screening in _screenings(payload):
            for match in screening.get("matches") or ():
                if match.get("band") not in ALERTING:
                    # Shown only on request: nobody was asked about it.
                    continue
                slug = match["list"]["slug"]
                entry_id = match["entry"]["id"]
                hits.add((slug, entry_id, match["content_hash"]))
    return hits


def _jobs_of_case(job: AgentJob) -> QuerySet[AgentJob]:
    """The job and the earlier ones of its case."""
    # By agent and case, which have an index.
    agents = Agent.objects.filter(account=job.account_id)
    jobs = AgentJob.objects.filter(agent__in=agents, case_id=job.case_id)
    return jobs.filter(pk__lte=job.pk).order_by()


def _screenings(payload: JsonObject) -> Iterator[JsonObject]:
    yield mapping(payload.get("screening"))
    people = mapping(payload.get("people_screening")).get("people")
    for person in people or ():
        yield mapping(person.get("screening"))


def _raise(job: AgentJob, row: Rescreening, sources: Mapping[str, AgentJob]) -> bool:
    """Create the new job: the screening checks of the case, each as its newest job ran it.

    `sources` are those jobs, by check. The id is derived from version and case, so a repetition creates
    no second.
    """
    job.require_its_request()
    newest = max(sources.values(), key=attrgetter("pk"))
    check_args: Wire = {}
    for check_id, source in sources.items():
        source.require_its_request()
        # The thresholds that showed the hit: with others the new job might not show it.
        arguments = dict(source.check_args.get(check_id) or {})
        if source.agent_id != newest.agent_id:
            arguments = {**_of_agent(source.agent, check_id), **arguments}
        if arguments:
            check_args[check_id] = arguments
    new_job, created = lifecycle.create(
        agent=newest.agent,
        job_id=uuid.uuid5(_NAMESPACE, f"{row.version_id}/{job.pk}"),
        input_payload=job.input_payload,
        check_ids=list(sources),
        check_args=check_args,
        is_bulk=True,
    )
    if created:
        log.info("job %s: raised again as %s", job.job_id, new_job.job_id)
    return created


def _of_agent(agent: Agent, check_id: str) -> JsonObject:
    """The arguments that the agent gives the check."""
    for entry in agent.checks:
        if entry["check_id"] == check_id:
            return mapping(entry.get("arguments"))
    return {}


def _selection(job: AgentJob) -> set[str]:
    """The screening checks among those of the job."""
    screening_checks = set(CHECKS[job.agent.kind])
    of_agent = [entry["check_id"] for entry in job.agent.checks]
    names = texts(job.check_ids) or of_agent
    return screening_checks.intersection(names) if names else screening_checks
