"""The page of a case in a real browser: evidence lights up, nothing jumps, all can use it."""

from __future__ import annotations

import functools
import gzip
import io
import re

import pytest
from django.core.files.base import ContentFile
from PIL import Image, ImageDraw
from playwright.sync_api import Page, expect

from reviews.intake import cases
from reviews.models import Case, CaseParty, Document, Job
from reviews.people import presence
from tests.browser.accessibility import violations
from tests.factories import make_agent, make_connection, make_user
from tests.reviews.pages.case import payloads
from tests.reviews.pages.case.rows import (
    add_check_result,
    add_document,
    add_tool_result,
    reviewed_case,
    wire,
)
from tests.reviews.risk.rows import hit, rated, screened_case

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SHEET = (1240, 1754)  # pixels

# The element with the focus, and whether its first pixels are neither out of the window nor behind
# what sticks to its edge; null once the bar of decisions has it.
IN_SIGHT = """() => {
  const element = document.activeElement;
  if (element === document.body || element.closest(".decision, .rail")) return null;
  const box = element.getBoundingClientRect();
  const [x, y] = [box.left + Math.min(box.width / 2, 12), box.top + Math.min(box.height / 2, 8)];
  const top = document.elementFromPoint(x, y);
  return { what: element.outerHTML.slice(0, 160), is_in_sight: Boolean(top && !top.closest(".decision, .rail, .top")) };
}"""
LAYOUT_SHIFT = """
    window.shift = 0;
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
"""


@functools.cache
def sheet() -> bytes:
    """A page with a frame on it. To write one takes a third of a second."""
    image = Image.new("RGB", SHEET, "white")
    ImageDraw.Draw(image).rectangle((124, 175, 500, 260), outline="black")
    image.save(buffer := io.BytesIO(), "WEBP")
    return buffer.getvalue()


def full_case() -> tuple[Case, Job, Document]:
    """Three pages, ten checks, each kind of part, boxes on two pages."""
    case, job = reviewed_case(country="US", recommendation="Review")
    words = [
        ["word", x / 10, y / 50, x / 10 + 0.09, y / 50 + 0.012]
        for y in range(4, 44)
        for x in range(1, 9)
    ]
    document = add_document(case, pages=3, words=words)
    for page in document.pages.all():
        page.width, page.height = SHEET
        page.image.save("page.webp", ContentFile(sheet()))
    parts = {
        payloads.EXTRACTION: (
            "extraction_data",
            payloads.extraction(
                payloads.comparison("Business name", state="equal", boxes=[payloads.box()]),
                payloads.comparison("Incorporation date", boxes=[payloads.box(3, y0=0.8, y1=0.83)]),
                payloads.comparison("Jurisdiction", state="cannot_compare", boxes=[]),
                analysis="It says so in the first article.",
            ),
        ),
        payloads.VISUAL: ("visual_inspection", payloads.visual(seal_verification={"analysis": "A seal.", "passed": False, "present": True, "boxes": [payloads.box(2, 0.5, 0.5, 0.9, 0.8)]})),
        payloads.FRAUD: ("fraud_verification_data", payloads.fraud(payloads.indicator(boxes=[payloads.box()]), payloads.indicator("TRUST", "Known issuer"))),
    }  # fmt: skip
    for tool_id, (key, part) in parts.items():
        add_tool_result(
            job, tool_id, payloads.tool_results(key, part, document=wire(document))
        )
    add_check_result(job, {"verdict": "fail", "explanation": "Two facts differ."})
    for number in range(9):
        add_check_result(
            job,
            {"verdict": "pass", "explanation": "In order."},
            check_id=f"kyb.check_{number}x",
        )
    return case, job, document


@pytest.mark.sweep
@pytest.mark.parametrize(
    "tab", ["", "?tab=activity", "?tab=runs", "?tab=related", "?tab=payload"]
)
def test_the_page_is_accessible_and_silent(boss: Page, page_events, tab):
    case, *_ = full_case()
    case.events.create(
        actor="agent", what="job_complete", data={"recommendation": "Review"}
    )
    boss.goto(f"/cases/{case.pk}/{tab}")
    boss.wait_for_load_state("networkidle")
    assert violations(boss) == []
    assert page_events.complaints == []
    assert len(page_events.hosts) == 1


def test_a_row_lights_its_box_and_a_box_its_row(boss: Page):
    case, *_ = full_case()
    boss.goto(f"/cases/{case.pk}/")
    row, box = boss.locator("#f1"), boss.locator("#box-f1")
    # The worst finding is shown beside its place from the start.
    expect(box).to_have_class("evidence fail selected")
    row.focus()
    expect(box).to_have_class("evidence fail selected")
    expect(box.locator("rect")).to_be_in_viewport()
    expect(boss.locator("#page-3 .flag")).to_have_text("Incorporation date")
    assert boss.locator("#page-3 .spot").get_attribute("d")
    boss.keyboard.press("Escape")
    expect(box).to_have_class("evidence fail")
    expect(boss.locator(".flag")).to_have_count(0)
    boss.locator("#page-2").scroll_into_view_if_needed()
    boss.locator("#box-v1").focus()
    expect(boss.locator("#v1")).to_have_class("finding selected")
    expect(boss.locator("#v1")).to_be_in_viewport()


def test_an_altered_value_is_shown_as_altered_and_leads_to_its_edit(boss: Page):
    case, job, document = full_case()
    change = {"page": 1, "before": "2015", "after": "2009", "boxes": [payloads.box(1)]}
    strong = payloads.indicator(
        boxes=[payloads.box(1)], changes=[change], severity="high"
    )
    altered = payloads.comparison(
        "Incorporation date", state="altered", boxes=[payloads.box(1)]
    )
    elsewhere = payloads.comparison(
        "Name", state="altered", boxes=[payloads.box(3, y0=0.8, y1=0.9)]
    )
    for tool_id, key, part in (
        (
            payloads.EXTRACTION,
            "extraction_data",
            payloads.extraction(altered, elsewhere),
        ),
        (payloads.FRAUD, "fraud_verification_data", payloads.fraud(strong)),
    ):
        data = payloads.tool_results(key, part, document=wire(document)) | {
            "passed": False
        }
        add_tool_result(job, tool_id, data, subject="later")
    boss.goto(f"/cases/{case.pk}/?doc={document.pk}")
    row = boss.locator("#f0")
    expect(row.locator(".state")).to_have_class("state fail")
    expect(row.locator(".state")).to_have_text("altered")
    expect(boss.get_by_text("2 altered")).to_be_visible()
    edits = boss.get_by_role("link", name="Show the edit of Incorporation date")
    expect(edits).to_have_count(1)
    expect(boss.get_by_role("link", name="Show the edit of Name")).to_have_count(0)
    edits.press("Enter")
    expect(boss.locator("#i0c0")).to_be_in_viewport()
    assert boss.url.endswith("#i0c0")
    expect(boss.locator("#i0c0 ins")).to_have_text("2009")


def test_a_document_is_named_by_its_file(boss: Page):
    case, *_ = full_case()
    add_document(case, name="letter of 2019.pdf")
    boss.goto(f"/cases/{case.pk}/")
    tabs = boss.locator("#doc-tabs .name")
    expect(tabs).to_have_text(["certificate.pdf", "letter of 2019.pdf"])


def test_hovering_does_what_focusing_does(boss: Page):
    case, *_ = full_case()
    boss.goto(f"/cases/{case.pk}/")
    boss.locator("#f0").hover()
    expect(boss.locator("#box-f0")).to_have_class("evidence pass selected")
    boss.locator("#f1").hover()
    expect(boss.locator("#box-f1 rect")).to_be_in_viewport()
    expect(boss.locator(".evidence.selected")).to_have_count(1)


def test_an_edit_lights_its_own_place_and_whoever_else_is_here_is_named(
    boss: Page, page_events
):
    case, job, document = full_case()
    change = {"page": 2, "before": "100", "after": "900", "boxes": [payloads.box(2)]}
    edited = payloads.fraud(
        payloads.indicator(boxes=[payloads.box()], changes=[change])
    )
    result = payloads.tool_results(
        "fraud_verification_data", edited, document=wire(document)
    )
    add_tool_result(job, payloads.FRAUD, result, subject="later")
    presence.report(case, make_user("bo", first_name="Bo", last_name="Ek"))
    boss.goto(f"/cases/{case.pk}/")
    expect(boss.locator("#presence")).to_contain_text("Bo Ek has this case open since")
    boss.locator("#i0c0").focus()
    expect(boss.locator("#box-i0c0")).to_have_class("evidence fail selected")
    expect(boss.locator("#box-i0c0 rect")).to_be_in_viewport()
    boss.locator("#box-i0c0").focus()
    expect(boss.locator("#i0c0")).to_have_class("finding edit selected")
    assert page_events.complaints == []


def test_keys_walk_findings_pages_and_documents(boss: Page):
    case, _, first = full_case()
    second = add_document(case, name="ein.pdf", kind=Document.Kind.EIN)
    boss.goto(f"/cases/{case.pk}/?doc={first.pk.hex}")
    # The worst first.
    boss.keyboard.press("j")
    expect(boss.locator("#f1")).to_be_focused()
    boss.keyboard.press("j")
    expect(boss.locator("#f1")).not_to_be_focused()
    boss.keyboard.press("k")
    expect(boss.locator("#f1")).to_be_focused()
    boss.keyboard.press("Escape")
    # The page of the finding has come into view before the next key.
    expect(boss.locator("#page-number")).to_have_text("3 / 3")
    for number in (2, 1):
        boss.keyboard.press(",")
        expect(boss.locator("#page-number")).to_have_text(f"{number} / 3")
    boss.keyboard.press(".")
    expect(boss.locator("#page-number")).to_have_text("2 / 3")
    boss.keyboard.press("+")
    expect(boss.locator("#zoom")).to_have_text("120%")
    boss.keyboard.press("0")
    expect(boss.locator("#zoom")).to_have_text("100%")
    boss.keyboard.press("b")
    expect(boss.locator("#box-v1 rect")).to_be_hidden()
    boss.keyboard.press("l")
    boss.wait_for_url(f"**doc={second.pk.hex}")
    boss.keyboard.press("h")
    boss.wait_for_url(f"**doc={first.pk.hex}")


def test_a_page_can_be_turned_without_covering_another(boss: Page):
    case, *_ = full_case()
    boss.goto(f"/cases/{case.pk}/")
    # It opens at the page of the worst finding, the third: a key before that is about the first.
    expect(boss.locator("#page-number")).to_have_text("3 / 3")
    for number in (2, 1):
        boss.keyboard.press(",")
        expect(boss.locator("#page-number")).to_have_text(f"{number} / 3")
    boss.keyboard.press("r")
    turned, after = (
        boss.locator("#page-1").bounding_box(),
        boss.locator("#page-2").bounding_box(),
    )
    assert turned
    assert after
    assert turned["width"] / turned["height"] == pytest.approx(1754 / 1240, rel=0.01)
    assert turned["y"] + turned["height"] <= after["y"]


def test_without_scripts_rows_still_lead_to_their_boxes(
    browser, browser_context_args, logged_in
):
    case, *_ = full_case()
    context = browser.new_context(**browser_context_args, java_script_enabled=False)
    logged_in(context)
    page = context.new_page()
    page.goto(f"/cases/{case.pk}/")
    page.locator("#f1").click()
    expect(page.locator("#box-f1 rect")).to_be_in_viewport()
    expect(page.locator("[data-view]").first).to_be_hidden()
    page.locator("#panel-activity").click()
    expect(page.locator("#panel-activity")).to_have_attribute("aria-current", "page")
    context.close()


def test_words_can_be_found_and_selected(boss: Page):
    case, *_ = full_case()
    boss.goto(f"/cases/{case.pk}/")
    text = boss.locator("#page-1 .text text").first
    text.click(click_count=3)
    assert boss.evaluate("getSelection().toString()").split()[:2] == ["word", "word"]


def test_the_words_of_long_documents_come_with_their_page(boss: Page):
    case, _ = reviewed_case()
    words = [["word", 0.1, y / 1000, 0.2, y / 1000 + 0.01] for y in range(10, 990, 1)]
    # The words of the next two pages or so come with the first one.
    add_document(case, pages=6, words=words)
    boss.goto(f"/cases/{case.pk}/")
    expect(boss.locator("#page-6 .text text")).to_have_count(0)
    for _ in range(5):
        boss.keyboard.press(".")
    expect(boss.locator("#page-6 .text text")).to_have_count(980)


def test_a_turned_page_may_be_drawn_again(boss: Page, page_events):
    """htmx would copy the style that a script gave it as an inline style, which the policy forbids."""
    case, _ = reviewed_case()
    add_document(case)
    boss.goto(f"/cases/{case.pk}/")
    result = boss.locator("#page-1").evaluate("(page) => page.outerHTML")
    boss.keyboard.press("r")
    expect(boss.locator("#page-1")).to_have_attribute("style", re.compile("--turned"))
    boss.evaluate(
        """(drawn) => htmx.swap("#page-1", drawn, { swapStyle: "outerHTML" },
        { eventInfo: { target: document.querySelector("#page-1") } })""",
        result,
    )
    expect(boss.locator("#page-1")).not_to_have_attribute("style", re.compile("."))
    assert page_events.complaints == []


def test_results_arrive_while_one_reads(boss: Page, page_events):
    case, job = reviewed_case(status=Job.Status.RUNNING)
    case.move(Case.Status.CHECKING)
    document = add_document(case)
    many = [
        payloads.comparison(f"Field {number}", boxes=[payloads.box()])
        for number in range(30)
    ]
    result = payloads.extraction(*many, analysis="Because of the first article.")
    add_tool_result(
        job,
        payloads.EXTRACTION,
        payloads.tool_results("extraction_data", result, document=wire(document)),
    )
    boss.goto(f"/cases/{case.pk}/")
    expect(boss.locator("#findings")).to_contain_text("The service examines")
    boss.locator("summary", has_text="Reasoning").click()
    boss.locator("#f20").focus()
    before = boss.locator("#findings-scroll").evaluate("(panel) => panel.scrollTop")
    assert before > 0
    add_tool_result(
        job,
        payloads.VISUAL,
        payloads.tool_results(
            "visual_inspection", payloads.visual(), document=wire(document)
        ),
    )
    expect(boss.locator("#v0")).to_be_attached(timeout=8000)
    expect(boss.locator("#f20")).to_be_focused()
    expect(boss.locator("#f20")).to_have_class("comparison selected")
    expect(boss.locator("#box-f20")).to_have_class("evidence fail selected")
    expect(boss.get_by_text("Because of the first article.")).to_be_attached()
    assert boss.locator("details[open]").count() == 1
    assert (
        boss.locator("#findings-scroll").evaluate("(panel) => panel.scrollTop")
        == before
    )
    job.move(Job.Status.COMPLETE)
    case.move(Case.Status.TO_REVIEW, recommendation="Approve")
    expect(boss.locator("#case-head")).to_contain_text("Approve", timeout=8000)
    expect(boss.locator("main [hx-trigger^=every]")).to_have_count(0)
    rows: list[str] = []
    boss.on("request", lambda request: rows.append(request.url))
    boss.wait_for_timeout(2500)
    assert [url for url in rows if "/presence/" not in url] == []
    assert page_events.complaints == []


def test_a_document_appears_once_it_is_drawn(boss: Page, page_events):
    case, _ = reviewed_case()
    document = add_document(case, pages=3, status=Document.Status.PENDING)
    boss.goto(f"/cases/{case.pk}/")
    expect(boss.locator("#viewer")).to_contain_text("is being fetched")
    Document.objects.filter(pk=document.pk).update(status=Document.Status.DRAWN)
    expect(boss.locator(".sheet")).to_have_count(3, timeout=8000)
    boss.keyboard.press(".")
    expect(boss.locator("#page-number")).to_have_text("2 / 3")
    assert page_events.complaints == []


def test_the_page_keeps_to_its_budget(boss: Page, client, person):
    case, *_ = full_case()
    boss.add_init_script(LAYOUT_SHIFT)
    boss.goto(f"/cases/{case.pk}/")
    boss.wait_for_load_state("networkidle")
    assert boss.evaluate("window.shift") <= 0.01
    client.force_login(person)
    assert len(gzip.compress(client.get(f"/cases/{case.pk}/").content, 6)) <= 25 << 10


@pytest.mark.sweep
def test_nothing_is_cut_off_sideways(boss: Page):
    case, *_ = full_case()
    for width in (320, 768, 1024, 1280, 1920):
        boss.set_viewport_size({"width": width, "height": 800})
        boss.goto(f"/cases/{case.pk}/")
        assert boss.evaluate("document.documentElement.scrollWidth") <= width
        expect(boss.locator("#f0")).to_be_attached()
    expect(boss.locator(".activity .timeline")).to_be_visible()


@pytest.mark.parametrize("width", [390, 1440])
def test_the_list_of_checks_opens_at_the_check_that_is_shown(boss: Page, width):
    case, job = reviewed_case()
    for number in range(40):
        check = f"kyb.check_{number:02}x"
        add_check_result(
            job, {"verdict": "fail", "explanation": "One hit."}, check_id=check
        )
    boss.set_viewport_size({"width": width, "height": 844})
    boss.goto(f"/cases/{case.pk}/")
    boss.locator("#checklist li > a").nth(30).click(force=True)
    shown = boss.locator("#checklist li").nth(30).locator("a[aria-current]")
    expect(shown).to_be_in_viewport(ratio=1)
    # The page itself does not move.
    assert boss.evaluate("scrollY") == 0


def test_a_long_file_name_is_not_cut_while_its_document_is_awaited(boss: Page):
    case, _ = reviewed_case(status=Job.Status.RUNNING)
    name = "statement_" * 25 + ".pdf"
    add_document(case, name=name, status=Document.Status.PENDING)
    boss.goto(f"/cases/{case.pk}/")
    expect(boss.locator("#findings .none").nth(1)).to_contain_text(name)
    for place in ("#findings-scroll", "#viewer .blank"):
        cut = boss.locator(place).evaluate(
            "part => part.scrollWidth - part.clientWidth"
        )
        assert cut <= 0, place


@pytest.mark.parametrize("width", [390, 768])
def test_what_has_the_focus_is_in_sight_on_a_narrow_screen(boss: Page, width):
    case, *_ = full_case()
    boss.set_viewport_size({"width": width, "height": 844})
    boss.goto(f"/cases/{case.pk}/")
    boss.wait_for_load_state("networkidle")
    boss.locator("#thumbs, .canvas").last.focus()
    text = 0
    for _ in range(40):
        boss.keyboard.press("Tab")
        result = boss.evaluate(IN_SIGHT)
        if result is None:
            break
        text += 1
        assert result["is_in_sight"], result["what"]
    assert text > 10


def test_on_a_phone_a_case_without_documents_begins_with_its_findings(
    boss: Page, page_events
):
    case, job = reviewed_case(self_attested_data={"business_name": "Northwind Ltd"})
    add_check_result(job, {"passed": False, "explanation": "One hit."})
    boss.set_viewport_size({"width": 390, "height": 844})
    boss.goto(f"/cases/{case.pk}/")
    finding = boss.locator("#findings").get_by_text("One hit.").first
    expect(finding).to_be_visible()
    box = finding.bounding_box()
    assert box is not None
    # Above the bar of decisions, without scrolling.
    assert box["y"] < 700
    assert page_events.complaints == []


def test_the_name_of_a_factor_does_not_break_within_a_word(boss: Page):
    case, _job = screened_case(hit())
    rated(case)
    boss.set_viewport_size({"width": 1280, "height": 800})
    boss.goto(f"/cases/{case.pk}/?tab=risk")
    names = boss.locator("#risk td:first-child")
    expect(names.first).to_be_visible()
    broken = names.evaluate_all(
        """cells => cells.flatMap((cell) => {
          const text = cell.firstChild;
          return [...text.data.matchAll(/\\S+/g)].filter((word) => {
            const range = document.createRange();
            range.setStart(text, word.index);
            range.setEnd(text, word.index + word[0].length);
            return range.getClientRects().length > 1;
          }).map((word) => word[0]);
        })"""
    )
    assert broken == []


def test_states_and_days_do_not_break_on_the_page_of_a_party(boss: Page):
    case = cases.submit(
        actor=None,
        agent=make_agent(make_connection()),
        subject="Northwind Ltd",
        data={"business_name": "Northwind Ltd"},
        documents=[],
    )
    job = case.jobs.get()
    explanation = "One hit, and many more words that make the column wide. " * 4
    add_check_result(job, {"passed": False, "explanation": explanation})
    case.refresh_from_db()
    party = CaseParty.objects.get(case=case).party
    boss.goto(f"/parties/{party.pk}/")
    for width in (390, 1024):
        boss.set_viewport_size({"width": width, "height": 800})
        day = boss.locator("main table.data td").filter(
            has_text=re.compile(r"^\s*\d{4}-\d\d-\d\d\s*$")
        )
        assert day.count() > 0
        heights = day.evaluate_all(
            "cells => cells.map((cell) => { const range = document.createRange();"
            " range.selectNodeContents(cell); return range.getClientRects().length; })"
        )
        assert set(heights) == {1}
        assert boss.evaluate("document.documentElement.scrollWidth") <= width
