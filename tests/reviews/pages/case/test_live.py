"""The fragment that a running case asks for again and again."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest
from django.utils.html import escape

from reviews.models import Case, Document, Job
from tests.reviews.pages.case import payloads
from tests.reviews.pages.case.rows import (
    add_document,
    add_tool_result,
    plain,
    reviewed_case,
    wire,
)

pytestmark = pytest.mark.django_db


# Soon after the page and after each change, for most checks take a moment; else not so often.
POLL = 'hx-trigger="load delay:400ms, every 2s"'


@pytest.fixture
def live():
    case, job = reviewed_case(status=Job.Status.RUNNING)
    Case.objects.filter(pk=case.pk).update(status=Case.Status.CHECKING)
    case.refresh_from_db()
    return case, job


def test_only_a_running_case_asks_again(analyst, live):
    case, job = live
    assert POLL in analyst.get(f"/cases/{case.pk}/").content.decode()
    job.move(Job.Status.COMPLETE)
    case.move(Case.Status.TO_REVIEW)
    assert "every 2s" not in analyst.get(f"/cases/{case.pk}/").content.decode()


def test_a_document_being_drawn_keeps_the_page_alive(analyst):
    case, _ = reviewed_case()
    add_document(case, pages=0, status=Document.Status.PENDING)
    assert POLL in analyst.get(f"/cases/{case.pk}/").content.decode()


def test_an_unchanged_case_is_not_sent_again(
    analyst, live, django_assert_max_num_queries
):
    case, job = live
    add_document(case)
    etag = analyst.get(f"/cases/{case.pk}/live/")["ETag"]
    text = f'{{"If-None-Match": {json.dumps(etag)}}}'
    assert (
        f'hx-headers="{escape(text)}"'
        in analyst.get(f"/cases/{case.pk}/").content.decode()
    )
    with django_assert_max_num_queries(11):
        again = analyst.get(f"/cases/{case.pk}/live/", headers={"If-None-Match": etag})
    assert (again.status_code, again.content) == (304, b"")
    add_tool_result(job, payloads.FRAUD, {"passed": False})
    fresh = analyst.get(f"/cases/{case.pk}/live/", headers={"If-None-Match": etag})
    assert fresh.status_code == 200


def test_the_fragment_brings_head_checks_and_findings(analyst, live):
    case, job = live
    result = add_document(case)
    part = payloads.fraud(payloads.indicator(boxes=[payloads.box()]))
    add_tool_result(
        job, payloads.FRAUD, payloads.tool_results("fraud_verification_data", part)
    )
    html = analyst.get(
        f"/cases/{case.pk}/live/?drawn={result.pk.hex}:drawn"
    ).content.decode()
    for region in (
        "case-head",
        "checklist",
        "doc-tabs",
        "thumbs",
        "ov-1",
        "findings",
        "decision-bar",
        "case-poll",
    ):
        assert f'id="{region}"' in html, region
    assert html.count('hx-swap-oob="true"') == 8
    assert "Text was covered" in plain(html)
    assert 'id="viewer"' not in html


def test_the_viewer_comes_when_its_document_has_been_drawn(analyst, live):
    case, _ = live
    result = add_document(case)
    html = analyst.get(
        f"/cases/{case.pk}/live/?drawn={result.pk.hex}:pending"
    ).content.decode()
    assert 'id="viewer"' in html
    assert html.count('id="doc-tabs"') == 1


def poll_address(page: str) -> str:
    """What the page asks for again and again."""
    result = re.search(r'id="case-poll"[^>]* hx-get="([^"]+)"', page)
    assert result
    return unescape(result[1])


def test_a_page_keeps_its_document_when_another_one_fails(analyst, live):
    """Its boxes belong to the page that they stand on, whatever the checks find later."""
    case, job = live
    first = add_document(case)
    second = add_document(case, name="bill.pdf", kind=Document.Kind.ADDRESS, pages=3)
    address = poll_address(analyst.get(f"/cases/{case.pk}/").content.decode())
    part = payloads.fraud(payloads.indicator(boxes=[payloads.box()]))
    result = payloads.tool_results(
        "fraud_verification_data", part, document=wire(second)
    )
    add_tool_result(
        job, payloads.FRAUD, {**result, "passed": False}, subject=second.pk.hex
    )
    job.move(Job.Status.COMPLETE)
    case.move(Case.Status.TO_REVIEW, recommendation="Review")
    # By default the page shows the document that failed, and so it does when it is opened anew.
    assert (
        page_state(analyst.get(f"/cases/{case.pk}/").content.decode()) == second.pk.hex
    )
    html = analyst.get(address).content.decode()
    assert page_state(html) == first.pk.hex
    assert 'class="ev' not in html
    assert 'id="viewer"' not in html


def test_another_document_than_the_one_on_the_page_comes_with_its_pages(analyst, live):
    case, _ = live
    result = add_document(case)
    other = add_document(case, name="bill.pdf", kind=Document.Kind.ADDRESS)
    query = f"doc={other.pk.hex}&drawn={result.pk.hex}:drawn"
    assert (
        'id="viewer"' in analyst.get(f"/cases/{case.pk}/live/?{query}").content.decode()
    )


def page_state(html: str) -> str:
    """The document whose tab is marked as the one shown."""
    result = re.search(r'id="tab-(\w+)"[^>]* aria-current="page"', html)
    assert result
    return result[1]


def test_the_end_of_the_work_ends_the_questions(analyst, live):
    case, job = live
    etag = analyst.get(f"/cases/{case.pk}/live/")["ETag"]
    job.move(Job.Status.COMPLETE)
    case.move(Case.Status.TO_REVIEW, recommendation="Approve")
    last = analyst.get(f"/cases/{case.pk}/live/", headers={"If-None-Match": etag})
    assert last.status_code == 286
    assert "Approve" in last.content.decode()
    assert "every 2s" not in last.content.decode()


def test_nothing_of_a_case_stays_in_the_browsers_cache(analyst, live):
    case, _ = live
    for address in (f"/cases/{case.pk}/", f"/cases/{case.pk}/live/"):
        assert "no-store" in analyst.get(address)["Cache-Control"]
