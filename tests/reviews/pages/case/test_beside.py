"""Two documents of a case side by side: by plain links, and lit together in a browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from compliance.db.states import stored_values
from reviews.models import Case, Document
from tests.browser.accessibility import violations
from tests.reviews.pages.case import payloads
from tests.reviews.pages.case.rows import (
    add_check_result,
    add_document,
    add_tool_result,
    reviewed_case,
    wire,
    words,
)
from tests.reviews.pages.case.test_statements import statements

pytestmark = pytest.mark.django_db


def two_documents() -> tuple[Case, Document, Document]:
    """A certificate and a letter that say different names, and each something of its own."""
    case, job = reviewed_case()
    one = add_document(case, name="certificate.pdf", pages=2)
    other = add_document(case, name="letter.pdf", kind=Document.Kind.EIN, pages=3)
    data = {
        one: (
            payloads.comparison(
                "Business name", attested="Northwind", extracted="Northwind Ltd"
            ),
            payloads.comparison("Incorporation date", boxes=[payloads.box(2)]),
        ),
        other: (
            payloads.comparison("Number", extracted="12-3456789", state="equal"),
            payloads.comparison(
                "Business name",
                extracted="Norwind Ltd",
                boxes=[payloads.box(3, y0=0.8, y1=0.84)],
            ),
        ),
    }
    for document, rows in data.items():
        part = payloads.extraction(*rows)
        body = payloads.tool_results("extraction_data", part, document=wire(document))
        add_tool_result(job, payloads.EXTRACTION, body, subject=document.pk.hex)
    return case, one, other


def address(case: Case, one: Document, other: Document) -> str:
    return f"/cases/{case.pk}/?doc={one.pk.hex}&beside={other.pk.hex}"


def test_a_link_puts_the_next_document_beside(analyst):
    case, one, other = two_documents()
    html = analyst.get(f"/cases/{case.pk}/?doc={one.pk.hex}").content.decode()
    assert f"/cases/{case.pk}/?doc={one.pk.hex}&amp;beside={other.pk.hex}" in html
    both = analyst.get(address(case, one, other)).content.decode()
    for document in (one, other):
        assert f"/documents/{document.pk}/pages/1.webp" in both
    assert re.search(rf'id="compare" href="/cases/{case.pk}/\?doc={one.pk.hex}"', both)
    # The tab of the document beside changes places, so that its findings can be read.
    assert (
        f'href="/cases/{case.pk}/?doc={other.pk.hex}&amp;beside={one.pk.hex}"' in both
    )


def test_no_id_is_there_twice(analyst):
    html = analyst.get(address(*two_documents())).content.decode()
    ids = re.findall(r'\bid="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    assert {"page-1", "beside-page-1", "box-f0", "beside-box-f1"} <= set(ids)


def test_a_row_says_what_the_other_document_says_of_it(analyst):
    case, one, other = two_documents()
    text = words(analyst, address(case, one, other))
    assert "document Northwind Ltd one day apart beside differs Norwind Ltd" in text
    assert text.count("beside ") == 1  # the letter says nothing of the date
    swapped = words(analyst, address(case, other, one))
    assert "beside differs Northwind Ltd" in swapped


def test_one_document_has_none_to_be_beside(analyst):
    case, _ = reviewed_case()
    document = add_document(case)
    html = analyst.get(f"/cases/{case.pk}/?beside={document.pk.hex}").content.decode()
    assert 'id="compare"' not in html
    assert "beside-page-1" not in html


@pytest.mark.parametrize("query", ["", "x", "<script>", "0" * 32])
def test_what_cannot_be_beside_is_left_out(analyst, query):
    case, one, _ = two_documents()
    html = analyst.get(
        f"/cases/{case.pk}/?doc={one.pk.hex}&beside={query}"
    ).content.decode()
    assert "beside-page-1" not in html


def test_a_document_of_another_case_is_never_beside(analyst):
    case, one, _ = two_documents()
    other_case = Case.objects.create(
        connection=case.connection, reference="X", subject="Y"
    )
    foreign = add_document(other_case, name="foreign.pdf")
    html = analyst.get(address(case, one, foreign)).content.decode()
    assert "foreign.pdf" not in html


def test_one_that_cannot_be_shown_says_why_beside_one_that_can(analyst):
    case, one, other = two_documents()
    changes = {"status": "unreadable", "reason": "It is encrypted."}
    Document.objects.filter(pk=other.pk).update(**stored_values(other, changes))
    text = words(analyst, address(case, one, other))
    assert "letter.pdf cannot be shown It is encrypted." in text


def test_the_second_document_costs_one_statement(analyst):
    case, one, other = two_documents()
    alone = statements(analyst, f"/cases/{case.pk}/?doc={one.pk.hex}")
    assert statements(analyst, address(case, one, other)) == alone + 1


def test_an_act_leads_back_to_both(analyst):
    case, one, other = two_documents()
    add_check_result(case.jobs.get(), {"verdict": "fail"})
    data = {
        "check": payloads.CHECK,
        "kind": "reviewed",
        "doc": one.pk.hex,
        "beside": other.pk.hex,
    }
    answer = analyst.post(f"/cases/{case.pk}/mark/", data)
    assert answer.headers["Location"].endswith(f"beside={other.pk.hex}")


def test_what_is_new_comes_to_both(analyst):
    case, one, other = two_documents()
    both = f"doc={one.pk.hex}&beside={other.pk.hex}"
    live = f"/cases/{case.pk}/live/?{both}&drawn={one.pk.hex}:drawn+{other.pk.hex}"
    html = analyst.get(f"{live}:drawn").content.decode()
    assert {'id="ov-1"', 'id="beside-ov-3"'} <= set(re.findall(r'id="[^"]+"', html))
    assert 'id="viewer"' not in html
    html = analyst.get(f"{live}:pending").content.decode()
    assert 'id="viewer"' in html


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_two_documents_are_compared_by_keyboard(boss: Page, page_events):
    case, _, _ = two_documents()
    boss.goto(f"/cases/{case.pk}/")
    boss.keyboard.press("c")
    expect(boss.locator(".pane")).to_have_count(2)
    assert violations(boss) == []
    # One row lights its place in both; what only the other document has leads to it.
    boss.locator("#f0").focus()
    expect(boss.locator("#box-f0")).to_have_class("evidence fail selected")
    expect(boss.locator("#beside-box-f1")).to_have_class("evidence fail selected")
    expect(boss.locator("#beside-box-f1 rect")).to_be_in_viewport()
    expect(boss.locator(".flag")).to_have_text(["Business name", "Business name"])
    # The keys of the viewer are about the one that is used.
    expect(boss.locator("#page-number")).to_have_text("1 / 2")
    boss.locator("#beside-canvas").focus()
    expect(boss.locator("#page-number")).to_contain_text("/ 3")
    boss.keyboard.press("+")
    for sheets in boss.locator(".sheets").all():
        assert "1.2" in (sheets.get_attribute("style") or "")
    boss.locator("#beside-box-f0").focus()
    boss.keyboard.press("Enter")
    expect(boss.locator("#f0")).to_contain_text("12-3456789")
    expect(boss.locator(".pane .name").first).to_have_text("letter.pdf")
    boss.wait_for_load_state()
    boss.keyboard.press("c")
    expect(boss.locator(".pane")).to_have_count(1)
    assert page_events.complaints == []
