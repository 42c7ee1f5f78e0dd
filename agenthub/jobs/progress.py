"""The stored progress of a running job, with which another worker can continue it.

Each tool's results and its webhook are written in one transaction. Fast checks share one: writing
each separately would cost more time than most of them take.

Each transaction first confirms the lease. So a worker that stood still while another one took over
writes nothing: a result of its own beside those of the other could change the recommendation.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.conf import settings
from django.db import transaction

from agenthub.deliveries import sending
from agenthub.jobs import newer_lists
from agenthub.models import AgentJob, CheckRun, Delivery, ToolRun
from agenthub.wire import Wire
from checks.base import Outcome
from compliance.work import timing

ENDED = {CheckRun.Status.COMPLETED, CheckRun.Status.FAILED}

# Why a check has no result. The desk shows these in the language of the reader.
JOB_ENDED = "The check has no result: its job ended before it."
CHECK_REMOVED = "The check has no result: the agent does not have it any more."

Results = Wire


class End(NamedTuple):
    """The end of a check that uses only data. `tool_results`: id of a tool → its results.

    `steps` are status messages; they are written with the result, which saves statements."""

    status: CheckRun.Status
    result: Results
    tool_results: Mapping[str, Results] = {}
    steps: Sequence[dict[str, str]] = ()


class Progress:
    """The check runs of a job by check id, and the results that are not written yet."""

    def __init__(self, job: AgentJob, check_ids: Sequence[str]) -> None:
        self.job = job
        self._check_ids = check_ids
        self._ends: dict[str, End] = {}
        self._deliveries: list[Delivery] = []
        self._last_write = time.monotonic()
        self._runs: dict[str, CheckRun] = {}
        # A pending job has no rows of checks yet.
        if job.status == AgentJob.Status.RUNNING:
            self._runs = self._stored_runs()

    def is_open(self, check_id: str) -> bool:
        """Whether the check has not ended yet."""
        run = self._runs.get(check_id)
        return run is None or run.status not in ENDED

    def run_of(self, check_id: str) -> CheckRun:
        """The row of a slow check. Waiting results are written first."""
        self.write()
        return self._runs[check_id]

    def add(self, check_id: str, end: End) -> None:
        """Add the end of a data check. It is written with the next group."""
        self._ends[check_id] = end
        if time.monotonic() - self._last_write > timing.GROUP_RESULTS_SECONDS:
            self.write()

    def end_removed(self) -> None:
        """End the checks that the agent has lost since they were written: nobody runs them."""
        for check_id, run in self._runs.items():
            if check_id not in self._check_ids and run.status not in ENDED:
                result = without_result(CHECK_REMOVED)
                self._ends[check_id] = End(CheckRun.Status.FAILED, result)

    def results(self) -> dict[str, tuple[str, Results]]:
        """Status and result of each check by its id, in the order of the checks."""
        ends: dict[str, CheckRun | End] = {**self._runs, **self._ends}
        results: dict[str, tuple[str, Results]] = {}
        for check_id, end in ends.items():
            results[check_id] = (end.status, end.result)
        return results

    @transaction.atomic
    def write(self) -> None:
        """Write the waiting results, queue their webhooks. LeaseLostError if another worker has the job."""
        self._write()
        self._queue_deliveries()

    @transaction.atomic
    def finish(self, to: AgentJob.Status, **changes: object) -> None:
        """Write the waiting results and end the job. LeaseLostError if another worker has it."""
        self._write()
        self.job.move_held(to, due_at=None, leased_until=None, **changes)
        self._deliveries += sending.of_end(self.job)
        newer_lists.compare(self.job)
        self._queue_deliveries()

    @transaction.atomic
    def end(self, run: CheckRun, end: End) -> None:
        """Write the end of a slow check. LeaseLostError if another worker has the job."""
        self.job.heartbeat(settings.LEASE)
        run.end(end.status, end.result, end.steps)

    def _write(self) -> None:
        # First, so that nobody can claim the job before the end of this transaction.
        if self._runs:
            self.job.heartbeat(settings.LEASE)
            for check_id, end in self._ends.items():
                self._runs[check_id].end(end.status, end.result, end.steps)
        else:
            self._begin()
        tool_runs: list[ToolRun] = []
        for check_id, end in self._ends.items():
            run = self._runs[check_id]
            for tool_id, results in end.tool_results.items():
                tool_runs.append(
                    ToolRun(
                        check_run=run,
                        document=0,
                        tool_id=tool_id,
                        results=results,
                    )
                )
                self._deliveries += sending.of_tool(self.job, run, tool_id, results)
        ToolRun.objects.bulk_create(tool_runs)
        self._ends = {}
        self._last_write = time.monotonic()

    def _begin(self) -> None:
        """Start the job, with rows for its checks. Checks that have ended already get final rows."""
        self.job.move_held(AgentJob.Status.RUNNING)
        runs = []
        for check_id in self._check_ids:
            runs.append(self._new_run(check_id))
        CheckRun.objects.bulk_create(runs)
        self._runs = {run.check_id: run for run in runs}
        self._deliveries += sending.of_start(self.job)

    def _new_run(self, check_id: str) -> CheckRun:
        run = CheckRun.waiting(self.job, check_id)
        end = self._ends.get(check_id)
        if end is None:
            return run
        messages = [*run.status_messages, *end.steps]
        values = CheckRun.ended(end.status, end.result, messages)
        return CheckRun(job=self.job, check_id=check_id, **values)

    def _stored_runs(self) -> dict[str, CheckRun]:
        """The rows of the checks, including checks that the agent got since the start."""
        new_runs = []
        for check_id in self._check_ids:
            new_runs.append(CheckRun.waiting(self.job, check_id))
        CheckRun.objects.bulk_create(new_runs, ignore_conflicts=True)
        return {run.check_id: run for run in self.job.check_runs.all()}

    def _queue_deliveries(self) -> None:
        sending.queue(self._deliveries)
        self._deliveries = []


def end_open(job: AgentJob) -> None:
    """End the checks of a job that has ended without them."""
    for run in job.check_runs.exclude(status__in=ENDED):
        run.end(CheckRun.Status.FAILED, without_result(JOB_ENDED))


def without_result(reason: str) -> Results:
    """The result of a check that was not run to its end."""
    outcome = Outcome(
        passed=None, verdict="inconclusive", explanation=reason, alerts=[reason]
    )
    return outcome.to_wire()
