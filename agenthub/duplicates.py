"""Which other cases of an account bear a mark of this one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from django.db.models import F, Window
from django.db.models.functions import RowNumber

from agenthub.models import AgentJob, SubjectMark
from checks.reference import Earlier

# Of a mark that a thousand cases bear, the latest tell enough; of all found, so many are compared.
MOST_PER_MARK, MOST_COMPARED = 100, 40


class AccountCases:
    """The `Cases` of one job: those of its account and kind, apart from its own."""

    def __init__(self, job: AgentJob) -> None:
        self._job = job

    def sharing(self, marks: Sequence[str]) -> list[Earlier]:
        if not marks:
            return []
        self._keep(marks)
        shared: Counter[str] = Counter()
        newest: dict[str, int] = {}
        for case_id, job in self._bearers(marks):
            shared[case_id] += 1
            newest[case_id] = max(newest.get(case_id, 0), job)
        best = [newest[case_id] for case_id, _ in shared.most_common(MOST_COMPARED)]
        jobs = AgentJob.objects.select_related("agent").in_bulk(best)
        return [self._told(jobs[pk]) for pk in best if pk in jobs]

    def _bearers(self, marks: Sequence[str]) -> list[tuple[str, int]]:
        latest = Window(RowNumber(), partition_by="value", order_by=F("id").desc())
        rows = (
            SubjectMark.objects.filter(account_id=self._job.account_id, value__in=marks)
            .filter(job__agent__kind=self._job.agent.kind)
            .exclude(case_id=self._job.case_id)
            .annotate(number=latest)
            .filter(number__lte=MOST_PER_MARK)
        )
        return list(rows.values_list("case_id", "job_id"))

    def _told(self, job: AgentJob) -> Earlier:
        attested = job.schema.get("self_attested_data") or {}
        return Earlier(job.case_id, attested, job.created_at.date().isoformat())

    def _keep(self, marks: Sequence[str]) -> None:
        SubjectMark.objects.bulk_create(
            (
                SubjectMark(
                    account_id=self._job.account_id, job=self._job, case_id=self._job.case_id,
                    value=mark,
                )
                for mark in dict.fromkeys(marks)
            ),
            ignore_conflicts=True,
        )  # fmt: skip
