"""Which other cases of an account bear a mark of this one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from agenthub.models import AgentJob, SubjectMark
from checks.reference import Earlier

# Of a mark that a thousand cases bear, the latest tell enough; of all found, so many are compared.
MOST_PER_MARK, MOST_COMPARED = 100, 30


class AccountCases:
    """The `Cases` of one job: those of its account and kind, apart from its own."""

    def __init__(self, job: AgentJob) -> None:
        self._job = job

    def sharing(self, marks: Sequence[str], hints: Sequence[str] = ()) -> list[Earlier]:
        """Cases with a mark first, then those with the most hints."""
        self._keep([*marks, *hints])
        newest: dict[str, int] = {}
        bearing = self._bearers(marks, newest)
        hinted = self._bearers(hints, newest)
        first = [case_id for case_id, _ in bearing.most_common(MOST_COMPARED)]
        more = [case_id for case_id, _ in hinted.most_common(MOST_COMPARED + len(first))]
        best = [newest[case_id] for case_id in dict.fromkeys([*first, *more])][:MOST_COMPARED]
        jobs = AgentJob.objects.select_related("agent").in_bulk(best)
        return [self._told(jobs[pk]) for pk in best if pk in jobs]

    def _bearers(self, marks: Sequence[str], newest: dict[str, int]) -> Counter[str]:
        """How many of the marks a case bears; `newest` gets the latest job of each."""
        found: Counter[str] = Counter()
        for mark in dict.fromkeys(marks):
            rows = SubjectMark.objects.filter(account_id=self._job.account_id, value=mark)
            latest = rows.order_by("-id").values_list("case_id", "job_id")[:MOST_PER_MARK]
            bears = dict(reversed(list(latest)))
            bears.pop(self._job.case_id, None)
            found.update(bears.keys())
            for case_id, job in bears.items():
                newest[case_id] = max(newest.get(case_id, 0), job)
        return found

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
