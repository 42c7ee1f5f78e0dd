"""Which other cases of an account bear a mark of this one."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import connection
from django.db.models import Exists, OuterRef

from agenthub.models import AgentJob, SubjectMark
from checks.duplicates.check import DuplicateBusiness, DuplicateSubject
from checks.lookups import Earlier

# Of a case, so many marks are kept and looked for; of a mark that a thousand cases bear, the latest
# tell enough; of all cases found, so many are compared.
MOST_MARKS, MOST_PER_MARK, MOST_COMPARED = 60, 100, 30
BATCH = 200


class AccountCases:
    """The `Cases` of one job: those of its account and kind, apart from its own."""

    def __init__(self, job: AgentJob) -> None:
        self._job = job

    def sharing(self, marks: Sequence[str], hints: Sequence[str] = ()) -> list[Earlier]:
        """Cases with a mark first, then those with the most hints."""
        asked = list(dict.fromkeys([*marks, *hints]))[:MOST_MARKS]
        if not asked:
            return []
        self._keep(asked)
        newest: dict[str, int] = {}
        bearing: dict[str, set[str]] = {}
        for mark, case_id, job in self._bearers(asked):
            newest[case_id] = max(newest.get(case_id, 0), job)
            bearing.setdefault(case_id, set()).add(mark)
        telling = set(marks)
        ranked = sorted(
            bearing, key=lambda case: (-len(bearing[case] & telling), -len(bearing[case]))
        )
        best = [newest[case_id] for case_id in ranked[:MOST_COMPARED]]
        jobs = AgentJob.objects.select_related("agent").in_bulk(best)
        return [self._told(jobs[pk]) for pk in best if pk in jobs]

    def _bearers(self, marks: Sequence[str]) -> list[tuple[str, str, int]]:
        """Mark, case and job of other cases; of each mark the latest."""
        latest = (
            "SELECT value, case_id, job_id FROM (SELECT value, case_id, job_id"  # noqa: S608
            " FROM agenthub_subjectmark WHERE account_id = %s AND value = %s"
            f" ORDER BY id DESC LIMIT {MOST_PER_MARK}) latest"
        )
        values = [value for mark in marks for value in (self._job.account_id, mark)]
        with connection.cursor() as cursor:
            cursor.execute(" UNION ALL ".join([latest] * len(marks)), values)
            return [row for row in cursor.fetchall() if row[1] != self._job.case_id]

    def _told(self, job: AgentJob) -> Earlier:
        attested = job.schema.get("self_attested_data") or {}
        return Earlier(job.case_id, attested, job.created_at.date().isoformat())

    def _keep(self, marks: Sequence[str]) -> None:
        _mark(self._job, marks)


def mark_earlier(*, after: int = 0, limit: int = 10_000) -> tuple[int, int]:
    """Give marks to cases that have none: those that were made before there were marks.

    From the job behind `after` on, until `limit` cases are marked. Returns how many were, and the last
    job that was looked at (0 where none is left). A case that was marked stays so: it may be broken
    off at any time, and begun anew.
    """
    marked = 0
    while marked < limit:
        rows = _unmarked(after)
        if not rows:
            return marked, 0
        for job in rows:
            after = job.pk
            check = checked_by(job)
            facts = type(check).facts(job.schema.get("self_attested_data") or {}) if check else ()
            if facts:
                _mark(job, [fact.mark for fact in facts][:MOST_MARKS])
                marked += 1
            if marked == limit:
                break
    return marked, after


def checked_by(job: AgentJob) -> DuplicateSubject | DuplicateBusiness | None:
    """The check that compares the cases of the job's agent; None where it runs none."""
    check = DuplicateSubject() if job.agent.kind == "kyc" else DuplicateBusiness()
    asked = job.check_ids or [entry["check_id"] for entry in job.agent.checks]
    names = {check.id, *check.aliases}
    return check if not asked or names & {*asked} else None


def _unmarked(after: int) -> list[AgentJob]:
    """The next jobs without marks that are the latest of their case."""
    newer = AgentJob.objects.filter(
        agent=OuterRef("agent"), case_id=OuterRef("case_id"), pk__gt=OuterRef("pk")
    )
    rows = AgentJob.objects.filter(pk__gt=after).exclude(Exists(newer))
    without = rows.exclude(Exists(SubjectMark.objects.filter(job=OuterRef("pk"))))
    return list(without.select_related("agent").order_by("pk")[:BATCH])


def _mark(job: AgentJob, marks: Sequence[str]) -> None:
    SubjectMark.objects.bulk_create(
        (
            SubjectMark(account_id=job.account_id, job=job, case_id=job.case_id, value=mark)
            for mark in marks
        ),
        ignore_conflicts=True,
    )
