"""What is typed does what it says at the place where one is, and never anything else."""

from __future__ import annotations

import re

import pytest
from django.db import transaction
from playwright.sync_api import expect

from reviews.decisions import marks
from reviews.models import Case, CheckReview, Decision, FourEyesRule, Job
from reviews.people import assignment
from tests.reviews.pages.case import payloads
from tests.reviews.pages.case.rows import (
    add_check_result,
    add_document,
    add_tool_result,
    reviewed_case,
    wire,
)
from tests.reviews.pages.case.unsure_rows import unsure_case
from tests.reviews.rows import CHECK, decide, one_person, open_case, someone

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
COMPOSING = """(key) => document.activeElement.dispatchEvent(
    new KeyboardEvent("keydown", {key, isComposing: true, bubbles: true, cancelable: true}))"""


@pytest.fixture
def case(person):
    one_person()
    return open_case(failing=True, recommendation="Review")


def test_enter_decides_nothing_from_a_field_of_the_decision_form(
    boss, page_events, case
):
    boss.goto(f"/cases/{case.pk}/?decide=request")
    boss.get_by_label("Rationale").fill("Something is missing.")
    boss.get_by_label("To the applicant").fill("Please send it.")
    reason = boss.get_by_role("checkbox", name="Document missing")
    reason.check()
    for field in (reason, boss.get_by_label("Days that the link works")):
        field.focus()
        boss.keyboard.press("Enter")
    boss.wait_for_load_state("networkidle")
    expect(boss.locator("#decision-form")).to_be_visible()
    assert not Decision.objects.exists()
    boss.keyboard.press("Control+Enter")
    expect(boss.locator("#decision-bar")).to_contain_text("Waiting for the applicant")
    assert page_events.complaints == []


def test_what_is_typed_before_the_decision_form_has_come_does_nothing(
    boss, page_events, case
):
    boss.goto(f"/cases/{case.pk}/?check={CHECK}")
    boss.wait_for_load_state("networkidle")
    rows = []
    boss.route("**decide=reject*", lambda route: rows.append(route))
    boss.keyboard.press("Shift+R")
    boss.keyboard.type("tie z")
    for _ in range(100):  # the request is on its way
        if rows:
            break
        boss.wait_for_timeout(20)
    rows[0].continue_()
    expect(boss.locator("#decision-form .outcome.reject")).to_be_focused()
    assert boss.evaluate("document.documentElement.dataset.theme") == "auto"
    expect(boss.get_by_role("dialog")).to_have_count(0)
    assert Case.objects.get().analyst is None
    assert page_events.complaints == []


def test_what_is_typed_after_a_link_was_followed_does_nothing(boss, case):
    boss.goto(f"/cases/{case.pk}/?check={CHECK}")
    boss.wait_for_load_state("networkidle")
    rows = []
    boss.route("**/dashboard/", lambda route: rows.append(route))
    boss.keyboard.press("g")
    boss.keyboard.press("h")
    for _ in range(100):  # the request is on its way
        if rows:
            break
        boss.wait_for_timeout(20)
    boss.keyboard.type("eit")
    boss.wait_for_timeout(300)
    rows[0].continue_()
    boss.wait_for_url("**/dashboard/")
    assert Case.objects.get().analyst is None


def test_a_word_that_is_being_composed_closes_nothing(boss, case):
    boss.goto(f"/cases/{case.pk}/?decide=reject")
    boss.get_by_label("Rationale").fill("日本")
    boss.get_by_label("Rationale").focus()
    boss.evaluate(COMPOSING, "Escape")
    boss.wait_for_load_state("networkidle")
    expect(boss.locator("#decision-form")).to_be_visible()
    boss.keyboard.press("Escape")
    expect(boss.locator("#decision-form")).to_have_count(0)
    boss.keyboard.press("Control+k")
    boss.keyboard.type("dashb")
    expect(boss.locator("#palette li:not([hidden])").first).to_contain_text("Dashboard")
    boss.evaluate(COMPOSING, "Enter")
    expect(boss.locator("#palette")).to_be_visible()


def test_keys_do_nothing_behind_the_help(boss, case):
    boss.goto(f"/cases/{case.pk}/?check={CHECK}")
    boss.keyboard.press("?")
    expect(boss.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    boss.keyboard.type("eitx")
    boss.wait_for_load_state("networkidle")
    expect(boss.get_by_role("dialog")).to_have_count(1)
    assert Case.objects.get().analyst is None
    assert boss.evaluate("document.documentElement.dataset.theme") == "auto"


def test_a_key_that_is_held_down_acts_once(boss, page_events, person):
    case = open_case()
    boss.goto(f"/cases/{case.pk}/?check={CHECK}")
    for _ in range(6):
        boss.keyboard.down("e")
        boss.wait_for_load_state("networkidle")
    boss.keyboard.up("e")
    expect(boss.locator(".tick.done")).to_have_count(1)
    assert [event.what for event in case.events.filter(actor="person")] == [
        "check_reviewed"
    ]
    assert page_events.complaints == []


def test_the_decision_form_follows_what_somebody_else_does(boss, page_events, case):
    boss.goto(f"/cases/{case.pk}/?decide=approve")
    boss.get_by_role("checkbox", name="Explained by a third party").check()
    boss.get_by_label("Rationale").fill("Half a thought")
    boss.get_by_label("Rationale").focus()
    expect(boss.locator("#decision-form-submit")).to_be_disabled()
    marks.mark(case, CHECK, actor=someone("analyst", "ana"), kind="reviewed")
    expect(boss.locator("#decision-form-submit")).to_be_enabled(timeout=9000)
    marks.mark(case, CHECK, actor=someone("analyst", "bea"), kind="")
    expect(boss.locator("#decision-form-submit")).to_be_disabled(timeout=9000)
    expect(boss.get_by_label("Rationale")).to_be_focused()
    expect(boss.get_by_label("Rationale")).to_have_value("Half a thought")
    expect(
        boss.get_by_role("checkbox", name="Explained by a third party")
    ).to_be_checked()
    assert page_events.complaints == []


def test_a_reason_that_fits_no_more_is_taken_back_while_the_decision_form_is_open(
    boss, page_events, person
):
    one_person()
    case = open_case(recommendation="Approve")
    boss.goto(f"/cases/{case.pk}/?decide=approve")
    reason = boss.get_by_role("checkbox", name="All checks passed")
    reason.check()
    add_check_result(
        case.jobs.get(), {"passed": False, "explanation": "Late."}, check_id="kyb.late"
    )
    expect(reason).to_be_disabled(timeout=9000)
    expect(reason).not_to_be_checked()
    assert page_events.complaints == []


def test_what_is_refused_is_said_where_one_is(boss, case):
    boss.goto(f"/cases/{case.pk}/?check={CHECK}")
    boss.wait_for_load_state("networkidle")
    decide(Case.objects.get(), someone("analyst", "ana"), "reject")
    boss.get_by_role("button", name="Sanctions screening reviewed").click()
    expect(boss.locator("#toasts")).to_contain_text("The case is not open.")
    expect(boss.locator("#decision-bar")).to_contain_text("Rejected by ana")
    assert not CheckReview.objects.exists()


def test_nobody_signs_off_a_result_that_came_after_the_page(boss, person):
    case = open_case()
    boss.goto(f"/cases/{case.pk}/?check={CHECK}")
    boss.wait_for_load_state("networkidle")
    case.jobs.get().check_results.all().delete()
    add_check_result(
        case.jobs.get(), {"passed": False, "explanation": "One hit."}, check_id=CHECK
    )
    boss.keyboard.press("e")
    expect(boss.locator("#toasts")).to_contain_text("has another result now: failed")
    expect(boss.locator("#findings")).to_contain_text("One hit.")
    assert not CheckReview.objects.exists()


def test_words_stay_in_their_field_while_results_arrive(boss, page_events, person):
    case, job = reviewed_case(status=Job.Status.RUNNING)
    case.move(Case.Status.CHECKING)
    document = add_document(case)
    result = payloads.extraction(payloads.comparison("Name", boxes=[payloads.box()]))
    body = payloads.tool_results("extraction_data", result, document=wire(document))
    add_tool_result(job, payloads.EXTRACTION, body)
    add_check_result(job, {"passed": False, "explanation": "One hit."}, check_id=CHECK)
    boss.goto(f"/cases/{case.pk}/?check={CHECK}")
    boss.keyboard.press("x")
    boss.keyboard.type("Another person")
    with transaction.atomic():  # else the page may be asked for between the two
        job.check_results.filter(check_id=CHECK).delete()
        add_check_result(
            job, {"passed": False, "explanation": "Two hits."}, check_id=CHECK
        )
    expect(boss.locator("#findings")).to_contain_text("Two hits.", timeout=9000)
    boss.keyboard.type(" of that name")
    expect(boss.locator("#override-reason")).to_have_value(
        "Another person of that name"
    )
    expect(boss.locator("#override-reason")).to_be_focused()
    assert page_events.complaints == []


def test_who_may_no_longer_decide_is_told_while_writing(boss, page_events, case):
    boss.goto(f"/cases/{case.pk}/?decide=reject")
    boss.get_by_label("Rationale").fill("Half a thought")
    boss.get_by_label("Rationale").focus()
    decide(Case.objects.get(), someone("analyst", "ana"), "reject")
    words = "You can no longer decide this case: Rejected by ana"
    expect(boss.locator("#toasts")).to_contain_text(words, timeout=9000)
    expect(boss.locator("#decision-form")).to_contain_text(words)
    # The time and the code of the reason are two words.
    expect(boss.locator("#decision-form")).to_contain_text(re.compile(r"UTC R\d"))
    expect(boss.locator("#decision-form-submit")).to_be_disabled()
    expect(boss.get_by_label("Rationale")).to_have_value("Half a thought")
    expect(boss.get_by_label("Rationale")).to_be_focused()
    boss.keyboard.press("Control+Enter")
    boss.keyboard.press("Escape")
    expect(boss.locator("#decision-form")).to_have_count(0)
    assert page_events.complaints == []


def test_a_note_is_sent_by_the_key_that_sends_a_decision(boss, page_events, case):
    boss.goto(f"/cases/{case.pk}/")
    boss.wait_for_load_state("networkidle")
    boss.keyboard.press("m")
    expect(boss.locator("#note")).to_be_focused()
    boss.keyboard.type("Seen before.")
    boss.keyboard.press("Control+Enter")
    expect(boss.locator(".notes li .text")).to_have_text("Seen before.")
    assert page_events.complaints == []


def test_who_took_the_case_meanwhile_is_shown_to_who_has_it_open(
    boss, page_events, case
):
    boss.goto(f"/cases/{case.pk}/")
    boss.wait_for_load_state("networkidle")
    expect(boss.locator("#case-head")).not_to_contain_text("ana")
    ana = someone("analyst", "ana")
    assignment.assign(Case.objects.get(), ana, actor=ana)
    # As after some seconds: who comes back to the page looks at it.
    boss.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(boss.locator("#case-head")).to_contain_text("ana")
    assert page_events.complaints == []


def test_the_second_person_agrees_by_keys(boss, page_events, person):
    case = open_case(failing=True, recommendation="Review")
    ana = someone("analyst", "ana")
    marks.mark(case, CHECK, actor=ana, kind="reviewed")
    decide(Case.objects.get(), ana, "approve")
    boss.goto(f"/cases/{case.pk}/")
    boss.wait_for_load_state("networkidle")
    boss.keyboard.press("Shift+B")
    expect(boss.get_by_label("What is to be done")).to_be_focused()
    boss.keyboard.press("Escape")
    boss.keyboard.press("Shift+A")
    expect(boss.get_by_label("Note", exact=True)).to_be_focused()
    assert Decision.objects.get().status == Decision.Status.PROPOSED
    boss.keyboard.type("Seen, too.")
    boss.keyboard.press("Control+Enter")
    expect(boss.locator("#toasts")).to_contain_text("No other case waits for you.")
    expect(boss.locator("#decision-bar")).to_contain_text("Approved by ana and boss")
    assert Decision.objects.get().second_note == "Seen, too."
    assert page_events.complaints == []


def test_the_next_approval_comes_after_an_answer_of_the_second_person(
    boss, page_events, person
):
    FourEyesRule.objects.create(name="Always", condition="always")
    ana = someone("analyst", "ana")
    cases = [open_case(slug=f"hub-{n}", reference=f"C-{n}") for n in range(3)]
    for case in cases:
        decide(case, ana, "approve", second="boss")
    boss.goto(f"/cases/{cases[0].pk}/")
    boss.wait_for_load_state("networkidle")
    boss.keyboard.press("Shift+A")
    expect(boss.get_by_label("Note", exact=True)).to_be_focused()
    boss.keyboard.press("Control+Enter")
    expect(boss).to_have_url(re.compile(f"/cases/{cases[1].pk}/$"))
    expect(boss.locator("#toasts")).to_contain_text("C-0: approved.")
    boss.wait_for_load_state("networkidle")
    boss.keyboard.press("Shift+B")
    expect(boss.get_by_label("What is to be done")).to_be_focused()
    boss.keyboard.type("Ask for the deed.")
    boss.locator("#send-back").get_by_label("Then open the next case").uncheck()
    boss.keyboard.press("Control+Enter")
    expect(boss).to_have_url(re.compile(f"/cases/{cases[1].pk}/$"))
    expect(boss.locator("#decision-bar")).to_contain_text("Sent back by boss")
    # The choice stays in this browser.
    boss.goto(f"/cases/{cases[2].pk}/")
    boss.wait_for_load_state("networkidle")
    boss.keyboard.press("Shift+A")
    agree = boss.locator("#agree").get_by_label("Then open the next case")
    expect(agree).not_to_be_checked()
    assert page_events.complaints == []


def test_a_digit_is_a_digit_in_every_field_beside_the_reasons(boss, case):
    boss.goto(f"/cases/{case.pk}/?decide=approve")
    boss.locator("#search").focus()
    boss.keyboard.type("case 12")
    expect(boss.locator("#search")).to_have_value("case 12")
    # Where nothing is written, it still chooses.
    expect(boss.locator("[name=reasons]:checked")).to_have_count(0)
    boss.locator("#decision-form .outcome.approve").focus()
    boss.keyboard.press("1")
    expect(boss.locator("[name=reasons]:checked")).to_have_count(1)


def test_no_digit_chooses_where_single_keys_are_switched_off(boss, case):
    boss.goto(f"/cases/{case.pk}/")
    boss.evaluate("localStorage.setItem('single-keys', 'off')")
    boss.goto(f"/cases/{case.pk}/?decide=approve")
    boss.wait_for_load_state("networkidle")
    boss.keyboard.press("1")
    expect(boss.locator("[name=reasons]:checked")).to_have_count(0)


PRESS = """(event) => document.body.dispatchEvent(
    new KeyboardEvent("keydown", {...event, bubbles: true, cancelable: true}))"""


def test_keys_are_where_they_are_on_other_layouts(boss, case):
    boss.goto(f"/cases/{case.pk}/")
    boss.wait_for_load_state("networkidle")
    # Ctrl and Alt are no AltGr.
    boss.evaluate(PRESS, {"key": "m", "code": "KeyM", "ctrlKey": True, "altKey": True})
    assert boss.evaluate("document.activeElement.id") != "note"
    # Shift and "a" of an Arabic layout.
    boss.evaluate(PRESS, {"key": "\u0650", "code": "KeyA", "shiftKey": True})
    expect(boss.locator("#decision-form .outcome.approve")).to_be_focused()


def test_the_form_of_a_finding_stays_while_results_arrive(boss, page_events, person):
    one_person()
    case, _document = unsure_case()
    boss.goto(f"/cases/{case.pk}/")
    boss.wait_for_load_state("networkidle")
    boss.evaluate("document.querySelector('#assign').open = true")
    boss.locator("#assign-to").fill("sv")
    boss.locator(".comparison").first.focus()
    boss.keyboard.press("o")
    field = boss.locator(".choice input[name=value]")
    expect(field).to_be_focused()
    boss.keyboard.type("Acorn")
    ana = someone("analyst", "ana")
    job = case.jobs.get()
    job.error = "One page is missing."
    job.save(update_fields=["error"])
    assignment.assign(case, ana, actor=ana)
    boss.evaluate(
        "document.getElementById('case-poll').dispatchEvent(new CustomEvent('here'))"
    )
    expect(boss.locator("#findings")).to_contain_text("One page is missing.")
    expect(boss.locator("#case-head .who")).to_contain_text("ana")
    boss.keyboard.type(" Ltd")
    expect(field).to_have_value("Acorn Ltd")
    expect(boss.locator("#assign-to")).to_have_value("sv")
    assert page_events.complaints == []
