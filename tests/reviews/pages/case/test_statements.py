"""How many statements the page of a case takes: as many for a large case as for a small one."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import now

from reviews.decisions import policy
from reviews.models import Case, CheckReview, Decision, InformationRequest, Outcome
from reviews.queue import filters
from tests.factories import make_job, make_user
from tests.reviews.pages.case import payloads
from tests.reviews.pages.case.rows import (
    add_check_result,
    add_document,
    add_tool_result,
    reviewed_case,
    wire,
)

pytestmark = pytest.mark.django_db
# A case that a person submitted takes 16, of which the inbox, the rating and the values that people
# chose take three. Two more are for one that another system started or that waits for its service, three for one that waits for the
# applicant: its request and the mails with the link.
MOST = 19


def statements(client, address: str) -> int:
    """Of a page that was opened a moment ago: rules and counters are remembered."""
    assert client.get(address).status_code == 200
    with CaptureQueriesContext(connection) as result:
        assert client.get(address).status_code == 200
    return len(result)


def grow(case, job, person, *, times: int) -> None:
    for number in range(times):
        document = add_document(case, name=f"{number}.pdf", pages=3)
        result = payloads.tool_results(
            "extraction_data",
            payloads.extraction(payloads.comparison()),
            document=wire(document),
        )
        add_tool_result(job, payloads.EXTRACTION, result, subject=document.pk.hex)
        part = payloads.fraud(payloads.indicator(boxes=[payloads.box()]))
        result = payloads.tool_results(
            "fraud_verification_data", part, document=wire(document)
        )
        add_tool_result(job, payloads.FRAUD, result, subject=document.pk.hex)
        check = f"kyb.check_{document.pk.hex}"
        add_check_result(job, {"passed": False}, check_id=check)
        CheckReview.objects.create(job=job, check_id=check, kind="reviewed", by=person)
        Decision.objects.create(
            case=case,
            outcome=Outcome.REQUEST,
            status="standing",
            rationale="x",
            made_by=person,
        )
        if number:
            make_job(case, status="complete", check_id=check)


@pytest.fixture(autouse=True)
def remembered(monkeypatch):
    for module in (policy, filters):
        monkeypatch.setattr(module, "CACHE_SECONDS", 3600)


@pytest.mark.parametrize("status", Case.Status.values)
def test_a_large_case_takes_as_many_as_a_small_one(analyst, status):
    person = make_user("bo")
    case, job = reviewed_case(status=job_status_of(status), submitted_by=None)
    Case.objects.filter(pk=case.pk).update(status=status)
    InformationRequest.objects.create(
        case=case, made_by=person, expires_at=now() + timedelta(1)
    )
    grow(case, job, person, times=1)
    small = statements(analyst, f"/cases/{case.pk}/")
    grow(case, job, person, times=6)
    large = statements(analyst, f"/cases/{case.pk}/")
    # The newest job of the large case has ended: what a job waits for is then not asked.
    is_asked = job_status_of(status) == "running"
    assert large == small - is_asked
    assert small <= MOST


def job_status_of(case_status: str) -> str:
    return "running" if case_status == Case.Status.CHECKING else "complete"


def test_a_case_without_a_job_takes_no_more(analyst):
    case, job = reviewed_case()
    job.delete()
    add_document(case)
    assert statements(analyst, f"/cases/{case.pk}/") <= MOST
