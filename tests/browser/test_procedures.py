"""A procedure is made in a browser; its checklist is ticked on a case before it is decided."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from reviews.models import Case
from reviews.procedures import versions
from tests.browser.accessibility import violations
from tests.reviews.procedures.rows import give_procedure
from tests.reviews.rows import one_person, open_case

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

OVERFLOWS = (
    "document.documentElement.scrollWidth > document.documentElement.clientWidth"
)


@pytest.mark.parametrize("width", [390, 1280])
def test_a_first_version_is_made_and_put_in_force(boss, page_events, width):
    boss.set_viewport_size({"width": width, "height": 900})
    boss.goto("/procedures/")
    boss.get_by_role("link", name="Make the first version").click()
    boss.get_by_label("What is new in it, and why").fill("Begin.")
    boss.get_by_role("textbox", name="Item 1").fill("Register was read")
    boss.get_by_role("textbox", name="Field 1").fill("Sector")
    assert not boss.evaluate(OVERFLOWS)
    assert violations(boss) == []
    boss.get_by_role("button", name="Save as a draft").click()
    boss.get_by_role("button", name="Put it in force").click()
    expect(boss.get_by_text("In force", exact=True).first).to_be_visible()
    assert not boss.evaluate(OVERFLOWS)
    assert violations(boss) == []
    live = versions.live("kyb")
    assert live is not None
    assert versions.content_of(live).items[0].label == "Register was read"
    assert page_events.complaints == []


@pytest.mark.parametrize("width", [390, 1440, 1920])
def test_a_checklist_is_ticked_and_fields_are_filled_in(boss, page_events, width):
    one_person()
    case = open_case()
    give_procedure(case)
    boss.set_viewport_size({"width": width, "height": 900})
    boss.goto(f"/cases/{case.pk}/")
    boss.get_by_role("link", name="Checklist").click()
    boss.get_by_role("button", name="Tick: Customer was called").click()
    expect(boss.get_by_text("Ticked by")).to_be_visible()
    boss.get_by_label("Not needed: File is complete").click()
    boss.get_by_label("Why this is not needed").last.press_sequentially("Known.")
    row = boss.locator("#item-filed")
    row.get_by_label("Why this is not needed").fill("Known for years.")
    row.get_by_role("button", name="Keep").click()
    expect(boss.get_by_text("Known for years.")).to_be_visible()
    boss.get_by_label("Channel").select_option("Web")
    boss.get_by_label("Turnover").fill("12.5")
    assert violations(boss) == []
    boss.get_by_role("button", name="Keep the values").click()
    expect(boss.get_by_label("Turnover")).to_have_value("12.5")
    assert not boss.evaluate(OVERFLOWS)
    case = Case.objects.get()
    assert (case.open_items, case.custom_fields["channel"]) == (0, "Web")
    assert page_events.complaints == []
