"""An alarm on a case and in the queue: accessible, silent, at every width, in both themes."""

from __future__ import annotations

import pytest
from django.utils.timezone import now
from playwright.sync_api import Page

from compliance.db.states import stored_values
from reviews.jobs import completion, result_rows
from reviews.models import Case, Job
from tests.browser.accessibility import violations
from tests.reviews.pages.case import payloads
from tests.reviews.rows import decide, one_person, open_case, someone

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]


@pytest.fixture
def raised(db) -> Case:
    """Decided, and then a result came by webhook; the job webhook before it is not confirmed."""
    one_person()
    case = open_case(recommendation="Approve")
    decide(case, someone("analyst", "ana"))
    job = case.jobs.get()
    result = payloads.fraud(payloads.indicator())
    data = {"passed": False, "payload": {"fraud_verification_data": result}}
    completion.apply_webhooks(job, [result_rows.tool_result(job, payloads.FRAUD, data)])
    notice = {"status": "complete", "recommendation": "Deny"}
    Job.objects.update(**stored_values(job, {"notice": notice, "due_at": None}))
    reasons = "\n".join(
        f"A result came after the decision: {'x' * 60} {n}." for n in range(30)
    )
    case.refresh_from_db()
    changes = {"alarm": f"{case.alarm}\n{reasons}", "alarm_at": now()}
    Case.objects.update(**stored_values(case, changes))
    return case


@pytest.mark.sweep
@pytest.mark.parametrize("width", [390, 1440])
def test_an_alarm_is_told_at_every_width(boss: Page, page_events, raised, width):
    boss.set_viewport_size({"width": width, "height": 900})
    for address, words in (
        (
            raised.get_absolute_url(),
            "A result came after the decision: Fraud indicators failed.",
        ),
        ("/?view=review", "Alarm"),
    ):
        boss.goto(address)
        assert words in boss.locator("main").inner_text()
        overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert boss.evaluate(overflow) == 0
        assert page_events.complaints == []
        assert violations(boss) == []
