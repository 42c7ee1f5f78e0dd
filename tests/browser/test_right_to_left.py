"""Pages in Arabic: from right to left, without a part that is wider than the screen."""

from __future__ import annotations

import pytest

from compliance.models import LocalePreference
from reviews.intake import information_requests
from tests.factories import make_hub
from tests.reviews.applicant_links import path_and_key
from tests.reviews.pages.case import payloads
from tests.reviews.pages.case.rows import add_tool_result, wire
from tests.reviews.rows import add_risky_document, decide, open_case, someone

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LETTER = """(part, at) => {
  const range = document.createRange();
  range.setStart(part.firstChild, at);
  range.setEnd(part.firstChild, at + 1);
  return range.getBoundingClientRect();
}"""
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture
def case(live_server, work_off):
    case = open_case()
    add_risky_document(case)
    return case


@pytest.mark.parametrize("width", [390, 1440])
def test_the_desk_runs_from_right_to_left(boss, page_events, person, case, width):
    LocalePreference.objects.create(user=person, language="ar")
    boss.set_viewport_size({"width": width, "height": 900})

    for path in ("/", case.get_absolute_url()):
        boss.goto(path)

        assert boss.locator("html").get_attribute("dir") == "rtl"
        assert boss.evaluate(OVERFLOW) == 0
    rail = boss.locator(".rail").bounding_box()
    # On a phone the rail is a bar below.
    if width == 1440:
        assert rail["x"] + rail["width"] == width
    assert page_events.complaints == []


def test_a_long_name_begins_where_it_is_read(boss, person, case):
    """What does not fit of a name in Latin letters is its end, not its beginning."""
    LocalePreference.objects.create(user=person, language="ar")
    case.subject = "Northwind Maritime and Overseas Trading Company Ltd"
    case.save()
    boss.goto("/")
    name = boss.locator("a.ent").first
    first = name.evaluate(LETTER, 0)
    assert name.bounding_box()["x"] <= first["left"]


def test_an_edit_is_shown_at_the_side_where_lines_begin(boss, person, case):
    LocalePreference.objects.create(user=person, language="ar")
    box = payloads.box(1)
    change = {"page": 1, "before": "2015", "after": "2009", "boxes": [box]}
    document = add_risky_document(case, boxes=[box], changes=[change], severity="high")
    row = payloads.comparison("Incorporation date", state="altered", boxes=[box])
    data = payloads.tool_results(
        "extraction_data", payloads.extraction(row), document=wire(document)
    )
    job = case.jobs.get()
    add_tool_result(job, payloads.EXTRACTION, data, subject=str(document.pk))
    boss.goto(f"{case.get_absolute_url()}?doc={document.pk}")
    line = boss.locator("#findings li:has(> a.small)").first
    link = line.locator("> a.small").bounding_box()
    box = line.bounding_box()
    assert link["x"] + link["width"] == box["x"] + box["width"]


@pytest.mark.parametrize("language", ["ar", "de", "en", "es", "fr"])
def test_the_views_of_the_queue_are_not_wider_than_their_place(boss, person, language):
    LocalePreference.objects.create(user=person, language=language)
    boss.goto("/")
    views = boss.locator("#queue-views")
    assert views.evaluate("part => part.scrollWidth - part.clientWidth") == 0


@pytest.mark.parametrize("width", [390, 1440])
def test_an_applicant_reads_the_language_of_the_browser(
    browser, live_server, browser_context_args, case, width
):
    decide(case, someone("analyst"), "request", kinds=["incorporation_documents"])
    context = browser.new_context(
        base_url=live_server.url,
        locale="ar",
        viewport={"width": width, "height": 844},
    )
    page = context.new_page()
    request = case.requests.get()

    page.goto(path_and_key(information_requests.address(request)))

    assert page.locator("html").get_attribute("dir") == "rtl"
    assert page.evaluate(OVERFLOW) == 0
    context.close()


# Where the words of each heading and of the cell below it begin and end.
PLACES = """() => {
  const place = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    const { left, right } = range.getBoundingClientRect();
    return [left, right];
  };
  return [...document.querySelectorAll("table.data")].flatMap((table) => {
    const cells = table.querySelector("tbody tr").cells;
    return [...table.querySelectorAll("thead th")].map((heading, at) => ({
      words: cells[at].textContent.trim(),
      isNumber: cells[at].classList.contains("num"),
      heading: place(heading),
      cell: place(cells[at]),
    }));
  });
}"""


def test_what_stands_in_a_column_stands_below_its_heading(boss, person):
    """Numbers, dates and Latin names run from left to right, and their column is still on the right."""
    LocalePreference.objects.create(user=person, language="ar")
    make_hub()
    boss.goto("/hub/")
    columns = [column for column in boss.evaluate(PLACES) if column["words"]]
    assert len(columns) >= 4
    for column in columns:
        edge = 0 if column["isNumber"] else 1
        assert abs(column["heading"][edge] - column["cell"][edge]) <= 2, column


def test_keys_keep_their_order(boss, person, case):
    """Shift and a letter are written from left to right in every language."""
    LocalePreference.objects.create(user=person, language="ar")
    boss.goto(case.get_absolute_url())
    key = boss.locator("#decide-approve kbd")
    assert key.evaluate("kbd => getComputedStyle(kbd).direction") == "ltr"
