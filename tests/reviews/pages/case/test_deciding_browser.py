"""Deciding in a real browser: by keyboard alone, without scripts, and readable by all."""

from __future__ import annotations

import re
from itertools import product

import pytest
from django.contrib.auth.models import Group
from playwright.sync_api import expect

from reviews.access import roles
from reviews.decisions import marks
from reviews.models import Case, CheckReview, Decision, FourEyesRule, Job
from tests.browser.accessibility import violations
from tests.reviews.rows import (
    CHECK,
    add_risky_document,
    decide,
    one_person,
    open_case,
    someone,
)

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


@pytest.mark.sweep
@pytest.mark.parametrize("query", STATES.values(), ids=STATES)
def test_the_panel_is_accessible_and_silent(boss, page_events, case, query):
    boss.set_viewport_size({"width": 1280, "height": 800})
    boss.goto(f"/cases/{case.pk}/{query}")
    boss.wait_for_load_state("networkidle")
    assert page_events.complaints == []
    assert violations(boss) == []
    assert boss.evaluate("document.documentElement.scrollWidth") <= 1280


@pytest.mark.sweep
@pytest.mark.parametrize("outcome", ["second", "decided", "waiting"])
def test_what_was_decided_is_accessible(boss, page_events, case, outcome):
    from reviews.models import FourEyesRule

    if outcome == "second":
        FourEyesRule.objects.create(name="Always", condition="always")
    decide(case, someone("analyst"), "request" if outcome == "waiting" else "reject")
    boss.goto(f"/cases/{case.pk}/?tab=activity")
    for summary in boss.locator(".pop > summary").all():
        summary.click()
    assert violations(boss) == []
    assert page_events.complaints == []


def test_an_approval_by_keyboard_alone(boss, page_events, case):
    boss.goto(f"/cases/{case.pk}/?check={CHECK}")
    boss.keyboard.press("e")
    expect(boss.get_by_role("dialog")).to_contain_text("Mark it as reviewed?")
    assert violations(boss) == []
    boss.keyboard.press("Tab")
    boss.keyboard.press("Enter")
    expect(boss.locator("#decision-bar")).to_contain_text("1 not reviewed")
    expect(
        boss.get_by_role("button", name="Sanctions screening reviewed")
    ).to_have_attribute("aria-pressed", "true")
    boss.goto(f"/cases/{case.pk}/")
    boss.keyboard.press("x")
    boss.get_by_label("Why the check is wrong").focus()
    boss.keyboard.type("The original was seen.")
    boss.keyboard.press("Tab")
    boss.keyboard.press("Enter")
    expect(boss.locator("#findings")).to_contain_text("Overridden by boss")
    boss.keyboard.press("Shift+A")
    expect(boss.locator("#decision-form .outcome.approve")).to_be_focused()
    boss.keyboard.press("Escape")
    expect(boss.locator("#decision-form")).to_have_count(0)
    expect(boss.locator("#decide-approve")).to_be_focused()
    boss.keyboard.press("Shift+A")
    boss.get_by_role("checkbox", name="Explained by a third party").focus()
    boss.keyboard.press("Space")
    boss.get_by_label("Rationale").focus()
    boss.keyboard.type("Nothing speaks against it.")
    boss.keyboard.press("Control+Enter")
    expect(boss.locator("#decision-bar")).to_contain_text("Approved by boss")
    assert Decision.objects.get().reasons == [["A02", "Explained by a third party"]]
    assert page_events.complaints == []


@pytest.mark.sweep
def test_all_of_the_decision_form_can_be_reached_at_every_width(boss, case):
    someone("senior", "sven")
    FourEyesRule.objects.create(name="Always", condition="always")
    for width, outcome in product(
        (320, 390, 768, 1280), ("approve", "reject", "request", "escalate")
    ):
        boss.set_viewport_size({"width": width, "height": 844})
        boss.goto(f"/cases/{case.pk}/?decide={outcome}")
        edges = boss.evaluate(
            "[...document.querySelectorAll('#decision-form :is(a, button, textarea, input:not([type=hidden]))')]"
            ".map((one) => one.getBoundingClientRect().right)"
        )
        sheet = boss.locator("#decision-form").bounding_box()
        assert max(edges) <= sheet["x"] + sheet["width"], (width, outcome)


def test_a_recommendation_has_the_desks_word_on_every_page(boss, case):
    Case.objects.update(recommendation="Deny")
    Job.objects.update(recommendation="Deny")
    for query in ("?decide=approve", "?tab=activity", "?tab=runs", "report/"):
        boss.goto(f"/cases/{case.pk}/{query}")
        boss.wait_for_load_state("networkidle")
        assert "Deny" not in boss.locator("main").inner_text(), query


def test_what_is_typed_beside_the_fields_of_the_decision_form_does_nothing(
    boss, page_events, case
):
    boss.goto(f"/cases/{case.pk}/?check={CHECK}")
    theme = boss.evaluate("document.documentElement.dataset.theme")
    boss.keyboard.press("Shift+A")
    expect(boss.locator("#decision-form .outcome.approve")).to_be_focused()
    boss.keyboard.type("Checked by hand, the tape is at page [p].")
    boss.get_by_role("checkbox", name="All checks passed").focus()
    boss.keyboard.type("xeta")
    boss.locator("#decision-form-title").click()  # and with the focus nowhere
    boss.keyboard.type("xeta")
    expect(boss.locator("#decision-form")).to_be_visible()
    expect(boss.get_by_role("dialog")).to_have_count(0)
    assert boss.evaluate("document.documentElement.dataset.theme") == theme
    boss.keyboard.press("Escape")
    expect(boss.locator("#decision-form")).to_have_count(0)
    assert not CheckReview.objects.exists()


def test_what_stands_in_the_way_follows_the_marks(boss, page_events, case):
    boss.goto(f"/cases/{case.pk}/?check={CHECK}&decide=approve")
    boss.get_by_label("Rationale").fill("Half a thought")
    way = boss.locator("#decision-form-obstacles")
    expect(boss.locator("#decision-form-submit")).to_be_disabled()
    for name in way.get_by_role("link").all_inner_texts():
        way.get_by_role("link", name=name).click()
        boss.get_by_role("button", name=f"{name} reviewed").click()
        expect(way.get_by_role("link", name=name)).to_have_count(0)
    expect(boss.locator("#decision-form-submit")).to_be_enabled()
    expect(boss.get_by_label("Rationale")).to_have_value("Half a thought")
    assert page_events.complaints == []


def test_the_decision_form_says_while_it_is_open_that_a_second_person_is_needed(
    boss, page_events, client
):
    someone("senior", "sven")
    case = open_case(failing=True, recommendation="Approve")
    boss.set_viewport_size({"width": 390, "height": 844})
    boss.goto(f"/cases/{case.pk}/?check={CHECK}&decide=approve")
    way = boss.locator("#decision-form-obstacles")
    expect(way).to_contain_text("A second person is needed. Your decision waits for")
    expect(way.get_by_label("Who is asked")).to_contain_text(
        "anyone who may agree sven"
    )
    expect(way).to_contain_text("Not passed: Sanctions screening")
    boss.set_viewport_size({"width": 1280, "height": 800})
    marks.mark(
        case,
        CHECK,
        actor=someone("analyst"),
        kind="overridden",
        reason="Another of that name.",
    )
    boss.goto(f"/cases/{case.pk}/?check={CHECK}&decide=approve")
    expect(way).to_contain_text("Overridden: Sanctions screening")
    assert violations(boss) == []
    boss.get_by_role("checkbox", name="Explained by a third party").check()
    boss.get_by_label("Rationale").fill("Another of that name.")
    boss.get_by_role("button", name="Submit for approval").click()
    expect(boss.locator("#decision-bar")).to_contain_text("Approve proposed by boss")
    expect(boss.locator("#decision-bar")).to_contain_text(
        "Overridden: Sanctions screening"
    )
    expect(boss.get_by_role("button", name="as the second person")).to_have_count(0)
    assert Case.objects.get().status == "second"
    assert page_events.complaints == []


def test_words_do_not_sign_off_a_failed_check(boss, case):
    """Who types words past a field presses e, a space and Enter: none of them answers the question."""
    boss.goto(f"/cases/{case.pk}/?check={CHECK}")
    dialog = boss.get_by_role("dialog")
    for key in (" ", "Enter", "Escape"):
        boss.keyboard.press("e")
        expect(dialog).to_be_visible()
        boss.keyboard.press(key)
        expect(dialog).to_have_count(0)
    boss.wait_for_load_state("networkidle")
    assert not CheckReview.objects.exists()


def test_a_key_is_heard_as_soon_as_the_question_is_closed(boss, case):
    """Until the page is drawn again, a button of the closed question still has the focus."""
    boss.goto(f"/cases/{case.pk}/?check={CHECK}")
    boss.keyboard.press("e")
    expect(boss.get_by_role("dialog")).to_be_visible()
    boss.evaluate(
        """() => {
          document.querySelector("dialog button").click();
          const e = new KeyboardEvent("keydown", { key: "e", bubbles: true });
          document.activeElement.dispatchEvent(e);
        }"""
    )
    expect(boss.get_by_role("dialog")).to_be_visible()


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("width", "tab"),
    [(1920, ""), (1280, "?tab=activity"), (800, "?tab=runs"), (800, "")],
)
def test_a_note_is_written_from_everywhere_at_every_width(
    boss, page_events, case, width, tab
):
    boss.set_viewport_size({"width": width, "height": 800})
    boss.goto(f"/cases/{case.pk}/{tab}")
    boss.wait_for_load_state("networkidle")
    boss.keyboard.press("m")
    boss.keyboard.type("@sven please look: paeti")
    field = boss.get_by_label("Note @name mentions a colleague").locator("visible=true")
    expect(field).to_be_focused()
    expect(field).to_have_value("@sven please look: paeti")
    expect(boss.locator("#new-tag").locator("visible=true")).to_have_count(1)
    expect(boss.locator("#note-files").locator("visible=true")).to_have_count(1)
    assert violations(boss) == []
    boss.get_by_role("button", name="Write").locator("visible=true").click()
    expect(boss.locator(".notes .text").locator("visible=true")).to_contain_text(
        "please look"
    )
    assert page_events.complaints == []


def test_what_was_typed_stays_when_another_outcome_is_chosen(boss, case):
    boss.goto(f"/cases/{case.pk}/?decide=approve")
    boss.get_by_label("Rationale").fill("Half a thought")
    boss.locator("#decision-form .outcome.reject").click()
    expect(
        boss.get_by_role("checkbox", name="Document forged or altered")
    ).to_be_visible()
    expect(boss.get_by_label("Rationale")).to_have_value("Half a thought")


def test_queue_case_and_decision_without_scripts(
    browser, browser_context_args, logged_in, case
):
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
        boss.locator("#decision-form-submit").click()
    assert answer.value.status == 409
    expect(boss.get_by_role("alert")).to_contain_text("ana decided this at")
    expect(boss.get_by_label("Rationale")).to_have_value("My words.")


def test_a_decision_without_a_reason_is_not_sent_and_the_key_is_named(
    boss, page_events
):
    one_person()
    # Not evident, because the agent does not approve: nobody has chosen a reason yet.
    case = open_case(recommendation="Review")
    boss.goto(f"/cases/{case.pk}/")
    boss.keyboard.press("Shift+A")
    expect(boss.locator("#decision-form .outcome.approve")).to_be_focused()
    boss.get_by_label("Rationale").fill("Seen.")
    boss.keyboard.press("Control+Enter")
    # The toasts are a status: a screen reader reads them out.
    toast = boss.locator("#toasts[role=status] .toast")
    expect(toast).to_contain_text("press its digit")
    expect(boss.locator("[name=reasons]:enabled").first).to_be_focused()
    boss.keyboard.press("2")
    boss.keyboard.press("Control+Enter")
    expect(boss.locator("#decision-bar")).to_contain_text("Approved by boss")
    assert Decision.objects.get().rationale == "Seen."
    # The browser notes a refused form, so there was none.
    assert page_events.complaints == []


def test_the_key_decides_from_beside_the_open_form(boss, page_events, case):
    boss.goto(f"/cases/{case.pk}/")
    boss.keyboard.press("Shift+R")
    expect(boss.locator("#decision-form .outcome.reject")).to_be_focused()
    boss.keyboard.press("1")
    boss.get_by_label("Rationale").fill("A risk.")
    # A click on the page takes the focus out of the form, as ticking an item does.
    boss.locator(".checks h2").first.click()
    assert not boss.evaluate(
        "document.getElementById('decision-form').contains(document.activeElement)"
    )
    boss.keyboard.press("Control+Enter")
    expect(boss.locator("#decision-bar")).to_contain_text("Rejected by boss")
    assert page_events.complaints == []


def test_a_form_that_came_with_the_page_gives_the_focus_back(boss, case):
    boss.goto(f"/cases/{case.pk}/?decide=reject")
    expect(boss.locator("#decision-form .outcome.reject")).to_be_focused()
    boss.keyboard.press("Escape")
    expect(boss.locator("#decision-form")).to_have_count(0)
    expect(boss.locator("#decide-reject")).to_be_focused()


STALE = """document.getElementById("decision-form-obstacles")
    .dispatchEvent(new CustomEvent("stale"))"""


def test_who_is_asked_stays_chosen_when_the_form_is_refreshed(boss):
    someone("senior", "sven")
    case = open_case(failing=True, recommendation="Approve")
    boss.goto(f"/cases/{case.pk}/?decide=approve")
    asked = boss.get_by_label("Who is asked")
    asked.select_option("sven")
    asked.focus()
    with boss.expect_response("**decide=approve**"):
        boss.evaluate(STALE)
    expect(asked).to_be_focused()
    expect(asked).to_have_value("sven")


def test_a_refresh_of_the_form_hides_no_change_of_the_page(boss, case):
    boss.goto(f"/cases/{case.pk}/?check={CHECK}&decide=reject")
    boss.wait_for_load_state("networkidle")
    ana = someone("analyst", "ana")
    marks.mark(case, CHECK, actor=ana, kind="overridden", reason="Another of the name.")
    boss.evaluate(STALE)
    expect(boss.locator("#findings")).to_contain_text("Overridden by ana", timeout=9000)


def test_an_ended_login_is_said_and_takes_nothing_from_the_page(boss, case):
    boss.goto(f"/cases/{case.pk}/?decide=approve")
    boss.get_by_label("Rationale").fill("Half a thought")
    boss.context.clear_cookies()
    boss.evaluate(STALE)
    expect(boss.locator("#toasts")).to_contain_text("Your login has ended")
    # Where the state of the page stands, it says so as well, and not that there is no connection.
    ended = boss.locator("#ended")
    expect(ended).to_have_text(re.compile(r"Your login has ended\s+Log in"))
    expect(boss.locator("#live")).to_be_hidden()
    address = f"/login/?next=/cases/{case.pk}/%3Fdecide%3Dapprove"
    expect(ended.get_by_role("link", name="Log in")).to_have_attribute("href", address)
    expect(boss.locator("#decision-form")).not_to_contain_text("no longer decide")
    expect(boss.get_by_label("Rationale")).to_have_value("Half a thought")
    # The list of cases is left as it is, too.
    boss.locator("#decision-form-close").click()
    expect(boss.locator("#decision-form")).to_be_visible()


def test_what_fails_is_said(boss, case):
    boss.goto(f"/cases/{case.pk}/")
    boss.wait_for_load_state("networkidle")
    boss.context.set_offline(True)
    boss.keyboard.press("Shift+A")
    expect(boss.locator("#toasts")).to_contain_text("The server does not answer")
    # What was not copied is not called copied.
    boss.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    boss.locator("#copy-reference").click()
    words = f"This could not be copied: {case.reference}"
    expect(boss.locator("#toasts")).to_have_text(words)


def overlap(one: dict[str, float], other: dict[str, float]) -> bool:
    return (
        one["x"] < other["x"] + other["width"]
        and other["x"] < one["x"] + one["width"]
        and one["y"] < other["y"] + other["height"]
        and other["y"] < one["y"] + one["height"]
    )


@pytest.mark.parametrize("width", [390, 1280])
def test_two_messages_of_one_page_can_both_be_read(boss, case, width):
    boss.set_viewport_size({"width": width, "height": 844})
    boss.goto(f"/cases/{case.pk}/?decide=reject")
    boss.get_by_role("checkbox", name="Outside of our risk appetite").check()
    boss.get_by_label("Rationale").fill("Not for us.")
    boss.locator("#decision-form-submit").click()
    toasts = boss.locator("#toasts .toast")
    expect(toasts).to_have_count(2)
    one, other = (toasts.nth(index).bounding_box() for index in (0, 1))
    assert not overlap(one, other)
    assert min(one["x"], other["x"]) >= 0
    assert max(box["x"] + box["width"] for box in (one, other)) <= width


def test_the_second_person_writes_beside_the_rationale(boss, page_events, case):
    FourEyesRule.objects.create(name="Always", condition="always")
    decide(case, someone("analyst"), "reject", rationale="The word of the first. " * 20)
    boss.goto(f"/cases/{case.pk}/")
    boss.get_by_text("Agree…").click()
    note, why = boss.locator("#agree .inner"), boss.locator("#proposed-why .inner")
    expect(note).to_be_visible()
    assert not overlap(note.bounding_box(), why.bounding_box())
    # A rejection has not the colour of an approval.
    approving = boss.locator("#decision-bar .btn.confirm")
    expect(
        boss.get_by_role("button", name="Reject as the second person")
    ).to_be_visible()
    expect(approving).to_have_count(0)
    assert violations(boss) == []
    boss.get_by_text("Send back…").click()
    boss.get_by_label("What is to be done").fill("Ask for the deed first.")
    boss.get_by_role("button", name="Send back").click()
    # Who sees no tooltip, by keys or on a phone, reads it, too.
    boss.locator("#sent-back summary").focus()
    boss.keyboard.press("Enter")
    expect(boss.get_by_text("Ask for the deed first.")).to_be_visible()
    assert violations(boss) == []
    assert page_events.complaints == []


@pytest.mark.parametrize("width", [390, 900])
def test_the_note_of_the_second_person_is_in_sight_where_the_bar_wraps(
    boss, case, width
):
    FourEyesRule.objects.create(name="Always", condition="always")
    decide(case, someone("analyst"), "reject")
    boss.set_viewport_size({"width": width, "height": 844})
    boss.goto(f"/cases/{case.pk}/")
    for button, form in (("Agree…", "#agree"), ("Send back…", "#send-back")):
        boss.get_by_text(button).click()
        box = boss.locator(f"{form} .inner").bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width


def test_on_a_phone_the_rationale_stands_in_the_bar(boss, case):
    FourEyesRule.objects.create(name="Always", condition="always")
    decide(case, someone("analyst"), "reject", rationale="The word of the first. " * 20)
    boss.set_viewport_size({"width": 390, "height": 844})
    boss.goto(f"/cases/{case.pk}/")
    why = boss.locator("#proposed-why .inner")
    expect(why).to_be_visible()
    bar = boss.locator("#decision-bar").bounding_box()
    box = why.bounding_box()
    assert box["y"] >= bar["y"]
    assert bar["height"] <= 844 / 3


def end_login(page) -> None:
    page.context.clear_cookies(name="sessionid")


def test_what_was_typed_stays_where_the_login_has_ended(boss, logged_in, case):
    boss.clock.install()
    boss.goto(f"/cases/{case.pk}/?decide=reject")
    # Only a page of some age asks whether the login goes on.
    boss.clock.fast_forward(61_000)
    boss.get_by_role("checkbox", name="Outside of our risk appetite").check()
    boss.get_by_label("Rationale").fill("A long thought.")
    end_login(boss)
    boss.locator("#decision-form-submit").click()
    expect(boss.locator("#toasts")).to_contain_text("Your login has ended.")
    expect(boss.get_by_label("Rationale")).to_have_value("A long thought.")
    assert not Decision.objects.exists()
    # The same form decides where there is a login.
    logged_in(boss.context)
    boss.locator("#decision-form-submit").click()
    expect(boss.locator("#decision-bar")).to_contain_text("Rejected by boss")
    assert Decision.objects.get().rationale == "A long thought."


def test_what_was_typed_stays_where_the_network_is_away(boss):
    """Also at once: a page younger than a minute does not ask whether the login goes on."""
    one_person()
    case = open_case(failing=True, recommendation="Reject")
    boss.goto(f"/cases/{case.pk}/?decide=reject")
    boss.wait_for_load_state("networkidle")
    boss.locator("#decision-form [name=reasons]:enabled").first.check()
    boss.fill("#decision-form textarea", "The seal is missing.")
    boss.context.set_offline(True)
    boss.locator("#decision-form-submit").click()
    expect(boss.locator("#toasts")).to_contain_text("The server does not answer")
    expect(boss.locator("#decision-form textarea")).to_have_value(
        "The seal is missing."
    )
    boss.context.set_offline(False)
    boss.locator("#decision-form-submit").click()
    expect(boss.locator("#toasts")).to_contain_text("rejected")
    assert Decision.objects.get().rationale == "The seal is missing."


def test_an_act_that_is_refused_says_why(boss, person, case):
    boss.goto(f"/cases/{case.pk}/?check={CHECK}")
    boss.wait_for_load_state("networkidle")
    # Meanwhile an administrator took the roles that may do it.
    person.is_superuser = False
    person.save()
    person.groups.set([Group.objects.get(name=roles.AUDITOR)])
    boss.locator("#checklist form button").first.click()
    expect(boss.locator("#toasts")).to_have_text(
        "You may not do this: Your account does not have the permission. An administrator"
        " can give it to you."
    )
