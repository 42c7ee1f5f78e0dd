"""What the checks of a job have read from its documents, for those that compare."""

from __future__ import annotations

from agenthub.models import AgentJob, CheckRun
from checks.reference import ReadDocument

ENDED = (CheckRun.Status.COMPLETED, CheckRun.Status.FAILED)


class JobReadings:
    """The `Readings` of one job."""

    def __init__(self, job: AgentJob) -> None:
        self._job = job

    def of(self, check_id: str) -> list[ReadDocument] | None:
        run = self._job.check_runs.filter(check_id=check_id, status__in=ENDED).first()
        if run is None:
            return None
        found = (run.result.get("payload") or {}).get("valid_documents") or []
        return [
            ReadDocument(
                str((one.get("document") or {}).get("file_name") or ""),
                one.get("extraction_data") or {},
            )
            for one in found
        ]
