"""What the checks of a job have read from its documents, for those that compare."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from agenthub.models import AgentJob, CheckRun
from checks import registry
from checks.lookups import ReadDocument

ENDED = (CheckRun.Status.COMPLETED, CheckRun.Status.FAILED)


class JobReadings:
    """The `ExtractedFacts` of one job. Where it did not run the check that reads, as when one check is
    run again, those of the case's last job that did, if that was about the same documents."""

    def __init__(self, job: AgentJob) -> None:
        self._job = job

    def of(self, check_id: str) -> list[ReadDocument] | None:
        run = self._run(check_id)
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

    def _run(self, check_id: str) -> CheckRun | None:
        job = self._job
        if own := job.check_runs.filter(check_id=check_id).first():
            return own if own.status in ENDED else None
        earlier = (
            CheckRun.objects.filter(check_id=check_id, status__in=ENDED)
            .filter(job__agent__kind=job.agent.kind, job__account_id=job.account_id)
            .filter(job__case_id=job.case_id, job_id__lt=job.pk)
            .select_related("job__agent")
            .order_by("-job_id")
            .first()
        )
        is_same = earlier and _documents(earlier.job, check_id) == _documents(job, check_id)
        return earlier if is_same else None


def _documents(job: AgentJob, check_id: str) -> list[tuple[str, str, str]]:
    attested = job.schema.get("self_attested_data") or {}
    return [_mark(one) for one in registry.get(check_id).documents_of(attested)]


def _mark(document: Mapping[str, Any]) -> tuple[str, str, str]:
    """The same for one document however its link is signed: the last part of a path may be that."""
    link = urlsplit(str(document.get("url") or ""))
    path = PurePosixPath(link.path)
    content = str(document.get("b64_document") or "")
    return (
        str(document.get("file_name") or path.name),
        f"{link.netloc}{path.parent}",
        hashlib.sha256(content.encode()).hexdigest() if content else "",
    )
