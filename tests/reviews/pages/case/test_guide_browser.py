"""A review by key presses: from the queue over the worst finding to the next case."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from reviews.models import Case, CheckReview, Decision, Dismissal, Job
from reviews.procedures.content import Content, FieldSpec, Item
from tests.browser.accessibility import violations
from tests.factories import make_case, make_job
from tests.reviews.pages.case.rows import add_check_result
from tests.reviews.procedures.rows import give_procedure
from tests.reviews.rows import CHECK, add_risky_document, one_person, open_case

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def another(case: Case) -> Case:
    """A clean case of the same service."""
    other = make_case(
        case.connection,
        agent=case.agent,
        reference="C-10429",
        recommendation="Approve",
        status=Case.Status.TO_REVIEW,
    )
    job = make_job(other, status=Job.Status.COMPLETE)
    add_check_result(job, {"passed": True, "explanation": "In order."}, check_id=CHECK)
    return other


def with_checklist(case: Case) -> Case:
    """The case with one required item on its checklist."""
    item = Item("plausible", "The purpose is plausible", required=True)
    give_procedure(case, Content(items=(item,)))
    return Case.objects.get(pk=case.pk)


class Keys:
    """Presses keys and counts them. A key with Shift or Ctrl is one."""

    def __init__(self, page) -> None:
        self.page = page
        self.count = 0

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.count += 1


def test_a_clean_case_takes_four_keys_from_the_queue_to_the_next_case(
    boss, page_events
):
    one_person()
    first = open_case(recommendation="Approve")
    second = another(first)
    boss.goto("/")
    boss.wait_for_load_state("networkidle")
    keys = Keys(boss)
    keys.press("Enter")
    boss.wait_for_url(f"**/cases/{first.pk}/")
    expect(boss.locator("#sentence")).to_have_text(
        "Approve: 1 check passed, nothing speaks against the case."
    )
    boss.wait_for_load_state("networkidle")
    keys.press("Shift+A")
    expect(boss.locator("#decision-form .outcome.approve")).to_be_focused()
    keys.press("Control+Enter")
    boss.wait_for_url(f"**/cases/{second.pk}/")
    expect(boss.locator("#toasts")).to_contain_text(f"{first.reference}: approved")
    assert keys.count <= 4
    decision = Decision.objects.get()
    # The one reason that says what the case is was chosen already.
    assert decision.reasons == [["A01", "All checks passed"]]
    assert decision.rationale == "1 check passed."
    assert page_events.complaints == []


def test_a_clean_case_with_a_checklist_takes_four_keys(boss, page_events):
    one_person()
    case = with_checklist(open_case(recommendation="Approve"))
    boss.goto(f"/cases/{case.pk}/")
    boss.wait_for_load_state("networkidle")
    keys = Keys(boss)
    keys.press("y")
    tick = boss.get_by_role("button", name="Tick: The purpose is plausible")
    expect(tick).to_be_focused()
    keys.press("Enter")
    expect(boss.locator("#own-checklist")).to_contain_text("Ticked")
    keys.press("Shift+A")
    expect(boss.locator("#decision-form .outcome.approve")).to_be_focused()
    keys.press("Control+Enter")
    expect(boss.locator("#decision-bar")).to_contain_text("Approved by boss")
    assert keys.count <= 4
    assert page_events.complaints == []


def test_a_clean_case_with_a_checklist_takes_four_keys_from_the_queue(
    boss, page_events
):
    one_person()
    case = with_checklist(open_case(recommendation="Approve"))
    boss.goto("/")
    boss.wait_for_load_state("networkidle")
    keys = Keys(boss)
    keys.press("n")
    boss.wait_for_url(f"**/cases/{case.pk}/")
    boss.wait_for_load_state("networkidle")
    keys.press("Shift+A")
    item = boss.locator("#decision-form").get_by_label("The purpose is plausible")
    expect(item).to_be_focused()
    expect(item).not_to_be_checked()
    keys.press("Space")
    expect(item).to_be_checked()
    keys.press("Control+Enter")
    expect(boss.locator("#decision-bar")).to_contain_text("Approved by boss")
    assert keys.count <= 4
    assert case.checklist_marks.get().kind == "ticked"
    assert case.events.filter(what="item_ticked").count() == 1
    assert violations(boss) == []
    assert page_events.complaints == []


def test_the_form_leads_to_the_checklist_and_keeps_what_was_typed(boss, page_events):
    one_person()
    case = with_checklist(open_case(recommendation="Approve"))
    boss.goto(f"/cases/{case.pk}/")
    boss.wait_for_load_state("networkidle")
    boss.keyboard.press("Shift+R")
    item = boss.locator("#decision-form").get_by_label("The purpose is plausible")
    expect(item).to_be_focused()
    boss.keyboard.press("1")
    boss.get_by_label("Rationale").fill("Not the person in the picture.")
    boss.keyboard.press("Control+Enter")
    # The form is not sent, and the focus is where it goes on.
    expect(item).to_be_focused()
    boss.locator("#to-checklist").press("Enter")
    tick = boss.get_by_role("button", name="Tick: The purpose is plausible")
    expect(tick).to_be_focused()
    boss.keyboard.press("Enter")
    expect(item).to_have_count(0)
    expect(boss.get_by_label("Rationale")).to_have_value(
        "Not the person in the picture."
    )
    boss.get_by_label("Rationale").focus()
    boss.keyboard.press("Control+Enter")
    expect(boss.locator("#decision-bar")).to_contain_text("Rejected by boss")
    assert page_events.complaints == []


def test_the_reason_of_a_case_that_is_not_clean_is_chosen_by_a_person(boss):
    one_person()
    case = open_case(recommendation="Review")
    boss.goto(f"/cases/{case.pk}/?decide=approve")
    expect(boss.locator("#decision-form [name=reasons]:checked")).to_have_count(0)


def test_a_clean_case_opens_at_a_check_that_had_something_to_look_at(boss):
    case = open_case(recommendation="Approve")
    row = case.jobs.get().check_results.get()
    row.delete()
    add_check_result(case.jobs.get(), {"verdict": "not_applicable"}, check_id="kyb.lei")
    add_check_result(
        case.jobs.get(), {"passed": True, "explanation": "In order."}, check_id=CHECK
    )
    boss.goto(f"/cases/{case.pk}/")
    expect(boss.locator("#checklist li > a[aria-current]")).to_contain_text("Sanctions")
    expect(boss.locator("#not-applicable")).not_to_have_attribute("open", "")


def test_a_forged_case_is_walked_settled_and_decided_with_ten_keys(boss, page_events):
    one_person()
    case = open_case(failing=True, recommendation="Deny")
    add_risky_document(case)
    following = another(case)
    boss.goto("/")
    boss.wait_for_load_state("networkidle")
    keys = Keys(boss)
    keys.press("Enter")
    boss.wait_for_url(f"**/cases/{case.pk}/")
    boss.wait_for_load_state("networkidle")
    expect(boss.locator("#sentence")).to_contain_text("Reject: ")
    current = boss.locator("#checklist li > a[aria-current]")
    keys.press("f")
    expect(boss.locator(".finding:focus")).to_contain_text("Text was covered")
    keys.press("Shift+Y")
    expect(boss.locator("#checklist .tick.done")).to_have_count(1)
    keys.press("f")  # to the next check that is open
    expect(current).to_contain_text("Sanctions screening")
    boss.wait_for_load_state("networkidle")
    keys.press("Shift+Y")
    expect(boss.locator("#checklist .tick.done")).to_have_count(2)
    keys.press("Shift+R")
    expect(boss.locator("#decision-form .outcome.reject")).to_be_focused()
    keys.press("1", "Control+Enter")
    boss.wait_for_url(f"**/cases/{following.pk}/")
    assert keys.count <= 10
    decision = Decision.objects.get()
    assert decision.reasons == [["R01", "Document forged or altered"]]
    assert "(reviewed)" in decision.rationale
    assert CheckReview.objects.count() == 2
    assert page_events.complaints == []


def test_a_finding_is_dismissed_by_keys_with_a_reason_that_was_chosen(
    boss, page_events
):
    case = open_case(recommendation="Review")
    add_risky_document(case)
    boss.goto(f"/cases/{case.pk}/")
    boss.wait_for_load_state("networkidle")
    boss.keyboard.press("f")
    boss.keyboard.press("d")
    field = boss.get_by_label("Why it means nothing")
    expect(field).to_be_focused()
    expect(boss.locator("[name=preset]:checked")).to_have_count(0)
    assert violations(boss) == []
    # Without a reason nothing is kept.
    boss.keyboard.press("Control+Enter")
    expect(boss.locator("#decision")).to_contain_text("Say why")
    assert not Dismissal.objects.exists()
    boss.goto(f"/cases/{case.pk}/")
    boss.wait_for_load_state("networkidle")
    boss.keyboard.press("f")
    boss.keyboard.press("d")
    expect(field).to_be_focused()
    boss.keyboard.press("3")
    # The form has the words of the reason, too.
    with boss.expect_response("**/dismiss/"):
        boss.keyboard.press("Control+Enter")
    expect(boss.locator(".dismissal")).to_contain_text("A flaw of the scan")
    assert Dismissal.objects.get().reason.startswith("A flaw of the scan")
    # The browser names the refusal, and nothing else.
    assert ["422" in line for line in page_events.complaints] == [True]


@pytest.mark.parametrize("key", ["d", "x"])
def test_a_key_pressed_twice_is_no_letter_of_the_reason(boss, key):
    case = open_case(recommendation="Review")
    add_risky_document(case)
    boss.goto(f"/cases/{case.pk}/")
    boss.wait_for_load_state("networkidle")
    boss.keyboard.press("f")
    # Pressed twice by a slip, and held for a moment.
    boss.keyboard.press(key)
    boss.keyboard.press(key)
    boss.keyboard.down(key)
    boss.keyboard.down(key)
    boss.keyboard.up(key)
    field = boss.locator("textarea:focus")
    expect(field).to_have_count(1)
    boss.wait_for_timeout(250)
    boss.keyboard.type("dx: seen before")
    expect(field).to_have_value("dx: seen before")


def test_an_open_check_without_findings_says_how_it_is_settled(boss, page_events):
    case = open_case(failing=True, recommendation="Review")
    boss.goto(f"/cases/{case.pk}/")
    boss.wait_for_load_state("networkidle")
    boss.keyboard.press("f")
    expect(boss.locator("#toasts")).to_contain_text("confirm it with ⇧ Y")
    # The key for a finding says the same: to go to one first would lead nowhere.
    boss.goto(f"/cases/{case.pk}/")
    boss.keyboard.press("d")
    expect(boss.locator("#toasts")).to_contain_text("confirm it with ⇧ Y")
    # So does the page to which a walk has led.
    boss.evaluate("sessionStorage.setItem('walk', 'on')")
    boss.reload()
    expect(boss.locator("#toasts")).to_contain_text("confirm it with ⇧ Y")
    boss.keyboard.press("Shift+Y")
    expect(boss.locator("#checklist .tick.done")).to_have_count(1)
    boss.keyboard.press("f")
    expect(boss.locator("#toasts")).to_contain_text("No finding is open.")
    assert page_events.complaints == []


def test_the_next_case_is_opened_only_where_it_is_wanted(boss, page_events):
    one_person()
    case = open_case(recommendation="Approve")
    another(case)
    boss.goto(f"/cases/{case.pk}/?decide=approve")
    boss.get_by_label("Then open the next case").uncheck()
    boss.get_by_role("checkbox", name="All checks passed").check()
    boss.keyboard.press("Control+Enter")
    expect(boss.locator("#decision-bar")).to_contain_text("Approved by boss")
    # The choice stays in this browser.
    other = Case.objects.exclude(pk=case.pk).get()
    boss.goto(f"/cases/{other.pk}/?decide=approve")
    expect(boss.get_by_label("Then open the next case")).not_to_be_checked()
    assert page_events.complaints == []


def test_what_does_not_apply_is_one_folded_line(boss):
    case = open_case(failing=True, recommendation="Review")
    job = case.jobs.get()
    for name in ("tax_number", "lei"):
        add_check_result(job, {"verdict": "not_applicable"}, check_id=f"kyb.{name}")
    boss.goto(f"/cases/{case.pk}/")
    folded = boss.locator("#not-applicable")
    expect(folded.locator("summary")).to_have_text("2 checks had nothing to look at")
    expect(folded.get_by_role("link")).to_have_count(0)
    folded.locator("summary").click()
    folded.get_by_role("link", name="Tax number").click()
    expect(boss.locator("#checklist li > a[aria-current]")).to_contain_text(
        "Tax number"
    )


def test_what_was_typed_into_a_field_stays_when_an_item_is_ticked(boss, page_events):
    case = open_case(recommendation="Approve")
    item = Item("plausible", "The purpose is plausible", required=True)
    field = FieldSpec("desk", "Number of the desk", "text")
    give_procedure(case, Content(items=(item,), fields=(field,)))
    boss.goto(f"/cases/{case.pk}/?tab=checklist")
    boss.get_by_label("Number of the desk").fill("12")
    boss.get_by_role("button", name="Tick: The purpose is plausible").click()
    expect(boss.locator("#own-checklist")).to_contain_text("Ticked")
    expect(boss.get_by_label("Number of the desk")).to_have_value("12")
    assert page_events.complaints == []
