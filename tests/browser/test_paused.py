"""A paused connection on its page and on a case: accessible, silent, at every width, in both themes."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils.timezone import now
from playwright.sync_api import Page

from reviews.models import Case, Connection, Job, Pause
from tests import factories
from tests.browser.accessibility import violations

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]


@pytest.fixture
def paused(db) -> Case:
    """A case that waits, of a service that refuses the key, signs with a time and was refused."""
    connection = factories.make_connection(
        timestamped_since=now(), refused_at=now(),
        refused_reason="Webhooks of this connection carry webhook-id, webhook-timestamp, webhook-signature. One without them is refused.",
    )  # fmt: skip
    Pause.objects.create(
        connection=connection, status=Pause.Status.PAUSED, since=now(),
        due_at=now() + timedelta(hours=1), reason="startKYBAgentJob: 401 Invalid API key provided",
    )  # fmt: skip
    case = factories.make_case(connection, agent=factories.make_agent(connection))
    factories.make_job(case, status=Job.Status.QUEUED)
    return case


@pytest.mark.sweep
@pytest.mark.parametrize("width", [390, 1440, 1920])
def test_what_is_paused_is_told_at_every_width(boss: Page, page_events, paused, width):
    boss.set_viewport_size({"width": width, "height": 900})
    for address, words in (
        ("/connections/", "1 job waits and goes on by itself"),
        (
            paused.get_absolute_url(),
            "The case waits and is sent by itself once the key works.",
        ),
    ):
        boss.goto(address)
        assert words in boss.locator("main").inner_text()
        overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert boss.evaluate(overflow) == 0
        assert page_events.complaints == []
        assert violations(boss) == []
    assert Connection.objects.get().standing_pause
