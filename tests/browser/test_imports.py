"""A file of cases with mistakes, in a browser: seen beside their cells, mended, and opened."""

from __future__ import annotations

from playwright.sync_api import expect

from reviews.models import Case
from reviews.tasks import IMPORTS
from tests.browser.accessibility import violations

CONTENT = (
    b"nr,Company name,Incorporation country,Since\n"
    b"a,Northwind,Germany,2001-02-03\n"
    b"b,Contoso,Atlantis,2001-02-03\n"
    b"a,Northwind,,\n"
    b"c,Fabrikam,US,03/02/2001\n"
)


def test_a_file_with_mistakes_is_mended_and_opened(boss, page_events, desk):
    boss.goto("/")
    boss.get_by_role("link", name="Batches").click()
    boss.locator("#id_agent").select_option(index=0)
    boss.locator("#id_file").set_input_files(
        {"name": "march.csv", "mimeType": "text/csv", "buffer": CONTENT}
    )
    boss.get_by_role("button", name="Check the file").click()
    expect(boss.get_by_label("nr", exact=True)).to_have_value("+")
    boss.get_by_label("nr", exact=True).select_option("id")
    boss.get_by_label("Since").select_option("incorporation_date")
    boss.get_by_role("button", name="Check again").click()
    mistakes = boss.get_by_role("region", name="Mistakes")
    expect(mistakes.get_by_role("row", name="Atlantis")).to_contain_text(
        "two-letter code such as US"
    )
    expect(mistakes.get_by_role("row", name="03/02/2001")).to_contain_text(
        "must be a day such as 2023-03-28"
    )
    expect(mistakes.get_by_role("row", name="The same id")).to_have_count(2)
    assert violations(boss) == []
    boss.get_by_label("Rows of one id are one case").check()
    boss.get_by_role("button", name="Check again").click()
    expect(boss.get_by_role("region", name="Mistakes")).not_to_contain_text("same id")
    assert not Case.objects.exists()
    boss.get_by_role("button", name="Open 1 case, leave out 2").click()
    expect(boss.get_by_text("0 of 3")).to_be_visible()
    IMPORTS.drain()
    expect(boss.get_by_text("3 of 3")).to_be_visible()
    expect(boss.get_by_role("region", name="Rows that were left out")).to_contain_text(
        "two-letter code"
    )
    assert violations(boss) == []
    boss.set_viewport_size({"width": 390, "height": 844})
    width = boss.evaluate("document.documentElement.scrollWidth")
    assert width <= 390
    boss.get_by_role("link", name="a", exact=True).first.click()
    boss.wait_for_url("**/cases/*/")
    case = Case.objects.get()
    assert (case.reference, case.country) == ("a", "DE")
    assert page_events.complaints == []
