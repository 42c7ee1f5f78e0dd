"""What a running job has come to, written down so that a run that is cut off can be taken up.

Each tool's results and the webhook that tells of them are written in one transaction. Checks that
are done in moments share it: to write each alone would cost more than most of them take.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.db import transaction

from agenthub.deliveries import sending
from agenthub.models import AgentJob, CheckRun, Delivery, ToolRun
from compliance.db import fast_sql
from compliance.work import timing
from compliance.work.rows import LeaseLostError

ENDED = {CheckRun.Status.COMPLETED, CheckRun.Status.FAILED}

Results = dict[str, Any]


class _End(NamedTuple):
    """How a check of the data alone ended, what its tools said, by their ids, and the messages of
    its steps: they are written with the result, and cost no statement of their own."""

    status: CheckRun.Status
    result: Results
    said: Mapping[str, Results]
    steps: Sequence[dict[str, str]] = ()


class Progress:
    """The runs of a job's checks, by check id, and the ends that are not written yet."""

    def __init__(self, job: AgentJob, check_ids: Sequence[str]) -> None:
        self.job = job
        self._check_ids = check_ids
        self._ends: dict[str, _End] = {}
        self._untold: list[Delivery] = []
        self._written = time.monotonic()
        # A job that has not begun has none.
        self._runs = {} if job.status == AgentJob.Status.PENDING else self._stored()

    def is_open(self, check_id: str) -> bool:
        """Whether the check is still to be done."""
        run = self._runs.get(check_id)
        return run is None or run.status not in ENDED

    def run_of(self, check_id: str) -> CheckRun:
        """The row of a check that takes its time; what was known before it is written first."""
        self.write()
        return self._runs[check_id]

    def add(self, check_id: str, *end: Any) -> None:
        """A check of the data alone has ended: its status, its result, what its tools said, and
        the messages of its steps."""
        self._ends[check_id] = _End(*end)
        if time.monotonic() - self._written > timing.GROUP_RESULTS_SECONDS:
            self.write()

    def outcomes(self) -> dict[str, tuple[str, Results]]:
        """Status and result of each check by its id, in their order."""
        known: dict[str, CheckRun | _End] = {**self._runs, **self._ends}
        return {check_id: (each.status, each.result) for check_id, each in known.items()}

    @transaction.atomic
    def write(self) -> None:
        """Write what is known, and tell of it. Raises LeaseLostError where the job has ended."""
        self._write()
        self._tell()

    @transaction.atomic
    def finish(self, to: AgentJob.Status, **changes: Any) -> None:
        """End the job, with what is not written yet; how another worker has ended it stands."""
        self._write()
        if self.job.move(to, due_at=None, leased_until=None, **changes):
            self._untold += sending.of_end(self.job)
        self._tell()

    def _write(self) -> None:
        if self._runs or not self._begin():
            # Of two workers, one ends a check and records what its tools said.
            self._ends = {
                check_id: end
                for check_id, end in self._ends.items()
                if self._runs[check_id].end(end.status, end.result, end.steps)
            }
        ended = [(self._runs[check_id], end.said) for check_id, end in self._ends.items()]
        fast_sql.insert(
            [
                ToolRun(check_run=run, document=0, tool_id=tool_id, results=results)
                for run, said in ended
                for tool_id, results in said.items()
            ]
        )
        for run, said in ended:
            for tool_id, results in said.items():
                self._untold += sending.of_tool(self.job, run, tool_id, results)
        self._ends = {}
        self._written = time.monotonic()

    def _begin(self) -> bool:
        """Have the job run, with rows for its checks: ended ones are ended from the start.

        Returns False where another worker, whose lease ran out since, has begun it.
        """
        if self.job.move(AgentJob.Status.RUNNING):
            made = [self._made(check_id) for check_id in self._check_ids]
            fast_sql.insert(made)
            self._runs = {run.check_id: run for run in made}
            self._untold += sending.of_start(self.job)
            return True
        self.job.refresh_from_db(fields=["status"])
        self._runs = self._stored()
        return False

    def _made(self, check_id: str) -> CheckRun:
        end = self._ends.get(check_id)
        if end is None:
            return CheckRun.waiting(self.job, check_id)
        waited = CheckRun.waiting(self.job, check_id)
        messages = [*waited.status_messages, *end.steps]
        written = CheckRun.ended(end.status, end.result, messages)
        return CheckRun(job=self.job, check_id=check_id, **written)

    def _stored(self) -> dict[str, CheckRun]:
        """Those that were made, and those of checks that the agent was given since."""
        if self.job.status != AgentJob.Status.RUNNING:
            raise LeaseLostError
        fresh = [CheckRun.waiting(self.job, check_id) for check_id in self._check_ids]
        CheckRun.objects.bulk_create(fresh, ignore_conflicts=True)
        return {run.check_id: run for run in self.job.check_runs.all()}

    def _tell(self) -> None:
        sending.queue(self._untold)
        self._untold = []
