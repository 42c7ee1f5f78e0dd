"""Finds other cases of an account that share marks with a case."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import connection
from django.db.models import Exists, OuterRef

from agenthub import digests
from agenthub.models import AgentJob, SubjectMark
from checks.duplicates.check import DuplicateBusiness, DuplicateSubject
from checks.lookups import Earlier

# Limits: marks per case that are stored and searched; latest rows per mark, even if thousands of
# cases share it; cases that are compared.
MOST_MARKS, MOST_PER_MARK, MOST_COMPARED = 60, 100, 30
LENGTH = 32  # characters of a stored mark
BATCH = 200


class AccountCases:
    """The `Cases` lookup of one job: cases of its account and kind, except its own."""

    def __init__(self, job: AgentJob) -> None:
        self._job = job

    def sharing(self, marks: Sequence[str], hints: Sequence[str] = ()) -> list[Earlier]:
        """Cases that share a mark, or else a hint. Those with the most shared marks come first."""
        facts = list(dict.fromkeys([*marks, *hints]))[:MOST_MARKS]
        if not facts:
            return []
        values = _stored(facts)
        _mark(self._job, values)
        newest_job: dict[str, int] = {}
        marks_of_case: dict[str, set[str]] = {}
        for mark, case_id, job in self._cases_with(values):
            newest_job[case_id] = max(newest_job.get(case_id, 0), job)
            marks_of_case.setdefault(case_id, set()).add(mark)
        strong = set(_stored(marks))

        def rank(case_id: str) -> tuple[int, int]:
            own_marks = marks_of_case[case_id]
            return -len(own_marks & strong), -len(own_marks)

        nearest = sorted(marks_of_case, key=rank)[:MOST_COMPARED]
        pks = [newest_job[case_id] for case_id in nearest]
        jobs = AgentJob.objects.select_related("agent").in_bulk(pks)
        return [_earlier(jobs[pk]) for pk in pks if pk in jobs]

    def _cases_with(self, marks: Sequence[str]) -> list[tuple[str, str, int]]:
        """(mark, case, job) of other cases; only the latest rows per mark."""
        # One subquery per mark, so that the limit applies to each mark.
        latest = (
            "SELECT value, case_id, job_id FROM (SELECT value, case_id, job_id"  # noqa: S608
            " FROM agenthub_subjectmark WHERE account_id = %s AND value = %s"
            f" ORDER BY id DESC LIMIT {MOST_PER_MARK}) latest"
        )
        sql = " UNION ALL ".join([latest] * len(marks))
        values: list[int | str] = []
        for mark in marks:
            values += [self._job.account_id, mark]
        with connection.cursor() as cursor:
            cursor.execute(sql, values)
            rows = cursor.fetchall()
        own_case = self._job.case_id
        return [row for row in rows if row[1] != own_case]


def _earlier(job: AgentJob) -> Earlier:
    attested = job.schema.get("self_attested_data") or {}
    day = job.created_at.date().isoformat()
    return Earlier(job.case_id, attested, day)


def mark_earlier(*, after: int = 0, limit: int = 10_000) -> tuple[int, int]:
    """Store marks of older cases, which were created before marks existed.

    Starts after the job id `after` and stops when `limit` cases were marked. Returns their number,
    and the id of the last job examined (0: no job is left). It may be interrupted and repeated:
    cases with marks are skipped.
    """
    count = 0
    while count < limit:
        jobs = _unmarked(after)
        if not jobs:
            return count, 0
        for job in jobs:
            after = job.pk
            marks = _marks_of(job)
            if marks:
                _mark(job, _stored(marks))
                count += 1
            if count == limit:
                break
    return count, after


def _marks_of(job: AgentJob) -> list[str]:
    check = checked_by(job)
    if check is None:
        return []
    attested = job.schema.get("self_attested_data") or {}
    marks = []
    for fact in type(check).facts(attested):
        marks.append(fact.mark)
    return marks[:MOST_MARKS]


def checked_by(job: AgentJob) -> DuplicateSubject | DuplicateBusiness | None:
    """The duplicate check of the job's agent; None if it does not run one."""
    check: DuplicateSubject | DuplicateBusiness = DuplicateBusiness()
    if job.agent.kind == "kyc":
        check = DuplicateSubject()
    selection = job.check_ids or [entry["check_id"] for entry in job.agent.checks]
    if not selection or {check.id, *check.aliases} & {*selection}:
        return check
    return None


def _unmarked(after: int) -> list[AgentJob]:
    """The next jobs without marks that are the latest of their case."""
    newer = AgentJob.objects.filter(
        agent=OuterRef("agent"),
        case_id=OuterRef("case_id"),
        pk__gt=OuterRef("pk"),
    )
    marks = SubjectMark.objects.filter(job=OuterRef("pk"))
    rows = AgentJob.objects.filter(pk__gt=after, erased_at=None).exclude(Exists(newer))
    rows = rows.exclude(Exists(marks)).select_related("agent")
    return list(rows.order_by("pk")[:BATCH])


def _stored(marks: Sequence[str]) -> list[str]:
    """The marks as they are stored. A telephone number is found from a plain hash by trying all."""
    return [digests.keyed(mark)[:LENGTH] for mark in marks]


def _mark(job: AgentJob, values: Sequence[str]) -> None:
    rows = []
    for value in values:
        rows.append(
            SubjectMark(
                account_id=job.account_id,
                job=job,
                case_id=job.case_id,
                value=value,
            )
        )
    SubjectMark.objects.bulk_create(rows, ignore_conflicts=True)
