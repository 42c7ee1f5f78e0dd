"""The lookups that are available to a job's checks at this installation."""

from __future__ import annotations

from django.conf import settings

from agenthub.companies.registered_agents import LoadedAddresses
from agenthub.companies.registry import DatabaseRegistry
from agenthub.companies.websites import Browser
from agenthub.documents.extracted_facts import JobFacts
from agenthub.enrichment.providers import Independent
from agenthub.models import AgentJob
from agenthub.screening.index import DatabaseLists
from agenthub.subjects.duplicates import AccountCases
from checks.lookups import Lookups


def of(job: AgentJob) -> Lookups:
    return Lookups(
        lists=DatabaseLists(),
        registry=DatabaseRegistry(),
        cases=AccountCases(job),
        extracted_facts=JobFacts(job),
        enrichment=Independent(job),
        addresses=LoadedAddresses(),
        web=Browser() if settings.WEBSITE_VISITS else None,
        schema=job.schema,
    )
