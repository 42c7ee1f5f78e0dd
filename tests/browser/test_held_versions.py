"""The page of a list with a version that waits for a person: readable, and released by keyboard."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from agenthub.models.lists import HeldVersion
from agenthub.screening import catalogue, loading, sample_lists
from agenthub.screening.formats import ListError
from tests.browser.accessibility import violations

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WHOLE = sample_lists.ofac_sdn_xml()
PAGE = "/hub/lists/ofac_sdn/"
OVERFLOWS = (
    "document.documentElement.scrollWidth > document.documentElement.clientWidth"
)


@pytest.fixture
def waiting(live_server, tmp_path) -> HeldVersion:
    path = tmp_path / f"{'SDN-of-a-publisher-with-a-long-name' * 3}.XML"
    path.write_bytes(WHOLE)
    loading.load(catalogue.source("ofac_sdn"), path)
    path.write_bytes(re.sub(rb"<firstName>", b"<firstName>Qz", WHOLE))
    with pytest.raises(ListError):
        loading.load(catalogue.source("ofac_sdn"), path)
    return HeldVersion.objects.get()


@pytest.mark.parametrize("width", [390, 1280])
def test_a_held_version_is_released_by_keyboard(boss, page_events, waiting, width):
    boss.set_viewport_size({"width": width, "height": 900})
    boss.goto("/hub/lists/")
    assert not boss.evaluate(OVERFLOWS)
    assert violations(boss) == []
    boss.goto(PAGE)
    expect(boss.get_by_role("heading", name="Held version")).to_be_visible()
    expect(boss.get_by_text("The active version stays.").first).to_be_visible()
    expect(boss.get_by_text("nothing was new")).to_have_count(0)
    assert not boss.evaluate(OVERFLOWS)
    assert violations(boss) == []

    button = boss.get_by_role("button", name="Release", exact=True)
    reason = boss.locator("form", has=button).get_by_role("textbox")
    reason.focus()
    boss.keyboard.press("Tab")
    expect(button).to_be_focused()
    boss.keyboard.press("Shift+Tab")
    boss.keyboard.type("Compared with the publisher's page.")
    boss.keyboard.press("Tab")
    boss.keyboard.press("Enter")
    expect(
        boss.get_by_text("Compared with the publisher's page.").first
    ).to_be_visible()
    expect(button).to_have_count(0)
    assert not boss.evaluate(OVERFLOWS)
    assert violations(boss) == []

    waiting.refresh_from_db()
    loading.load_held(waiting)
    boss.reload()
    expect(boss.get_by_role("heading", name="Held version")).to_have_count(0)
    expect(boss.get_by_text("Released by boss").first).to_be_visible()
    assert page_events.complaints == []


def test_a_release_without_a_reason_is_refused_in_words(boss, page_events, waiting):
    boss.goto(PAGE)
    form = boss.locator(
        "form", has=boss.get_by_role("button", name="Release", exact=True)
    )
    form.evaluate("form => form.noValidate = true")
    form.get_by_role("button").press("Enter")
    expect(boss.get_by_role("button", name="Release", exact=True)).to_be_visible()
    expect(
        boss.get_by_text("Say why this version is right. Nothing was released.").first
    ).to_be_visible()
    waiting.refresh_from_db()
    assert waiting.status == HeldVersion.Status.HELD
