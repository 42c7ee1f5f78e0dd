"""What the checks of a job may ask of this installation."""

from __future__ import annotations

from django.conf import settings

from agenthub.duplicates import AccountCases
from agenthub.enrichment import Independent
from agenthub.models import AgentJob
from agenthub.premises import LoadedAddresses
from agenthub.readings import JobReadings
from agenthub.registry_data import DatabaseRegistry
from agenthub.screening.index import DatabaseLists
from agenthub.websites import Browser
from checks.lookups import Lookups


def of(job: AgentJob) -> Lookups:
    return Lookups(
        lists=DatabaseLists(),
        registry=DatabaseRegistry(),
        cases=AccountCases(job),
        extracted_facts=JobReadings(job),
        enrichment=Independent(job),
        addresses=LoadedAddresses(),
        web=Browser() if settings.WEBSITE_VISITS else None,
        schema=job.schema,
    )
