"""The runs of a case's checks: of all of them, and of single ones, which correct the last of all.

Effective is what the newest run of all checks said. Where a single check has run to its end since
then, its result replaces what was said of it. A run that failed replaces nothing: what was effective
before stays so, and what the run did say is added where it is worse.
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

_RELATIONS_OF_CASE = (
    "connection__pause", "agent", "submitted_by", "analyst", "review_of", "procedure",
)  # fmt: skip
# The fields of a job, its case and the pause of its connection that tell whether anything changed.
_CHANGES = (
    "updated_at", "status", "error", "tries", "due_at", "check_id",
    "case__updated_at", "case__status", "case__recommendation", "case__open_items",
    "case__connection__pause__updated_at", "case__connection__pause__due_at",
    "case__connection__pause__status",
)  # fmt: skip


def load_case(user: User | AnonymousUser, pk: int) -> tuple[Case, list[Job]]:
    """A case that the user may see, or 404, and its jobs, newest first.

    Most cases have one or two jobs, so the case is read in the same statement as its jobs.
    """
    relations = [f"case__{relation}" for relation in _RELATIONS_OF_CASE]
    rows = Job.objects.filter(case__pk=pk)
    rows = rows.select_related(*relations)
    return _load(user, pk, rows)


def load_changes(user: User | AnonymousUser, pk: int) -> tuple[Case, list[Job]]:
    """As `load_case`, but only the fields that tell whether anything changed."""
    rows = Job.objects.filter(case__pk=pk)
    rows = rows.select_related("case__connection__pause")
    rows = rows.only(*_CHANGES)
    return _load(user, pk, rows)


def _load(
    user: User | AnonymousUser, pk: int, rows: QuerySet[Job]
) -> tuple[Case, list[Job]]:
    jobs = list(roles.only_visible(user, rows, "case__connection"))
    if not jobs:
        # A case without a job, or one that the user may not see: that is the 404.
        cases = roles.visible(user).select_related(*_RELATIONS_OF_CASE)
        case = get_object_or_404(cases, pk=pk)
        return case, []
    case = jobs[0].case
    # Each row brought a copy of the case: a change of one must be seen through all jobs.
    for job in jobs:
        job.case = case
    return case, jobs


def is_imported(case: Case) -> bool:
    """Whether another system started the case: the desk learnt of it by a webhook."""
    # A person who submitted it is known, so most cases are not looked up.
    if case.submitted_by_id is not None:
        return False
    # The trail of earlier versions says "adopted", and its lines are never changed.
    return case.events.filter(what__in=("imported", "adopted")).exists()


def open_request(case: Case) -> InformationRequest | None:
    """What the applicant has not answered."""
    if case.status != Case.Status.WAITING:
        return None
    return case.requests.filter(status=InformationRequest.Status.OPEN).first()


_BRIEF = (
    "job", "source", "check_id", "subject", "status", "passed", "rank", "received_at",
    "confirmation",
)  # fmt: skip
_UNCONFIRMED = results.HINTS | {CheckResult.Confirmation.LIVE}
# Ranks of results that a person may have to look at: all but passed, running, not applicable.
_OPEN = range(results.SEVERITY.index("running"))


@dataclass(frozen=True)
class EffectiveResults:
    """The jobs whose results are effective, oldest first, and those results."""

    jobs: Sequence[Job]
    rows: Sequence[CheckResult]
    is_cut: bool = False  # more of them ask for a person than are read

    @classmethod
    def after(
        cls, jobs: Sequence[Job], *, at: int = 0, bodies: bool = True
    ) -> EffectiveResults:
        """What was effective after `jobs[at]`. `jobs` are those of a case, newest first.

        Without `bodies` it serves to see whether anything changed.
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
            # There may be more. What failed is never left out: the worst are read, too.
            bad = candidates.filter(rank__in=_OPEN)
            worst_first = bad.order_by("rank")
            worst = list(worst_first[: results.MAX_RESULTS])
        # A row may be in both.
        row_by_pk = {row.pk: row for row in (*newest, *worst)}
        in_order = sorted(row_by_pk.values(), key=attrgetter("id"))
        rows = _merge(effective_jobs, in_order)
        is_cut = len(worst) == results.MAX_RESULTS
        return cls(effective_jobs, rows, is_cut=is_cut)

    @cached_property
    def reviews(self) -> dict[str, CheckReview]:
        """What people said of the checks, by the check's id; of a run since then, nothing yet."""
        if not self.jobs:
            return {}
        job_by_pk = {job.pk: job for job in self.jobs}
        rows = CheckReview.objects.filter(job__in=job_by_pk)
        reviews = {}
        for review in rows.select_related("by"):
            # A review is about one run of the check, not about the next.
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
        """The job whose result of the check is effective."""
        if job := self._jobs_by_check.get(check_id):
            return job
        if self.jobs:
            return self.jobs[0]
        return None

    def has(self, check_id: str) -> bool:
        """Whether the service spoke of it as a check, so that it can be run alone."""
        return bool(check_id) and check_id in self._jobs_by_check


def _effective_jobs(jobs: Sequence[Job]) -> list[Job]:
    """Those whose results are effective, oldest first; `jobs` are newest first."""
    chosen: list[Job] = []
    for job in jobs:
        is_single = bool(job.check_id)
        if not is_single and job.status != Job.Status.FAILED:
            # A run of all checks: nothing before it counts.
            chosen.append(job)
            break
        if not is_single or job.status == Job.Status.COMPLETE:
            chosen.append(job)
    chosen.reverse()
    return chosen


def _merge(jobs: Sequence[Job], rows: Sequence[CheckResult]) -> list[CheckResult]:
    """The rows of the jobs. A row of a later job replaces the one that it answers again.

    Only the check that was asked for is answered again, with the results of its tools that the
    service confirmed. Of all else the worse stays.
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
                # They may be about different documents.
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
    """Whether the results of a later job replace those before, even if they are better."""
    if not job.check_id or job.status != Job.Status.COMPLETE:
        return False
    first = group[0]
    if first.source == CheckResult.Source.CHECK and first.check_id != job.check_id:
        return False
    verdicts = set()
    for row in group:
        if row.confirmation in _UNCONFIRMED:
            return False
        verdicts.add(results.SEVERITY[row.rank])
    verdicts.discard("running")
    return bool(verdicts) and "unknown" not in verdicts


def _gravity(group: Sequence[CheckResult]) -> int:
    """That of the worst result. The smaller is the worse."""
    gravities = []
    for row in group:
        verdict = results.SEVERITY[row.rank]
        gravities.append(results.gravity(verdict))
    return min(gravities)


def mark_running(checks: list[results.Check], job: Job | None) -> list[results.Check]:
    """The checks, with the one that runs again as running. Where no job runs, none is running.

    A check of which a job that ended said nothing more is open to a person.
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
