"""The effective results of a case: those of a run of all checks, updated by runs of single
checks.

The newest run of all checks is the base. If a single check has completed after it, its result
replaces the earlier one. A failed run replaces nothing: earlier results stay effective, and its
own results are added only if they are worse.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404

from reviews import results
from reviews.access import roles
from reviews.models import (
    Case,
    CheckResult,
    CheckReview,
    InformationRequest,
    Job,
)

# What every page of a case shows. The procedure is read on its own tab alone.
_RELATIONS_OF_CASE = (
    "connection__pause", "agent", "submitted_by", "analyst", "review_of",
)  # fmt: skip
# The fields of a job, its case and the pause of its connection that show whether anything
# changed.
# Other columns, such as payloads, are not loaded when a page only asks for changes.
_CHANGES = (
    "updated_at", "status", "error", "tries", "due_at", "check_id",
    "case__updated_at", "case__status", "case__recommendation", "case__open_items",
    "case__analyst", "case__snoozed_until",
    "case__connection__pause__updated_at", "case__connection__pause__due_at",
    "case__connection__pause__status",
)  # fmt: skip


def load_case(user: User | AnonymousUser, pk: int) -> tuple[Case, list[Job]]:
    """A case that the user may see, and its jobs, newest first. Raises Http404.

    Most cases have one or two jobs, so one query reads the jobs together with their case.
    """
    relations = [f"case__{relation}" for relation in _RELATIONS_OF_CASE]
    rows = Job.objects.filter(case__pk=pk)
    rows = rows.select_related(*relations)
    return _load(user, pk, rows)


def load_changes(user: User | AnonymousUser, pk: int) -> tuple[Case, list[Job]]:
    """Like `load_case`, but loads only the fields that show whether anything changed."""
    rows = Job.objects.filter(case__pk=pk)
    rows = rows.select_related("case__connection__pause")
    rows = rows.only(*_CHANGES)
    return _load(user, pk, rows)


def _load(
    user: User | AnonymousUser, pk: int, rows: QuerySet[Job]
) -> tuple[Case, list[Job]]:
    jobs = list(roles.only_visible(user, rows, "case__connection"))
    if not jobs:
        # No row: the case has no job, or does not exist, or the user may not see it (404).
        cases = roles.visible(user).select_related(*_RELATIONS_OF_CASE)
        case = get_object_or_404(cases, pk=pk)
        return case, []
    case = jobs[0].case
    # Each row has its own copy of the case. With one shared object, a change is visible from
    # all jobs.
    for job in jobs:
        job.case = case
    return case, jobs


def is_imported(case: Case) -> bool:
    """Whether another system started the case, so that the desk learnt of it by a webhook."""
    # Most cases have a known submitter and need no query.
    if case.submitted_by_id is not None:
        return False
    # Earlier versions recorded the import under another word, and lines of the trail never
    # change.
    return case.events.filter(what__in=("imported", "adopted")).exists()


def open_request(case: Case) -> InformationRequest | None:
    """The request that the applicant has not answered yet, if the case waits for one."""
    if case.status != Case.Status.WAITING:
        return None
    return case.requests.filter(status=InformationRequest.Status.OPEN).first()


_BRIEF = (
    "job", "source", "check_id", "subject", "status", "passed", "rank", "received_at",
    "confirmation",
)  # fmt: skip
_UNCONFIRMED = results.HINTS | {CheckResult.Confirmation.LIVE}
# Ranks of the results that may need a person: worse than running, passed and not applicable.
_OPEN = range(results.SEVERITY.index("running"))


@dataclass(frozen=True)
class EffectiveResults:
    """The effective results of a case, and the jobs that they come from, oldest first."""

    jobs: Sequence[Job]
    rows: Sequence[CheckResult]
    is_cut: bool = False  # more of them need a person than are read
    # Whether what the page shows was read, and not only what tells whether it changed.
    bodies: bool = True

    @classmethod
    def after(
        cls, jobs: Sequence[Job], *, at: int = 0, bodies: bool = True
    ) -> EffectiveResults:
        """The results that were effective after `jobs[at]`. `jobs`: those of a case, newest
        first.

        Without `bodies` the payloads are not loaded: enough to see whether anything changed.
        """
        effective_jobs = _effective_jobs(jobs[at:])
        if not effective_jobs:
            return cls([], [])
        candidates = CheckResult.objects.filter(job__in=effective_jobs)
        if not bodies:
            candidates = candidates.only(*_BRIEF)
        newest_first = candidates.order_by("-id")
        newest = list(newest_first[: results.MAX_RESULTS])
        worst: list[CheckResult] = []
        if len(newest) == results.MAX_RESULTS:
            # There may be more than the limit. A bad result must never be left out, so the
            # worst results are read in addition.
            bad = candidates.filter(rank__in=_OPEN)
            worst_first = bad.order_by("rank")
            worst = list(worst_first[: results.MAX_RESULTS])
        # One row may be in both lists.
        row_by_pk = {row.pk: row for row in (*newest, *worst)}
        in_order = sorted(row_by_pk.values(), key=attrgetter("id"))
        rows = _merge(effective_jobs, in_order)
        is_cut = len(worst) == results.MAX_RESULTS
        return cls(effective_jobs, rows, is_cut=is_cut, bodies=bodies)

    @cached_property
    def reviews(self) -> dict[str, CheckReview]:
        """The reviews of people by the id of the check.

        A review of an earlier run does not count.
        """
        if not self.jobs:
            return {}
        job_by_pk = {job.pk: job for job in self.jobs}
        rows = CheckReview.objects.filter(job__in=job_by_pk)
        if self.bodies:
            rows = rows.select_related("by")
        else:
            rows = rows.only("job", "check_id", "at")
        reviews = {}
        for review in rows:
            # A review belongs to one run of the check, not to a later one.
            job = job_by_pk[review.job_id]
            if self.job_of(review.check_id) == job:
                reviews[review.check_id] = review
        return reviews

    @cached_property
    def _jobs_by_check(self) -> Mapping[str, Job]:
        job_by_pk = {job.pk: job for job in self.jobs}
        job_by_check = {}
        for row in self.rows:
            if row.source == CheckResult.Source.CHECK:
                job_by_check[row.check_id] = job_by_pk[row.job_id]
        return job_by_check

    def job_of(self, check_id: str) -> Job | None:
        """The job whose result for this check is effective; for other ids the job of the oldest
        run.
        """
        if job := self._jobs_by_check.get(check_id):
            return job
        if self.jobs:
            return self.jobs[0]
        return None

    def has(self, check_id: str) -> bool:
        """Whether the service has a check with this id, so that it can be run alone."""
        return bool(check_id) and check_id in self._jobs_by_check


def _effective_jobs(jobs: Sequence[Job]) -> list[Job]:
    """The jobs whose results are effective, oldest first. `jobs`: newest first."""
    chosen: list[Job] = []
    for job in jobs:
        is_single = bool(job.check_id)
        if not is_single and job.status != Job.Status.FAILED:
            # A run of all checks: it replaces everything before it.
            chosen.append(job)
            break
        if not is_single or job.status == Job.Status.COMPLETE:
            chosen.append(job)
    chosen.reverse()
    return chosen


def _merge(jobs: Sequence[Job], rows: Sequence[CheckResult]) -> list[CheckResult]:
    """The effective rows. `jobs` are oldest first.

    A single-check run replaces the results of that check and the confirmed results of its
    tools. For anything else that it reports, the worse result stays.
    """
    merged: dict[_Key, list[CheckResult]] = {}
    for job in jobs:
        job_rows = [row for row in rows if row.job_id == job.pk]
        for key, group in _group(job_rows).items():
            before = merged.get(key)
            source, _ = key
            if not before or _is_answer(job, group):
                merged[key] = group
            elif source == CheckResult.Source.TOOL:
                # Two results of one tool may be about different documents, so both stay.
                merged[key] = [*before, *group]
            elif _gravity(group) <= _gravity(before):
                merged[key] = group
    chosen: list[CheckResult] = []
    for group in merged.values():
        chosen += group
    return chosen


_Key = tuple[str, str]  # the source and the id of the check


def _group(rows: Sequence[CheckResult]) -> dict[_Key, list[CheckResult]]:
    groups: dict[_Key, list[CheckResult]] = {}
    for row in rows:
        key = (row.source, row.check_id)
        group = groups.setdefault(key, [])
        group.append(row)
    return groups


def _is_answer(job: Job, group: Sequence[CheckResult]) -> bool:
    """Whether these results of a later job replace the earlier ones, even if they are better."""
    if not job.check_id or job.status != Job.Status.COMPLETE:
        return False
    first = group[0]
    if first.source == CheckResult.Source.CHECK and first.check_id != job.check_id:
        return False
    verdicts = set()
    # An unconfirmed or missing verdict is no answer that may improve the state of a check.
    for row in group:
        if row.confirmation in _UNCONFIRMED:
            return False
        verdicts.add(results.SEVERITY[row.rank])
    verdicts.discard("running")
    return bool(verdicts) and "unknown" not in verdicts


def _gravity(group: Sequence[CheckResult]) -> int:
    """The gravity of the worst result. A smaller number is worse."""
    gravities = []
    for row in group:
        verdict = results.SEVERITY[row.rank]
        gravities.append(results.gravity(verdict))
    return min(gravities)


def mark_running(checks: list[results.Check], job: Job | None) -> list[results.Check]:
    """The checks as a page shows them: a check that runs again has the verdict "running".

    If no job runs, a check that the ended job left without a verdict becomes "unknown", so that
    a person looks at it.
    """
    if job is not None and job.is_under_way:
        return [_running_again(check, job) for check in checks]
    marked = []
    for check in checks:
        if check.verdict == "running":
            words = check.explanation or "The job ended before this check did."
            check = replace(check, verdict="unknown", explanation=words)
        marked.append(check)
    return marked


def _running_again(check: results.Check, job: Job) -> results.Check:
    if job.check_id and check.id == job.check_id:
        return replace(check, verdict="running")
    return check
