"""Unsure fields by key: to the field, the place on the page, and a digit that chooses."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from reviews.models import ValueChoice
from tests.browser.accessibility import violations
from tests.reviews.pages.case.unsure_rows import NAMES, unsure_case
from tests.reviews.rows import one_person

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def opened(boss, case) -> None:
    boss.goto(f"/cases/{case.pk}/")
    boss.wait_for_load_state("networkidle")


def test_a_digit_chooses_the_candidate_of_the_field_with_the_focus(boss, page_events):
    one_person()
    case, _document = unsure_case()
    opened(boss, case)
    boss.keyboard.press("f")
    expect(boss.locator(".comparison:focus")).to_contain_text("Business name")
    boss.keyboard.press("Tab")
    # A candidate with the focus shows its place alone.
    expect(boss.locator(".candidate:focus")).to_contain_text(NAMES[0])
    lit = boss.locator(".overlay .evidence.selected")
    expect(lit).to_have_attribute("data-evidence", "f0-1")
    boss.keyboard.press("1")
    expect(boss.locator(".choice .chosen")).to_have_text(NAMES[0])
    assert ValueChoice.objects.get().kind == "first"
    expect(boss.locator("#checklist li > a[data-open-check]")).to_have_count(0)
    assert page_events.complaints == []


def test_zero_says_that_the_document_states_none(boss, page_events):
    one_person()
    case, _document = unsure_case()
    opened(boss, case)
    boss.keyboard.press("f")
    # One more than the candidates chooses nothing.
    boss.keyboard.press("3")
    boss.keyboard.press("0")
    expect(boss.locator(".choice .chosen")).to_have_text("The document states none")
    assert ValueChoice.objects.get().kind == "absent"
    assert page_events.complaints == []


def test_another_value_is_written_by_key(boss, page_events):
    one_person()
    case, _document = unsure_case()
    opened(boss, case)
    boss.keyboard.press("f")
    boss.keyboard.press("o")
    boss.keyboard.type("Northwind 12 Ltd")
    expect(boss.locator(".choice input[name=value]")).to_have_value("Northwind 12 Ltd")
    boss.keyboard.press("Enter")
    expect(boss.locator(".choice .chosen")).to_have_text("Northwind 12 Ltd")
    choice = ValueChoice.objects.get()
    assert (choice.kind, choice.value) == ("none", "Northwind 12 Ltd")
    assert page_events.complaints == []


def test_a_digit_chooses_nothing_where_no_field_has_the_focus(boss):
    one_person()
    case, _document = unsure_case()
    opened(boss, case)
    boss.keyboard.press("1")
    boss.keyboard.press("?")
    help_text = boss.locator("#page-shortcuts")
    expect(help_text).to_contain_text(
        "Choose a candidate of the field that has the focus"
    )
    assert not ValueChoice.objects.exists()


@pytest.mark.sweep
@pytest.mark.parametrize("width", [390, 1440, 1920])
def test_the_candidates_fit_and_can_be_read(boss, page_events, width):
    one_person()
    case, _document = unsure_case(
        "Northwind Bakery and Confectionery Holdings International Limited", NAMES[1]
    )
    boss.set_viewport_size({"width": width, "height": 900})
    opened(boss, case)
    for candidate in boss.locator(".candidate").all():
        box = candidate.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["height"] >= 24
    assert violations(boss) == []
    assert page_events.complaints == []
