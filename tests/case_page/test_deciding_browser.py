"""Deciding in a real browser: by keyboard alone, without scripts, and readable by all."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from reviews.models import Case, Decision
from tests.browser.accessibility import violations
from tests.reviews.rows import CHECK, add_risky_document, decide, one_person, open_case, someone

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def case(person):
    one_person()
    case = open_case(failing=True, recommendation="Review")
    add_risky_document(case)
    return case


STATES = {
    "approve": "?decide=approve",
    "request": "?decide=request",
    "notes": "?tab=activity",
    "check": f"?check={CHECK}",
}


@pytest.mark.parametrize("query", STATES.values(), ids=STATES)
def test_the_panel_is_accessible_and_silent(boss, heard, case, query):
    boss.set_viewport_size({"width": 1280, "height": 800})
    boss.goto(f"/cases/{case.pk}/{query}")
    boss.wait_for_load_state("networkidle")
    assert heard.complaints == []
    assert violations(boss) == []
    assert boss.evaluate("document.documentElement.scrollWidth") <= 1280


@pytest.mark.parametrize("outcome", ["second", "decided", "waiting"])
def test_what_was_decided_is_accessible(boss, heard, case, outcome):
    from reviews.models import FourEyesRule

    if outcome == "second":
        FourEyesRule.objects.create(name="Always", condition="always")
    decide(case, someone("analyst"), "request" if outcome == "waiting" else "reject")
    boss.goto(f"/cases/{case.pk}/?tab=activity")
    for summary in boss.locator(".pop > summary").all():
        summary.click()
    assert violations(boss) == []
    assert heard.complaints == []


def test_an_approval_by_keyboard_alone(boss, heard, case):
    boss.goto(f"/cases/{case.pk}/?check={CHECK}")
    boss.keyboard.press("e")
    expect(boss.locator("#decision-bar")).to_contain_text("1 not reviewed")
    expect(boss.get_by_role("button", name="Sanctions screening reviewed")).to_have_attribute(
        "aria-pressed", "true"
    )
    boss.goto(f"/cases/{case.pk}/")
    boss.keyboard.press("x")
    boss.get_by_label("Why the check is wrong").focus()
    boss.keyboard.type("The original was seen.")
    boss.keyboard.press("Tab")
    boss.keyboard.press("Enter")
    expect(boss.locator("#findings")).to_contain_text("Overridden by boss")
    boss.keyboard.press("Shift+A")
    expect(boss.locator("#sheet .out.approve")).to_be_focused()
    boss.keyboard.press("Escape")
    expect(boss.locator("#sheet")).to_have_count(0)
    expect(boss.locator("#decide-approve")).to_be_focused()
    boss.keyboard.press("Shift+A")
    boss.get_by_role("checkbox", name="All checks passed").focus()
    boss.keyboard.press("Space")
    boss.get_by_label("Rationale").focus()
    boss.keyboard.type("Nothing speaks against it.")
    boss.keyboard.press("Control+Enter")
    expect(boss.locator("#decision-bar")).to_contain_text("Approved by boss")
    assert Decision.objects.get().reasons == [["A01", "All checks passed"]]
    assert heard.complaints == []


def test_what_was_typed_stays_when_another_outcome_is_chosen(boss, case):
    boss.goto(f"/cases/{case.pk}/?decide=approve")
    boss.get_by_label("Rationale").fill("Half a thought")
    boss.locator("#sheet .out.reject").click()
    expect(boss.get_by_role("checkbox", name="Document forged or altered")).to_be_visible()
    expect(boss.get_by_label("Rationale")).to_have_value("Half a thought")


def test_queue_case_and_decision_without_scripts(browser, browser_context_args, logged_in, case):
    context = browser.new_context(**browser_context_args, java_script_enabled=False)
    logged_in(context)
    page = context.new_page()
    page.goto("/")
    page.get_by_role("link", name="Northwind Ltd").click()
    page.get_by_role("link", name="Reject").click()
    page.get_by_role("checkbox", name="Document forged or altered").check()
    page.get_by_label("Rationale").fill("A box hides words.")
    page.get_by_role("button", name="Reject").click()
    expect(page.locator("#decision-bar")).to_contain_text("Rejected by boss")
    page.get_by_text("Reopen…").click()
    page.get_by_label("Why").fill("Somebody called.")
    page.get_by_role("button", name="Reopen the case").click()
    expect(page.locator("#case-head")).to_contain_text("To review")
    context.close()


def test_who_decides_late_is_told_and_keeps_what_was_typed(boss, case):
    boss.goto(f"/cases/{case.pk}/?decide=reject")
    boss.get_by_role("checkbox", name="Document forged or altered").check()
    boss.get_by_label("Rationale").fill("My words.")
    case = Case.objects.get()
    decide(case, someone("analyst", "ana"), "escalate")
    with boss.expect_response(lambda answer: "/decide/" in answer.url) as answer:
        boss.locator("#sheet-submit").click()
    assert answer.value.status == 409
    expect(boss.get_by_role("alert")).to_contain_text("ana decided this at")
    expect(boss.get_by_label("Rationale")).to_have_value("My words.")
