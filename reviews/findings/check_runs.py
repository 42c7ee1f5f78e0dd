"""The runs of a case's checks: of all of them, and of single ones, which correct the last of all.

What stands is what the newest run of all checks said, but where a single check has run to its end
since then, what that run said of it in its place. A run that failed takes the place of nothing:
what stood before still stands, and what the run did say is added where it is worse.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.shortcuts import get_object_or_404

from compliance.db import fast_sql
from reviews import results
from reviews.access import roles
from reviews.models import Case, CaseEvent, CheckResult, CheckReview, InformationRequest, Job

SHOWN_OF_CASE = ("connection__pause", "agent", "submitted_by", "analyst")
# What tells whether anything changed, of a job, its case and the pause of its connection.
_CHANGES = (
    "updated_at", "status", "error", "tries", "due_at", "check_id",
    "case__updated_at", "case__status", "case__recommendation",
    "case__connection__pause__updated_at", "case__connection__pause__due_at",
    "case__connection__pause__status",
)  # fmt: skip


def of(user: User | AnonymousUser, pk: int) -> tuple[Case, list[Job]]:
    """A case that the user may see, or 404, and its jobs, newest first.

    Most cases have one or two jobs: with them the case is read in the same statement.
    """
    waits = InformationRequest.objects.filter(
        case=OuterRef("case"), status=InformationRequest.Status.OPEN
    )
    rows = Job.objects.filter(case__pk=pk).select_related(*(f"case__{at}" for at in SHOWN_OF_CASE))
    rows = rows.annotate(
        is_of_adopted=Exists(CaseEvent.objects.filter(case=OuterRef("case"), what="adopted")),
        request=Subquery(waits.values("pk")[:1]),
        request_ends=Subquery(waits.values("expires_at")[:1]),
    )
    return _of_rows(user, pk, rows)


def brief(user: User | AnonymousUser, pk: int) -> tuple[Case, list[Job]]:
    """The same as `of`, but only as much of it as tells whether anything changed."""
    rows = Job.objects.filter(case__pk=pk).select_related("case__connection__pause")
    return _of_rows(user, pk, rows.only(*_CHANGES))


def _of_rows(user: User | AnonymousUser, pk: int, rows: QuerySet[Job]) -> tuple[Case, list[Job]]:
    jobs = list(roles.only_seen(user, rows, "case__connection"))
    if not jobs:
        cases = roles.visible(user).select_related(*SHOWN_OF_CASE)
        return get_object_or_404(cases, pk=pk), []
    for job in jobs:
        job.case = jobs[0].case
    return jobs[0].case, jobs


def is_adopted(job: Job | None) -> bool:
    """Whether the case of a job by `of` came with a job that was started elsewhere."""
    return bool(getattr(job, "is_of_adopted", False))


def open_request(case: Case, job: Job | None) -> InformationRequest | None:
    """What the applicant has not answered; of a job by `of`, its id and end are known already."""
    if case.status != Case.Status.WAITING:
        return None
    if job is None:
        return case.requests.filter(status=InformationRequest.Status.OPEN).first()
    known: Any = job  # annotated in `of`
    if known.request is None:
        return None
    return InformationRequest(pk=known.request, case=case, expires_at=known.request_ends)


_BRIEF = (
    "job", "source", "check_id", "subject", "status", "passed", "rank", "received_at",
    "confirmation",
)  # fmt: skip
_UNCONFIRMED = results.HINTS | {CheckResult.Confirmation.LIVE}
# Results that a person may have to look at: all but those that passed, run or do not apply.
_OPEN = range(results.SEVERITY.index("running"))


@dataclass(frozen=True)
class EffectiveResults:
    """The jobs whose results stand, oldest first, and those results."""

    jobs: Sequence[Job]
    rows: Sequence[CheckResult]
    is_cut: bool = False  # more of them ask for a person than are read

    @classmethod
    def after(cls, jobs: Sequence[Job], *, at: int = 0, bodies: bool = True) -> EffectiveResults:
        """What stood after `jobs[at]`; `jobs` are those of a case, newest first.

        Without `bodies` it serves to see whether anything changed.
        """
        own = _standing(jobs[at:])
        only = () if bodies else _BRIEF
        most = results.MAX_RESULTS
        rows = fast_sql.fetch_models(CheckResult, order="-id", limit=most, only=only, job__in=own)
        worst: list[CheckResult] = []
        if len(rows) == most:
            # What failed is never left out: the worst are read beside the newest.
            worst = fast_sql.fetch_models(
                CheckResult, order="rank", limit=most, only=only, job__in=own, rank__in=_OPEN
            )
        by_key = {row.pk: row for row in (*rows, *worst)}
        listed = [by_key[pk] for pk in sorted(by_key)]
        return cls(own, _overlaid(own, listed), is_cut=len(worst) == most)

    @cached_property
    def reviews(self) -> dict[str, CheckReview]:
        """What people said of the checks, by the check's id; of a run since then, nothing yet."""
        jobs = {job.pk: job for job in self.jobs}
        found = CheckReview.objects.filter(job__in=jobs).select_related("by") if jobs else ()
        return {
            review.check_id: review
            for review in found
            if self.job_of(review.check_id) == jobs[review.job_id]
        }

    @cached_property
    def _by_check(self) -> Mapping[str, Job]:
        by_pk = {job.pk: job for job in self.jobs}
        said = [row for row in self.rows if row.source == CheckResult.Source.CHECK]
        return {row.check_id: by_pk[row.job_id] for row in said}

    def job_of(self, check_id: str) -> Job | None:
        """The job that said what stands of a check."""
        return self._by_check.get(check_id) or next(iter(self.jobs), None)

    def has(self, check_id: str) -> bool:
        """Whether the service spoke of it as a check, so that it can be run by itself."""
        return bool(check_id) and check_id in self._by_check


def _standing(jobs: Sequence[Job]) -> list[Job]:
    """Those whose results stand, oldest first; `jobs` are newest first."""
    later: list[Job] = []
    for job in jobs:
        if not job.check_id and job.status != Job.Status.FAILED:
            return [job, *reversed(later)]
        if not job.check_id or job.status == Job.Status.COMPLETE:
            later.append(job)
    return later[::-1]


def _overlaid(jobs: Sequence[Job], rows: Sequence[CheckResult]) -> list[CheckResult]:
    """The rows of the jobs, those of a later one in the place of what it answers anew.

    Only the check that was asked for is answered anew, with what its tools said and the service
    confirmed. Of all else the worse stays.
    """
    kept: list[CheckResult] = []
    for job in jobs:
        fresh = _grouped([row for row in rows if row.job_id == job.pk])
        before = _grouped(kept)
        for key, group in fresh.items():
            is_tool = key[0] == CheckResult.Source.TOOL
            if not before.get(key) or _is_answer(job, group):
                before[key] = group
            elif is_tool:
                before[key] = [*before[key], *group]  # they may be about different documents
            elif _gravity(group) <= _gravity(before[key]):
                before[key] = group
        kept = [row for group in before.values() for row in group]
    return kept


_Key = tuple[str, str]  # the source and the id of the check


def _grouped(rows: Sequence[CheckResult]) -> dict[_Key, list[CheckResult]]:
    groups: dict[_Key, list[CheckResult]] = {}
    for row in rows:
        groups.setdefault((row.source, row.check_id), []).append(row)
    return groups


def _is_answer(job: Job, group: Sequence[CheckResult]) -> bool:
    """Whether what a later job says takes the place of what was said before, even if it is better."""
    if not job.check_id or job.status != Job.Status.COMPLETE:
        return False
    if any(row.confirmation in _UNCONFIRMED for row in group):
        return False
    if group[0].source == CheckResult.Source.CHECK and group[0].check_id != job.check_id:
        return False
    said = {results.SEVERITY[row.rank] for row in group} - {"running"}
    return bool(said) and "unknown" not in said


def _gravity(group: Sequence[CheckResult]) -> int:
    return min(results.gravity(results.SEVERITY[row.rank]) for row in group)


def under_way(checks: list[results.Check], job: Job | None) -> list[results.Check]:
    """The checks as they stand, but for the one that runs again. Of a job that has ended none runs:
    what it said nothing more of is open to a person."""
    if job is None or not job.is_under_way:
        return [_ended(check) if check.verdict == "running" else check for check in checks]
    if not job.check_id:
        return checks
    return [
        replace(check, verdict="running") if check.id == job.check_id else check for check in checks
    ]


def _ended(check: results.Check) -> results.Check:
    said = check.explanation or "The job ended before this check did."
    return replace(check, verdict="unknown", explanation=said)
