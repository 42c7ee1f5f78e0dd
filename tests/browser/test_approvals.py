"""The page of what waits for a second person: readable, narrow too, and done by keyboard."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from agenthub.models import Account
from compliance.approvals import interception
from compliance.approvals.models import Proposal
from reviews.models import Connection
from tests.browser.accessibility import violations
from tests.factories import make_connection, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

OVERFLOWS = (
    "document.documentElement.scrollWidth > document.documentElement.clientWidth"
)


@pytest.fixture
def waiting(settings, live_server) -> Connection:
    settings.SETTINGS_FOUR_EYES = frozenset({"all"})
    connection = make_connection("service", base_url="https://old.example/api/v1")
    ada = make_user("ada", role="administrator")

    def change() -> None:
        connection.base_url = f"https://{'a-long-name-' * 5}.example/api/v1"
        connection.api_key = "ck_live_another"
        connection.save()

    interception.perform(ada, change)
    interception.perform(ada, lambda: Account.objects.create(name="Client"))
    return connection


@pytest.mark.parametrize("width", [390, 1280])
def test_a_change_is_approved_and_another_rejected_by_keyboard(
    boss, page_events, waiting, width
):
    boss.set_viewport_size({"width": width, "height": 900})
    boss.goto("/approvals/")
    expect(boss.get_by_text("https://old.example/api/v1")).to_be_visible()
    expect(boss.get_by_text("another one").first).to_be_visible()
    expect(boss.get_by_text("ck_live_another")).to_have_count(0)
    expect(boss.get_by_role("link", name="Approvals, 2 wait")).to_have_count(1)
    assert not boss.evaluate(OVERFLOWS)
    assert violations(boss) == []

    approve = boss.get_by_role("button", name="Approve: Change connection")
    approve.focus()
    boss.keyboard.press("Enter")
    expect(approve).to_have_count(0)
    reject = boss.get_by_role("button", name="Reject: Add account")
    boss.locator("form", has=reject).get_by_role("textbox").focus()
    boss.keyboard.type("Nobody asked for it.")
    boss.keyboard.press("Tab")
    expect(reject).to_be_focused()
    boss.keyboard.press("Enter")
    expect(boss.get_by_text("Nobody asked for it.")).to_be_visible()
    assert not boss.evaluate(OVERFLOWS)
    assert violations(boss) == []
    assert page_events.complaints == []
    statuses = Proposal.objects.order_by("pk").values_list("status", flat=True)
    assert list(statuses) == ["approved", "rejected"]
    waiting.refresh_from_db()
    assert waiting.api_key == "ck_live_another"
