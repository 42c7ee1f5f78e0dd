"""What failed for good is tried again by the keyboard alone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.compliance.operation.test_queue_pages import dead_delivery

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_by_the_keyboard(boss, live_server):
    row = dead_delivery()
    boss.goto("/")
    boss.keyboard.press("g")
    boss.keyboard.press("u")
    expect(boss).to_have_url(re.compile("/queues/$"))
    boss.get_by_role("link", name="Webhooks of the hub").focus()
    boss.keyboard.press("Enter")
    expect(boss).to_have_url(re.compile("/queues/failed/deliveries/"))
    # All of the kind, then the row and its button.
    boss.get_by_role("button", name="Try all 1 again").focus()
    for _ in range(3):
        boss.keyboard.press("Tab")
    expect(boss.get_by_role("button", name="Try again: Job webhook")).to_be_focused()
    boss.keyboard.press("Enter")
    expect(boss.get_by_text("It will be tried again now.")).to_be_visible()
    expect(boss.get_by_text("Nothing of this kind has failed")).to_be_visible()
    row.refresh_from_db()
    assert row.status == "due"
