"""A service that says the same when it is asked (getJobById) as its webhooks did."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reviews.jobs import lifecycle
from reviews.models import Connection, Job
from reviews.service.client import job_id
from tests import fakeservice


def ask(answer: Mapping[str, Any], tools: Mapping[str, Any] | None = None) -> Job:
    """Have the desk ask after the job that `answer` is about, as its lane would.

    `tools`: results by the tool's id, each the result of a check of that id.
    """
    job = Job.objects.get(remote_id=job_id(answer["id"]))
    listed = [
        {"check_id": tool, "status": "complete", "result": text}
        for tool, text in (tools or {}).items()
    ]
    more = {"check_results": listed} if listed else {}
    with fakeservice.running() as service:
        Connection.objects.filter(pk=job.connection_id).update(base_url=service.url)
        service.jobs[job.remote_id] = {**answer, **more, "id": job.remote_id}
        lifecycle.advance(Job.objects.get(pk=job.pk))
    return Job.objects.get(pk=job.pk)
