"""The pages of the shell in a real browser: readable by all, quiet, quick to use by keyboard."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.utils.timezone import now
from playwright.sync_api import expect

from agenthub.jobs import lifecycle
from agenthub.models import Delivery
from reviews.models import Case
from tests import factories
from tests.browser.accessibility import violations
from tests.reviews.rows import add_risky_document, open_case

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PDF = b"%PDF-1.7\n%%EOF\n"
WAITS: dict[str, Any] = {
    "status": Case.Status.TO_REVIEW,
    "recommendation": "Review",
    "summary": {
        "checks": [
            ["a", "fail"],
            ["b", "review"],
            ["c", "pass"],
            ["d", "inconclusive"],
        ],
        "finding": "Seal not found",
    },
}


@pytest.fixture
def cases(desk, person):
    return [
        factories.make_case(
            desk, subject=subject, country="NO", submitted_by=submitter, **WAITS
        )
        for subject, submitter in (
            ("Halden AS", person),
            ("Cedar LP", None),
            ("Quarry LLC", None),
        )
    ]


@pytest.fixture
def of_hub(live_server) -> dict[str, Any]:
    """A job of the hub with a webhook that was given up."""
    result = factories.make_hub()
    schema = {"kyb_schema": {"id": "case-1", "self_attested_data": {}}}
    run, _ = lifecycle.create(
        agent=result["kyb"], job_id=uuid.uuid4(), input_payload=schema
    )
    run.check_runs.create(
        check_id="a", status="completed", result={"explanation": "All is well."}
    )
    delivery = run.deliveries.create(
        kind="job",
        url="https://x.example/hook",
        body=b"{}",
        status=Delivery.Status.DEAD,
        due_at=None,
    )
    delivery.attempts.create(http_status=500, response="<h1>no</h1>", took_ms=3)
    return {"account": result["account"].pk, "run": run.pk, "delivery": delivery.pk}


PAGES = {
    "queue": "/",
    "all cases": "/?view=all",
    "filtered": "/?view=review&kind=kyb&risk=0&sort=worst",
    "dashboard": "/dashboard/",
    "nothing found": "/?view=all&analyst=nobody.here",
    "submit a business": "/cases/new/",
    "submit a person": "/cases/new/?kind=kyc",
    "reads": "/reads/",
    "password": "/account/password/change/",
    "second factors": "/account/2fa/",
    "authenticator app": "/account/2fa/totp/activate/",
    "passkey": "/account/2fa/webauthn/add/",
    "sessions": "/account/sessions/",
    "not found": "/no-such-page/",
    "admin": "/admin/",
    "admin list": "/admin/reviews/case/",
    "admin record": "/admin/reviews/case/{case}/change/",
    "admin settings": "/admin/reviews/connection/{connection}/change/",
    "work queues": "/queues/",
    "failed for good": "/queues/failed/deliveries/",
    "batches": "/batches/",
    "connections": "/connections/",
    "rules of settings": "/settings/four-eyes-rules/",
    "form of a service": "/settings/connections/{connection}/",
    "form of a team": "/settings/teams/new/",
    "form of a subscription": "/settings/webhook-subscriptions/new/",
    "documents": "/documents/",
    "jobs": "/jobs/",
    "webhooks": "/webhooks/",
    "webhooks sent": "/webhooks/?side=sent",
    "report": "/cases/{case}/report/",
    "risk policy": "/risk/",
    "risk policy's editor": "/risk/new/",
    "risk of a case": "/cases/{case}/?tab=risk",
    "related": "/cases/{case}/?tab=related",
    "hub": "/hub/",
    "hub account": "/hub/accounts/{account}/",
    "hub agent": "/hub/accounts/{account}/agents/kyb/",
    "hub jobs": "/hub/jobs/",
    "hub job": "/hub/jobs/{run}/",
    "hub deliveries": "/hub/deliveries/",
    "hub delivery": "/hub/deliveries/{delivery}/",
}


# Text for screen readers that is placed against something outside of what scrolls it: the document
# grows below its end, and a field there takes the whole page out of sight with the focus.
ESCAPES = """() => [...document.querySelectorAll(".app .visually-hidden")].filter((hidden) => {
  if (!hidden.offsetParent) return false;
  let box = hidden.parentElement;
  while (box && !/auto|scroll/.test(getComputedStyle(box).overflowY)) box = box.parentElement;
  return box && box !== document.body && !box.contains(hidden.offsetParent);
}).map((hidden) => hidden.outerHTML.slice(0, 120))"""


@pytest.mark.sweep
@pytest.mark.parametrize("address", PAGES.values(), ids=PAGES)
def test_a_page_is_accessible_and_silent(boss, page_events, cases, of_hub, address):
    boss.goto(
        address.format(case=cases[0].pk, connection=cases[0].connection_id, **of_hub)
    )
    boss.wait_for_load_state("networkidle")
    expected = (
        ["the server responded with a status of 404"]
        if address == PAGES["not found"]
        else []
    )
    # What axe itself does comes after this, and is not the page's fault.
    assert [
        text for text in page_events.complaints if not any(e in text for e in expected)
    ] == []
    assert len(page_events.hosts) == 1
    assert boss.evaluate(ESCAPES) == []
    assert violations(boss) == []


@pytest.mark.sweep
def test_a_job_with_results_of_tools_is_accessible_and_silent(boss, page_events):
    case = open_case(failing=True)
    add_risky_document(case)
    boss.goto(f"/jobs/{case.jobs.get().pk}/")
    expect(boss.get_by_role("region", name="Table of results")).to_be_visible()
    assert violations(boss) == []
    assert page_events.complaints == []


def test_login_is_accessible_and_silent(page, page_events, person):
    page.goto("/login/")
    assert page_events.complaints == []
    assert violations(page) == []
    page.get_by_label("User name").fill("boss")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Log in", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("do not belong together")
    assert violations(page) == []
    page.get_by_label("Password").fill("correct horse")
    page.keyboard.press("Enter")
    expect(page).to_have_title(re.compile("Queue"))


@pytest.mark.sweep
@pytest.mark.parametrize("address", ["/", "/?view=all", "/cases/new/", "/cases/new/?kind=kyc", PAGES["hub account"], PAGES["hub agent"], PAGES["hub delivery"], PAGES["work queues"], PAGES["failed for good"]])  # fmt: skip
def test_a_page_fits_a_narrow_screen(boss, cases, of_hub, address):
    boss.set_viewport_size({"width": 320, "height": 640})
    boss.goto(address.format(**of_hub))
    overflow = (
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    assert boss.evaluate(overflow) == 0
    assert boss.evaluate("document.querySelector('main').scrollWidth") <= 320


def test_the_theme_is_kept_and_a_page_starts_in_it(boss, cases):
    boss.emulate_media(color_scheme="light")
    boss.goto("/")
    background = "getComputedStyle(document.body).backgroundColor"
    light = boss.evaluate(background)
    boss.get_by_role("button", name="Switch between light and dark").click()
    dark = boss.evaluate(background)
    assert dark != light
    boss.reload()
    assert boss.evaluate(background) == dark
    assert boss.evaluate("Object.keys(localStorage)") == ["theme"]
    boss.keyboard.press("t")
    assert boss.evaluate(background) == light
    assert boss.locator("html").get_attribute("data-theme") == "auto"


def test_keys_move_and_open(boss, cases):
    boss.goto("/")
    for key, subject in (("j", "Halden AS"), ("j", "Cedar LP"), ("k", "Halden AS")):
        boss.keyboard.press(key)
        expect(boss.get_by_role("link", name=subject)).to_be_focused()
    boss.keyboard.press("Enter")
    expect(boss).to_have_url(re.compile(rf"/cases/{cases[0].pk}/"))
    boss.wait_for_load_state()
    boss.keyboard.press("g")
    boss.keyboard.press("s")
    expect(boss).to_have_url(re.compile("/cases/new/"))
    boss.get_by_label("Business name").press_sequentially("gq t?")
    expect(boss.get_by_label("Business name")).to_have_value("gq t?")
    expect(boss).to_have_url(re.compile("/cases/new/"))


def test_the_shortcuts_can_be_read_and_switched_off(boss, cases):
    boss.goto("/")
    boss.keyboard.press("?")
    help_ = boss.get_by_role("dialog", name="Keyboard shortcuts")
    expect(help_).to_be_visible()
    assert violations(boss) == []
    help_.get_by_label("Single keys are shortcuts").uncheck()
    boss.keyboard.press("Escape")
    expect(help_).to_be_hidden()
    boss.keyboard.press("j")
    assert boss.evaluate("document.activeElement.matches('[data-row]')") is False
    boss.reload()
    boss.keyboard.press("?")
    expect(help_).to_be_hidden()


def test_the_help_lists_the_keys_of_the_page(boss, cases):
    boss.goto("/dashboard/")
    section = boss.locator("#page-shortcuts")
    boss.keyboard.press("?")
    expect(section).to_be_hidden()
    boss.keyboard.press("Escape")
    button = '<button type="button" data-keys="+" aria-label="Zoom in"></button>'
    boss.evaluate(
        "(html) => document.querySelector('main').insertAdjacentHTML('beforeend', html)",
        button,
    )
    boss.keyboard.press("?")
    expect(section.locator("dt")).to_have_text(["Zoom in"])
    expect(section.locator("kbd")).to_have_text(["+"])
    assert violations(boss) == []


def test_the_help_says_keys_and_names_as_they_are(boss, cases):
    boss.goto("/")
    boss.keyboard.press("?")
    section = boss.locator("#page-shortcuts")
    expect(section).to_be_visible()
    names = section.locator("dt").all_inner_texts()
    assert "Needs review" in names
    assert "Mine" in names
    assert len(names) == len(set(names))
    keys = section.locator("kbd").all_inner_texts()
    assert "" not in keys
    assert "⇧ J" in keys
    assert not any(re.search(r"[0-9]$", name) for name in names)


@pytest.mark.parametrize(
    ("platform", "words"), [("Linux x86_64", "Ctrl\u00a0"), ("MacIntel", "⌘")]
)
def test_keys_are_called_as_on_this_machine(boss, cases, platform, words):
    boss.add_init_script(
        f"Object.defineProperty(navigator, 'platform', {{get: () => '{platform}'}})"
    )
    boss.goto("/")
    boss.keyboard.press("?")
    key = boss.locator("#shortcuts kbd[data-modifier]")
    expect(key).to_be_visible()
    shown = key.evaluate("element => getComputedStyle(element, '::before').content")
    assert shown == f'"{words}"'


def test_search_finds_from_any_page(boss, cases):
    boss.goto("/cases/new/")
    boss.keyboard.press("/")
    boss.keyboard.type("cedar")
    boss.keyboard.press("Enter")
    expect(boss.locator("[data-row]")).to_have_text(["Cedar LP"])
    boss.get_by_role("link", name=re.compile("^Remove .*cedar")).click()
    expect(boss.locator("[data-row]")).to_have_count(3)


def test_cases_are_suggested_as_one_types(boss, page_events, cases):
    boss.goto("/dashboard/")
    boss.wait_for_load_state()
    box = boss.get_by_role("combobox", name=re.compile("^Find a case"))
    boss.keyboard.press("/")
    expect(box).to_be_focused()
    expect(box).to_have_attribute("aria-expanded", "false")
    boss.keyboard.type("cedra")  # two letters swapped
    option = boss.get_by_role("option")
    # For the first letters others are suggested, too.
    expect(option).to_have_count(1)
    expect(option).to_contain_text("Cedar LP")
    expect(option.locator("mark")).to_have_text("Cedar")
    expect(box).to_have_attribute("aria-expanded", "true")
    assert violations(boss) == []
    boss.keyboard.press("Escape")
    expect(option).to_be_hidden()
    boss.keyboard.press("ArrowDown")
    expect(option).to_have_attribute("aria-selected", "true")
    expect(box).to_have_attribute("aria-activedescendant", "search-option-1")
    boss.keyboard.press("Enter")
    expect(boss.locator("h1")).to_have_text("Cedar LP")
    assert page_events.complaints == []


def test_the_queue_refreshes_itself_and_keeps_the_focus(boss, page_events, desk, cases):
    boss.goto("/")
    expect(boss.locator("#live")).to_have_text("Live")
    boss.get_by_role("link", name="Cedar LP").focus()
    with boss.expect_response("**/queue/rows/**") as unchanged:
        pass
    assert unchanged.value.status == 304
    expect(boss.locator("[data-row]")).to_have_count(3)
    factories.make_case(desk, subject="New Ltd", **WAITS)
    expect(boss.get_by_role("link", name="New Ltd")).to_be_visible(timeout=9_000)
    expect(boss.locator("#queue-news")).to_have_text("1 new case")
    expect(boss.get_by_role("link", name="Cedar LP")).to_be_focused()
    expect(boss.locator("#view-review .count")).to_have_text("4")
    assert page_events.complaints == []


def test_everything_works_without_scripts(
    browser, browser_context_args, logged_in, desk
):
    context = browser.new_context(**browser_context_args, java_script_enabled=False)
    logged_in(context)
    page = context.new_page()
    page.goto("/")
    page.locator(".filters").get_by_role("link", name="Submit case").click()
    expect(
        page.get_by_role("button", name="Switch between light and dark")
    ).to_be_hidden()
    page.get_by_label("Business name").fill("Parcha")
    page.get_by_label("EIN letter").set_input_files(
        {"name": "ein.pdf", "mimeType": "application/pdf", "buffer": PDF}
    )
    page.get_by_role("button", name="Start review").click()
    page.wait_for_url("**/cases/*/")
    case = Case.objects.get()
    assert case.documents.get().kind == "ein_documents"
    page.goto("/?view=running")
    expect(page.get_by_role("link", name="Parcha")).to_be_visible()
    page.locator(".rail button[popovertarget=me]").click()
    page.get_by_role("button", name="Log out").click()
    expect(page).to_have_title(re.compile("Log in"))
    context.close()


def test_the_page_does_not_jump_while_it_loads(boss, cases):
    boss.add_init_script(
        "window.shift = 0; new PerformanceObserver((list) => list.getEntries().forEach("
        "(entry) => window.shift += entry.value)).observe({type: 'layout-shift', buffered: true})"
    )
    for address in ("/", "/cases/new/"):
        boss.goto(address)
        boss.wait_for_load_state("networkidle")
        assert boss.evaluate("window.shift") <= 0.01, address


def test_a_key_is_made_and_revoked_by_keyboard_alone(boss, page_events, of_hub):
    boss.goto(PAGES["hub"])
    boss.keyboard.press("j")
    boss.keyboard.press("Enter")
    expect(boss.get_by_role("heading", name="API keys")).to_be_visible()
    boss.locator("#key_name").focus()
    boss.keyboard.type("erp")
    boss.keyboard.press("Enter")
    result = boss.get_by_label("The new API key")
    expect(result).to_have_value(re.compile("^ck_live_"))
    boss.get_by_role("link", name="I have kept it").press("Enter")
    row = boss.get_by_role("row", name="erp")
    row.locator("summary").press("Enter")
    row.get_by_role("button", name="Revoke").press("Enter")
    expect(boss.get_by_role("row", name="erp")).to_contain_text("Revoked")
    assert page_events.complaints == []


def test_the_queue_is_worked_by_keyboard(boss, page_events, desk, cases, person):
    boss.goto("/")
    for key in ("j", "j", "x"):
        boss.keyboard.press(key)
    expect(boss.locator("#selected")).to_have_text("1 selected")
    boss.keyboard.press("Shift+J")
    expect(boss.locator("#selected")).to_have_text("2 selected")
    assert violations(boss) == []
    boss.keyboard.press(" ")
    expect(boss.locator("#peek h2")).to_be_visible()
    assert violations(boss) == []
    boss.keyboard.press("Escape")
    expect(boss.locator("#peek")).to_be_hidden()
    boss.keyboard.press("i")
    expect(boss.locator("#queue-rows .avatar:not(.none)")).to_have_count(1)
    assert Case.objects.filter(analyst=person).count() == 1
    boss.keyboard.press("f")
    boss.get_by_label("Country").fill("de")
    boss.keyboard.press("Enter")
    expect(boss).to_have_url(re.compile("country=DE"))
    boss.wait_for_load_state()
    boss.get_by_role("link", name="Remove Country: Germany").click()
    expect(boss).not_to_have_url(re.compile("country=DE"))
    boss.wait_for_load_state()  # until then nobody listens to keys
    boss.keyboard.press("n")
    expect(boss).to_have_url(re.compile(r"/cases/\d+/"))
    assert page_events.complaints == []


def test_the_case_with_the_focus_is_taken_and_not_the_one_that_was_looked_at(
    boss, desk, cases, person
):
    boss.goto("/")
    boss.wait_for_load_state("networkidle")
    boss.keyboard.press("j")
    boss.keyboard.press(" ")
    expect(boss.locator("#peek h2")).to_be_visible()
    boss.keyboard.press("Escape")
    boss.keyboard.press("j")
    key = boss.evaluate("document.activeElement.closest('tr').dataset.case")
    boss.keyboard.press("i")
    expect(boss.locator("#queue-rows .avatar:not(.none)")).to_have_count(1)
    assert Case.objects.get(analyst=person).pk == int(key)


def test_space_presses_and_ticks_in_the_queue(boss, desk, cases):
    boss.goto("/")
    boss.wait_for_load_state("networkidle")
    box = boss.locator("#queue-rows .sel input").first
    box.press(" ")
    expect(box).to_be_checked()
    boss.locator("summary[data-keys=f]").press(" ")
    expect(boss.get_by_label("Country")).to_be_visible()


def test_a_form_that_opens_leaves_the_focus_to_who_is_in_it_already(boss, cases):
    """On a busy machine the focus came late, and Enter went to another field than the one filled in."""
    boss.goto("/")
    boss.wait_for_load_state()
    focused = boss.evaluate(
        """() => {
          document.querySelector("summary[data-keys=f]").click();
          document.getElementById("filter-country").focus();
          return new Promise((done) => setTimeout(() => done(document.activeElement.id), 100));
        }"""
    )
    assert focused == "filter-country"


def test_many_cases_are_assigned_without_scripts(
    browser, browser_context_args, logged_in, cases, person
):
    context = browser.new_context(**browser_context_args, java_script_enabled=False)
    logged_in(context)
    page = context.new_page()
    page.goto("/")
    for case in cases[:2]:
        page.get_by_label(f"Select {case.reference}").check()
    page.get_by_label("Assign to").fill("me")
    page.get_by_role("button", name="Assign").click()
    expect(page.get_by_role("heading", name="Assign: 0 of 2 cases")).to_be_visible()
    context.close()


def test_the_menu_of_settings_works_by_keyboard(boss, page_events):
    boss.goto("/")
    boss.keyboard.press("g")
    boss.keyboard.press("m")
    menu = boss.get_by_role("dialog", name="Settings")
    expect(menu).to_be_visible()
    assert violations(boss) == []
    boss.keyboard.press("Tab")
    expect(menu.get_by_role("link").first).to_be_focused()
    boss.keyboard.press("Escape")
    expect(menu).not_to_be_visible()
    expect(boss.get_by_role("button", name="Settings")).to_be_focused()
    # Keys of its pages work from everywhere, and the palette names them.
    boss.keyboard.press("Control+k")
    boss.keyboard.type("servic")
    boss.locator("#palette").get_by_role("button", name="Services").click()
    boss.wait_for_url("**/connections/")
    assert page_events.complaints == []


def test_the_palette_leads_to_cases_and_commands(
    boss, page_events, desk, cases, person
):
    boss.goto("/")
    boss.keyboard.press("Control+k")
    palette = boss.locator("#palette")
    expect(palette.get_by_role("searchbox")).to_be_focused()
    assert violations(boss) == []
    boss.keyboard.type("dashb")
    boss.keyboard.press("Enter")
    expect(boss).to_have_url(re.compile(r"/dashboard/$"))
    boss.wait_for_load_state()  # until then nobody listens to keys
    case = Case.objects.latest("pk")
    boss.keyboard.press("Control+k")
    expect(palette.get_by_role("searchbox")).to_be_focused()
    boss.keyboard.type(case.reference)
    expect(palette.get_by_role("link")).to_contain_text([case.subject])
    assert violations(boss) == []
    boss.keyboard.press("ArrowDown")
    boss.keyboard.press("Enter")
    expect(boss.locator("h1")).to_have_text(case.subject)
    boss.wait_for_load_state()
    # It opens and leads; nothing that is submitted can be hit by typing a name.
    boss.keyboard.press("Control+k")
    expect(palette.get_by_text("Assign")).to_be_visible()
    expect(palette.get_by_text("Take")).to_have_count(0)
    boss.keyboard.press("Escape")
    expect(palette).to_be_hidden()
    assert page_events.complaints == []


def test_the_palette_opens_no_case_that_was_found_for_other_words(boss, cases):
    boss.goto("/")
    boss.wait_for_load_state("networkidle")
    boss.keyboard.press("Control+k")
    boss.keyboard.type("cedar")
    expect(boss.locator("#palette-cases")).to_contain_text("Cedar LP")
    boss.get_by_label("Find a case or a command").fill("quarry")
    boss.keyboard.press("Enter")
    expect(boss.locator("main")).to_contain_text("Quarry LLC")
    expect(boss.locator("h1").first).not_to_have_text("Cedar LP")
    expect(boss.locator("main")).not_to_contain_text("Cedar LP")


@pytest.mark.parametrize("view", ["all", "review"])
def test_a_long_name_leaves_the_first_finding_its_room(boss, desk, view):
    summary = {
        "checks": [["Check", "pass"]] * 12,
        "finding": "Sanctions screening: one hit.",
    }
    factories.make_case(
        desk, subject="Northwind Maritime " * 20, country="US", recommendation="Approve",
        status="to_review", summary=summary, risk=1, due_at=now() + timedelta(hours=3, minutes=30),
    )  # fmt: skip
    boss.goto(f"/?view={view}")
    finding = boss.locator("td.flag").bounding_box()
    assert finding is not None
    assert finding["width"] >= 150
    assert (
        boss.evaluate("document.querySelector('table.data').clientWidth")
        <= 1440 - 48 - 208
    )


def test_a_case_that_is_printed_has_its_name_and_its_findings(boss, person):
    """Who prints the page itself, not the report, gets no empty sheet."""
    case = open_case(failing=True, recommendation="Reject")
    add_risky_document(case)
    boss.goto(case.get_absolute_url())
    boss.wait_for_load_state("networkidle")
    boss.set_viewport_size({"width": 794, "height": 1123})
    boss.emulate_media(media="print")
    assert boss.locator("#case-head h1").bounding_box()["width"] > 100
    body = boss.locator("#panel .body")
    assert body.evaluate("part => part.scrollHeight - part.clientHeight") <= 1


def test_a_case_can_be_read_where_it_is_enlarged_four_times(boss, person):
    """A screen of 1280 by 1024 has 320 by 256 pixels then: what stays in place would fill it."""
    case = open_case(failing=True, recommendation="Reject")
    boss.set_viewport_size({"width": 320, "height": 256})
    boss.goto(case.get_absolute_url())
    boss.wait_for_load_state("networkidle")
    name = boss.locator("#case-head h1")
    name.scroll_into_view_if_needed()
    on_top = """part => {
      const { left, top, width, height } = part.getBoundingClientRect();
      const found = document.elementFromPoint(left + width / 2, top + height / 2);
      return part.contains(found);
    }"""
    assert name.evaluate(on_top)
    finding = boss.locator("#panel h2").first
    finding.scroll_into_view_if_needed()
    assert finding.evaluate(on_top)
    assert boss.evaluate("document.documentElement.scrollWidth") <= 320
