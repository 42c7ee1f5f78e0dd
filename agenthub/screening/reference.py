"""What the checks of a job may ask of this installation."""

from __future__ import annotations

from agenthub.models import AgentJob
from agenthub.registry_data import DatabaseRegistry
from agenthub.screening.index import DatabaseLists
from checks.reference import Reference


def of(job: AgentJob) -> Reference:
    return Reference(lists=DatabaseLists(), registry=DatabaseRegistry(), schema=job.schema)
