"""Facts that a job's checks have extracted from its documents, for checks that compare them."""

from __future__ import annotations

import hashlib
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from agenthub.models import AgentJob, CheckRun
from agenthub.wire import JsonObject
from checks import registry
from checks.lookups import ReadDocument

ENDED = (CheckRun.Status.COMPLETED, CheckRun.Status.FAILED)


class JobFacts:
    """The `ExtractedFacts` lookup of one job.

    If the job did not run the extracting check, for example because only one check was run again,
    the facts of the case's last job that ran it are used, provided that its documents were the
    same."""

    def __init__(self, job: AgentJob) -> None:
        self._job = job

    def of(self, check_id: str) -> list[ReadDocument] | None:
        run = self._run(check_id)
        if run is None:
            return None
        payload = run.result.get("payload") or {}
        documents = []
        for entry in payload.get("valid_documents") or []:
            document = entry.get("document") or {}
            facts = entry.get("extraction_data") or {}
            documents.append(ReadDocument(str(document.get("file_name") or ""), facts))
        return documents

    def _run(self, check_id: str) -> CheckRun | None:
        job = self._job
        run = job.check_runs.filter(check_id=check_id).first()
        if run is not None:
            if run.status in ENDED:
                return run
            return None
        earlier = (
            CheckRun.objects.filter(check_id=check_id, status__in=ENDED)
            .filter(job__agent__kind=job.agent.kind, job__account_id=job.account_id)
            .filter(job__case_id=job.case_id, job_id__lt=job.pk)
            .select_related("job__agent")
            .order_by("-job_id")
            .first()
        )
        if earlier is None:
            return None
        if _documents(earlier.job, check_id) != _documents(job, check_id):
            return None
        return earlier


def _documents(job: AgentJob, check_id: str) -> list[tuple[str, str, str]]:
    attested = job.schema.get("self_attested_data") or {}
    documents = registry.get(check_id).documents_of(attested)
    return [_identity(document) for document in documents]


def _identity(document: JsonObject) -> tuple[str, str, str]:
    """Identifies a document. The signature in its URL changes, and may be the path's last part."""
    link = urlsplit(str(document.get("url") or ""))
    path = PurePosixPath(link.path)
    name = str(document.get("file_name") or path.name)
    content = str(document.get("b64_document") or "")
    digest = ""
    if content:
        digest = hashlib.sha256(content.encode()).hexdigest()
    return name, f"{link.netloc}{path.parent}", digest
