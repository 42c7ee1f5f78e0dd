"""The page about a file, and a case with a file in quarantine: accessible, at every width, in both themes."""

from __future__ import annotations

import pytest
from django.core.files.base import ContentFile
from django.utils.timezone import now
from playwright.sync_api import Page

from reviews.documents import store
from reviews.models import Document, FileScan
from tests.browser.accessibility import violations
from tests.reviews.pages.case.rows import add_pages
from tests.reviews.rows import open_case

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]


@pytest.fixture
def documents(db) -> list[Document]:
    """One that is drawn, and one in quarantine."""
    case = open_case()
    rows = []
    for name in ("certificate.pdf", f"{'passport_scan_' * 6}.pdf.exe"):
        file = ContentFile(b"%PDF-1.7\n%%EOF\n")
        kind = Document.Kind.INCORPORATION
        rows.append(store.add(case, kind=kind, file=file, file_name=name))
    rows[0].move(Document.Status.DRAWN, due_at=None)
    add_pages(rows[0], 1)
    rows[1].move(Document.Status.UNREADABLE, reason="It is in quarantine.", due_at=None)
    FileScan.objects.create(
        document=rows[1], status="quarantined", signature="Eicar-Test-Signature",
        scanner="ClamAV 1.4.3", scanned_at=now(), due_at=None,
    )  # fmt: skip
    return rows


@pytest.mark.sweep
@pytest.mark.parametrize("width", [390, 1440])
def test_a_file_is_described_at_every_width(
    boss: Page, page_events, documents, width, tmp_path
):
    boss.set_viewport_size({"width": width, "height": 900})
    picture, closed = documents
    addresses = {
        f"/documents/{picture.pk}/original/": "It may attack the program",
        f"/documents/{closed.pk}/original/": "Nobody gets this file",
        picture.case.get_absolute_url(): "in quarantine: Eicar-Test-Signature",
    }
    for number, (address, words) in enumerate(addresses.items()):
        boss.goto(address)
        assert words in boss.locator("main").inner_text()
        overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert boss.evaluate(overflow) == 0
        # What a card is wider than its page is cut off, and nobody could scroll to it.
        for card in boss.locator("main > .card").all():
            box = card.bounding_box()
            assert box
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
        assert page_events.complaints == []
        assert violations(boss) == []
        boss.screenshot(path=tmp_path / f"{number}.png", full_page=True)


def test_the_copy_and_the_original_are_downloads(boss: Page, page_events, documents):
    picture, _ = documents
    boss.goto(picture.case.get_absolute_url())
    with boss.expect_download() as copy:
        boss.get_by_label("Download a safe copy (PDF)").click()
    assert copy.value.suggested_filename.startswith("incorporation-document-C-10428")
    boss.get_by_label("About the file, and the original").click()
    with boss.expect_download() as original:
        boss.get_by_role("button", name="Download the original").click()
    assert original.value.suggested_filename == "certificate.pdf"
    assert original.value.path().read_bytes() == b"%PDF-1.7\n%%EOF\n"
    assert page_events.complaints == []
