"""A case is taken, given and put aside by keyboard, and one goes from case to case."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils.timezone import now
from playwright.sync_api import Page, expect

from reviews.access import roles
from reviews.models import Case
from tests.browser.accessibility import violations
from tests.factories import make_case
from tests.reviews.rows import open_case, someone

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_one_goes_from_case_to_case_as_they_stand_in_the_queue(
    boss: Page, page_events, desk, person
):
    for number in range(3):
        make_case(
            desk, reference=f"C-{number}", subject=f"Company {number}", status="to_review",
            due_at=now() + timedelta(hours=number + 1),
        )  # fmt: skip
    boss.goto("/?kind=kyb")
    boss.keyboard.press("j")
    boss.keyboard.press("j")
    boss.keyboard.press("Enter")
    pager = boss.locator("#case-pager")
    expect(pager).to_contain_text("2 of 3")
    boss.keyboard.press("]")
    expect(pager).to_contain_text("3 of 3")
    expect(boss.locator("h1")).to_have_text("Company 2")
    expect(pager.get_by_role("link")).to_have_count(1)
    boss.keyboard.press("[")
    expect(boss.locator("h1")).to_have_text("Company 1")
    assert violations(boss) == []
    boss.locator(".crumbs a").click()
    expect(boss).to_have_url(re.compile(r"\?kind=kyb$"))
    # A case that was not opened from the queue has no neighbours.
    boss.evaluate("sessionStorage.clear()")
    boss.goto(f"/cases/{Case.objects.latest('pk').pk}/")
    expect(boss.locator("h1")).to_have_text("Company 2")
    expect(pager).to_be_hidden()
    assert page_events.complaints == []


def test_a_case_is_taken_given_and_put_aside_by_keyboard(
    boss: Page, page_events, person
):
    case, other = open_case(), someone(roles.SENIOR, "sven")
    boss.goto(f"/cases/{case.pk}/")
    boss.keyboard.press("i")
    expect(boss.locator(".facts")).to_contain_text("boss")
    boss.wait_for_load_state()  # until then nobody listens to keys
    boss.keyboard.press("a")
    expect(boss.locator("#assign-to")).to_be_focused()
    assert violations(boss) == []
    boss.keyboard.press("Escape")
    expect(boss.locator("#assign-to")).to_be_hidden()
    boss.keyboard.press("a")
    expect(boss.locator("#assign-to")).to_be_focused()
    boss.keyboard.type("sven")
    boss.keyboard.press("Enter")
    expect(boss.locator(".facts")).to_contain_text("sven")
    boss.wait_for_load_state()
    boss.keyboard.press("z")
    expect(boss.locator("#snooze-for")).to_be_focused()
    boss.keyboard.press("Tab")
    boss.keyboard.press("Enter")
    expect(boss.get_by_label("Sleeps: snooze or wake")).to_be_visible()
    row = Case.objects.get()
    assert row.analyst == other
    assert row.snoozed_until is not None
    assert page_events.complaints == []


def test_what_is_typed_after_opening_a_form_is_typed_into_it(
    boss: Page, page_events, person
):
    """Else "because" would, letter by letter, act on the case."""
    case = open_case(failing=True)
    boss.goto(f"/cases/{case.pk}/")
    boss.keyboard.press("x")
    expect(boss.locator("#override-reason")).to_be_focused()
    boss.keyboard.type("because")
    expect(boss.locator("#override-reason")).to_have_value("because")
    assert case.events.filter(actor="person").count() == 0
    boss.locator("#override").get_by_role("button", name="Override").click()
    expect(boss.locator("#findings")).to_contain_text("Overridden by boss")
    assert page_events.complaints == []
