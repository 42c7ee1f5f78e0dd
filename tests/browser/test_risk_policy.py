"""A new risk policy is made, tried and put in force in a browser, narrow too."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from reviews import tasks
from reviews.models import RiskPolicy
from tests.browser.accessibility import violations

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

OVERFLOWS = (
    "document.documentElement.scrollWidth > document.documentElement.clientWidth"
)


@pytest.mark.parametrize("width", [390, 1280])
def test_a_version_is_made_tried_and_put_in_force(boss, page_events, width):
    boss.set_viewport_size({"width": width, "height": 900})
    boss.goto("/risk/")
    boss.get_by_role("link", name="New version from this").click()
    boss.get_by_label("What is new in it, and why").fill("Medium from 20.")
    boss.get_by_label("Medium from").fill("20")
    assert not boss.evaluate(OVERFLOWS)
    boss.get_by_role("button", name="Save as a draft").click()
    expect(boss.get_by_text("Draft", exact=True).first).to_be_visible()
    boss.get_by_role("button", name="Try it on past cases").click()
    tasks.try_policies()
    # The part that polls has the whole page loaded again.
    live = boss.get_by_role("button", name="Put it in force")
    expect(live).to_be_visible(timeout=15_000)
    assert not boss.evaluate(OVERFLOWS)
    assert violations(boss) == []
    live.click()
    expect(boss.get_by_text("In force", exact=True).first).to_be_visible()
    assert RiskPolicy.objects.get(status="live").note == "Medium from 20."
    assert page_events.complaints == []
